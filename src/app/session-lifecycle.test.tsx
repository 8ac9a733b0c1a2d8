import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { importDeviceKey } from '#app/storage/cipher.ts';
import { createMemoryStorage } from '#app/storage/memory.ts';
import { mirrorSession, readMirror } from '#app/storage/session-mirror.ts';
import { NO_SAVED_ANSWERS } from '#contract/answers.ts';
import { currentUser, type SignedIn } from '#contract/auth.ts';
import { listUsers } from '#contract/users.ts';
import { HEADER } from '#contract/headers.ts';
import { call } from '#app/api/call.ts';
import { eraseFormDrafts } from '#app/lib/form-draft-storage.ts';
import { registerOpenDraft } from '#app/lib/open-drafts.ts';
import type { LocalAttempt, OutboxEvent } from '#app/outbox/types.ts';
import type { ToWorker } from '#app/offline/messages.ts';
import type { AppServices } from './services.ts';
import { createAttemptHolder } from './attempt-holder.ts';
import { createSessionStore, type EndReason } from '#app/lib/session/session-store.ts';
import { wireSession } from './session-lifecycle.ts';

const anna = {
  userId: '01900000-0000-7000-8000-000000000001',
  userName: 'Анна Кузнецова',
  email: 'anna@school.ru',
  role: 0,
  isAdmin: false,
} as const;
const boris = { ...anna, userId: '01900000-0000-7000-8000-000000000002' };
const running: LocalAttempt = {
  attemptId: 'a1',
  testId: 't1',
  owner: anna.userId,
  title: 'Законы Ньютона',
  stream: 's1',
  epoch: 1,
  state: 'running',
  takenOver: false,
  gone: false,
  startedAt: 0,
  deadline: Number.MAX_SAFE_INTEGER,
  countsUntil: Number.MAX_SAFE_INTEGER,
  finishedAt: null,
};
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

