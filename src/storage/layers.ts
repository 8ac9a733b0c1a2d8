import { type AttemptRecords, putMissing } from './cleared-rows.ts';
import { hasFinish, mergeAttempts } from './merge.ts';
import type { AttemptRow, StoreName } from './rows.ts';
import { ATTEMPT_STORES, ignoreStorageFailure, type Storage, type Transaction } from './storage.ts';

/** The two layers of the outbox's storage, and what the page knows of their rows. */

export type Read<T> = (tx: Transaction) => Promise<T>;
export type Identified = { readonly operationId: string; readonly fileId?: string | null };

export interface LayerOptions {
  readonly memory?: Storage | undefined;
  readonly log: (event: {
    readonly event: string;
    readonly attemptId?: string;
    readonly detail: string;
  }) => void;
  /** Frees test caches when the device has no space for an answer. */
  readonly freeSpace?: (() => Promise<void>) | undefined;
  /**
   * Whether this page still works for the owner. Then missing rows that it read before were not removed by a sign-out
   * but cleared by the browser. Absent: never.
   */
  readonly isOwner?: ((owner: string) => boolean) | undefined;
  /** Rows of an attempt were cleared; the page has written its known rows again. */
  readonly onCleared?: ((attemptId: string) => void) | undefined;
  /** The rows of an attempt moved, or (null) the device answers again after a silence. */
  readonly onChange: (attemptId: string | null) => void;
}

export interface Layers {
  readonly device: Storage;
  readonly memory: Storage;
  readonly options: LayerOptions;
  /** Operations that are only in memory. */
  readonly unsaved: Set<string>;
  /** Attempts with rows in memory. */
  readonly copies: Set<string>;
  /** Last read rows, used when the device cannot be read. */
  readonly lastAttempts: Map<string, AttemptRow>;
  readonly lastRecords: Map<string, AttemptRecords>;
  readonly recovering: Map<string, Promise<void>>;
  /** Serializes the moves from memory to the device. */
  moving: Promise<unknown>;
  /** The last read of operations from the device failed. */
  isSilent: boolean;
}

export const NO_RECORDS: AttemptRecords = { operations: [], files: [], content: null };

/** Null: the device does not answer. */
export async function readDevice<T>(
  layers: Layers,
  stores: readonly StoreName[],
  read: Read<T>,
): Promise<T | null> {
  try {
    const found = await layers.device.read(stores, read);
    const isBack = layers.isSilent;
    layers.isSilent = false;
    if (isBack) layers.options.onChange(null);
    return found;
  } catch (error) {
    ignoreStorageFailure(error);
    layers.isSilent = true;
    return null;
  }
}

/** An uncertain commit may leave a row in both layers; the one in memory wins. */
const identity = (row: Identified): string => `${row.operationId}/${row.fileId ?? ''}`;

export async function withMemory<T extends Identified>(
  { copies, memory }: Layers,
  stored: readonly T[],
  stores: readonly StoreName[],
  read: Read<T[]>,
): Promise<T[]> {
  if (copies.size === 0) return [...stored];
  const rows = [...stored, ...(await memory.read(stores, read))];
  return [...new Map(rows.map((row) => [identity(row), row])).values()];
}

/** The stored attempt; the one in memory when the device has none or cannot be read. */
export async function readOne(layers: Layers, attemptId: string): Promise<AttemptRow | null> {
  const { device, memory, lastAttempts } = layers;
  try {
    const row = await device.read(['attempts'], (tx) => tx.get('attempts', attemptId));
    if (row) lastAttempts.set(attemptId, row);
    if (row) return row;
    const last = lastAttempts.get(attemptId);
    if (last && isCleared(layers, last)) {
      await recover(layers, last);
      return last;
    }
  } catch (error) {
    ignoreStorageFailure(error);
    return lastAttempts.get(attemptId) ?? null;
  }
  return memory.read(['attempts'], (tx) => tx.get('attempts', attemptId));
}

/** Whether missing rows of the attempt were cleared: otherwise only a sign-out or their age removes them. */
export function isCleared({ options }: Layers, { owner, state }: AttemptRow): boolean {
  return state !== 'finished' && options.isOwner?.(owner) === true;
}

/** Writes the page's known rows of a cleared attempt, to memory while the device cannot store them. */
export function recover(layers: Layers, row: AttemptRow): Promise<void> {
  const { attemptId } = row;
  const { recovering } = layers;
  const running =
    recovering.get(attemptId) ??
    writeKnown(layers, row).finally(() => recovering.delete(attemptId));
  recovering.set(attemptId, running);
  return running;
}

async function writeKnown(layers: Layers, row: AttemptRow): Promise<void> {
  const { device, options, copies, unsaved } = layers;
  const { attemptId } = row;
  const records = layers.lastRecords.get(attemptId) ?? NO_RECORDS;
  options.log({ event: 'rowsCleared', attemptId, detail: String(records.operations.length) });
  const { saved } = await writeEither(layers, ATTEMPT_STORES, (tx) => putMissing(tx, row, records));
  if (!saved && device.durable) {
    copies.add(attemptId);
    for (const { operationId } of records.operations) unsaved.add(operationId);
  }
  options.onCleared?.(attemptId);
}

async function joinIn(tx: Transaction, row: AttemptRow): Promise<AttemptRow> {
  const copy = await tx.get('attempts', row.attemptId);
  if (!copy) return row;
  const operations = await tx.all('operations', 'attempt', row.attemptId);
  return mergeAttempts(row, copy, hasFinish(copy, operations));
}

export const joinCopy = ({ memory }: Layers, row: AttemptRow): Promise<AttemptRow> =>
  memory.read(['attempts', 'operations'], (tx) => joinIn(tx, row));

/** Null: the device cannot store it, even after test caches were freed. */
async function writeFreeing<T>(
  { log, freeSpace }: LayerOptions,
  write: () => Promise<T>,
): Promise<{ value: T } | null> {
  for (const isSecond of [false, true]) {
    try {
      return { value: await write() };
    } catch (error) {
      ignoreStorageFailure(error);
      log({ event: 'storageFailed', detail: error.kind });
      if (isSecond || error.kind !== 'quota' || !freeSpace) return null;
      await freeSpace().catch(() => undefined);
    }
  }
  return null;
}

export async function writeEither<T>(
  layers: Layers,
  stores: readonly StoreName[],
  run: Read<T>,
  attemptId?: string,
): Promise<{ value: T; saved: boolean }> {
  const { device, memory, options } = layers;
  const stored = await writeFreeing(options, () => device.write(stores, run));
  if (stored) return { value: stored.value, saved: device.durable };
  if (attemptId !== undefined) return writeCopy(layers, attemptId, stores, run);
  return { value: await memory.write(stores, run), saved: false };
}

/** Writes to memory, to the attempt as a read shows it: the device may know a later take-over than the copy. */
export async function writeCopy<T>(
  layers: Layers,
  attemptId: string,
  stores: readonly StoreName[],
  run: Read<T>,
): Promise<{ value: T; saved: boolean }> {
  const row = await readOne(layers, attemptId);
  layers.copies.add(attemptId);
  const value = await layers.memory.write(stores, async (tx) => {
    if (row) await tx.put('attempts', await joinIn(tx, row));
    return run(tx);
  });
  return { value, saved: false };
}
