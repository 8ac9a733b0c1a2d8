import type { KeyValueStore } from './stored-session.ts';
import { logProblem } from '#app/offline/log.ts';

const KEY = 'attemptHolder';

/**
 * Whose running attempt stays open on this device though his sign-in ended by itself (401, expiry):
 * he goes on answering and signs in again in place. A sign-out by wish leaves no holder.
 */
export interface AttemptHolder {
  current: () => string | null;
  /** Whether the last sign-out was somebody's wish, here or in another tab. */
  isClosed: () => boolean;
  set: (owner: string | null) => void;
  close: () => void;
}

/** Stands in place of an owner after a sign-out by wish. */
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
