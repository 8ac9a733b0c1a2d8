import { expect, test } from 'vitest';
import { health } from '#contract/health.ts';
import { getSavedAnswers } from '#contract/passing.ts';
import type { ReplyFacts } from '#app/api/facts.ts';
import { FakeServer, MINUTE, open, START, type FakeFault } from './fake-server.ts';
import { fakeTimers, newWorld, running } from './test-device.ts';
import { fakeTransport } from './fake-transport.ts';
import { createScheduler } from './scheduler.ts';

/** How long a Retry-After delays answers, and what ends the delay. */

const HOUR_MS = 60 * MINUTE;
const wait = (code: 'TOO_MANY_REQUESTS' | 'UNAVAILABLE', retryAfterMs: number): FakeFault => ({
  code,
  retryAfterMs,
});

test.each(['TOO_MANY_REQUESTS', 'UNAVAILABLE'] as const)(
  'row 24: a wait of our server (%s) ends before the deadline, and before the end of acceptance',
  async (code) => {
    const made = await running();
    const { outbox, server, world, attemptId } = made;
    server.fault = ({ name }) => (name === 'answer' ? wait(code, HOUR_MS) : null);
    await outbox.answer(attemptId, open('ответ'));
    const first = (await outbox.flush()).nextInMs ?? HOUR_MS;
    expect(world.now + first).toBeLessThan(server.deadline);
    expect(first).toBeGreaterThan(30 * MINUTE);

    // The finish is queued now, and a call that succeeds would end the wait.
    server.fault = () => wait(code, HOUR_MS);
    world.now = server.deadline + MINUTE;
    const second = (await outbox.flush()).nextInMs ?? HOUR_MS;
    const { countsUntil } = server.times();
    expect(world.now + second).toBeLessThan(Date.parse(countsUntil));
    expect(second).toBeGreaterThan(10 * MINUTE);
  },
);

test('row 24: Retry-After: 0 is no reason to repeat without a pause', async () => {
  const { outbox, server, attemptId } = await running();
  server.fault = ({ name }) => (name === 'answer' ? wait('TOO_MANY_REQUESTS', 0) : null);
  await outbox.answer(attemptId, open('ответ'));
  expect((await outbox.flush()).nextInMs).toBeGreaterThanOrEqual(100);
  server.fault = ({ name }) => (name === 'answer' ? wait('UNAVAILABLE', 0) : null);
  expect((await outbox.flush({ force: true })).nextInMs).toBeGreaterThanOrEqual(100);
});

const factsOf = (route: string, wall: number): ReplyFacts => ({
  route,
  status: 200,
  serverTime: wall,
  serverEpoch: 1,
  activeStream: null,
  sessionExpiresAt: null,
  receivedWall: wall,
  rttMs: 20,
});

test.each(['TOO_MANY_REQUESTS', 'UNAVAILABLE'] as const)(
  'row 24: any success of our server ends the wait (%s) at once, and the timer with it',
  async (code) => {
    const world = newWorld();
    const server = new FakeServer(world);
    const timers = fakeTimers(world);
    const { outbox, attemptId } = await running({ server, timers });
    const scheduler = createScheduler({
      outbox,
      transport: fakeTransport(server, () => world.now),
      timers,
      clock: { wall: () => world.now, monotone: () => world.now - START },
      random: () => 0.5,
      signals: {
        onOnline: () => () => undefined,
        onOffline: () => () => undefined,
        onVisible: () => () => undefined,
      },
      online: () => true,
    });
    await scheduler.start();
    let isBusy = true;
    server.fault = ({ name }) => (name === 'answer' && isBusy ? wait(code, HOUR_MS) : null);
    await outbox.answer(attemptId, open('ответ'));
    await timers.advance(5_000);
    expect(server.count('answer')).toBe(1);
    isBusy = false;

    await outbox.observe(factsOf(health.name, world.now));
    await timers.advance(0);
    expect(server.count('answer'), 'health proves nothing').toBe(1);
    await outbox.observe(factsOf(getSavedAnswers.name, world.now));
    await timers.advance(0);
    expect(server.text()).toBe('ответ');
    scheduler.stop();
  },
);
