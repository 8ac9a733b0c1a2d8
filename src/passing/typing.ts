import type { Timers } from '#app/outbox/surroundings.ts';

/** Typing is stored at the latest this long after the last key (protocol, client rule 1). */
export const STORE_AFTER_MS = 500;

/** Text that is being typed and not stored yet. */
export interface Typing {
  /** Takes a key's text; after `close` it takes none, so that nothing is shown that cannot be stored. */
  type(questionId: string, text: string): void;
  /** At zero time and at the finish: from this moment on no key counts. */
  close(): void;
  /** A moved deadline, or a finish that could not be written. */
  reopen(): void;
  /** Stores what is typed at once; resolves when it lies on the device. */
  commit(): Promise<void>;
  /** What is typed and not confirmed yet, else null. */
  textOf(questionId: string): string | null;
}

/**
 * Holds the keys between two stores. Only the text that was stored is forgotten: what is typed during
 * a store waits for the next one.
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
    // A failed store keeps its text; the next key, blur or commit tries again.
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
