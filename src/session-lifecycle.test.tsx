import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createMemoryStorage } from '#app/storage/memory.ts';
import { mirrorSession, readMirror } from '#app/storage/session-mirror.ts';
import type { SignedIn } from '#contract/auth.ts';
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
function page(held: LocalAttempt[] = [], mirrored?: SignedIn) {
  localStorage.clear();
  const told: ToWorker[] = [];
  const left: { reason: EndReason; staysOnT1: boolean }[] = [];
  const storage = createMemoryStorage();
  if (mirrored) void mirrorSession(storage, mirrored);
  const listeners = new Set<(event: OutboxEvent) => void>();
  const wake = vi.fn(() => Promise.resolve(null));
  const outbox = {
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
  // Only what the lifecycle touches stands in for the real services.
  const { ready } = wireSession(services as unknown as AppServices, {
    leave: (reason, holdsTest) => void left.push({ reason, staysOnT1: holdsTest('t1') }),
    othersSignedIn: () => undefined,
  });
  return {
    ready,
    session,
    holder,
    told,
    left,
    wake,
    queryClient: services.queryClient,
    mirror: () => readMirror(storage),
    emit: (event: OutboxEvent) => listeners.forEach((listener) => listener(event)),
  };
}

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => undefined));
afterEach(() => void vi.restoreAllMocks());

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
