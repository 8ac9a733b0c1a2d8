import type { Answer } from '#contract/answers.ts';
import type { Timers } from '#app/api/timers.ts';

/** Debounce of storing typed text after the last key (protocol, client rule 1). */
const STORE_AFTER_MS = 500;

/** During continued typing, text is stored at the latest a second after its key; the write itself uses the rest. */
const MAX_WAIT_MS = 800;

/** Answers with typed text that is not stored yet. */
export interface Typing {
  /** Accepts the answer typed so far. False: nothing is accepted after `close`, since it would not be stored. */
  type(answer: Answer): boolean;
  /** Called at the deadline and at the finish: later input is ignored. */
  close(): void;
  /** Called when the deadline was moved or the finish could not be written. */
  reopen(): void;
  /** Stores the typed text now; resolves once it is stored on the device. */
  commit(): Promise<void>;
  /** The typed answer that is not confirmed as stored, else null. */
  answerOf(questionId: string): Answer | null;
}

export interface TypingParts {
  /** Resolves once the answer is stored. */
  readonly store: (answer: Answer) => Promise<unknown>;
  /** Called when a write that nobody waits for failed. */
  readonly onFailure: (cause: unknown) => void;
  readonly timers: Timers;
}

/**
 * Buffers typed answers between writes. Only stored text is dropped: text typed during a write waits for the next one.
 */
export function createTyping({ store, onFailure, timers }: TypingParts): Typing {
  const answers = new Map<string, Answer>();
  /** Restarted by each key. */
  let pause: unknown = null;
  /** Set by the first key after the last write began. */
  let limit: unknown = null;
  let isClosed = false;
  let storing: Promise<void> = Promise.resolve();

  async function storeOne(answer: Answer): Promise<void> {
    await store(answer);
    if (answers.get(answer.questionId) === answer) answers.delete(answer.questionId);
  }

  /** A question that cannot be stored does not affect the others. */
  async function storeAll(): Promise<void> {
    const writes = [...answers.values()].map(storeOne);
    await Promise.allSettled(writes);
    await Promise.all(writes);
  }

  function stopTimers(): void {
    for (const timer of [pause, limit]) if (timer !== null) timers.clear(timer);
    pause = limit = null;
  }

  function commit(): Promise<void> {
    stopTimers();
    // After a failed write the text stays; the next key, blur or commit retries.
    storing = storing.then(storeAll, storeAll);
    return storing;
  }

  const commitLater = (): void => void commit().catch(onFailure);

  return {
    close() {
      isClosed = true;
    },
    reopen() {
      isClosed = false;
    },
    type(answer) {
      if (isClosed) return false;
      answers.set(answer.questionId, answer);
      if (pause !== null) timers.clear(pause);
      pause = timers.set(commitLater, STORE_AFTER_MS);
      limit ??= timers.set(commitLater, MAX_WAIT_MS);
      return true;
    },
    commit,
    answerOf: (questionId) => answers.get(questionId) ?? null,
  };
}
