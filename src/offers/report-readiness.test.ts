import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ErrorCode } from '#contract/errors.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { newId } from '#app/lib/new-id.ts';
import { createMemoryStorage } from '#app/storage/memory.ts';
import type { DeviceCheck } from './readiness.ts';
import { reportChecks, type ReadinessSender } from './report-readiness.ts';

const FETCHED: DeviceCheck[] = [{ name: 'offer', problem: null }];
const MISSING: DeviceCheck[] = [{ name: 'offer', problem: 'notFetched' }];

beforeEach(() => {
  vi.stubGlobal('navigator', { onLine: true });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A student of their own, so that tests share no minute. */
function student() {
  const of = { owner: newId(), testId: newId() };
  const storage = createMemoryStorage({ durable: true });
  const send = vi.fn<ReadinessSender['send']>(async () => undefined);
  const session = { user: { userId: of.owner } };
  const sender = { storage, send, session: { current: () => session } };
  return {
    ...of,
    session,
    send,
    report: (checks: readonly DeviceCheck[]) => reportChecks(sender, of, checks),
  };
}

test('the device reports its problems under an id that stays', async () => {
  const { report, send, testId } = student();
  await report(MISSING);
  await report(FETCHED);
  const [first, second] = send.mock.calls;
  expect(first).toEqual([
    testId,
    { deviceId: expect.any(String), problems: ['notFetched'], appVersion: '0.0.0+test' },
  ]);
  expect(second).toEqual([testId, { ...first?.[1], problems: [] }]);
});

test('the same is reported once a minute, also while the first report is under way', async () => {
  const { report, send } = student();
  await Promise.all([report(FETCHED), report(FETCHED)]);
  expect(send).toHaveBeenCalledTimes(1);
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_001);
  await report(FETCHED);
  expect(send).toHaveBeenCalledTimes(2);
});

test('nothing is reported with the sign-in of somebody else', async () => {
  const { report, send, session, owner } = student();
  session.user = { userId: newId() };
  await report(FETCHED);
  expect(send).not.toHaveBeenCalled();
  session.user = { userId: owner };
  const reported = report(FETCHED);
  // Also while the report is made.
  session.user = { userId: newId() };
  await reported;
  expect(send).not.toHaveBeenCalled();
  session.user = { userId: owner };
  await report(FETCHED);
  expect(send).toHaveBeenCalledTimes(1);
});

test('without a network nothing is sent', async () => {
  vi.stubGlobal('navigator', { onLine: false });
  const { report, send } = student();
  await report(FETCHED);
  expect(send).not.toHaveBeenCalled();
});

const refused = (code: ErrorCode) =>
  new ApiFailure({ kind: 'refused', method: 'POST', url: '/', status: 409, code });

test('a failed report is tried again with the next check, and a closed test is no problem', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined);
  const error = vi.spyOn(console, 'error').mockReturnValue(undefined);
  const logged = () => warn.mock.calls.length + error.mock.calls.length;
  const { report, send } = student();
  send.mockRejectedValueOnce(refused('TEST_CLOSED'));
  await report(FETCHED);
  expect(logged()).toBe(0);
  send.mockRejectedValueOnce(new ApiFailure({ kind: 'unreachable', method: 'POST', url: '/' }));
  await report(FETCHED);
  expect(logged()).toBe(1);
  await report(FETCHED);
  expect(send).toHaveBeenCalledTimes(3);
});