/** Fake services around a session, with an outbox that contains `held` and the mirror of an earlier session. */
function page(
  held: LocalAttempt[] = [],
  mirrored?: SignedIn,
  {
    attemptHolder,
    hasKey = true,
    deviceKey,
    before,
  }: {
    attemptHolder?: string;
    hasKey?: boolean;
    /** Anna's, as her sign-in has stored it. */
    deviceKey?: CryptoKey | null;
    /** Prepares what an earlier page left. */
    before?: (client: QueryClient) => void;
  } = {},
) {
  localStorage.clear();
  const queryClient = new QueryClient();
  before?.(queryClient);
  if (attemptHolder) localStorage.setItem('attemptHolder', attemptHolder);
  const messages: ToWorker[] = [];
  const left: { reason: EndReason; staysOnT1: boolean }[] = [];
  const storage = createMemoryStorage();
  if (mirrored) void mirrorSession(storage, mirrored);
  if (deviceKey)
    void storage.write(['deviceKeys'], (tx) =>
      tx.put('deviceKeys', { owner: anna.userId, key: deviceKey, signIn: 's1' }),
    );
  const listeners = new Set<(event: OutboxEvent) => void>();
  const wake = vi.fn(() => Promise.resolve(null));
  const rows: string[] = [];
  const outbox = {
    openRows: (owner: string, key: string | null) => {
      rows.push(`open ${owner} ${key}`);
      return Promise.resolve(key !== null || hasKey);
    },
    storeTyped: () => {
      rows.push('store typed');
      return Promise.resolve();
    },
    encryptRows: async () => {
      rows.push((await readMirror(storage)) === null ? 'encrypt' : 'encrypt beside a sign-in');
    },
    // Only the signed-in person's own.
    attempt: (attemptId: string) => {
      const owner = session.current()?.user.userId;
      const row = held.find((one) => one.attemptId === attemptId);
      return Promise.resolve(row && (owner ?? row.owner) === row.owner ? row : null);
    },
    runningAttempts: (owner: string) => Promise.resolve(held.filter((one) => one.owner === owner)),
    subscribe: (listener: (event: OutboxEvent) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const session = createSessionStore(localStorage);
  const holder = createAttemptHolder(localStorage);
  const services = {
    session,
    holder,
    local: localStorage,
    queryClient,
    device: {
      outbox,
      storage,
      scheduler: { start: () => Promise.resolve(), wake },
      worker: { post: (message: ToWorker) => void messages.push(message) },
      serverNow: () => Date.now(),
    },
  };
  const setUpFactor = vi.fn();
  // Only the services that the lifecycle uses are faked.
  const { ready } = wireSession(services as unknown as AppServices, {
    leave: async (reason, continuesTest) => {
      rows.push('leave');
      left.push({ reason, staysOnT1: continuesTest('t1') });
    },
    setUpFactor,
    othersSignedIn: () => undefined,
  });
  return {
    setUpFactor,
    ready,
    session,
    holder,
    messages,
    left,
    wake,
    rows,
    queryClient,
    mirror: () => readMirror(storage),
    emit: (event: OutboxEvent) => listeners.forEach((listener) => listener(event)),
  };
}

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => undefined));
afterEach(() => {
  eraseFormDrafts(anna.userId);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A server reply with the session's expiry. */
async function replyWithExpiry(expiresAt: string): Promise<void> {
  const reply = new Response(JSON.stringify({ user: anna, expiresAt }), {
    headers: { 'content-type': 'application/json', [HEADER.sessionExpiresAt]: expiresAt },
  });
  vi.stubGlobal('fetch', () => Promise.resolve(reply));
  await call(currentUser, {});
}

test('a sign-in is mirrored for the worker, drops other people’s content and sends unsent answers', async () => {
  const { ready, session, mirror, messages, wake } = page();
  await ready;
  session.signIn({ token: 'secret', expiresAt: inAnHour(), user: anna });
  await vi.waitFor(() => expect(wake).toHaveBeenCalled());
  expect(await mirror()).toMatchObject({ token: 'secret', owner: anna.userId });
  expect(messages).toEqual([{ type: 'keepOnly', owner: anna.userId }]);
});

test('a sign-out erases the mirror, the content and the persisted queries', async () => {
  const { ready, session, mirror, messages, left, queryClient } = page();
  await ready;
  session.signIn({ token: 'secret', expiresAt: inAnHour(), user: anna });
  localStorage.setItem('currentAttemptId', 'a1');
  sessionStorage.setItem(`grading:${anna.userId}:t1`, '{}');
  sessionStorage.setItem(`settings:${anna.userId}:t1`, '{}');
  sessionStorage.setItem(`ai:${anna.userId}:t1`, '{}');
  sessionStorage.setItem(`template:${anna.userId}:t1`, '{}');
  sessionStorage.setItem(`bank:${anna.userId}`, '[]');
  sessionStorage.setItem(`bank:${boris.userId}`, '[]');
  sessionStorage.setItem('tab', 'one');
  queryClient.setQueryData(['tests/my'], 1);
  session.end('logout');
  await vi.waitFor(() => expect(left).toEqual([{ reason: 'logout', staysOnT1: false }]));
  expect(await mirror()).toBeNull();
  expect(messages.at(-1)).toEqual({ type: 'forgetOwner', owner: anna.userId, keepPictures: false });
  expect(queryClient.getQueryCache().getAll()).toEqual([]);
  expect(localStorage).toHaveLength(1);
  expect(localStorage.getItem('attemptHolder')).toBe('nobody');
  expect(Object.keys(sessionStorage)).toEqual(['tab']);
  session.signIn({ token: 'other', expiresAt: inAnHour(), user: boris });
  expect(Object.keys(sessionStorage), 'another author’s draft stays').toEqual([
    'tab',
    `bank:${boris.userId}`,
  ]);
});

test('a manual sign-out encrypts the remaining rows after the page has stored its last input; an expired session does not', async () => {
  const wished = page([running]);
  await wished.ready;
  wished.session.signIn({ token: 'secret', expiresAt: inAnHour(), user: anna });
  await vi.waitFor(() => expect(wished.rows).toEqual(['store typed', `open ${anna.userId} null`]));
  wished.session.end('logout');
  await vi.waitFor(() => expect(wished.rows.slice(2)).toEqual(['leave', 'encrypt']));

  const ended = page([running]);
  await ended.ready;
  ended.session.signIn({ token: 'secret', expiresAt: inAnHour(), user: anna });
  ended.session.end('unauthorized');
  await vi.waitFor(() => expect(ended.left).toHaveLength(1));
  expect(ended.rows).not.toContain('encrypt');
});

test.each(['logout', 'unauthorized'] as const)(
  'working copies of editors are stored and released after the page is left (%s), before rows are encrypted',
  async (reason) => {
    const { ready, session, rows } = page();
    await ready;
    session.signIn({ token: 'secret', expiresAt: inAnHour(), user: anna });
    const unregister = registerOpenDraft(async () => {
      await Promise.resolve();
      rows.push('close draft');
      unregister();
    });
    session.end(reason);
    const encrypted = reason === 'logout' ? ['encrypt'] : [];
    await vi.waitFor(() => expect(rows.slice(2)).toEqual(['leave', 'close draft', ...encrypted]));
  },
);

test('a manual sign-out in another tab erases this tab’s form drafts, an ended session hides them until the next sign-in', async () => {
  const { ready, session, left } = page();
  await ready;
  const form = `ai:${anna.userId}:t1`;
  const end = async (isManual: boolean) => {
    session.signIn({ token: 'secret', expiresAt: inAnHour(), user: anna });
    sessionStorage.setItem(form, '{}');
    if (isManual) createAttemptHolder(localStorage).close();
    localStorage.removeItem('token');
    session.reread();
    await vi.waitFor(() => expect(left.at(-1)?.reason).toBe('elsewhere'));
    left.length = 0;
    const hidden = sessionStorage.getItem(form);
    session.signIn({ token: 'again', expiresAt: inAnHour(), user: anna });
    return [hidden, sessionStorage.getItem(form)];
  };
  expect(await end(false)).toEqual([null, '{}']);
  expect(await end(true)).toEqual([null, null]);
});

test('an ended session encrypts the forms of the tab, and a sign-in in another tab opens them after a reload', async () => {
  const form = `ai:${anna.userId}:t1`;
  const deviceKey = await importDeviceKey('A'.repeat(43));
  const signedIn = { token: 'secret', expiresAt: inAnHour(), user: anna };
  const ended = page([], undefined, { deviceKey });
  await ended.ready;
  ended.session.signIn(signedIn);
  sessionStorage.setItem(form, '{"key":"Ньютон"}');
  ended.session.end('expired');
  expect(sessionStorage.getItem(form)).toBeNull();
  await vi.waitFor(() => expect(sessionStorage.getItem(form)).toMatch(/^encrypted /));
  const encrypted = sessionStorage.getItem(form) ?? '';
  expect(encrypted).not.toContain('Ньютон');

  // As after a reload: nothing is in memory.
  eraseFormDrafts(anna.userId);
  sessionStorage.setItem(form, encrypted);
  const reloaded = page([], undefined, { deviceKey });
  await reloaded.ready;
  createSessionStore(localStorage).signIn(signedIn);
  reloaded.session.reread();
  await vi.waitFor(() => expect(sessionStorage.getItem(form)).toBe('{"key":"Ньютон"}'));
});

test('a start without a session encrypts the forms that a killed page left in the tab', async () => {
  const form = `grading:${anna.userId}:t1`;
  sessionStorage.setItem(form, '{"comment":"Ньютон"}');
  const deviceKey = await importDeviceKey('A'.repeat(43));
  const { ready } = page([], undefined, { deviceKey });
  expect(sessionStorage.getItem(form)).toBeNull();
  await ready;
  await vi.waitFor(() => expect(sessionStorage.getItem(form)).toMatch(/^encrypted /));
});

test('an interrupted sign-out is completed at the next start, an expired session is not', async () => {
  const closed = page(
    [],
    { token: 'old', expiresAt: inAnHour(), user: anna },
    { attemptHolder: 'nobody' },
  );
  await closed.ready;
  await vi.waitFor(() => expect(closed.rows).toEqual(['encrypt']));
  const open = page([running], { token: 'old', expiresAt: inAnHour(), user: anna });
  await open.ready;
  // Nothing is decrypted without a session, so text that was typed before the end is stored here.
  expect(open.rows).toEqual(['store typed']);
});

test('a device without the key requests it from the server again and sends the decrypted answers', async () => {
  const deviceKey = 'A'.repeat(43);
  const expiresAt = inAnHour();
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('fetch', () => {
    const body = JSON.stringify({ user: anna, expiresAt, deviceKey });
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'application/json' } }));
  });
  const { ready, session, rows, wake } = page([], undefined, { hasKey: false });
  await ready;
  session.signIn({ token: 'secret', expiresAt, user: anna });
  await vi.waitFor(() => expect(rows.at(-1)).toBe(`open ${anna.userId} ${deviceKey}`));
  await vi.waitFor(() => expect(wake).toHaveBeenCalledTimes(2));
  expect(JSON.stringify(Object.entries(localStorage))).not.toContain(deviceKey);
});

