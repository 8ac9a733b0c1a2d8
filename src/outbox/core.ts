import { createLayeredStorage, type LayeredStorage } from '#app/storage/layered.ts';
import type { DeviceKeyRow, SessionRow } from '#app/storage/rows.ts';
import { ignoreStorageFailure, type Storage, type Transaction } from '#app/storage/storage.ts';
import type { ReplyFacts } from '#app/api/facts.ts';
import { FIRST_CHUNK, type ChunkSize } from './chunk-size.ts';
import { createBackoffs, type Backoffs } from './plan.ts';
import { createOutboxClock, type OutboxClock } from './clock.ts';
import type { OutboxEvent, Pause, Reachability } from './types.ts';
import type { OutboxEnvironment, OutboxLog } from './environment.ts';

/** In-memory state of the outbox; safe to lose at a reload. */
export interface Runtime {
  /** Operations being sent now. */
  readonly sending: Set<string>;
  /** Highest sequence allocated in this page, by attempt and stream. */
  readonly highest: Map<string, number>;
  readonly backoffs: Backoffs;
  /** Definite replies so far, and their number at each operation's last failure. */
  successes: number;
  readonly seenSuccesses: Map<string, number>;
  /** How often a sequence or file was resent although INCOMPLETE still lists it. */
  readonly resendCounts: Map<string, number>;
  /** Poisoned operations tried since the last try of their stream's finish. */
  readonly triedBeforeFinish: Set<string>;
  /** Time-outs in a row of an operation, which lengthen its time limit. */
  readonly timeOuts: Map<string, number>;
  /** Failures of files that no waiting answer names. */
  readonly fileFailures: Map<string, number>;
  /** Attempts that another tab of this browser is writing. */
  readonly secondTab: Set<string>;
  readonly tabLocks: Map<string, () => void>;
  pause: { readonly why: Pause; readonly token: string; readonly at: number } | null;
  reachability: Reachability;
  session: SessionRow | null;
  serverEpoch: number | null;
  /** The one that the device has stored; the other is later while the device has no space. */
  notedEpoch: number | null;
  /** The last look for operations behind the epoch that found none. */
  looked: { readonly owner: string; readonly epoch: number; readonly at: number } | null;
  chunkSize: ChunkSize;
  clockSavedAt: number | null;
  probed: boolean;
  /** Encrypted rows of the signed-in owner that cannot be decrypted; they stay unchanged. */
  unreadable: number;
  /** The key of the signed-in owner, for which the device had no space yet. */
  unstoredKey: DeviceKeyRow | null;
}

/** State and helpers shared by the parts of one outbox. */
export interface Core {
  readonly env: OutboxEnvironment;
  /** The device's storage, with memory for rows that it could not store. */
  readonly storage: LayeredStorage;
  readonly clock: OutboxClock;
  readonly runtime: Runtime;
  /** Resolves when the stored clock and server epoch have been read; without a server time the clock is read again. */
  ready(): Promise<void>;
  emit(event: OutboxEvent): void;
  /** Notifies listeners of this page only, for events that came from another page. */
  notify(event: OutboxEvent): void;
  subscribe(listener: (event: OutboxEvent) => void): () => void;
  log(event: OutboxLog): void;
  session(): Promise<SessionRow | null>;
  /** Feeds the clock; called for every reply of our server. */
  observeTime(facts: ReplyFacts): void;
  saveClock(): Promise<void>;
  /** Merges the clock that another page stored. */
  adoptStoredClock(): Promise<void>;
}

const SAVE_CLOCK_EVERY_MS = 15_000;

function newRuntime(env: OutboxEnvironment): Runtime {
  return {
    sending: new Set(),
    highest: new Map(),
    backoffs: createBackoffs(() => env.clock.monotone(), env.random),
    successes: 0,
    seenSuccesses: new Map(),
    resendCounts: new Map(),
    triedBeforeFinish: new Set(),
    timeOuts: new Map(),
    fileFailures: new Map(),
    secondTab: new Set(),
    tabLocks: new Map(),
    pause: null,
    reachability: 'unknown',
    session: null,
    serverEpoch: null,
    notedEpoch: null,
    looked: null,
    chunkSize: FIRST_CHUNK,
    clockSavedAt: null,
    probed: false,
    unreadable: 0,
    unstoredKey: null,
  };
}

