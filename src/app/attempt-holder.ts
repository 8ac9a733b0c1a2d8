import type { KeyValueStore } from '#app/lib/session/stored-session.ts';
import { logProblem } from '#app/lib/log.ts';

/** Read by public/start.js, too, as is `CLOSED`. */
const KEY = 'attemptHolder';

/**
 * Owner of an attempt that stays open on this device although the session ended by itself (401, expiry): the
 * student continues and signs in again in place. A manual sign-out leaves no holder.
 */
export interface AttemptHolder {
  current: () => string | null;
  /** Whether the last sign-out was manual, here or in another tab. */
  isClosed: () => boolean;
  set: (owner: string | null) => void;
  close: () => void;
}

/** Stored instead of an owner after a manual sign-out. */
const CLOSED = 'nobody';

export function createAttemptHolder(store: KeyValueStore): AttemptHolder {
  const read = () => {
    try {
      return store.getItem(KEY);
    } catch {
      return null;
    }
  };
  const write = (value: string | null) => {
    try {
      if (value === null) store.removeItem(KEY);
      else store.setItem(KEY, value);
    } catch (cause) {
      logProblem('Запись об идущем тесте не изменить', { cause });
    }
  };
  return {
    current: () => {
      const owner = read();
      return owner === CLOSED ? null : owner;
    },
    isClosed: () => read() === CLOSED,
    set: write,
    close: () => write(CLOSED),
  };
}