test('the key of the device is requested until it comes: a lost reply does not leave answers unread', async () => {
  vi.useFakeTimers();
  const deviceKey = 'A'.repeat(43);
  const expiresAt = inAnHour();
  vi.stubGlobal('isSecureContext', true);
  let calls = 0;
  vi.stubGlobal('fetch', () => {
    calls += 1;
    if (calls < 6) return Promise.reject(new TypeError('Failed to fetch'));
    const body = JSON.stringify({ user: anna, expiresAt, deviceKey });
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'application/json' } }));
  });
  const { ready, session, rows, wake } = page([], undefined, { hasKey: false });
  await ready;
  session.signIn({ token: 'secret', expiresAt, user: anna });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(rows).toEqual([
    'store typed',
    `open ${anna.userId} null`,
    `open ${anna.userId} ${deviceKey}`,
  ]);
  expect(calls).toBe(6);
  expect(wake).toHaveBeenCalledTimes(2);
});

test('requests for the key end with the session', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('isSecureContext', true);
  let calls = 0;
  vi.stubGlobal('fetch', () => {
    calls += 1;
    return Promise.reject(new TypeError('Failed to fetch'));
  });
  const { ready, session } = page([], undefined, { hasKey: false });
  await ready;
  session.signIn({ token: 'secret', expiresAt: inAnHour(), user: anna });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(calls).toBeGreaterThan(1);
  session.end('logout');
  await vi.advanceTimersByTimeAsync(0);
  const before = calls;
  await vi.advanceTimersByTimeAsync(120_000);
  expect(calls).toBe(before);
});

