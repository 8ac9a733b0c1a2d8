import type { Timers } from '#app/outbox/environment.ts';

/** Debounce of storing typed text after the last key (protocol, client rule 1). */
export const STORE_AFTER_MS = 500;

/** Typed text that is not stored yet. */
export interface Typing {
  /** Accepts the typed text; after `close` it accepts none, so that nothing unstorable is shown. */
  type(questionId: string, text: string): void;
  /** Called at the deadline and at the finish: later input is ignored. */
  close(): void;
  /** Called when the deadline was moved or the finish could not be written. */
  reopen(): void;
  /** Stores the typed text now; resolves once it is stored on the device. */
  commit(): Promise<void>;
  /** Typed text that is not confirmed as stored, else null. */
  textOf(questionId: string): string | null;
}

/**
 * Buffers typed text between writes. Only stored text is dropped: text typed during a write waits for the next
 * one.
 */
export function createTyping(
  store: (questionId: string, text: string) => Promise<unknown>,
  timers: Timers,
): Typing {
  const texts = new Map<string, string>();
  let timer: unknown = null;
  let isClosed = false;
  let storing: Promise<void> = Promise.resolve();

  async function storeAll(): Promise<void> {
    for (const [questionId, text] of texts) {
      await store(questionId, text);
      if (texts.get(questionId) === text) texts.delete(questionId);
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
    type(questionId, text) {
      if (isClosed) return;
      texts.set(questionId, text);
      if (timer !== null) timers.clear(timer);
      timer = timers.set(() => void commit().catch(() => undefined), STORE_AFTER_MS);
    },
    commit,
    textOf: (questionId) => texts.get(questionId) ?? null,
  };
}
