import type { Answer } from '#contract/answers.ts';
import type { Timers } from '#app/api/timers.ts';

/** Debounce of storing typed text after the last key (protocol, client rule 1). */
export const STORE_AFTER_MS = 500;

/** Answers with typed text in them that are not stored yet. */
export interface Typing {
  /** Accepts the answer as typed so far; after `close` it accepts none, so that nothing unstorable is shown. */
  type(answer: Answer): void;
  /** Called at the deadline and at the finish: later input is ignored. */
  close(): void;
  /** Called when the deadline was moved or the finish could not be written. */
  reopen(): void;
  /** Stores the typed text now; resolves once it is stored on the device. */
  commit(): Promise<void>;
  /** The typed answer that is not confirmed as stored, else null. */
  answerOf(questionId: string): Answer | null;
}

/**
 * Buffers typed answers between writes. Only what is stored is dropped: text typed during a write waits for the next
 * one.
 */
export function createTyping(store: (answer: Answer) => Promise<unknown>, timers: Timers): Typing {
  const answers = new Map<string, Answer>();
  let timer: unknown = null;
  let isClosed = false;
  let storing: Promise<void> = Promise.resolve();

  async function storeAll(): Promise<void> {
    for (const [questionId, answer] of answers) {
      await store(answer);
      if (answers.get(questionId) === answer) answers.delete(questionId);
    }
  }

  function commit(): Promise<void> {
    if (timer !== null) timers.clear(timer);
    timer = null;
    // A failed write keeps the text; the next key, blur or commit retries.
    storing = storing.then(storeAll, storeAll);
    return storing;
  }

  return {
    close() {
      isClosed = true;
    },
    reopen() {
      isClosed = false;
    },
    type(answer) {
      if (isClosed) return;
      answers.set(answer.questionId, answer);
      if (timer !== null) timers.clear(timer);
      timer = timers.set(() => void commit().catch(() => undefined), STORE_AFTER_MS);
    },
    commit,
    answerOf: (questionId) => answers.get(questionId) ?? null,
  };
}