test('«Сессия окончена!» is logged at the expiry of the last reply, not before', async () => {
  vi.useFakeTimers();
  const { ready, session, left, mirror } = page();
  await ready;
  session.signIn({ token: 'secret', expiresAt: inAnHour(), user: anna });
  await vi.advanceTimersByTimeAsync(1_800_000);
  const end = inAnHour();
  await replyWithExpiry(end);
  expect(session.current()?.expiresAt).toBe(end);
  expect(await mirror()).toMatchObject({ expiresAt: end });
  await replyWithExpiry(new Date(Date.now() + 60_000).toISOString());
  await vi.advanceTimersByTimeAsync(3_599_999);
  expect(left).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(left).toEqual([{ reason: 'expired', staysOnT1: false }]);
  expect(console.warn).toHaveBeenCalledWith('Сессия окончена!');
});

test('a reply to a call of an earlier session does not extend the current one', async () => {
  const { ready, session } = page();
  await ready;
  session.signIn({ token: 'first', expiresAt: inAnHour(), user: anna });
  let arrive: (reply: Response) => void = () => undefined;
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => (arrive = resolve)));
  const calling = call(currentUser, {});
  await vi.waitFor(() => expect(arrive).toHaveLength(1));
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
  const second = { token: 'second', expiresAt: inAnHour(), user: anna };
  session.signIn(second);
  const late = '2099-01-01T00:00:00.000Z';
  arrive(
    new Response(JSON.stringify({ user: anna, expiresAt: late }), {
      headers: { 'content-type': 'application/json', [HEADER.sessionExpiresAt]: late },
    }),
  );
  await calling;
  expect(session.current()?.expiresAt).toBe(second.expiresAt);
});

