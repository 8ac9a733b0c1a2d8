import { expect, test, vi } from 'vitest';
import { ApiFailure } from '#app/api/failure.ts';
import { createScheduler, startReporting } from './scheduler.ts';
import type { Outbox } from './outbox.ts';
import type { Transport } from './transport.ts';
import type { FlushReport, OutboxEvent, Reachability } from './types.ts';

/** When the scheduler sends and probes, to the millisecond, over an outbox with scripted replies. */

const SENT: FlushReport = {
  ran: true,
  acknowledged: 0,
  failed: 0,
  setAside: 0,
  waiting: 0,
  pause: null,
  nextInMs: null,
};

/** Timers of which at most one waits; `fire` runs it. */
function oneTimer() {
  const waiting = new Map<number, { run: () => void; ms: number }>();
  let next = 0;
  return {
    set: (run: () => void, ms: number) => {
      next += 1;
      waiting.set(next, { run, ms });
      return next;
    },
    clear: (timer: unknown) => {
      waiting.delete(timer as number);
    },
    delays: () => [...waiting.values()].map(({ ms }) => ms),
    fire: () => {
      const [first] = waiting;
      if (!first) throw new Error('nothing waits');
      waiting.delete(first[0]);
      first[1].run();
    },
  };
}

function setUp() {
  const timers = oneTimer();
  const state = {
    reachability: 'reachable' as Reachability,
    report: SENT,
    error: null as Error | null,
    online: true,
    probe: 'ours' as 'ours' | 'refused' | 'lost' | 'broken',
  };
  const flushes: boolean[] = [];
  const logged: string[] = [];
  const listeners = new Set<(event: OutboxEvent) => void>();
  const observe = vi.fn();
  const outbox = {
    opened: async () => undefined,
    flush: async ({ force = false } = {}) => {
      flushes.push(force);
      if (state.error) throw state.error;
      return state.report;
    },
    observe,
    reachability: () => state.reachability,
    setReachability: (found: Reachability) => {
      state.reachability = found;
    },
    subscribe: (listener: (event: OutboxEvent) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } as unknown as Outbox;
  const failure = (parts: { kind: 'refused' | 'unreachable'; status?: number }) =>
    ({ ok: false, failure: new ApiFailure({ method: 'GET', url: '/', ...parts }) }) as const;
  const probeServer = vi.fn(async () => {
    if (state.probe === 'broken') throw new Error('no answer');
    if (state.probe === 'lost') return failure({ kind: 'unreachable' });
    if (state.probe === 'refused') return failure({ kind: 'refused', status: 503 });
    return { ok: true, value: {}, facts: { route: 'health' } };
  });
  const stopped: string[] = [];
  const signals: Record<string, () => void> = {};
  const on = (name: string) => (run: () => void) => {
    signals[name] = run;
    return () => {
      stopped.push(name);
    };
  };
  const scheduler = createScheduler({
    outbox,
    transport: { probe: probeServer } as unknown as Transport,
    timers,
    clock: { wall: () => 0, monotone: () => 0 },
    random: () => 0.5,
    signals: { onOnline: on('online'), onOffline: on('offline'), onVisible: on('visible') },
    online: () => state.online,
    log: ({ event }) => logged.push(event),
  });
  const emit = (event: OutboxEvent) => {
    for (const listener of listeners) listener(event);
  };
  const turns = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  const tick = async () => {
    timers.fire();
    await turns();
  };
  return {
    scheduler,
    timers,
    state,
    flushes,
    logged,
    observe,
    probeServer,
    emit,
    signals,
    stopped,
    turns,
    tick,
  };
}

test.each<[string, number | null, number]>([
  ['nothing waits: half a minute', null, 30_000],
  ['something is due later: then', 1_700, 1_700],
  ['it is due at once: a moment later', 0, 50],
  ['it is due in an hour: half a minute all the same', 3_600_000, 30_000],
])('after a pass in which %s', async (_what, nextInMs, expected) => {
  const { scheduler, timers, state } = setUp();
  state.report = { ...SENT, nextInMs };
  await scheduler.start();
  expect(timers.delays()).toEqual([expected]);
});

test('the first pass is forced, those of the timer and of a write are not, and each moves the timer', async () => {
  const { scheduler, timers, flushes, emit, turns, tick } = setUp();
  await scheduler.start();
  await tick();
  emit({ kind: 'written', attemptId: null });
  await turns();
  emit({ kind: 'changed', attemptId: null });
  await turns();
  expect(flushes).toEqual([true, false, false]);
  expect(timers.delays()).toEqual([30_000]);
});

test('a second start does nothing', async () => {
  const { scheduler, flushes } = setUp();
  await scheduler.start();
  await scheduler.start();
  expect(flushes).toEqual([true]);
});

test('a pass that throws is logged and tried again after a back-off', async () => {
  const { scheduler, timers, state, logged, tick, flushes } = setUp();
  state.error = new Error('closed');
  await scheduler.start();
  expect(logged).toEqual(['flushFailed']);
  const [wait = 0] = timers.delays();
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThan(30_000);
  state.error = null;
  await tick();
  expect(flushes).toEqual([true, false]);
});

test('the server is probed at the start and by the timer unless it is known to be reachable', async () => {
  const { scheduler, state, probeServer, tick } = setUp();
  await scheduler.start();
  await tick();
  expect(probeServer).not.toHaveBeenCalled();
  const other = setUp();
  other.state.reachability = 'unknown';
  await other.scheduler.start();
  expect(other.probeServer).toHaveBeenCalledOnce();
  expect(other.state.reachability).toBe('reachable');
  expect(other.observe).toHaveBeenCalledWith({ route: 'health' });
  state.reachability = 'silent';
  await tick();
  expect(probeServer).toHaveBeenCalledOnce();
});

test('not in a pass in which something was acknowledged', async () => {
  const { scheduler, state, probeServer, tick } = setUp();
  await scheduler.start();
  state.reachability = 'silent';
  state.report = { ...SENT, acknowledged: 1 };
  await tick();
  expect(probeServer).not.toHaveBeenCalled();
});

test('once the server is back everything is tried at once', async () => {
  const { scheduler, state, flushes, tick } = setUp();
  await scheduler.start();
  state.reachability = 'silent';
  await tick();
  expect(flushes).toEqual([true, false, true]);
});

test('probes of an unreachable server back off to half a minute and restart after it was reachable', async () => {
  const { scheduler, state, timers, tick } = setUp();
  await scheduler.start();
  state.reachability = 'silent';
  state.probe = 'lost';
  const waits: number[] = [];
  for (let round = 0; round < 9; round += 1) {
    await tick();
    waits.push(timers.delays()[0] ?? 0);
  }
  expect(waits.slice(0, 4)).toEqual(waits.slice(0, 4).toSorted((a, b) => a - b));
  expect(new Set(waits.slice(0, 4)).size).toBe(4);
  expect(Math.max(...waits)).toBeLessThanOrEqual(30_000);
  state.probe = 'ours';
  await tick();
  state.reachability = 'silent';
  state.probe = 'lost';
  await tick();
  expect(timers.delays()[0]).toBe(waits[0]);
});

test.each<['lost' | 'refused', boolean, Reachability]>([
  ['lost', true, 'silent'],
  ['lost', false, 'offline'],
  ['refused', false, 'reachable'],
])('a call that is %s while the browser says online %s: %s', async (probe, online, expected) => {
  const { scheduler, state, observe } = setUp();
  Object.assign(state, { probe, online });
  expect(await scheduler.probe()).toBe(expected);
  expect(state.reachability).toBe(expected);
  expect(observe).not.toHaveBeenCalled();
});

test('a question that fails altogether stops nothing', async () => {
  const { scheduler, state, timers, tick, flushes } = setUp();
  state.reachability = 'unknown';
  state.probe = 'broken';
  await scheduler.start();
  await tick();
  await tick();
  expect(flushes).toEqual([true, false, false]);
  expect(timers.delays()).toEqual([30_000]);
});

test('the browser’s signals: no network is believed, its return is checked and sends all, a return to the page sends all', async () => {
  const { scheduler, state, flushes, probeServer, signals, turns } = setUp();
  await scheduler.start();
  signals.offline?.();
  expect(state.reachability).toBe('offline');
  expect(flushes).toHaveLength(1);
  signals.online?.();
  await turns();
  expect(probeServer).toHaveBeenCalledOnce();
  expect(flushes).toEqual([true, true]);
  signals.visible?.();
  await turns();
  expect(flushes).toEqual([true, true, true]);
});

test('after a stop it has no timers or listeners, even if a pass ends afterwards', async () => {
  const { scheduler, timers, flushes, stopped, emit, turns } = setUp();
  await scheduler.start();
  const last = scheduler.wake();
  scheduler.stop();
  await last;
  emit({ kind: 'written', attemptId: null });
  await turns();
  expect(flushes).toEqual([true, true]);
  expect(timers.delays()).toEqual([]);
  expect(stopped).toEqual(['online', 'offline', 'visible']);
});

test.each<[number, number]>([
  [0, 25_000],
  [0.5, 30_000],
  [1, 35_000],
])('reports of a class are spread: a draw of %d waits %d ms', (draw, expected) => {
  const timers = oneTimer();
  const signals = { onOnline: () => () => undefined, onVisible: () => () => undefined };
  const outbox = { report: async () => undefined };
  const stop = startReporting({ outbox, timers, random: () => draw, signals, present: () => true });
  expect(timers.delays()).toEqual([expected]);
  stop();
  expect(timers.delays()).toEqual([]);
});

test('a report slower than its interval is not repeated; a failed one is logged', async () => {
  const timers = oneTimer();
  const wakes: (() => void)[] = [];
  const left: string[] = [];
  const listen = (name: string) => (run: () => void) => {
    wakes.push(run);
    return () => {
      left.push(name);
    };
  };
  const ends: ((error?: Error) => void)[] = [];
  const report = vi.fn(
    () =>
      new Promise<void>((resolve, reject) => {
        ends.push((error) => (error ? reject(error) : resolve()));
      }),
  );
  const logged: unknown[] = [];
  const stop = startReporting({
    outbox: { report },
    timers,
    random: () => 0.5,
    signals: { onOnline: listen('online'), onVisible: listen('visible') },
    present: () => true,
    log: (event) => logged.push(event),
  });
  timers.fire();
  timers.fire();
  wakes[1]?.();
  expect(report).toHaveBeenCalledOnce();
  ends[0]?.(new Error('away'));
  await vi.waitFor(() =>
    expect(logged).toEqual([{ event: 'reportFailed', detail: 'Error: away' }]),
  );
  wakes[0]?.();
  expect(report).toHaveBeenCalledTimes(2);
  expect(timers.delays()).toEqual([30_000]);
  stop();
  expect(left).toEqual(['online', 'visible']);
});
