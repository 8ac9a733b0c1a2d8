import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { createMemoryStorage } from '#app/storage/memory.ts';
import { openStorage } from '#app/storage/open.ts';
import type { StoreName } from '#app/storage/rows.ts';
import { mirrorSession } from '#app/storage/session-mirror.ts';
import { StorageFailure, type Storage } from '#app/storage/storage.ts';
import { ANNA, FakeServer, id, MINUTE, START, TEST_ID, type FakeWorld } from './fake-server.ts';
import { fakeTransport } from './fake-transport.ts';
import type { Timers } from '#app/api/timers.ts';
import type { Locks, OutboxEnvironment } from './environment.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { failOnBroken } from './test-rows.ts';
import type { OutboxEvent } from './types.ts';

/** Simulated devices with virtual clocks, timers and locks, for the outbox's tests. */

/** Exclusive named locks in request order, like Web Locks. */
export function fakeLocks(): Locks {
  const queues = new Map<string, Promise<unknown>>();
  const locked = new Set<string>();
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
      if (locked.has(name)) return null;
      locked.add(name);
      return () => locked.delete(name);
    },
  };
}

/** More event loop turns than any promise chain between two timers needs. */
const TURNS = 400;

export async function turns(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) {
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

/** Timers that fire when the simulated time advances. */
export function fakeTimers(world: FakeWorld): Timers & { advance(ms: number): Promise<void> } {
  const due = new Map<number, { at: number; run: () => void }>();
  let next = 1;
  // Counted in event loop turns, because a busy machine delays milliseconds but not turns:
  // storage needs a few for each access. File hashes come from another thread, hence the real delay.
  const settle = async (): Promise<void> => {
    await new Promise<void>((resolve) => setTimeout(resolve, 1));
    await turns();
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

export interface TestDevice {
  readonly outbox: Outbox;
  readonly storage: Storage;
  readonly factory: IDBFactory;
  readonly server: FakeServer;
  readonly world: FakeWorld;
  readonly events: OutboxEvent[];
  /** Error of the device's wall clock. */
  readonly skew: { ms: number };
}

export interface DeviceOptions extends Partial<OutboxEnvironment> {
  readonly server?: FakeServer;
  readonly factory?: IDBFactory;
  readonly user?: string | null;
  readonly skew?: { ms: number };
  /** Uses this storage instead of opening one. */
  readonly storage?: Storage;
}

export function newWorld(): FakeWorld {
  return { now: START };
}

/** A page on a device; the same factory again is a reload or a second tab. */
export async function device(options: DeviceOptions = {}): Promise<TestDevice> {
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
    log: (event) => {
      failOnBroken(event);
      env.log?.(event);
    },
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
): Promise<TestDevice & { attemptId: string }> {
  const made = await device(options);
  const outcome = await made.outbox.startAttempt(TEST_ID);
  if (outcome.kind !== 'started') throw new Error(`not started: ${outcome.kind}`);
  return { ...made, attemptId: outcome.attempt.attemptId };
}

/** A reply to another call of the page: the server's time and epoch. */
export const observeReply = (
  { server, outbox, skew }: TestDevice,
  serverEpoch = server.epoch,
): Promise<void> =>
  outbox.observe({
    route: 'health',
    status: 200,
    serverTime: server.world.now,
    serverEpoch,
    activeStream: null,
    sessionExpiresAt: null,
    receivedWall: server.world.now + skew.ms,
    rttMs: 0,
  });

export type SmallStorage = { readonly storage: Storage; readonly space: { isLeft: boolean } };

/** A tablet that refuses the writes that need space once it is full. */
export function smallStorage(needsSpace: (stores: readonly StoreName[]) => boolean): SmallStorage {
  const inner = createMemoryStorage({ durable: true });
  const space = { isLeft: true };
  const storage: Storage = {
    ...inner,
    write: async (stores, run) => {
      if (needsSpace(stores) && !space.isLeft) throw new StorageFailure('quota');
      return inner.write(stores, run);
    },
  };
  return { storage, space };
}

/** Advances time and flushes until nothing is scheduled, or for `rounds`. */
export async function drain(
  made: Pick<TestDevice, 'outbox' | 'world'>,
  rounds = 30,
): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const report = await made.outbox.flush();
    if (report.nextInMs === null) return;
    made.world.now += report.nextInMs + 1;
  }
}
