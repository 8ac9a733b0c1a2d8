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

/** A feed with controlled streams, replies and timers. */
function createTestFeed() {
  const environment = { now: START, reply: (): Board | ApiFailure => board() };
  const streams: Stream[] = [];
  const timers = new Map<number, { at: number; run: () => void }>();
  let next = 1;
  const polls = { times: 0 };
  const board = (): Board => ({
    testId: 'test',
    title: 'Законы Ньютона',
    serverTime: new Date(environment.now).toISOString(),
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
    poll: async () => {
      polls.times += 1;
      const reply = environment.reply();
      if (reply instanceof ApiFailure) throw reply;
      return reply;
    },
    timers: {
      set: (run, ms) => {
        timers.set(next, { at: environment.now + ms, run });
        next += 1;
        return next - 1;
      },
      clear: (timer) => timers.delete(timer as number),
    },
    random: () => 0.5,
    now: () => environment.now,
  });
  const settle = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  const advance = async (ms: number) => {
    const end = environment.now + ms;
    for (;;) {
      await settle();
      const [first] = [...timers].sort(([, a], [, b]) => a.at - b.at);
      if (!first || first[1].at > end) break;
      timers.delete(first[0]);
      environment.now = Math.max(environment.now, first[1].at);
      first[1].run();
    }
    environment.now = end;
    await settle();
  };
  feed.start();
  return { feed, environment, streams, polls, board, advance, countTimers: () => timers.size };
}

test('while the stream sends events there is no polling', async () => {
  const { feed, streams, polls, board, advance } = createTestFeed();
  streams[0]?.onEvent(board());
  await advance(60_000);
  expect(feed.state()).toMatchObject({ transport: 'stream', updatedAt: START, problem: null });
  expect([streams.length, polls.times]).toEqual([1, 0]);
});

test('a heartbeat confirms that the board is current', async () => {
  const { feed, streams, board, advance } = createTestFeed();
  streams[0]?.onEvent(board());
  await advance(15_000);
  streams[0]?.onAlive();
  expect(feed.state().updatedAt).toBe(START + 15_000);
});

test('a broken stream: polling starts at once, a new stream soon, polling stops at its first event', async () => {
  const { feed, streams, polls, board, advance } = createTestFeed();
  streams[0]?.onEvent(board());
  streams[0]?.end(failure());
  await advance(0);
  expect(polls.times).toBe(1);
  expect(feed.state()).toMatchObject({ transport: 'polling', problem: null });
  await advance(1_000);
  expect(streams).toHaveLength(2);
  await advance(10_000);
  expect(polls.times).toBe(3);
  streams[1]?.onEvent(board());
  await advance(60_000);
  expect(polls.times).toBe(3);
  expect(feed.state().transport).toBe('stream');
});

test('a stream closed by the server is reopened', async () => {
  const { streams, board, advance } = createTestFeed();
  streams[0]?.onEvent(board());
  streams[0]?.end();
  await advance(1_000);
  expect(streams).toHaveLength(2);
});

test('while the server is unreachable, retries back off up to 30 s and the board time is unchanged', async () => {
  const { feed, streams, environment, board, advance } = createTestFeed();
  streams[0]?.onEvent(board());
  environment.reply = () => failure();
  const times: number[] = [];
  for (let n = 0; n < 8; n += 1) {
    streams.at(-1)?.end(failure());
    const before = environment.now;
    while (streams.length === n + 1) await advance(500);
    times.push((environment.now - before) / 1000);
  }
  expect(times).toEqual([1, 2, 4, 8, 16, 30, 30, 30]);
  expect(feed.state()).toMatchObject({ updatedAt: START, board: { title: 'Законы Ньютона' } });
  expect(feed.state().problem?.kind).toBe('unreachable');
});

test('buffered streams are retried after a minute; polling continues', async () => {
  const { feed, streams, polls, advance } = createTestFeed();
  streams[0]?.end(failure({ timedOut: true }));
  await advance(59_000);
  expect(streams).toHaveLength(1);
  expect(polls.times).toBe(12);
  expect(feed.state().transport).toBe('polling');
  await advance(2_000);
  expect(streams).toHaveLength(2);
});

test('too many streams: the next attempt waits for Retry-After', async () => {
  const { streams, advance } = createTestFeed();
  streams[0]?.end(failure({ kind: 'refused', status: 429, retryAfterMs: 30_000 }));
  await advance(29_000);
  expect(streams).toHaveLength(1);
  await advance(2_000);
  expect(streams).toHaveLength(2);
});

test.each([401, 403, 404])('after a %s there are no more requests', async (status) => {
  const { feed, streams, polls, advance, countTimers } = createTestFeed();
  streams[0]?.end(failure({ kind: 'refused', status, code: 'NOT_FOUND' }));
  await advance(120_000);
  expect([streams.length, polls.times, countTimers()]).toEqual([1, 0, 0]);
  expect(feed.state()).toMatchObject({ isOver: true, problem: { status } });
});

test('a resumed page reconnects at once', async () => {
  const { feed, streams, environment, advance } = createTestFeed();
  environment.reply = () => failure();
  for (let n = 0; n < 6; n += 1) {
    streams.at(-1)?.end(failure());
    await advance(31_000);
  }
  streams.at(-1)?.end(failure());
  await advance(0);
  const before = streams.length;
  feed.wake();
  expect(streams).toHaveLength(before + 1);
});

test('an out-of-order reply does not replace a newer board', async () => {
  const { feed, streams, environment, board, advance } = createTestFeed();
  const old = board();
  streams[0]?.end(failure());
  await advance(3_000);
  streams[1]?.onEvent({ ...board(), title: 'Новое' });
  environment.reply = () => old;
  feed.wake();
  await advance(60_000);
  expect(feed.state()).toMatchObject({ transport: 'stream', board: { title: 'Новое' } });
});

test('a stopped feed sends no requests and ignores events', async () => {
  const { feed, streams, polls, board, advance, countTimers } = createTestFeed();
  feed.stop();
  streams[0]?.onEvent(board());
  streams[0]?.end(failure());
  await advance(120_000);
  expect(feed.state().board).toBeNull();
  expect([streams.length, polls.times, countTimers()]).toEqual([1, 0, 0]);
});
