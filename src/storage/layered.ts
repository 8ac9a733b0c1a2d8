import { type AttemptRecords, lacks } from './cleared-rows.ts';
import {
  isCleared,
  joinCopy,
  NO_RECORDS,
  readDevice,
  readOne,
  recover,
  withMemory,
  writeCopy,
  writeEither,
  type Identified,
  type LayerOptions,
  type Layers,
  type Read,
} from './layers.ts';
import { createMemoryStorage } from './memory.ts';
import { storeAttempt } from './move-to-device.ts';
import type {
  AttemptRow,
  BrokenRow,
  ContentRow,
  FileRow,
  OperationRow,
  StoreName,
} from './rows.ts';
import { ignoreStorageFailure, type Storage } from './storage.ts';

/**
 * The device's storage with this page's memory as a second layer. Rows that do not fit on the device, or cannot be
 * written there now, are in memory. They are read together with the device's rows, and move to the device once it has
 * space. Only attempts and their rows are ever in memory. The plain `read` and `write` access the device, for rows that
 * are never in memory: sessions, keys, ciphertext.
 */
export interface LayeredStorage extends Storage {
  /** Operations or files of both layers; an unreadable device counts as empty. */
  readAll<T extends Identified>(stores: readonly StoreName[], read: Read<T[]>): Promise<T[]>;
  /** Like `readAll`, for callers that must not miss a row. Throws `StorageFailure`. */
  readEvery<T extends Identified>(stores: readonly StoreName[], read: Read<T[]>): Promise<T[]>;
  /** From the device or, if it has no row or does not respond, from memory. */
  readEither<T>(stores: readonly StoreName[], read: Read<T | null>): Promise<T | null>;
  /** Both layers merged; the last row read while the device does not answer. */
  readAttempt(attemptId: string): Promise<AttemptRow | null>;
  /** All attempts of a user, in no order. */
  readAttempts(owner: string): Promise<AttemptRow[]>;
  /** All rows of an attempt that a screen shows; the last ones read while the device does not answer. */
  readRecords(attemptId: string): Promise<AttemptRecords>;
  /** Rows that failed validation, with their original content. */
  readBroken(): Promise<BrokenRow[]>;
  /** The layer that contains the operation, its files and their bytes. */
  layerOf(operationId: string): Storage;

  /**
   * Writes to the device, or to memory when that fails; `saved` is true for the device.
   * @param attemptId the attempt to copy into memory then, so that its operations can be written there
   */
  writeEither<T>(
    stores: readonly StoreName[],
    run: Read<T>,
    attemptId?: string,
  ): Promise<{ readonly value: T; readonly saved: boolean }>;
  /** The same for new rows of an attempt. While memory is ahead of the device, only memory is written to. */
  writeNew<T>(
    attemptId: string,
    stores: readonly StoreName[],
    run: Read<T>,
  ): Promise<{ readonly value: T; readonly saved: boolean }>;
  /** Changes rows wherever they are; a change that does not fit on the device is lost. */
  writeBoth(attemptId: string, stores: readonly StoreName[], run: Read<void>): Promise<void>;
  /** Deletes a row from both layers; a device that cannot be written to is ignored. */
  remove(store: StoreName, key: string): Promise<void>;

  /** An operation that `writeNew` put into memory. */
  noteUnsaved(operationId: string): void;
  /** Operations that are only in memory. */
  readonly unsaved: Set<string>;
  /** Attempts with rows in memory. */
  readonly copies: Set<string>;
  hasUnsavedOf(owner: string): Promise<boolean>;
  /** Moves the rows that fit now to the device. */
  store(): Promise<void>;
  /** True: the device has everything of the attempt. */
  storeAttempt(attemptId: string): Promise<boolean>;
  /** The last read of operations from the device failed. */
  isSilent(): boolean;
  rememberAttempt(row: AttemptRow): void;
  /** Forgets the rows shown last: they may belong to a user who has signed out. */
  forgetRecords(): void;
  /** The same with their attempts: none of them was cleared. */
  forgetAttempts(): void;
}

async function readAttempts(layers: Layers, owner: string): Promise<AttemptRow[]> {
  const { device, memory, lastAttempts } = layers;
  const read: Read<AttemptRow[]> = (tx) => tx.all('attempts', 'owner', owner);
  const rows = await device
    .read(['attempts'], read)
    .catch(() => [...lastAttempts.values()].filter((row) => row.owner === owner));
  const all = new Map(rows.map((row) => [row.attemptId, row]));
  for (const last of lastAttempts.values()) {
    if (last.owner !== owner || all.has(last.attemptId) || !isCleared(layers, last)) continue;
    await recover(layers, last);
    all.set(last.attemptId, last);
  }
  for (const copy of await memory.read(['attempts'], read)) {
    const stored = all.get(copy.attemptId);
    all.set(copy.attemptId, stored ? await joinCopy(layers, stored) : copy);
  }
  return [...all.values()];
}

