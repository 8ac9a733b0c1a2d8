import { createMemoryStorage } from '#app/storage/memory.ts';
import type {
  AttemptRow,
  BrokenRow,
  ContentRow,
  FileRow,
  OperationRow,
  SessionRow,
  StoreName,
} from '#app/storage/rows.ts';
import { StorageFailure, type Storage, type Transaction } from '#app/storage/storage.ts';
import type { ReplyFacts } from '#app/api/facts.ts';
import { createBackoffs, type Backoffs } from './backoff.ts';
import { createTimekeeper, type Timekeeper } from './clock.ts';
import type { OutboxEnvironment, OutboxEvent, OutboxLog, Pause, Reachability } from './types.ts';

/** What this outbox knows besides its storage; lost at a reload without harm. */
export interface Runtime {
  /** Operations on their way now. */
  readonly sending: Set<string>;
  /** Operations that found no room on the device; their rows lie in `overflow`. */
  readonly unsaved: Set<string>;
  /** Attempts with a copy in `overflow`. */
  readonly copies: Set<string>;
  /** Moves from memory to the device go one after another. */
  rescue: Promise<unknown>;
  /** Highest sequence given out in this page, by attempt and stream. */
  readonly highest: Map<string, number>;
  /** Last seen rows, for when the device's store cannot be read. */
  readonly attempts: Map<string, AttemptRow>;
  readonly backoffs: Backoffs;
  /** Definite replies so far, and how many there were at each operation's last failure. */
  successes: number;
  readonly seenSuccesses: Map<string, number>;
  /** How often a sequence or file was sent again and still missed. */
  readonly askedAgain: Map<string, number>;
  /** Poisoned operations tried since the last try of their stream's finish. */
  readonly triedBeforeFinish: Set<string>;
  /** Counted failures of files that no answer waits for. */
  readonly fileFailures: Map<string, number>;
  /** Attempts that another tab of this browser writes. */
  readonly secondTab: Set<string>;
  readonly heldTabs: Map<string, () => void>;
  pause: { readonly why: Pause; readonly token: string; readonly at: number } | null;
  reachability: Reachability;
  session: SessionRow | null;
  serverEpoch: number | null;
  chunkBytes: number;
  clockSavedAt: number | null;
  probed: boolean;
  /** Encrypted rows of the signed-in owner that do not open; they stay as they are. */
  unreadable: number;
  /** The device's store did not answer the last reading of operations. */
  isSilent: boolean;
  /** What screens read of an attempt last, for when the device's store does not answer. */
  readonly lastRead: Map<string, AttemptRead>;
}

/** Rows of one attempt as the device gave them. */
export interface AttemptRead {
  readonly operations: readonly OperationRow[];
  readonly files: readonly FileRow[];
  readonly content: ContentRow | null;
}

/** Shared by the parts of one outbox; nothing here outlives it. */
export interface Core {
  readonly env: OutboxEnvironment;
  /** The device's storage. */
  readonly main: Storage;
  /** Memory for what the device could not store. */
  readonly overflow: Storage;
  readonly keeper: Timekeeper;
  readonly runtime: Runtime;
  /** Clock and server epoch as stored have been read. */
  ready(): Promise<void>;
  emit(event: OutboxEvent): void;
  /** Tells this page only what another one told. */
  hear(event: OutboxEvent): void;
  subscribe(listener: (event: OutboxEvent) => void): () => void;
  log(event: OutboxLog): void;
  /** Writes to the device; where that fails to memory. `saved` tells which. */
  writeAnywhere<T>(
    stores: readonly StoreName[],
    run: (tx: Transaction) => Promise<T>,
    prepareMemory?: () => Promise<(tx: Transaction) => Promise<void>>,
  ): Promise<{ value: T; saved: boolean }>;
  /** The storage that holds an operation. */
  storageOf(operationId: string): Storage;
  session(): Promise<SessionRow | null>;
  /** Feeds the clock; called for every reply of our server. */
  observeTime(facts: ReplyFacts): void;
  saveClock(): Promise<void>;
}

const SAVE_CLOCK_EVERY_MS = 15_000;

const INITIAL_CHUNK_BYTES = 128 * 1024;

function newRuntime(env: OutboxEnvironment): Runtime {
  return {
    sending: new Set(),
    unsaved: new Set(),
    copies: new Set(),
    rescue: Promise.resolve(),
    highest: new Map(),
    attempts: new Map(),
    backoffs: createBackoffs(() => env.clock.monotone(), env.random),
    successes: 0,
    seenSuccesses: new Map(),
    askedAgain: new Map(),
    triedBeforeFinish: new Set(),
    fileFailures: new Map(),
    secondTab: new Set(),
    heldTabs: new Map(),
    pause: null,
    reachability: 'unknown',
    session: null,
    serverEpoch: null,
    chunkBytes: INITIAL_CHUNK_BYTES,
    clockSavedAt: null,
    probed: false,
    unreadable: 0,
    isSilent: false,
    lastRead: new Map(),
  };
}

