import { createHash } from 'node:crypto';
import { HEADER } from '#contract/headers.ts';
import { getSavedAnswers } from '#contract/passing.ts';
import type { CallInput, ReplyOf, Route } from '#contract/route.ts';
import { WIRE_VERSION } from '#contract/version.ts';
import type { ReplyFacts } from '#app/api/facts.ts';
import { createCaller, type Caller } from '#app/api/request.ts';
import type { Channel, ChannelMessage } from '#app/outbox/channel.ts';
import { leaseLocks, webLocks, type Locks } from '#app/outbox/locks.ts';
import { createOutbox, type Outbox } from '#app/outbox/outbox.ts';
import { createTransport } from '#app/outbox/transport.ts';
import type { Timers } from '#app/outbox/surroundings.ts';
import type { OutboxEnvironment } from '#app/outbox/types.ts';
import type { StoreName } from '#app/storage/rows.ts';
import { StorageFailure, type Storage, type Transaction } from '#app/storage/storage.ts';
import { openStorage } from '#app/storage/open.ts';
import type { Device } from './device.ts';
import {
  FORMER_WIRE_VERSION,
  formerFactory,
  formerOutbox,
  formerStorage,
} from './former-version.ts';
import { ORIGIN, type Network } from './network.ts';
import type { AppVersion, Plant } from './plant.ts';
import type { Power } from './power.ts';
import type { Random } from './random.ts';
import type { Timeline } from './timeline.ts';

/** What a call into a page gives when the page dies under it. */
export const DEAD = Symbol('the page is dead');

/** One page of the app. */
export interface Tab {
  readonly label: string;
  readonly device: Device;
  readonly outbox: Outbox;
  /** A call of the page's own; null when it failed. The outbox hears of every reply. */
  ask<const R extends Route>(route: R, input: CallInput<R>): Promise<ReplyOf<R> | null>;
  /** Past all faults; the shell's own writes and the checker's readings. */
  readonly storage: Storage;
  /** The attempt that it shows. */
  attemptId: string | null;
  /** True time of the last reply that told the page the server's time. */
  heardAt(): number;
  isAlive(): boolean;
  /** Ids that the page made, newest last. */
  readonly made: string[];
  /** Dies at the n-th of its next steps in storage and network, wherever that is. */
  dieAfter(steps: number | null): void;
  die(): void;
  /** Asks for the answers that count, as the page does; a failed call changes nothing. */
  fetchSaved(attemptId: string): Promise<void>;
  /** Runs something in the page; DEAD when the page did not live to its end. */
  run<T>(task: () => Promise<T>): Promise<T | typeof DEAD>;
}

export interface TabParts {
  readonly device: Device;
  readonly label: string;
  readonly network: Network;
  readonly timeline: Timeline;
  readonly random: Random;
  readonly plant: Plant;
  /** The app as it is, unless said otherwise. */
  readonly version?: AppVersion;
  readonly onId: (id: string) => void;
}

const WIRE_VERSIONS: Readonly<Record<AppVersion, number>> = {
  current: WIRE_VERSION,
  former: FORMER_WIRE_VERSION,
  unserved: 0,
};

class PageKilled extends Error {}

const never = (): Promise<never> => new Promise(() => undefined);

/** Counts a page's steps and ends it in the middle of one; its device's power may end it as well. */
function createFuse(power: Power, end: () => void) {
  let left: number | null = null;
  let isDead = false;
  const die = (): void => {
    if (isDead) return;
    isDead = true;
    leave();
    end();
  };
  const leave = power.connect(die);
  const burn = (): boolean => {
    const isOut = power.spend();
    if (left === null) return isOut;
    left -= 1;
    return isOut || left <= 0;
  };
  return {
    die,
    isDead: () => isDead,
    set: (steps: number | null) => {
      left = steps;
    },
    /** True: this very step is the last one. */
    burn,
    /** Between two things that happen: a dead page goes no further. */
    gate: async (): Promise<void> => {
      if (!isDead && burn()) die();
      if (isDead) await never();
    },
  };
}

type Fuse = ReturnType<typeof createFuse>;

/** What a dead page was writing is undone: no step of its open transactions goes through any more. */
function mortalTransaction(tx: Transaction, fuse: Fuse): Transaction {
  const alive = (): void => {
    if (fuse.isDead()) throw new PageKilled();
  };
  return {
    get: async (store, key) => {
      alive();
      return tx.get(store, key);
    },
    all: async (store, index, value) => {
      alive();
      return tx.all(store, index, value);
    },
    put: async (store, row) => {
      alive();
      await tx.put(store, row);
    },
    delete: async (store, key) => {
      alive();
      await tx.delete(store, key);
    },
  };
}

/** Turns that a transaction takes to complete when all its steps are done: until then a death undoes it. */
const COMMIT_TURNS = 2;

/**
 * Storage of a page that may die before, inside or after a writing transaction, on a device that may be full.
 * A death while it reads is the one behind the last write.
 */
