import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createMemoryStorage } from '#app/storage/memory.ts';
import { mirrorSession, readMirror } from '#app/storage/session-mirror.ts';
import { currentUser, listUsers, type SignedIn } from '#contract/auth.ts';
import { HEADER } from '#contract/headers.ts';
import { call } from '#app/api/call.ts';
import type { LocalAttempt, OutboxEvent } from '#app/outbox/types.ts';
import type { ToWorker } from '#app/offline/messages.ts';
import type { AppServices } from '#app/services.ts';
import { createAttemptHolder } from '#app/session/attempt-holder.ts';
import { createSessionStore, type EndReason } from '#app/session/session-store.ts';
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

/** The parts around a session, with an outbox that holds `held`, and the mirror of an earlier sign-in. */
function page(
  held: LocalAttempt[] = [],
  mirrored?: SignedIn,
  { attemptHolder, hasKey = true }: { attemptHolder?: string; hasKey?: boolean } = {},
) {
  localStorage.clear();
  if (attemptHolder) localStorage.setItem('attemptHolder', attemptHolder);
  const told: ToWorker[] = [];
  const left: { reason: EndReason; staysOnT1: boolean }[] = [];
  const storage = createMemoryStorage();
  if (mirrored) void mirrorSession(storage, mirrored);
  const listeners = new Set<(event: OutboxEvent) => void>();
  const wake = vi.fn(() => Promise.resolve(null));
  const rows: string[] = [];
  const outbox = {
    openRows: (owner: string, key: string | null) => {
      rows.push(`open ${owner} ${key}`);
      return Promise.resolve(key !== null || hasKey);
    },
    encryptRows: async () => {
      rows.push((await readMirror(storage)) === null ? 'encrypt' : 'encrypt beside a sign-in');
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
    queryClient: new QueryClient(),
    device: {
      outbox,
      storage,
      scheduler: { start: () => Promise.resolve(), wake },
      worker: { tell: (message: ToWorker) => void told.push(message) },
      serverNow: () => Date.now(),
    },
  };
  const setUpFactor = vi.fn();
  // Only what the lifecycle touches stands in for the real services.
  const { ready } = wireSession(services as unknown as AppServices, {
    leave: async (reason, holdsTest) => {
      rows.push('leave');
      left.push({ reason, staysOnT1: holdsTest('t1') });
    },
    setUpFactor,
    othersSignedIn: () => undefined,
  });
  return {
    setUpFactor,
    ready,
    session,
    holder,
    told,
    left,
    wake,
    rows,
    queryClient: services.queryClient,
    mirror: () => readMirror(storage),
    emit: (event: OutboxEvent) => listeners.forEach((listener) => listener(event)),
  };
}

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => undefined));
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A reply of the server that tells until when the sign-in holds. */
async function replyThatTells(expiresAt: string): Promise<void> {
  const reply = new Response(JSON.stringify({ user: anna, expiresAt }), {
    headers: { 'content-type': 'application/json', [HEADER.sessionExpiresAt]: expiresAt },
  });
  vi.stubGlobal('fetch', () => Promise.resolve(reply));
  await call(currentUser, {});
}

test('a sign-in is mirrored for the worker, keeps only this person’s content and sends what waits', async () => {
  const { ready, session, mirror, told, wake } = page();
  await ready;
  session.signIn({ token: 'secret', expiresAt: inAnHour(), user: anna });
  await vi.waitFor(() => expect(wake).toHaveBeenCalled());
  expect(await mirror()).toMatchObject({ token: 'secret', owner: anna.userId });
  expect(told).toEqual([{ type: 'keepOnly', owner: anna.userId }]);
});

