// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSessionStore } from '#app/lib/session/session-store.ts';
import { createMemoryStorage } from '#app/storage/memory.ts';
import { mirrorSession } from '#app/storage/session-mirror.ts';
import { paintLists } from './paint-lists.ts';

const LIST = '/tests/my';
const signedIn = {
  token: 't',
  expiresAt: '2099-06-01T00:00:00.000Z',
  user: {
    userId: '0197f0a0-0000-7000-8000-000000000001',
    userName: 'Борис',
    email: 'b@demo.ru',
    role: 0,
    isAdmin: false,
  },
} as const;

/** Texts of the painted pages by address. */
let painted: Map<string, string>;

beforeEach(() => {
  painted = new Map();
  vi.stubGlobal('caches', {
    open: async () => ({
      keys: async () => [],
      put: async (path: string, reply: Response) => {
        const { body } = (await reply.json()) as { body: string };
        painted.set(path, body);
      },
    }),
  });
  localStorage.clear();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A page that shows the sign-in, whose address is already that of the list. */
async function leavingSignIn() {
  document.body.innerHTML = '<script data-app="/assets/app-1.js"></script><div id="root"></div>';
  window.history.replaceState(null, '', '/login');
  const root = document.getElementById('root') ?? document.body;
  const storage = createMemoryStorage();
  await mirrorSession(storage, signedIn);
  const session = createSessionStore(localStorage);
  session.signIn(signedIn);
  const router = { state: { status: 'pending', resolvedLocation: { pathname: '/login' } } };
  paintLists(root, { storage }, session, router as Parameters<typeof paintLists>[3]);
  root.innerHTML = '<p>Идёт тест другого ученика</p>';
  window.history.replaceState(null, '', LIST);
  const settle = async () => {
    // The observer is called in a microtask; painting waits for idle time, which jsdom gives in timers.
    for (let n = 0; n < 20; n += 1) await vi.advanceTimersByTimeAsync(200);
  };
  return { root, router, settle };
}

test('a list is not painted with the content of the page before it', async () => {
  const { root, router, settle } = await leavingSignIn();
  await settle();
  expect([...painted]).toEqual([]);
  root.innerHTML = '<h1>Мои тесты</h1>';
  router.state = { status: 'idle', resolvedLocation: { pathname: LIST } };
  await settle();
  expect([...painted]).toEqual([[LIST, expect.stringContaining('Мои тесты')]]);
});

test('a list that was left before it settled is not painted', async () => {
  const { root, router, settle } = await leavingSignIn();
  root.innerHTML = '<h1>Мои тесты</h1>';
  router.state = { status: 'idle', resolvedLocation: { pathname: LIST } };
  window.history.replaceState(null, '', '/profile');
  await settle();
  expect([...painted]).toEqual([]);
});
