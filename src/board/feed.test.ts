import { expect, test } from 'vitest';
import type { Board } from '#contract/board.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { createFeed } from './feed.ts';

const START = Date.parse('2026-03-02T06:00:00.000Z');

const failure = (parts: Partial<ConstructorParameters<typeof ApiFailure>[0]> = {}) =>
  new ApiFailure({ kind: 'unreachable', method: 'GET', url: '/', ...parts });

type Stream = Parameters<Parameters<typeof createFeed>[0]['watch']>[0] & {
  end(error?: ApiFailure): void;
};

/** A feed whose streams and replies are the test's, with timers that fire when the time is moved on. */
function feeding() {
  const world = { now: START, reply: (): Board | ApiFailure => board() };
  const streams: Stream[] = [];
  const timers = new Map<number, { at: number; run: () => void }>();
  let next = 1;
  const asked = { times: 0 };
  const board = (): Board => ({
    testId: 'test',
    title: 'Законы Ньютона',
    serverTime: new Date(world.now).toISOString(),
    trials: 0,
    startTime: null,
    endTime: null,
    rows: [],
  });
  const feed = createFeed({
    watch: (listener) =>
      new Promise((resolve, reject) => {
        streams.push({
          ...listener,
          end: (error) => (error ? reject(error) : resolve()),
        });
      }),
    ask: async () => {
      asked.times += 1;
      const reply = world.reply();
      if (reply instanceof ApiFailure) throw reply;
      return reply;
    },
    timers: {
      set: (run, ms) => {
        timers.set(next, { at: world.now + ms, run });
        next += 1;
        return next - 1;
      },
      clear: (timer) => timers.delete(timer as number),
    },
    random: () => 0.5,
    now: () => world.now,
  });
  const settle = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  const pass = async (ms: number) => {
    const end = world.now + ms;
    for (;;) {
      await settle();
      const [first] = [...timers].sort(([, a], [, b]) => a.at - b.at);
      if (!first || first[1].at > end) break;
      timers.delete(first[0]);
      world.now = Math.max(world.now, first[1].at);
      first[1].run();
    }
    world.now = end;
    await settle();
  };
  feed.start();
  return { feed, world, streams, asked, board, pass, waiting: () => timers.size };
}

test('a stream that speaks is all there is: nothing is asked', async () => {
  const { feed, streams, asked, board, pass } = feeding();
  streams[0]?.onEvent(board());
  await pass(60_000);
  expect(feed.state()).toMatchObject({ way: 'stream', updatedAt: START, problem: null });
  expect([streams.length, asked.times]).toEqual([1, 0]);
});

test('a heartbeat says that the board is still true', async () => {
  const { feed, streams, board, pass } = feeding();
  streams[0]?.onEvent(board());
  await pass(15_000);
  streams[0]?.onAlive();
  expect(feed.state().updatedAt).toBe(START + 15_000);
});

test('a broken stream: polling at once, a new stream soon, polling ends with its first event', async () => {
  const { feed, streams, asked, board, pass } = feeding();
  streams[0]?.onEvent(board());
  streams[0]?.end(failure());
  await pass(0);
  expect(asked.times).toBe(1);
  expect(feed.state()).toMatchObject({ way: 'polling', problem: null });
  await pass(1_000);
  expect(streams).toHaveLength(2);
  await pass(10_000);
  expect(asked.times).toBe(3);
  streams[1]?.onEvent(board());
  await pass(60_000);
  expect(asked.times).toBe(3);
  expect(feed.state().way).toBe('stream');
});

test('a server that ends the stream is asked for a new one', async () => {
  const { streams, board, pass } = feeding();
  streams[0]?.onEvent(board());
  streams[0]?.end();
  await pass(1_000);
  expect(streams).toHaveLength(2);
});

test('while the server is away tries grow rarer, up to half a minute, and the board stays with its time', async () => {
  const { feed, streams, world, board, pass } = feeding();
  streams[0]?.onEvent(board());
  world.reply = () => failure();
  const times: number[] = [];
  for (let n = 0; n < 8; n += 1) {
    streams.at(-1)?.end(failure());
    const before = world.now;
    while (streams.length === n + 1) await pass(500);
    times.push((world.now - before) / 1000);
  }
  expect(times).toEqual([1, 2, 4, 8, 16, 30, 30, 30]);
  expect(feed.state()).toMatchObject({ updatedAt: START, board: { title: 'Законы Ньютона' } });
  expect(feed.state().problem?.kind).toBe('unreachable');
});

test('streams that something holds back are left for a minute; polling goes on', async () => {
  const { feed, streams, asked, pass } = feeding();
  streams[0]?.end(failure({ timedOut: true }));
  await pass(59_000);
  expect(streams).toHaveLength(1);
  expect(asked.times).toBe(12);
  expect(feed.state().way).toBe('polling');
  await pass(2_000);
  expect(streams).toHaveLength(2);
});

test('too many streams: the next try is as late as the server asked', async () => {
  const { streams, pass } = feeding();
  streams[0]?.end(failure({ kind: 'refused', status: 429, retryAfterMs: 30_000 }));
  await pass(29_000);
  expect(streams).toHaveLength(1);
  await pass(2_000);
  expect(streams).toHaveLength(2);
});

test.each([401, 403, 404])('after a %s nothing more is tried', async (status) => {
  const { feed, streams, asked, pass, waiting } = feeding();
  streams[0]?.end(failure({ kind: 'refused', status, code: 'NOT_FOUND' }));
  await pass(120_000);
  expect([streams.length, asked.times, waiting()]).toEqual([1, 0, 0]);
  expect(feed.state()).toMatchObject({ isOver: true, problem: { status } });
});

test('what comes back to life tries at once', async () => {
  const { feed, streams, world, pass } = feeding();
  world.reply = () => failure();
  for (let n = 0; n < 6; n += 1) {
    streams.at(-1)?.end(failure());
    await pass(31_000);
  }
  streams.at(-1)?.end(failure());
  await pass(0);
  const before = streams.length;
  feed.wake();
  expect(streams).toHaveLength(before + 1);
});

test('a reply that was overtaken does not bring the past back', async () => {
  const { feed, streams, world, board, pass } = feeding();
  const old = board();
  streams[0]?.end(failure());
  await pass(3_000);
  streams[1]?.onEvent({ ...board(), title: 'Новое' });
  world.reply = () => old;
  feed.wake();
  await pass(60_000);
  expect(feed.state()).toMatchObject({ way: 'stream', board: { title: 'Новое' } });
});

test('a feed that was left asks and hears nothing more', async () => {
  const { feed, streams, asked, board, pass, waiting } = feeding();
  feed.stop();
  streams[0]?.onEvent(board());
  streams[0]?.end(failure());
  await pass(120_000);
  expect(feed.state().board).toBeNull();
  expect([streams.length, asked.times, waiting()]).toEqual([1, 0, 0]);
});