test('a sign-out erases the mirror, the content and the persisted queries', async () => {
  const { ready, session, mirror, told, left, queryClient } = page();
  await ready;
  session.signIn({ token: 'secret', expiresAt: inAnHour(), user: anna });
  localStorage.setItem('currentAttemptId', 'a1');
  sessionStorage.setItem(`grading:${anna.userId}:t1`, '{}');
  sessionStorage.setItem(`settings:${anna.userId}:t1`, '{}');
  sessionStorage.setItem(`ai:${anna.userId}:t1`, '{}');
  sessionStorage.setItem(`template:${anna.userId}:t1`, '{}');
  sessionStorage.setItem(`bank:${anna.userId}`, '[]');
  sessionStorage.setItem('tab', 'one');
  queryClient.setQueryData(['tests/my'], 1);
  session.end('logout');
  await vi.waitFor(() => expect(left).toEqual([{ reason: 'logout', staysOnT1: false }]));
  expect(await mirror()).toBeNull();
  expect(told.at(-1)).toEqual({ type: 'forgetOwner', owner: anna.userId, keepPictures: false });
  expect(queryClient.getQueryCache().getAll()).toEqual([]);
  expect(localStorage).toHaveLength(1);
  expect(localStorage.getItem('attemptHolder')).toBe('nobody');
  expect(Object.keys(sessionStorage)).toEqual(['tab']);
});

test('a sign-out by wish encrypts what is left after the page has stored its last letters; an ended sign-in does not', async () => {
  const wished = page([running]);
  await wished.ready;
  wished.session.signIn({ token: 'secret', expiresAt: inAnHour(), user: anna });
  await vi.waitFor(() => expect(wished.rows).toEqual([`open ${anna.userId} null`]));
  wished.session.end('logout');
  await vi.waitFor(() => expect(wished.rows.slice(1)).toEqual(['leave', 'encrypt']));

  const ended = page([running]);
  await ended.ready;
  ended.session.signIn({ token: 'secret', expiresAt: inAnHour(), user: anna });
  ended.session.end('unauthorized');
  await vi.waitFor(() => expect(ended.left).toHaveLength(1));
  expect(ended.rows).not.toContain('encrypt');
});

test('a sign-out that was cut off is finished at the next start, an ended sign-in is left alone', async () => {
  const closed = page(
    [],
    { token: 'old', expiresAt: inAnHour(), user: anna },
    { attemptHolder: 'nobody' },
  );
  await closed.ready;
  await vi.waitFor(() => expect(closed.rows).toEqual(['encrypt']));
  const open = page([running], { token: 'old', expiresAt: inAnHour(), user: anna });
  await open.ready;
  expect(open.rows).toEqual([]);
});

