import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { openStorage } from '#app/storage/open.ts';
import { mirrorSession } from '#app/storage/session-mirror.ts';
import type { Storage } from '#app/storage/storage.ts';
import { ANNA, FakeServer, id, MINUTE, START, TEST_ID, type World } from './fake-server.ts';
import { fakeTransport } from './fake-transport.ts';
import type { Locks } from './locks.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import type { Timers } from './surroundings.ts';
import type { OutboxEnvironment, OutboxEvent } from './types.ts';

/** Whole devices with virtual clocks, timers and locks, for the outbox's tests. */

/** One name, one holder, in order of asking: what Web Locks do. */
export function fakeLocks(): Locks {
  const queues = new Map<string, Promise<unknown>>();
  const held = new Set<string>();
  return {
    run: async (name, task) => {
      const mine = (queues.get(name) ?? Promise.resolve()).then(() => task({ valid: () => true }));
      queues.set(
        name,
        mine.catch(() => undefined),
      );
      return { ran: true, value: await mine };
    },
    hold: async (name) => {
      if (held.has(name)) return null;
      held.add(name);
      return () => held.delete(name);
    },
  };
}

/** More than any chain between two timers takes. */
const TURNS = 400;

/** Timers that fire when the world is moved on. */
export function fakeTimers(world: World): Timers & { advance(ms: number): Promise<void> } {
  const due = new Map<number, { at: number; run: () => void }>();
  let next = 1;
  // Counted in turns of the event loop, which a busy machine does not lose as it loses milliseconds:
  // the storage needs a few for each access. Hashes of files come from another thread: a moment for them.
  const settle = async (): Promise<void> => {
    await new Promise<void>((resolve) => setTimeout(resolve, 1));
    for (let turn = 0; turn < TURNS; turn += 1) {
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  };
  return {
    set: (run, ms) => {
      due.set(next, { at: world.now + ms, run });
      next += 1;
      return next - 1;
    },
    clear: (timer) => due.delete(timer as number),
    advance: async (ms) => {
      const end = world.now + ms;
      for (;;) {
        await settle();
        const first = [...due].sort(([, a], [, b]) => a.at - b.at)[0];
        if (!first || first[1].at > end) break;
        due.delete(first[0]);
        world.now = Math.max(world.now, first[1].at);
        first[1].run();
      }
      world.now = end;
      await settle();
    },
  };
}

export interface Device {
  readonly outbox: Outbox;
  readonly storage: Storage;
  readonly factory: IDBFactory;
  readonly server: FakeServer;
  readonly world: World;
  readonly events: OutboxEvent[];
  /** The device's wall clock is wrong by this much. */
  readonly skew: { ms: number };
}

export interface DeviceOptions extends Partial<OutboxEnvironment> {
  readonly server?: FakeServer;
  readonly factory?: IDBFactory;
  readonly user?: string | null;
  readonly skew?: { ms: number };
  /** Give the storage instead of opening one. */
  readonly storage?: Storage;
}

export function newWorld(): World {
  return { now: START };
}

/** A page on a device; the same factory again is a reload or a second tab. */
export async function device(options: DeviceOptions = {}): Promise<Device> {
  const {
    user = ANNA,
    skew = { ms: 0 },
    factory = new IDBFactory(),
    server: given,
    ...env
  } = options;
  const server = given ?? new FakeServer(newWorld());
  const { world } = server;
  const storage = env.storage ?? (await openStorage(factory));
  const openedAt = world.now;
  const clock = { wall: () => world.now + skew.ms, monotone: () => world.now - openedAt };
  const outbox = createOutbox({
    transport: fakeTransport(server, clock.wall),
    locks: fakeLocks(),
    clock,
    timers: fakeTimers(world),
    random: () => 0.5,
    newId: id,
    concurrency: 1,
    ...env,
    storage,
  });
  const events: OutboxEvent[] = [];
  outbox.subscribe((event) => events.push(event));
  if (user) await signIn(storage, user);
  return { outbox, storage, factory, server, world, events, skew };
}

export async function signIn(
  storage: Storage,
  userId: string,
  token = `token-${userId}`,
): Promise<void> {
  await mirrorSession(storage, {
    token,
    expiresAt: new Date(START + 600 * MINUTE).toISOString(),
    user: { userId, userName: 'Ученик', email: 'u@demo.ru', role: 0, isAdmin: false },
  });
}

/** A device with a running attempt. */
export async function running(
  options: DeviceOptions = {},
): Promise<Device & { attemptId: string }> {
  const made = await device(options);
  const outcome = await made.outbox.startAttempt(TEST_ID);
  if (outcome.kind !== 'started') throw new Error(`not started: ${outcome.kind}`);
  return { ...made, attemptId: outcome.attempt.attemptId };
}

/** Moves time on and flushes until nothing waits for a time, or `rounds` are over. */
export async function drain(made: Device, rounds = 30): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const report = await made.outbox.flush();
    if (report.nextInMs === null) return;
    made.world.now += report.nextInMs + 1;
  }
}