async function readRecords(layers: Layers, attemptId: string): Promise<AttemptRecords> {
  const { memory, lastAttempts, lastRecords, copies } = layers;
  const operationsOf: Read<OperationRow[]> = (tx) => tx.all('operations', 'attempt', attemptId);
  const filesOf: Read<FileRow[]> = (tx) => tx.all('files', 'attempt', attemptId);
  const contentOf: Read<ContentRow | null> = (tx) => tx.get('contents', attemptId);
  const read = () =>
    readDevice(layers, ['operations', 'files', 'contents'], async (tx) => ({
      operations: await operationsOf(tx),
      files: await filesOf(tx),
      content: await contentOf(tx),
    }));
  const last = lastRecords.get(attemptId) ?? NO_RECORDS;
  const row = lastAttempts.get(attemptId);
  let fresh = await read();
  if (fresh && row && isCleared(layers, row) && lacks(fresh, last)) {
    await recover(layers, row);
    fresh = await read();
  }
  if (fresh && !(copies.has(attemptId) && lacks(fresh, last))) lastRecords.set(attemptId, fresh);
  const stored = fresh ?? last;
  return {
    operations: await withMemory(layers, stored.operations, ['operations'], operationsOf),
    files: await withMemory(layers, stored.files, ['files'], filesOf),
    content: stored.content ?? (await memory.read(['contents'], contentOf)),
  };
}

type LayeredReading = Pick<
  LayeredStorage,
  | 'readAll'
  | 'readEvery'
  | 'readEither'
  | 'readAttempt'
  | 'readAttempts'
  | 'readRecords'
  | 'readBroken'
  | 'hasUnsavedOf'
  | 'isSilent'
>;

function createReading(layers: Layers): LayeredReading {
  const { device, memory } = layers;
  return {
    readAll: async (stores, read) =>
      withMemory(layers, (await readDevice(layers, stores, read)) ?? [], stores, read),
    readEvery: async (stores, read) =>
      withMemory(layers, await device.read(stores, read), stores, read),
    readEither: async (stores, read) =>
      (await device.read(stores, read).catch(() => null)) ?? (await memory.read(stores, read)),
    readAttempt: async (attemptId) => {
      const row = await readOne(layers, attemptId);
      return row && layers.copies.has(attemptId) ? joinCopy(layers, row) : row;
    },
    readAttempts: (owner) => readAttempts(layers, owner),
    readRecords: (attemptId) => readRecords(layers, attemptId),
    readBroken: () => device.read(['broken'], (tx) => tx.all('broken')).catch(() => []),
    hasUnsavedOf: async (owner) =>
      (await memory.read(['attempts'], (tx) => tx.all('attempts', 'owner', owner))).length > 0,
    isSilent: () => layers.isSilent,
  };
}

export function createLayeredStorage(device: Storage, options: LayerOptions): LayeredStorage {
  const { memory = createMemoryStorage(), log } = options;
  const unsaved = new Set<string>();
  const copies = new Set<string>();
  const layers: Layers = {
    device,
    memory,
    options,
    unsaved,
    copies,
    lastAttempts: new Map(),
    lastRecords: new Map(),
    recovering: new Map(),
    moving: Promise.resolve(),
    isSilent: false,
  };

  return {
    ...createReading(layers),
    durable: device.durable,
    read: (stores, run) => device.read(stores, run),
    write: (stores, run) => device.write(stores, run),
    close: () => device.close(),
    layerOf: (operationId) => (unsaved.has(operationId) ? memory : device),

    writeEither: (stores, run, attemptId) => writeEither(layers, stores, run, attemptId),
    writeNew: async (attemptId, stores, run) => {
      if (copies.has(attemptId) && !(await storeAttempt(layers, attemptId))) {
        return writeCopy(layers, attemptId, stores, run);
      }
      return writeEither(layers, stores, run, attemptId);
    },
    writeBoth: async (attemptId, stores, run) => {
      if (copies.has(attemptId)) await memory.write(stores, run);
      await device.write(stores, run).catch((error: unknown) => {
        // Losing a bookmark or a cached read on a full device is acceptable; losing answers is not.
        ignoreStorageFailure(error);
        log({ event: 'storageFailed', attemptId, detail: error.kind });
      });
    },
    remove: async (store, key) => {
      for (const layer of [device, memory]) {
        await layer.write([store], (tx) => tx.delete(store, key)).catch(ignoreStorageFailure);
      }
    },

    noteUnsaved: (operationId) => void (device.durable && unsaved.add(operationId)),
    unsaved,
    copies,
    store: async () => {
      for (const attemptId of copies) await storeAttempt(layers, attemptId);
    },
    storeAttempt: (attemptId) => storeAttempt(layers, attemptId),
    rememberAttempt: (row) => void layers.lastAttempts.set(row.attemptId, row),
    forgetRecords: () => layers.lastRecords.clear(),
    forgetAttempts: () => {
      layers.lastAttempts.clear();
      layers.lastRecords.clear();
    },
  };
}
