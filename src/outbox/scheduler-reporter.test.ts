import { expect, test } from 'vitest';
import { HEADER } from '#contract/headers.ts';
import { FakeServer, open } from './fake-server.ts';
import { startReporting } from './scheduler.ts';
import { fakeTimers, newWorld, running } from './test-device.ts';

/** A reporting device in a running attempt; answers are sent only by an explicit flush. */
async function reporting() {
  const server = new FakeServer(newWorld());
  const timers = fakeTimers(server.world);
  const made = await running({ server, timers });
  const page = { present: true };
  const wakes: (() => void)[] = [];
  const listen = (run: () => void) => {
    wakes.push(run);
    return () => undefined;
  };
  const stop = startReporting({
    outbox: made.outbox,
    timers,
    random: () => 0.5,
    signals: { onOnline: listen, onVisible: listen },
    present: () => page.present,
  });
  const heads = () =>
    server.calls
      .filter(({ name }) => name === 'passing')
      .map(({ headers }) => headers[HEADER.head]);
  return { ...made, server, timers, page, wakes, stop, heads };
}

test('a student who only reads is reported twice a minute, with the head of the stream', async () => {
  const { timers, heads, outbox, attemptId, server, stop } = await reporting();
  await timers.advance(30_000);
  await expect.poll(heads).toEqual(['0']);
  await timers.advance(30_000);
  await expect.poll(heads).toEqual(['0', '0']);
  await outbox.answer(attemptId, open('один'));
  await outbox.answer(attemptId, open('два', 1));
  await timers.advance(30_000);
  await expect.poll(heads).toEqual(['0', '0', '2']);
  const call = server.calls.findLast(({ name }) => name === 'passing');
  expect(call?.headers[HEADER.stream]).toBe((await outbox.attempt(attemptId))?.stream);
  stop();
});

test('a hidden or offline page does not report; on return it reports at once', async () => {
  const { timers, heads, page, wakes, stop } = await reporting();
  page.present = false;
  await timers.advance(120_000);
  expect(heads()).toEqual([]);
  page.present = true;
  wakes[0]?.();
  await expect.poll(heads).toEqual(['0']);
  stop();
});

test('a report that fails is followed by the next', async () => {
  const { timers, heads, server, stop } = await reporting();
  server.fault = () => 'loseRequest';
  await timers.advance(30_000);
  await expect.poll(heads).toEqual(['0']);
  server.fault = () => null;
  await timers.advance(30_000);
  await expect.poll(heads).toEqual(['0', '0']);
  stop();
});

test('an attempt is reported for as long as answers written in time may still count, and no longer', async () => {
  const { timers, heads, server, outbox, attemptId, stop } = await reporting();
  server.fault = () => 'loseRequest';
  const { countsUntil = 0 } = (await outbox.attempt(attemptId)) ?? {};
  const left = countsUntil - (outbox.serverNow() ?? 0);
  await timers.advance(left - 1);
  const reported = heads().length;
  expect(reported).toBeGreaterThan(0);
  await timers.advance(120_000);
  expect(heads()).toHaveLength(reported);
  stop();
});

test('no report after a finish or a take-over', async () => {
  const { timers, heads, outbox, attemptId, stop } = await reporting();
  await outbox.finish(attemptId, 'student');
  await outbox.flush();
  expect((await outbox.attempt(attemptId))?.state).toBe('finished');
  await timers.advance(60_000);
  expect(heads()).toEqual([]);
  stop();

  const other = await reporting();
  other.server.activeStream = '00000000-0000-4000-8000-00000000ffff';
  await other.timers.advance(30_000);
  // The device learns it from the reply to the first report.
  await expect.poll(() => other.events.map(({ kind }) => kind)).toContain('takenOver');
  await other.timers.advance(60_000);
  expect(other.heads()).toEqual(['0']);
  other.stop();
});

test('a stopped reporter is silent', async () => {
  const { timers, heads, stop } = await reporting();
  stop();
  await timers.advance(120_000);
  expect(heads()).toEqual([]);
});