test('a 401 during a running attempt leaves the student on the attempt', async () => {
  const { ready, session, holder, left, mirror, messages } = page([running]);
  await ready;
  session.signIn({ token: 'secret', expiresAt: inAnHour(), user: anna });
  session.end('unauthorized');
  await vi.waitFor(() => expect(left).toEqual([{ reason: 'unauthorized', staysOnT1: true }]));
  expect(holder.current()).toBe(anna.userId);
  expect(await mirror()).toBeNull();
  expect(messages.at(-1)).toEqual({ type: 'forgetOwner', owner: anna.userId, keepPictures: true });
});

test('a manual sign-out during a running attempt closes it', async () => {
  const { ready, session, holder, left } = page([running]);
  await ready;
  session.signIn({ token: 'secret', expiresAt: inAnHour(), user: anna });
  session.end('logout');
  await vi.waitFor(() => expect(left).toEqual([{ reason: 'logout', staysOnT1: false }]));
  expect(holder.current()).toBeNull();
});

test('a manual sign-out in another tab closes the attempt here too', async () => {
  const { ready, session, holder, left } = page([running]);
  await ready;
  session.signIn({ token: 'secret', expiresAt: inAnHour(), user: anna });
  createAttemptHolder(localStorage).close();
  localStorage.removeItem('token');
  session.reread();
  await vi.waitFor(() => expect(left).toEqual([{ reason: 'elsewhere', staysOnT1: false }]));
  expect(holder.current()).toBeNull();
});

test('a 401 in another tab during a running attempt leaves the student on the attempt here too', async () => {
  const { ready, session, holder, left } = page([running]);
  await ready;
  session.signIn({ token: 'secret', expiresAt: inAnHour(), user: anna });
  localStorage.removeItem('token');
  session.reread();
  await vi.waitFor(() => expect(left).toEqual([{ reason: 'elsewhere', staysOnT1: true }]));
  expect(holder.current()).toBe(anna.userId);
});

test('another person’s sign-in closes the attempt that was left open', async () => {
  const { ready, session, holder, left, wake } = page([running]);
  await ready;
  session.signIn({ token: 'secret', expiresAt: inAnHour(), user: anna });
  session.end('unauthorized');
  await vi.waitFor(() => expect(left).toHaveLength(1));
  wake.mockClear();
  session.signIn({ token: 'other', expiresAt: inAnHour(), user: boris });
  await vi.waitFor(() => expect(wake).toHaveBeenCalled());
  expect(holder.current()).toBeNull();
});

test('another person’s sign-in finds no data of the open attempt, in the cache or on disk', async () => {
  const { ready, session, left, wake, queryClient } = page([running]);
  await ready;
  session.signIn({ token: 'secret', expiresAt: inAnHour(), user: anna });
  await vi.waitFor(() => expect(wake).toHaveBeenCalled());
  const key = ['test/passing', 'a1'];
  queryClient.setQueryData(key, { testId: 't1', title: 'Тест Анны' });
  const annas = `queries:${anna.userId}`;
  await vi.waitFor(() => expect(localStorage.getItem(annas)).toContain('Тест Анны'), 5_000);
  session.end('unauthorized');
  await vi.waitFor(() => expect(left).toHaveLength(1));
  expect(queryClient.getQueryData(key), 'Анна answers on').toBeDefined();
  wake.mockClear();
  session.signIn({ token: 'other', expiresAt: inAnHour(), user: boris });
  expect(queryClient.getQueryData(key), 'before the first render').toBeUndefined();
  await vi.waitFor(() => expect(wake).toHaveBeenCalled());
  expect(queryClient.getQueryData(key)).toBeUndefined();
  expect(JSON.stringify(localStorage)).not.toContain('Тест Анны');
});

test('the attempt continues with the cached queries of the same person', async () => {
  const { ready, session, left, wake, queryClient } = page([running]);
  await ready;
  session.signIn({ token: 'secret', expiresAt: inAnHour(), user: anna });
  queryClient.setQueryData(['test/passing', 'a1'], { testId: 't1' });
  session.end('unauthorized');
  await vi.waitFor(() => expect(left).toHaveLength(1));
  wake.mockClear();
  session.signIn({ token: 'again', expiresAt: inAnHour(), user: anna });
  await vi.waitFor(() => expect(wake).toHaveBeenCalled());
  expect(queryClient.getQueryData(['test/passing', 'a1'])).toEqual({ testId: 't1' });
});

