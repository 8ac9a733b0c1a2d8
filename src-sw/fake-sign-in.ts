import { HEADER } from '#contract/headers.ts';
import { clearMirror, mirrorSession } from '#app/storage/session-mirror.ts';
import type { Storage } from '#app/storage/storage.ts';

/** A signed-in user, their requests and our server's replies, for the worker's tests. */

export const SCHOOL = 'https://school.test';
export const ANNA = '0197f0a0-0000-7000-8000-000000000001';
const TOKEN = 'token-of-anna';

export const signIn = (storage: Storage) =>
  mirrorSession(storage, {
    token: TOKEN,
    expiresAt: '2026-06-01T00:00:00.000Z',
    user: { userId: ANNA, userName: 'Анна', email: 'anna@school.test', role: 0, isAdmin: false },
  });

export const signOut = clearMirror;

/** A request with Anna's token, or another one; null: none. */
export const asking = (path: string, token: string | null = TOKEN) =>
  new Request(
    new URL(path, SCHOOL),
    token === null ? {} : { headers: { authorization: `Bearer ${token}` } },
  );

/** A JSON reply of our server. */
export const served = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      [HEADER.requestId]: 'r1',
      [HEADER.serverTime]: '2026-05-22T07:42:00.000Z',
      [HEADER.serverEpoch]: '1',
    },
  });

/** The reply of a captive portal to everything. */
export const portal = () =>
  new Response('<html>Войдите в сеть</html>', {
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });
