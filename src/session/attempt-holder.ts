import type { KeyValueStore } from './stored-session.ts';
import { logProblem } from '#app/offline/log.ts';

const KEY = 'attemptHolder';

/**
 * Whose running attempt stays open on this device though his sign-in ended by itself (401, expiry):
 * he goes on answering and signs in again in place. A sign-out by wish leaves no holder.
 */
export interface AttemptHolder {
  current: () => string | null;
  set: (owner: string | null) => void;
}

export function createAttemptHolder(store: KeyValueStore): AttemptHolder {
  return {
    current() {
      try {
        return store.getItem(KEY);
      } catch {
        return null;
      }
    },
    set(owner) {
      try {
        if (owner === null) store.removeItem(KEY);
        else store.setItem(KEY, owner);
      } catch (cause) {
        logProblem('Запись об идущем тесте не изменить', { cause });
      }
    },
  };
}
