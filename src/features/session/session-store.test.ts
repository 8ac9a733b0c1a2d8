import { afterEach, expect, test, vi } from 'vitest';
import { createSessionStore, type SessionChange } from '#app/lib/session/session-store.ts';

const user = {
  userId: '01900000-0000-7000-8000-000000000001',
  userName: 'Анна Кузнецова',
  email: 'anna@school.ru',
  role: 0,
  isAdmin: false,
} as const;
const signedIn = { token: 'secret', expiresAt: '2026-05-22T15:00:00.000Z', user };

function memoryStore(content: Record<string, string> = {}) {
  const map = new Map(Object.entries(content));
  return {
    map,
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => void map.set(key, value),
    removeItem: (key: string) => void map.delete(key),
  };
}

function recorded(store = memoryStore()) {
  const changes: SessionChange[] = [];
  const session = createSessionStore(store);
  session.subscribe((change) => changes.push(change));
  return { session, changes, store };
}

afterEach(() => void vi.restoreAllMocks());

test('the token is stored raw, the rest under a second key', () => {
  const { session, store } = recorded();
  session.signIn(signedIn);
  expect(store.map.get('token')).toBe('secret');
  expect(JSON.parse(store.map.get('session') ?? '')).toEqual({
    expiresAt: signedIn.expiresAt,
    user,
  });
});

test('a stored session counts as signed in after a reload', () => {
  const { session, store } = recorded();
  session.signIn(signedIn);
  expect(createSessionStore(store).current()).toEqual(signedIn);
});

test.each(['', '  ', 'испорчен', 'two words'])(
  'the token «%s», which no header carries, is logged and counts as none',
  (token) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { expiresAt } = signedIn;
    const content = { token, session: JSON.stringify({ expiresAt, user }) };
    expect(createSessionStore(memoryStore(content)).current()).toBeNull();
    expect(warn).toHaveBeenCalledOnce();
  },
);

test.each([
  ['no JSON', '{'],
  ['another shape', '{"expiresAt":5}'],
  ['a list', '[]'],
  ['null', 'null'],
])('a session record that is %s is logged and counts as none', (_, content) => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const session = createSessionStore(memoryStore({ token: 'secret', session: content }));
  expect(session.current()).toBeNull();
  expect(warn).toHaveBeenCalledOnce();
  expect(JSON.stringify(warn.mock.calls)).not.toContain('secret');
});

test('if storage throws, the session lasts as long as the page', () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const broken = () => {
    throw new DOMException('denied', 'SecurityError');
  };
  const session = createSessionStore({ getItem: broken, setItem: broken, removeItem: broken });
  session.signIn(signedIn);
  expect(session.token()).toBe('secret');
  session.end('logout');
  expect(session.token()).toBeNull();
});

test('the end removes both keys and reports the reason once', () => {
  const { session, store, changes } = recorded();
  session.signIn(signedIn);
  session.end('unauthorized');
  session.end('unauthorized');
  expect([...store.map.keys()]).toEqual([]);
  expect(changes.map((change) => change.kind)).toEqual(['signedIn', 'ended']);
});

test('an extension never shortens the session', () => {
  const { session } = recorded();
  session.signIn(signedIn);
  session.extend('2026-05-22T14:00:00.000Z');
  expect(session.current()?.expiresAt).toBe(signedIn.expiresAt);
  session.extend('2026-05-22T16:00:00.000Z');
  expect(session.current()?.expiresAt).toBe('2026-05-22T16:00:00.000Z');
});

test('signing out in another tab ends it here', () => {
  const { session, store, changes } = recorded();
  session.signIn(signedIn);
  store.map.clear();
  session.reread();
  expect(session.current()).toBeNull();
  expect(changes.at(-1)).toMatchObject({ kind: 'ended', reason: 'elsewhere' });
});

test('a sign-in in another tab is adopted here', () => {
  const { session, store, changes } = recorded();
  createSessionStore(store).signIn(signedIn);
  session.reread();
  expect(session.current()).toEqual(signedIn);
  expect(changes).toHaveLength(1);
});

test('a changed name of the signed-in person is stored and notified here and in other tabs', () => {
  const { session, changes, store } = recorded();
  session.signIn(signedIn);
  const elsewhere = recorded(store);
  session.update({ ...user, userName: 'Анна Новая' });
  session.update({ ...user, userName: 'Анна Новая' });
  expect(session.current()?.user.userName).toBe('Анна Новая');
  expect(changes).toHaveLength(2);
  expect(changes.at(-1)?.kind).toBe('extended');
  elsewhere.session.reread();
  expect(elsewhere.session.current()?.user.userName).toBe('Анна Новая');
  expect(elsewhere.changes.map(({ kind }) => kind)).toEqual(['extended']);
});

test('a change of another person is ignored', () => {
  const { session, changes } = recorded();
  session.signIn(signedIn);
  session.update({ ...user, userId: '01900000-0000-7000-8000-000000000009', userName: 'Чужой' });
  expect([session.current()?.user.userName, changes.length]).toEqual([user.userName, 1]);
});

test('the reason why the last session ended is available until the next sign-in', () => {
  const { session } = recorded();
  session.end('expired');
  expect(session.endReason(), 'nobody was signed in').toBeNull();
  session.signIn(signedIn);
  session.end('logout');
  expect(session.endReason()).toBe('logout');
  session.end('unauthorized');
  expect(session.endReason()).toBe('logout');
  session.signIn(signedIn);
  expect(session.endReason()).toBeNull();
});