/** Reads the stored clock and server epoch. False: the device cannot be read now. */
async function adoptDevice({ storage, clock, runtime, log }: Core): Promise<boolean> {
  try {
    const rows = await storage.read(['device'], (tx) => tx.all('device'));
    for (const row of rows) {
      if (row.kind === 'clock') clock.adopt(row);
      if (row.kind !== 'server') continue;
      runtime.notedEpoch = row.epoch;
      runtime.serverEpoch = Math.max(row.epoch, runtime.serverEpoch ?? 0);
    }
    return true;
  } catch (error) {
    ignoreStorageFailure(error);
    log({ event: 'deviceUnreadable', detail: error.kind });
    return false;
  }
}

async function readSession({ env, storage, runtime, notify }: Core): Promise<SessionRow | null> {
  try {
    const former = runtime.session;
    runtime.session = await storage.read(['session'], (tx) => tx.get('session', 'current'));
    if (former && !runtime.session && env.isOwner?.(former.owner) === true)
      notify({ kind: 'cleared', attemptId: null });
  } catch (error) {
    // Unreadable for now: use the last known session.
    ignoreStorageFailure(error);
  }
  return runtime.session;
}

async function adoptStoredClock({ storage, clock }: Core): Promise<void> {
  const stored = await storage
    .read(['device'], (tx) => tx.get('device', 'clock'))
    .catch((error: unknown) => {
      ignoreStorageFailure(error);
      return null;
    });
  if (stored?.kind === 'clock') clock.adopt(stored);
}

async function saveClock(core: Core): Promise<void> {
  const { env, runtime, storage } = core;
  const now = env.clock.monotone();
  const last = runtime.clockSavedAt;
  if (last !== null && now - last < SAVE_CLOCK_EVERY_MS) return;
  runtime.clockSavedAt = now;
  await core.ready();
  await storage
    .write(['device'], (tx) => putClock(tx, core))
    .catch((error: unknown) => {
      ignoreStorageFailure(error);
    });
}

/** The events of an outbox: `notify` reaches this page's listeners, `emit` also the other pages. */
function createEvents(
  channel: OutboxEnvironment['channel'],
): Pick<Core, 'notify' | 'emit' | 'subscribe'> {
  const listeners = new Set<(event: OutboxEvent) => void>();
  const notify = (event: OutboxEvent): void => {
    for (const listener of listeners) listener(event);
  };
  return {
    notify,
    emit: (event) => {
      notify(event);
      if (event.kind === 'changed') channel?.post({ kind: 'changed', attemptId: event.attemptId });
      if (event.kind === 'finished')
        channel?.post({ kind: 'finished', attemptId: event.attemptId });
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** @param memory the second layer of the storage */
export function createCore(env: OutboxEnvironment, memory?: Storage): Core {
  const runtime = newRuntime(env);
  const log = (event: OutboxLog): void => env.log?.(event);
  const events = createEvents(env.channel);
  // Stored at once: a reload resets the monotonic clock, which is the evidence.
  const clock = createOutboxClock(env.clock, () => {
    runtime.clockSavedAt = null;
    queueMicrotask(() => events.notify({ kind: 'clockSet' }));
  });
  const storage = createLayeredStorage(env.storage, {
    memory,
    log,
    freeSpace: env.freeSpace,
    isOwner: env.isOwner,
    onCleared: (attemptId) => {
      events.notify({ kind: 'cleared', attemptId });
      events.emit({ kind: 'changed', attemptId });
    },
    onChange: (attemptId) => events.emit({ kind: 'changed', attemptId }),
  });
  let loading: Promise<void> | null = null;

  async function load(): Promise<void> {
    if (!(await adoptDevice(core))) loading = null;
  }

  const core: Core = {
    ...events,
    env,
    storage,
    clock,
    runtime,
    log,
    ready: async () => {
      loading ??= load();
      await loading;
      // Another page may have had a reply since.
      if (clock.now().offset === null) await adoptStoredClock(core);
    },
    session: () => readSession(core),
    observeTime: ({ serverTime, receivedWall, rttMs }) => {
      if (serverTime !== null) clock.observe({ serverTime, receivedWall, rttMs });
    },
    adoptStoredClock: () => adoptStoredClock(core),
    saveClock: () => saveClock(core),
  };
  return core;
}

/** Merges the page's clock with the stored one, inside a transaction over `device`. */
export async function putClock(tx: Transaction, core: Core): Promise<void> {
  const stored = await tx.get('device', 'clock');
  if (stored?.kind === 'clock') core.clock.adopt(stored);
  await tx.put('device', core.clock.now());
}