test('a device without the key asks the server for it once more, and sends what comes back', async () => {
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

test('«Сессия окончена!» is said when the last reply said that the sign-in ends, not before', async () => {
  vi.useFakeTimers();
  const { ready, session, left, mirror } = page();
  await ready;
  session.signIn({ token: 'secret', expiresAt: inAnHour(), user: anna });
  await vi.advanceTimersByTimeAsync(1_800_000);
  const end = inAnHour();
  await replyThatTells(end);
  expect(session.current()?.expiresAt).toBe(end);
  expect(await mirror()).toMatchObject({ expiresAt: end });
  await replyThatTells(new Date(Date.now() + 60_000).toISOString());
  await vi.advanceTimersByTimeAsync(3_599_999);
  expect(left).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(left).toEqual([{ reason: 'expired', staysOnT1: false }]);
  expect(console.warn).toHaveBeenCalledWith('Сессия окончена!');
});

test('a reply to a call of an earlier sign-in carries no later one on', async () => {
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

test('a 401 during a running attempt leaves the student at his questions', async () => {
  const { ready, session, holder, left, mirror, told } = page([running]);
  await ready;
  session.signIn({ token: 'secret', expiresAt: inAnHour(), user: anna });
  session.end('unauthorized');
  await vi.waitFor(() => expect(left).toEqual([{ reason: 'unauthorized', staysOnT1: true }]));
  expect(holder.current()).toBe(anna.userId);
  expect(await mirror()).toBeNull();
  expect(told.at(-1)).toEqual({ type: 'forgetOwner', owner: anna.userId, keepPictures: true });
});

test('a sign-out by wish during a running attempt leaves nothing open', async () => {
  const { ready, session, holder, left } = page([running]);
  await ready;
  session.signIn({ token: 'secret', expiresAt: inAnHour(), user: anna });
  session.end('logout');
  await vi.waitFor(() => expect(left).toEqual([{ reason: 'logout', staysOnT1: false }]));
  expect(holder.current()).toBeNull();
});

test('another tab’s sign-out by wish closes the attempt here too', async () => {
  const { ready, session, holder, left } = page([running]);
  await ready;
  session.signIn({ token: 'secret', expiresAt: inAnHour(), user: anna });
  createAttemptHolder(localStorage).close();
  localStorage.removeItem('token');
  session.reread();
  await vi.waitFor(() => expect(left).toEqual([{ reason: 'elsewhere', staysOnT1: false }]));
  expect(holder.current()).toBeNull();
});

test('another tab’s 401 during a running attempt leaves the student at his questions here too', async () => {
  const { ready, session, holder, left } = page([running]);
  await ready;
  session.signIn({ token: 'secret', expiresAt: inAnHour(), user: anna });
  localStorage.removeItem('token');
  session.reread();
  await vi.waitFor(() => expect(left).toEqual([{ reason: 'elsewhere', staysOnT1: true }]));
  expect(holder.current()).toBe(anna.userId);
});

test('somebody else’s sign-in closes the attempt that was held open', async () => {
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

test('somebody else’s sign-in finds nothing of an attempt that was held open, in the cache or on disk', async () => {
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

test('the attempt goes on from what the same person’s queries knew', async () => {
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

test('a finished attempt is not called running any more', async () => {
  const { ready, emit, queryClient } = page();
  await ready;
  queryClient.setQueryData(['test/passing', 'a1'], { testId: 't1', state: 1 });
  queryClient.setQueryData(['test/passing', 'a2'], { testId: 't2', state: 1 });
  emit({ kind: 'finished', attemptId: 'a1' });
  expect(queryClient.getQueryData(['test/passing', 'a1'])).toEqual({ testId: 't1', state: 2 });
  expect(queryClient.getQueryData(['test/passing', 'a2'])).toEqual({ testId: 't2', state: 1 });
});

test('a sign-in lost with the process leaves the running attempt open, and nothing else', async () => {
  const lost = { token: 'secret', expiresAt: inAnHour(), user: anna };
  const { ready, holder, mirror } = page([running], lost);
  await ready;
  expect(holder.current()).toBe(anna.userId);
  expect(await mirror()).toBeNull();
  const idle = page([], lost);
  await idle.ready;
  expect(idle.holder.current()).toBeNull();
});

test('a session whose time has passed ends with the warning', async () => {
  const { ready, session, left } = page();
  await ready;
  session.signIn({ token: 'secret', expiresAt: '2020-01-01T00:00:00.000Z', user: anna });
  await vi.waitFor(() => expect(left).toEqual([{ reason: 'expired', staysOnT1: false }]));
  expect(console.warn).toHaveBeenCalledWith('Сессия окончена!');
  expect(session.current()).toBeNull();
  expect(localStorage.getItem('token')).toBeNull();
});

test('a quick sign-in after the end is not undone by the end’s late work', async () => {
  const { ready, session, mirror, wake } = page();
  await ready;
  session.signIn({ token: 'first', expiresAt: inAnHour(), user: anna });
  session.end('unauthorized');
  session.signIn({ token: 'second', expiresAt: inAnHour(), user: anna });
  await vi.waitFor(() => expect(wake).toHaveBeenCalledTimes(2));
  expect(await mirror()).toMatchObject({ token: 'second' });
});

test('a finished attempt is no attempt in progress any more', async () => {
  const { ready, emit } = page();
  await ready;
  localStorage.setItem('currentAttemptId', 'a1');
  emit({ kind: 'finished', attemptId: 'a2' });
  expect(localStorage.getItem('currentAttemptId')).toBe('a1');
  emit({ kind: 'finished', attemptId: 'a1' });
  expect(localStorage.getItem('currentAttemptId')).toBeNull();
});

test('a refusal until a second factor is set up leads to where that is done, and ends no sign-in', async () => {
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

test('a page that comes back out of the browser’s cache is not of the pupil who left meanwhile', async () => {
  const { ready, session, holder, left } = page();
  await ready;
  session.signIn({ token: 'secret', expiresAt: inAnHour(), user: anna });
  // Another page signed out and in; this one lay frozen and heard nothing.
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
