import { expect, test } from 'vitest';
import { createScheduler, type Scheduler } from './scheduler.ts';
import { FakeServer, open, TEST_ID } from './fake-server.ts';
import { fakeTransport } from './fake-transport.ts';
import { device, fakeTimers, newWorld, running, type TestDevice } from './test-device.ts';

interface Watched {
  readonly made: TestDevice & { attemptId: string };
  readonly scheduler: Scheduler;
  readonly advance: (ms: number) => Promise<void>;
  readonly signals: { online(): void; offline(): void; visible(): void };
  readonly browser: { online: boolean };
}

async function watched(): Promise<Watched> {
  const server = new FakeServer(newWorld());
  const timers = fakeTimers(server.world);
  const browser = { online: true };
  const made = await running({ server, timers, online: () => browser.online });
  const listeners: Record<'online' | 'offline' | 'visible', () => void> = {
    online: () => undefined,
    offline: () => undefined,
    visible: () => undefined,
  };
  const on = (name: keyof typeof listeners) => (run: () => void) => {
    listeners[name] = run;
    return () => {
      listeners[name] = () => undefined;
    };
  };
  const clock = { wall: () => made.world.now, monotone: () => made.world.now };
  const scheduler = createScheduler({
    outbox: made.outbox,
    transport: fakeTransport(server, clock.wall),
    timers,
    clock,
    random: () => 0.5,
    signals: { onOnline: on('online'), onOffline: on('offline'), onVisible: on('visible') },
    online: () => browser.online,
  });
  const signals = {
    online: () => listeners.online(),
    offline: () => listeners.offline(),
    visible: () => listeners.visible(),
  };
  return { made, scheduler, advance: timers.advance, signals, browser };
}

const sync = async ({ made }: Watched) => (await made.outbox.snapshot(made.attemptId))?.sync;

test('a write is sent at once', async () => {
  const one = await watched();
  await one.scheduler.start();
  await one.made.outbox.answer(one.made.attemptId, open('один'));
  await expect.poll(() => one.made.server.text()).toBe('один');
  one.scheduler.stop();
});

test('what waited while the app was closed is sent at the start', async () => {
  const one = await watched();
  await one.made.outbox.answer(one.made.attemptId, open('один'));
  await one.scheduler.start();
  expect(one.made.server.text()).toBe('один');
  one.scheduler.stop();
});

test('after an outage everything is sent by the timer alone, without user input', async () => {
  const one = await watched();
  await one.scheduler.start();
  one.made.server.fault = () => 'loseRequest';
  await one.made.outbox.answer(one.made.attemptId, open('один'));
  await one.advance(600_000);
  expect(await sync(one)).toEqual({ kind: 'silent', count: 1 });
  one.made.server.fault = () => null;
  await one.advance(31_000);
  expect(one.made.server.text()).toBe('один');
  expect(await sync(one)).toEqual({ kind: 'delivered', count: 0 });
  one.scheduler.stop();
});

test('no network and a silent server are distinguished', async () => {
  const one = await watched();
  await one.scheduler.start();
  one.made.server.fault = () => 'loseRequest';
  one.browser.online = false;
  one.signals.offline();
  await one.made.outbox.answer(one.made.attemptId, open('один'));
  await one.advance(1_000);
  expect(await sync(one)).toEqual({ kind: 'offline', count: 1 });
  one.browser.online = true;
  await one.advance(60_000);
  expect(await sync(one)).toEqual({ kind: 'silent', count: 1 });
  one.scheduler.stop();
});

test.each(['online', 'visible'] as const)(
  '%s resets the back-off and sends at once',
  async (signal) => {
    const one = await watched();
    await one.scheduler.start();
    one.made.server.fault = () => 'loseRequest';
    await one.made.outbox.answer(one.made.attemptId, open('один'));
    await one.advance(100_000);
    one.made.server.fault = () => null;
    one.signals[signal]();
    await expect.poll(() => one.made.server.text()).toBe('один');
    one.scheduler.stop();
  },
);

test('row 22: a captive portal’s page counts as a silent server', async () => {
  const one = await watched();
  one.made.server.fault = () => 'html';
  expect(await one.scheduler.probe()).toBe('silent');
});

test('a stopped scheduler sends nothing more', async () => {
  const one = await watched();
  await one.scheduler.start();
  one.scheduler.stop();
  await one.made.outbox.answer(one.made.attemptId, open('один'));
  await one.advance(120_000);
  expect(one.made.server.count('answer')).toBe(0);
});

test('another tab’s message wakes this one', async () => {
  const received: string[] = [];
  const listeners: ((message: { kind: 'wake' }) => void)[] = [];
  const made = await device({
    channel: {
      post: (message) => received.push(message.kind),
      listen: (listener) => {
        listeners.push(listener);
        return () => undefined;
      },
    },
  });
  await made.outbox.startAttempt(TEST_ID);
  expect(received).toContain('changed');
  listeners[0]?.({ kind: 'wake' });
  expect(made.events.at(-1)).toEqual({ kind: 'written', attemptId: null });
});
