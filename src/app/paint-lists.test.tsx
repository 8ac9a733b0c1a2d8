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
        painted.set(path, (painted.get(path) ?? '') + body);
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

type Router = Parameters<typeof paintLists>[3];
const at = (status: Router['state']['status'], pathname: string) =>
  ({ status, resolvedLocation: { pathname } }) as Router['state'];

/** A signed-in student's page, and what starts to paint it. */
async function openPage(pathname: string, content: string) {
  document.body.innerHTML = '<script data-app="/assets/app-1.js"></script><div id="root"></div>';
  window.history.replaceState(null, '', pathname);
  const root = document.getElementById('root') ?? document.body;
  root.innerHTML = content;
  const storage = createMemoryStorage();
  await mirrorSession(storage, signedIn);
  const session = createSessionStore(localStorage);
  session.signIn(signedIn);
  const router = { state: at('idle', pathname) };
  paintLists(root, { storage }, session, router);
  const settle = async () => {
    // The observer is called in a microtask; painting waits for idle time, which jsdom gives in timers.
    for (let n = 0; n < 20; n += 1) await vi.advanceTimersByTimeAsync(200);
  };
  return { root, router, session, storage, settle };
}

/** A page that shows the sign-in, whose address is already that of the list. */
async function leavingSignIn() {
  const page = await openPage('/login', '');
  page.router.state = at('pending', '/login');
  page.root.innerHTML = '<p>Идёт тест другого ученика</p>';
  window.history.replaceState(null, '', LIST);
  return page;
}

test('a list that was shown before anything watched it is painted', async () => {
  const { settle } = await openPage(LIST, '<h1>Мои тесты</h1>');
  await settle();
  expect([...painted]).toEqual([[LIST, expect.stringContaining('Мои тесты')]]);
});

test('a list is painted even if its address is resolved long after its content', async () => {
  const { root, router, settle } = await leavingSignIn();
  root.innerHTML = '<h1>Мои тесты</h1>';
  await settle();
  expect([...painted]).toEqual([]);
  router.state = at('idle', LIST);
  await settle();
  expect([...painted]).toEqual([[LIST, expect.stringContaining('Мои тесты')]]);
});

test('a list is not painted with the content of the page before it', async () => {
  const { root, router, settle } = await leavingSignIn();
  await settle();
  expect([...painted]).toEqual([]);
  root.innerHTML = '<h1>Мои тесты</h1>';
  router.state = at('idle', LIST);
  await settle();
  expect([...painted]).toEqual([[LIST, expect.stringContaining('Мои тесты')]]);
});

test('a list of the student before is not painted for the next one', async () => {
  const { root, session, storage, settle } = await openPage(LIST, '<h1>Тесты Бориса</h1>');
  await vi.advanceTimersByTimeAsync(900);
  const user = { ...signedIn.user, userId: '0197f0a0-0000-7000-8000-000000000002' };
  session.signIn({ ...signedIn, user });
  await mirrorSession(storage, { ...signedIn, user });
  await vi.advanceTimersByTimeAsync(900);
  root.innerHTML = '<h1>Тесты Анны</h1>';
  await settle();
  expect([...painted]).toEqual([[LIST, expect.stringContaining('Тесты Анны')]]);
  expect(painted.get(LIST)).not.toContain('Бориса');
});

test('a list that was left before it settled is not painted', async () => {
  const { root, router, settle } = await leavingSignIn();
  root.innerHTML = '<h1>Мои тесты</h1>';
  router.state = at('idle', LIST);
  window.history.replaceState(null, '', '/profile');
  await settle();
  expect([...painted]).toEqual([]);
});