function mortalStorage(real: Storage, fuse: Fuse, device: Device): Storage {
  async function inside<T>(
    stores: readonly StoreName[],
    run: (tx: Transaction) => Promise<T>,
    tx: Transaction,
  ): Promise<T> {
    const value = await run(mortalTransaction(tx, fuse));
    if (fuse.isDead() || fuse.burn()) throw new PageKilled();
    for (let turn = 0; turn < COMMIT_TURNS; turn += 1) {
      if (stores[0]) await tx.get(stores[0], 'nothing');
      if (fuse.isDead()) throw new PageKilled();
    }
    return value;
  }
  return {
    durable: real.durable,
    close: () => real.close(),
    read: async (stores, run) => {
      if (fuse.isDead()) await never();
      const value = await real.read(stores, run);
      if (fuse.isDead()) await never();
      return value;
    },
    write: async (stores, run) => {
      await fuse.gate();
      if (device.isFull) throw new StorageFailure('quota');
      try {
        const value = await real.write(stores, (tx) => inside(stores, run, tx));
        await fuse.gate();
        return value;
      } catch (error) {
        if (error instanceof PageKilled) fuse.die();
        if (fuse.isDead()) await never();
        throw error;
      }
    },
  };
}

function channelOf(device: Device, isDead: () => boolean): { channel: Channel; leave(): void } {
  const mine = new Set<(message: ChannelMessage) => void>();
  device.channel.add(mine);
  return {
    leave: () => device.channel.delete(mine),
    channel: {
      post: (message) => {
        if (isDead()) return;
        for (const others of device.channel) {
          if (others !== mine) for (const listener of others) listener(structuredClone(message));
        }
      },
      listen: (listener) => {
        mine.add(listener);
        return () => mine.delete(listener);
      },
    },
  };
}

/**
 * Short waits for a lease pass by themselves: nobody else moves the time meanwhile. None passes while the
 * server works, or their number would hang on how fast the machine is.
 */
function impatient(timeline: Timeline, isBusy: () => boolean): Timers {
  const POLLING_MS = 1_000;
  return {
    set: (run, ms) => {
      if (ms > POLLING_MS) return timeline.set(run, ms);
      const elapse = (): void => {
        if (isBusy()) {
          setImmediate(elapse);
          return;
        }
        timeline.advance(ms);
        run();
      };
      setImmediate(elapse);
      return null;
    },
    clear: (timer) => timeline.clear(timer),
  };
}

const sha256 = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  createHash('sha256').update(bytes).digest('hex');

/** Opens the app on a device: real storage, real outbox, real caller over the simulated network. */
export async function openTab(parts: TabParts): Promise<Tab> {
  const { device, label, network, timeline, random, plant, version = 'current' } = parts;
  const isFormer = version !== 'current';
  const opened = await openStorage(isFormer ? await formerFactory(device.factory) : device.factory);
  const real = isFormer ? formerStorage(opened) : opened;
  const identity = {};
  const made: string[] = [];
  let reportDeath: (dead: typeof DEAD) => void = () => undefined;
  const death = new Promise<typeof DEAD>((resolve) => {
    reportDeath = resolve;
  });
  const fuse = createFuse(device.power, () => {
    device.locks.release(identity);
    bus.leave();
    real.close();
    reportDeath(DEAD);
  });
  const bus = channelOf(device, fuse.isDead);
  const newId = (): string => {
    const id = random.uuid();
    made.push(id);
    parts.onId(id);
    return id;
  };

  let heardAt = 0;
  const wire = network.fetchOver(device.line);
  const mortalFetch: typeof fetch = async (input, init) => {
    await fuse.gate();
    const response = await wire(input, init);
    await fuse.gate();
    if (response.headers.has(HEADER.serverTime)) heardAt = timeline.now();
    return response;
  };
  const storage = mortalStorage(real, fuse, device);
  const callerOf = (onReply: (facts: ReplyFacts) => void): Caller =>
    createCaller({
      baseUrl: ORIGIN,
      appVersion: String(WIRE_VERSIONS[version]),
      fetch: plant.fetch?.(mortalFetch, device) ?? mortalFetch,
      timers: timeline,
      clock: device.clock,
      token: () => device.session?.signedIn.token ?? null,
      onReply,
    });
  const transport = createTransport(callerOf(() => undefined));
  const heard: ReplyFacts[] = [];
  const pageCaller = callerOf((facts) => heard.push(facts));
  const locks: Locks = device.hasWebLocks
    ? webLocks(device.locks.managerOf(identity), timeline)
    : leaseLocks({
        storage: real,
        wall: () => device.clock.wall(),
        timers: impatient(timeline, network.isBusy),
        newId,
        tabId: label,
      });
  const page = { device, storage, transport };
  const environment: OutboxEnvironment = {
    storage: plant.storage?.(storage, device, version) ?? storage,
    transport: plant.transport?.(page) ?? transport,
    locks,
    clock: device.clock,
    timers: timeline,
    random: () => random.next(),
    newId,
    concurrency: 1,
    online: () => device.line.online,
    channel: bus.channel,
    digest: sha256,
  };
  const created = createOutbox(environment);
  const honest = isFormer ? formerOutbox(created) : created;
  const outbox = plant.outbox?.(honest, page) ?? honest;

  async function ask<const R extends Route>(
    route: R,
    input: CallInput<R>,
  ): Promise<ReplyOf<R> | null> {
    const call = await pageCaller(route, input).catch(() => null);
    for (const facts of heard.splice(0)) await outbox.observe(facts);
    return call?.reply ?? null;
  }

  return {
    label,
    device,
    outbox,
    ask,
    storage: real,
    attemptId: null,
    made,
    heardAt: () => heardAt,
    isAlive: () => !fuse.isDead(),
    dieAfter: (steps) => fuse.set(steps),
    die: () => fuse.die(),
    fetchSaved: async (attemptId) => {
      const saved = await ask(getSavedAnswers, { params: { id: attemptId } });
      if (saved) await outbox.adoptSaved(attemptId, saved);
    },
    run: (task) => Promise.race([task(), death]),
  };
}