test('a finished attempt is no longer cached as running', async () => {
  const { ready, emit, queryClient } = page();
  await ready;
  queryClient.setQueryData(['test/passing', 'a1'], { testId: 't1', state: 1 });
  queryClient.setQueryData(['test/savedAnswers', 'a1'], NO_SAVED_ANSWERS);
  queryClient.setQueryData(['test/passing', 'a2'], { testId: 't2', state: 1 });
  emit({ kind: 'finished', attemptId: 'a1' });
  expect(queryClient.getQueryData(['test/passing', 'a1'])).toBeUndefined();
  expect(queryClient.getQueryData(['test/savedAnswers', 'a1'])).toBeUndefined();
  expect(queryClient.getQueryData(['test/passing', 'a2'])).toEqual({ testId: 't2', state: 1 });
});

test('a session lost with the process leaves only the running attempt open', async () => {
  const lost = { token: 'secret', expiresAt: inAnHour(), user: anna };
  const { ready, holder, mirror } = page([running], lost);
  await ready;
  expect(holder.current()).toBe(anna.userId);
  expect(await mirror()).toBeNull();
  const idle = page([], lost);
  await idle.ready;
  expect(idle.holder.current()).toBeNull();
});

test('a session past its expiry ends with the warning', async () => {
  const { ready, session, left } = page();
  await ready;
  session.signIn({ token: 'secret', expiresAt: '2020-01-01T00:00:00.000Z', user: anna });
  await vi.waitFor(() => expect(left).toEqual([{ reason: 'expired', staysOnT1: false }]));
  expect(console.warn).toHaveBeenCalledWith('Сессия окончена!');
  expect(session.current()).toBeNull();
  expect(localStorage.getItem('token')).toBeNull();
});

test('a quick sign-in is not undone by pending work of the previous sign-out', async () => {
  const { ready, session, mirror, wake } = page();
  await ready;
  session.signIn({ token: 'first', expiresAt: inAnHour(), user: anna });
  session.end('unauthorized');
  session.signIn({ token: 'second', expiresAt: inAnHour(), user: anna });
  await vi.waitFor(() => expect(wake).toHaveBeenCalledTimes(2));
  expect(await mirror()).toMatchObject({ token: 'second' });
});

test('a finished attempt is no longer the attempt in progress', async () => {
  const { ready, emit } = page();
  await ready;
  localStorage.setItem('currentAttemptId', 'a1');
  emit({ kind: 'finished', attemptId: 'a2' });
  expect(localStorage.getItem('currentAttemptId')).toBe('a1');
  emit({ kind: 'finished', attemptId: 'a1' });
  expect(localStorage.getItem('currentAttemptId')).toBeNull();
});

test('a start removes what is stored of attempts that ended while no page was open', async () => {
  const soon = inAnHour();
  const passing = (attemptId: string, changes: object = {}) => ({
    userTestId: attemptId,
    testId: attemptId,
    state: 1,
    countsUntil: soon,
    ...changes,
  });
  const own = [
    { ...running, attemptId: 'sent', state: 'finished' as const },
    { ...running, attemptId: 'waits', state: 'finishing' as const },
  ];
  const { ready, queryClient } = page(own, undefined, {
    before: (client) => {
      localStorage.setItem('currentAttemptId', 'sent');
      for (const one of [
        passing('sent'),
        passing('waits', { state: 2 }),
        passing('elsewhere', { state: 2 }),
        passing('closed', { countsUntil: '2020-01-01T00:00:00.000Z' }),
        passing('runs'),
      ]) {
        client.setQueryData(['test/passing', one.userTestId], one);
        client.setQueryData(['test/savedAnswers', one.userTestId], NO_SAVED_ANSWERS);
      }
    },
  });
  await ready;
  expect(localStorage.getItem('currentAttemptId')).toBeNull();
  for (const key of ['test/passing', 'test/savedAnswers'])
    expect(
      queryClient.getQueriesData({ queryKey: [key] }).map(([[, attemptId]]) => attemptId),
    ).toEqual(['waits', 'runs']);
});

