import * as v from 'valibot';
import { User } from '#contract/auth.ts';
import { IsoTime } from '#contract/primitives.ts';
import { logProblem } from '#app/offline/log.ts';

/** `token` holds the raw token (specification, section 3), `session` what belongs to it. */
export const TOKEN_KEY = 'token';
export const SESSION_KEY = 'session';

const Remembered = v.object({ expiresAt: IsoTime, user: User });

/** A sign-in as the device remembers it. `expiresAt` is ISO 8601. */
export interface Session {
  token: string;
  expiresAt: string;
  user: User;
}

/** The part of `localStorage` that is used; it may throw at any call. */
export type KeyValueStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

function read(store: KeyValueStore, key: string): string | null {
  try {
    return store.getItem(key);
  } catch (cause) {
    logProblem('Локальное хранилище не читается', { key, cause });
    return null;
  }
}

function parseRemembered(text: string | null) {
  if (text === null) return null;
  try {
    return v.parse(Remembered, JSON.parse(text));
  } catch (cause) {
    logProblem('Запись о входе не разобрать, её как бы нет', { key: SESSION_KEY, cause });
    return null;
  }
}

// What a header cannot carry would make every call fail as if the network were gone.
const IN_A_HEADER = /^[\x21-\x7e]+$/;

/** The raw token, also where what belongs to it is missing or broken. */
export function readToken(store: KeyValueStore): string | null {
  const token = read(store, TOKEN_KEY);
  if (token === null || IN_A_HEADER.test(token)) return token;
  logProblem('Ключ входа не разобрать, его как бы нет', { key: TOKEN_KEY });
  return null;
}

/** The remembered sign-in; broken content is logged and counts as none. */
export function readSession(store: KeyValueStore): Session | null {
  const token = readToken(store);
  if (token === null) return null;
  const remembered = parseRemembered(read(store, SESSION_KEY));
  return remembered && { token, ...remembered };
}

/** Remembers a sign-in; where the store refuses, it lives as long as the page does. */
export function writeSession(store: KeyValueStore, { token, expiresAt, user }: Session): void {
  try {
    // The token goes last: another tab that sees it finds what belongs to it.
    store.setItem(SESSION_KEY, JSON.stringify({ expiresAt, user }));
    store.setItem(TOKEN_KEY, token);
  } catch (cause) {
    logProblem('Вход не запомнить на устройстве', { cause });
  }
}

export function eraseSession(store: KeyValueStore): void {
  for (const key of [TOKEN_KEY, SESSION_KEY]) {
    try {
      store.removeItem(key);
    } catch (cause) {
      logProblem('Запись о входе не стереть', { key, cause });
    }
  }
}