export function createCore(env: OutboxEnvironment): Core {
  const runtime = newRuntime(env);
  const keeper = createTimekeeper(env.clock);
  const main = env.storage;
  const overflow = createMemoryStorage();
  const listeners = new Set<(event: OutboxEvent) => void>();
  let loading: Promise<void> | null = null;

  const log = (event: OutboxLog): void => env.log?.(event);
  const hear = (event: OutboxEvent): void => {
    for (const listener of listeners) listener(event);
  };

  async function load(): Promise<void> {
    try {
      const rows = await main.read(['device'], (tx) => tx.all('device'));
      for (const row of rows) {
        if (row.kind === 'clock') keeper.adopt(row);
        if (row.kind === 'server')
          runtime.serverEpoch = Math.max(row.epoch, runtime.serverEpoch ?? 0);
      }
    } catch (error) {
      if (!(error instanceof StorageFailure)) throw error;
      loading = null;
      log({ event: 'deviceUnreadable', detail: error.kind });
    }
  }

  /** Null: the device cannot store it, not even after test caches were freed. */
  async function writeFreeing<T>(write: () => Promise<T>): Promise<{ value: T } | null> {
    for (const isSecond of [false, true]) {
      try {
        return { value: await write() };
      } catch (error) {
        if (!(error instanceof StorageFailure)) throw error;
        log({ event: 'storageFailed', detail: error.kind });
        if (isSecond || error.kind !== 'quota' || !env.freeSpace) return null;
        await env.freeSpace().catch(() => undefined);
      }
    }
    return null;
  }

  const core: Core = {
    env,
    main,
    overflow,
    keeper,
    runtime,
    log,
    ready: () => {
      loading ??= load();
      return loading;
    },
    hear,
    emit: (event) => {
      hear(event);
      if (event.kind === 'changed')
        env.channel?.post({ kind: 'changed', attemptId: event.attemptId });
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    writeAnywhere: async (stores, run, prepareMemory) => {
      const stored = await writeFreeing(() => main.write(stores, run));
      if (stored) return { value: stored.value, saved: main.durable };
      const prepare = await prepareMemory?.();
      const value = await overflow.write(stores, async (tx) => {
        await prepare?.(tx);
        return run(tx);
      });
      return { value, saved: false };
    },
    storageOf: (operationId) => (runtime.unsaved.has(operationId) ? overflow : main),
    session: async () => {
      try {
        runtime.session = await main.read(['session'], (tx) => tx.get('session', 'current'));
      } catch (error) {
        // Unreadable for now: the sign-in known last still stands.
        if (!(error instanceof StorageFailure)) throw error;
      }
      return runtime.session;
    },
    observeTime: ({ serverTime, receivedWall, rttMs }) => {
      if (serverTime !== null) keeper.observe({ serverTime, receivedWall, rttMs });
    },
    saveClock: async () => {
      const now = env.clock.monotone();
      const last = runtime.clockSavedAt;
      if (last !== null && now - last < SAVE_CLOCK_EVERY_MS) return;
      runtime.clockSavedAt = now;
      await core.ready();
      await main
        .write(['device'], (tx) => putClock(tx, core))
        .catch((error: unknown) => {
          if (!(error instanceof StorageFailure)) throw error;
        });
    },
  };
  return core;
}

/** Joins the page's clock with the stored one, inside a transaction over `device`. */
export async function putClock(tx: Transaction, core: Core): Promise<void> {
  const stored = await tx.get('device', 'clock');
  if (stored?.kind === 'clock') core.keeper.adopt(stored);
  await tx.put('device', core.keeper.now());
}

/** The attempt as stored; in memory when the store has none or cannot be read. */
export async function readAttempt(core: Core, attemptId: string): Promise<AttemptRow | null> {
  const { attempts } = core.runtime;
  try {
    const row = await core.main.read(['attempts'], (tx) => tx.get('attempts', attemptId));
    if (row) attempts.set(attemptId, row);
    if (row) return row;
  } catch (error) {
    if (!(error instanceof StorageFailure)) throw error;
    return attempts.get(attemptId) ?? null;
  }
  return core.overflow.read(['attempts'], (tx) => tx.get('attempts', attemptId));
}

type Row = { readonly operationId: string; readonly fileId?: string | null };

/** An uncertain commit may leave a row in both places; memory's is the one that goes on. */
const identity = (row: Row): string => `${row.operationId}/${row.fileId ?? ''}`;

/** Reads from the device. Null: it does not answer; whatever looks is told once it does again. */
export async function readDevice<T>(
  core: Core,
  stores: readonly StoreName[],
  read: (tx: Transaction) => Promise<T>,
): Promise<T | null> {
  const { runtime } = core;
  try {
    const found = await core.main.read(stores, read);
    const isBack = runtime.isSilent;
    runtime.isSilent = false;
    if (isBack) core.emit({ kind: 'changed', attemptId: null });
    return found;
  } catch (error) {
    if (!(error instanceof StorageFailure)) throw error;
    runtime.isSilent = true;
    return null;
  }
}

/** What the device gave, with what memory holds. */
export async function withMemory<T extends Row>(
  core: Core,
  stored: readonly T[],
  stores: readonly StoreName[],
  read: (tx: Transaction) => Promise<T[]>,
): Promise<T[]> {
  if (core.runtime.copies.size === 0) return [...stored];
  const rows = [...stored, ...(await core.overflow.read(stores, read))];
  return [...new Map(rows.map((row) => [identity(row), row])).values()];
}

/** Operations or files from the device and from memory; an unreadable device counts as empty. */
export async function readBoth<T extends Row>(
  core: Core,
  stores: readonly StoreName[],
  read: (tx: Transaction) => Promise<T[]>,
): Promise<T[]> {
  return withMemory(core, (await readDevice(core, stores, read)) ?? [], stores, read);
}

/** The same for whoever must not miss any. Throws `StorageFailure` where the device cannot be read. */
export async function readEvery<T extends Row>(
  core: Core,
  stores: readonly StoreName[],
  read: (tx: Transaction) => Promise<T[]>,
): Promise<T[]> {
  return withMemory(core, await core.main.read(stores, read), stores, read);
}

/** Rows that could not be read, with their original content. */
export async function readBroken(core: Core): Promise<BrokenRow[]> {
  return core.main.read(['broken'], (tx) => tx.all('broken')).catch(() => []);
}
