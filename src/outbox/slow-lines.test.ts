import { expect, test } from 'vitest';
import { createMemoryStorage } from '#app/storage/memory.ts';
import { FakeServer, MINUTE, open, QUESTIONS, START } from './fake-server.ts';
import { createScheduler } from './scheduler.ts';
import { createSlowLine, type LineTraits } from './slow-line.ts';
import { fakeTimers, newWorld, running } from './test-device.ts';

/** Uploads over slow lines: the real outbox and its scheduler, on virtual time. */

const KBIT = 1_000;
const KB = 1_000;
const MB = 1_000_000;
const PHOTO = 2.5 * MB;

async function student(traits: LineTraits) {
  const world = newWorld();
  const server = new FakeServer(world);
  server.deadline = world.now + 600 * MINUTE;
  const timers = fakeTimers(world);
  const line = createSlowLine(server, world, timers, traits);
  const storage = createMemoryStorage({ durable: true });
  const { outbox, attemptId, events } = await running({
    server,
    timers,
    storage,
    transport: line.transport,
    concurrency: 4,
  });
  const scheduler = createScheduler({
    outbox,
    transport: line.transport,
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
  return {
    outbox,
    attemptId,
    server,
    world,
    line,
    wait: (ms: number) => timers.advance(ms),
    setAside: () => events.filter(({ kind }) => kind === 'setAside'),
    addFile: (size: number, question = 3) =>
      outbox.addFile(attemptId, QUESTIONS[question] ?? '', {
        name: 'решение.jpg',
        mimeType: 'image/jpeg',
        bytes: new Uint8Array(size),
      }),
    /** Milliseconds until nothing waits. */
    drained: async (limitMs: number) => {
      const from = world.now;
      while (world.now - from < limitMs) {
        await timers.advance(1_000);
        const { waiting } = (await outbox.snapshot(attemptId))?.counts ?? {};
        if (waiting === 0) return world.now - from;
      }
      return Infinity;
    },
  };
}

type Student = Awaited<ReturnType<typeof student>>;

const steady = (rate: number, latencyMs = 300): LineTraits => ({ rate: () => rate, latencyMs });
const idealMs = (bytes: number, rate: number): number => (bytes * 8 * 1_000) / rate;

/** Deterministic, from 0 to 1. */
function createJitter(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

async function expectWithin(one: Student, limitMs: number): Promise<void> {
  expect(await one.drained(2 * limitMs)).toBeLessThanOrEqual(limitMs);
  expect(one.setAside()).toEqual([]);
}

test.each([50, 100, 250, 1_000])(
  'row 39: at %d kbit/s a photo of 2.5 MB takes at most 1.5 × the ideal time, without a time-out',
  async (kbit) => {
    const one = await student(steady(kbit * KBIT));
    await one.addFile(PHOTO);
    await expectWithin(one, 1.5 * idealMs(PHOTO, kbit * KBIT));
    expect(one.line.timeOuts()).toBe(0);
  },
);

test.each([
  [50, 30 * KB],
  [100, 300 * KB],
  [1_000, 10 * MB],
])(
  'row 39: at %d kbit/s a file of %d bytes takes at most 1.5 × the ideal time',
  async (kbit, size) => {
    const one = await student(steady(kbit * KBIT));
    await one.addFile(size);
    await expectWithin(one, 1.5 * idealMs(size, kbit * KBIT) + 1_000);
  },
);

test.each([50, 250])(
  'row 39: at about %d kbit/s, with a rate and a latency that vary, at most 1.5 × the ideal time',
  async (kbit) => {
    const jitter = createJitter();
    const seconds = Array.from({ length: 2_000 }, jitter);
    const rate = (ms: number): number =>
      kbit * KBIT * (0.6 + 0.8 * (seconds[Math.floor(ms / 1_000) % seconds.length] ?? 0.5));
    const one = await student({ rate, latencyMs: 300, jitter });
    await one.addFile(PHOTO);
    await expectWithin(one, 1.5 * idealMs(PHOTO, kbit * KBIT));
  },
);

test.each([
  [1_000, 50],
  [250, 50],
  [50, 1_000],
  [100, 250],
])(
  'row 39: a line that goes from %d to %d kbit/s takes at most 1.5 × the ideal time',
  async (first, second) => {
    const half = PHOTO / 2;
    let isSecond = false;
    const one = await student({ rate: () => (isSecond ? second : first) * KBIT, latencyMs: 300 });
    one.server.fault = () => {
      const [upload] = one.server.uploads.values();
      isSecond = (upload?.bytes.length ?? 0) >= half;
      return null;
    };
    await one.addFile(PHOTO);
    await expectWithin(one, 1.5 * (idealMs(half, first * KBIT) + idealMs(half, second * KBIT)));
  },
);

test('row 39: a line that swings between 30 and 300 kbit/s never ends in a refusal', async () => {
  const one = await student({
    rate: (ms) => (Math.floor(ms / 20_000) % 2 === 0 ? 300 : 30) * KBIT,
    latencyMs: 400,
  });
  await one.addFile(PHOTO);
  await expectWithin(one, 1.5 * idealMs(PHOTO, 165 * KBIT));
});

test('row 39: two files at once take at most 1.5 × the ideal time of both', async () => {
  const one = await student(steady(100 * KBIT));
  await one.addFile(300 * KB, 3);
  await one.addFile(200 * KB, 2);
  await expectWithin(one, 1.5 * idealMs(500 * KB, 100 * KBIT));
});

test.each([50, 250])(
  'row 39: at %d kbit/s answers typed during an upload arrive within their time limit',
  async (kbit) => {
    const one = await student(steady(kbit * KBIT));
    await one.addFile(PHOTO);
    for (let n = 0; n < 40; n += 1) {
      await one.outbox.answer(one.attemptId, open(`ответ ${n} ${'слово '.repeat(100)}`, n % 3));
      await one.wait(5_000);
      expect(one.server.text(n % 3), `answer ${n}`).toContain(`ответ ${n} `);
    }
    expect(one.line.timeOuts()).toBe(0);
    await expectWithin(one, 1.5 * idealMs(PHOTO, kbit * KBIT));
  },
);

test('row 39: a text of 20,000 characters arrives at 50 kbit/s, beside an upload', async () => {
  const one = await student(steady(50 * KBIT));
  await one.addFile(300 * KB);
  await one.outbox.answer(one.attemptId, open('ж'.repeat(20_000)));
  await one.wait(40_000);
  expect(one.server.text()).toHaveLength(20_000);
  await one.drained(5 * MINUTE);
  expect(one.setAside()).toEqual([]);
});

test('row 39: a line on which every call times out refuses nothing, and all arrives afterwards', async () => {
  let isStuck = true;
  const one = await student({ rate: () => (isStuck ? 500 : 100 * KBIT), latencyMs: 300 });
  await one.addFile(30 * KB);
  await one.outbox.answer(one.attemptId, open('первый', 0));
  await one.outbox.answer(one.attemptId, open('второй', 1));
  await one.wait(30 * MINUTE);
  const view = await one.outbox.snapshot(one.attemptId);
  expect(view?.answers.map(({ stage }) => stage)).not.toContain('setAside');
  expect(view?.counts.setAside).toBe(0);
  isStuck = false;
  await expectWithin(one, 2 * MINUTE);
  expect([one.server.text(0), one.server.text(1)]).toEqual(['первый', 'второй']);
});