test.each([
  ['deleted by the teacher', { gone: true }, 1, false],
  ['ended on another device before its deadline', { takenOver: true }, 2, false],
  ['ended on another device by its deadline', { takenOver: true, deadline: 0 }, 1, false],
  ['continued on another device', { takenOver: true }, 1, true],
  ['waits to be sent, the server has closed it', { state: 'finishing' }, 2, true],
  ['runs here, though another tab finished reading it late', {}, 1, true],
] as const)('a start with an attempt that is %s', async (_, changes, state, isCurrent) => {
  const passing = { userTestId: 'a1', testId: 't1', state, countsUntil: inAnHour() };
  const { ready, queryClient } = page([{ ...running, ...changes }], undefined, {
    before: (client) => {
      localStorage.setItem('currentAttemptId', 'a1');
      client.setQueryData(['test/passing', 'a1'], passing);
    },
  });
  await ready;
  expect(localStorage.getItem('currentAttemptId')).toBe(isCurrent ? 'a1' : null);
  expect(queryClient.getQueryData(['test/passing', 'a1']) !== undefined).toBe(isCurrent);
});

test('an attempt that the teacher deleted under the open page is no longer in progress', async () => {
  const held = [{ ...running }];
  const { ready, emit } = page(held);
  await ready;
  localStorage.setItem('currentAttemptId', 'a1');
  emit({ kind: 'setAside', attemptId: 'a1', operationId: 'o1' });
  await Promise.resolve();
  expect(localStorage.getItem('currentAttemptId')).toBe('a1');
  held[0] = { ...running, gone: true };
  emit({ kind: 'setAside', attemptId: 'a1', operationId: 'o2' });
  await vi.waitFor(() => expect(localStorage.getItem('currentAttemptId')).toBeNull());
});

test('another person’s sign-in leaves no attempt in progress of the one before', async () => {
  const { ready, session, wake } = page([running], undefined, {
    attemptHolder: anna.userId,
    before: () => localStorage.setItem('currentAttemptId', 'a1'),
  });
  await ready;
  expect(localStorage.getItem('currentAttemptId')).toBe('a1');
  wake.mockClear();
  session.signIn({ token: 'other', expiresAt: inAnHour(), user: boris });
  await vi.waitFor(() => expect(wake).toHaveBeenCalled());
  expect(localStorage.getItem('currentAttemptId')).toBeNull();
});

test('an attempt that this device no longer has is not in progress', async () => {
  const { ready } = page([], undefined, {
    before: () => localStorage.setItem('currentAttemptId', 'a1'),
  });
  await ready;
  expect(localStorage.getItem('currentAttemptId')).toBeNull();
});

test('a refusal for a missing second factor opens its setup and retains the session', async () => {
  const { ready, session, setUpFactor } = page();
  await ready;
  session.signIn({ token: 'secret', expiresAt: inAnHour(), user: anna });
  const body = { code: 'SECOND_FACTOR_SETUP_REQUIRED', message: 'Сначала', requestId: 'r1' };
  vi.spyOn(globalThis, 'fetch').mockResolvedValueOnce(
    new Response(JSON.stringify(body), {
      status: 403,
      headers: { 'content-type': 'application/json' },
    }),
  );
  await expect(call(listUsers, {})).rejects.toMatchObject({ code: body.code });
  expect(setUpFactor).toHaveBeenCalled();
  expect(session.current()).not.toBeNull();
});

test('a page restored from the back/forward cache does not show a person who signed out meanwhile', async () => {
  const { ready, session, holder, left } = page();
  await ready;
  session.signIn({ token: 'secret', expiresAt: inAnHour(), user: anna });
  // Another page signed out and in while this one was frozen without events.
  const other = createSessionStore(localStorage);
  createAttemptHolder(localStorage).close();
  other.end('logout');
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
  expect(session.current()).toBeNull();
  await vi.waitFor(() => expect(left).toHaveLength(1));
  expect(holder.current()).toBeNull();
  session.signIn({ token: 'secret', expiresAt: inAnHour(), user: anna });
  other.signIn({ token: 'other', expiresAt: inAnHour(), user: boris });
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
  expect(session.current()?.user).toEqual(boris);
});
