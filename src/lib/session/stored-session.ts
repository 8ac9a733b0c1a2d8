import * as v from 'valibot';
import { User } from '#contract/auth.ts';
import { IsoTime } from '#contract/primitives.ts';
import { logProblem } from '#app/lib/log.ts';

/** `token` contains the raw token (specification, section 3), `session` its metadata. */
export const TOKEN_KEY = 'token';
export const SESSION_KEY = 'session';

const Remembered = v.object({ expiresAt: IsoTime, user: User });

/** A session as stored on the device. `expiresAt` is ISO 8601. */
export interface Session {
  token: string;
  expiresAt: string;
  user: User;
}

/** The used part of `localStorage`; every call may throw. */
export type KeyValueStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

function read(store: KeyValueStore, key: string): string | null {
  try {
    return store.getItem(key);
  } catch (cause) {
    logProblem('Хранилище не читается', { key, cause });
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

// A token that is not a valid header value would make every call fail like a network error.
const IN_A_HEADER = /^[\x21-\x7e]+$/;

/** The raw token, even if its metadata is missing or invalid. */
export function readToken(store: KeyValueStore): string | null {
  const token = read(store, TOKEN_KEY);
  if (token === null || IN_A_HEADER.test(token)) return token;
  logProblem('Вход не читается', { key: TOKEN_KEY });
  return null;
}

/** The stored session; invalid content is logged and ignored. */
export function readSession(store: KeyValueStore): Session | null {
  const token = readToken(store);
  if (token === null) return null;
  const remembered = parseRemembered(read(store, SESSION_KEY));
  return remembered && { token, ...remembered };
}

/** Stores a session; if storage fails, the session lasts as long as the page. */
export function writeSession(store: KeyValueStore, { token, expiresAt, user }: Session): void {
  try {
    // The token is written last, so that a tab that sees it finds its metadata.
    store.setItem(SESSION_KEY, JSON.stringify({ expiresAt, user }));
    store.setItem(TOKEN_KEY, token);
  } catch (cause) {
    logProblem('Вход не записать', { cause });
  }
}

export function eraseSession(store: KeyValueStore): void {
  for (const key of [TOKEN_KEY, SESSION_KEY]) {
    try {
      store.removeItem(key);
    } catch (cause) {
      logProblem('Вход не стереть', { key, cause });
    }
  }
}
