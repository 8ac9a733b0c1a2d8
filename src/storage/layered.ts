import { createMemoryStorage } from './memory.ts';
import { type AttemptRecords, lacks, putMissing } from './cleared-rows.ts';
import { hasFinish, mergeAttempts } from './merge.ts';
import type {
  AttemptRow,
  BrokenRow,
  ContentRow,
  FileRow,
  OperationRow,
  StoreName,
} from './rows.ts';
import { ATTEMPT_STORES, ignoreStorageFailure, type Storage, type Transaction } from './storage.ts';

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
  /** Forgets the rows shown last: they belong to a user who has signed out. */
  forgetRecords(): void;
}

type Read<T> = (tx: Transaction) => Promise<T>;
type Identified = { readonly operationId: string; readonly fileId?: string | null };

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

const NO_RECORDS: AttemptRecords = { operations: [], files: [], content: null };

/** An uncertain commit may leave a row in both layers; the one in memory wins. */
const identity = (row: Identified): string => `${row.operationId}/${row.fileId ?? ''}`;

export function createLayeredStorage(device: Storage, options: LayerOptions): LayeredStorage {
  const { memory = createMemoryStorage(), log, freeSpace, onChange } = options;
  const { isOwner = () => false, onCleared = () => undefined } = options;
  const unsaved = new Set<string>();
  const copies = new Set<string>();
  /** Last read rows, used when the device cannot be read. */
  const lastAttempts = new Map<string, AttemptRow>();
  const lastRecords = new Map<string, AttemptRecords>();
  /** Serializes the moves from memory to the device. */
  let moving: Promise<unknown> = Promise.resolve();
  let silent = false;

  /** Null: the device does not answer. */
  async function readDevice<T>(stores: readonly StoreName[], read: Read<T>): Promise<T | null> {
    try {
      const found = await device.read(stores, read);
      const isBack = silent;
      silent = false;
      if (isBack) onChange(null);
      return found;
    } catch (error) {
      ignoreStorageFailure(error);
      silent = true;
      return null;
    }
  }

  async function withMemory<T extends Identified>(
    stored: readonly T[],
    stores: readonly StoreName[],
    read: Read<T[]>,
  ): Promise<T[]> {
    if (copies.size === 0) return [...stored];
    const rows = [...stored, ...(await memory.read(stores, read))];
    return [...new Map(rows.map((row) => [identity(row), row])).values()];
  }

  /** The stored attempt; the one in memory when the device has none or cannot be read. */
  async function readOne(attemptId: string): Promise<AttemptRow | null> {
    try {
      const row = await device.read(['attempts'], (tx) => tx.get('attempts', attemptId));
      if (row) lastAttempts.set(attemptId, row);
      if (row) return row;
      const last = lastAttempts.get(attemptId);
      if (last && isCleared(last)) {
        await recover(last);
        return last;
      }
    } catch (error) {
      ignoreStorageFailure(error);
      return lastAttempts.get(attemptId) ?? null;
    }
    return memory.read(['attempts'], (tx) => tx.get('attempts', attemptId));
  }

  /** Whether missing rows of the attempt were cleared: otherwise only a sign-out or their age removes them. */
  const isCleared = ({ owner, state }: AttemptRow): boolean =>
    state !== 'finished' && isOwner(owner);

  const recovering = new Map<string, Promise<void>>();

  /** Writes the page's known rows of a cleared attempt, to memory while the device cannot store them. */
  function recover(row: AttemptRow): Promise<void> {
    const { attemptId } = row;
    const records = lastRecords.get(attemptId) ?? NO_RECORDS;
    const write = async () => {
      log({ event: 'rowsCleared', attemptId, detail: String(records.operations.length) });
      const { saved } = await writeEither(ATTEMPT_STORES, (tx) => putMissing(tx, row, records));
      if (!saved && device.durable) {
        copies.add(attemptId);
        for (const { operationId } of records.operations) unsaved.add(operationId);
      }
      onCleared(attemptId);
    };
    const running =
      recovering.get(attemptId) ?? write().finally(() => recovering.delete(attemptId));
    recovering.set(attemptId, running);
    return running;
  }

  async function joinIn(tx: Transaction, row: AttemptRow): Promise<AttemptRow> {
    const copy = await tx.get('attempts', row.attemptId);
    if (!copy) return row;
    const operations = await tx.all('operations', 'attempt', row.attemptId);
    return mergeAttempts(row, copy, hasFinish(copy, operations));
  }

  const joinCopy = (row: AttemptRow): Promise<AttemptRow> =>
    memory.read(['attempts', 'operations'], (tx) => joinIn(tx, row));

  /** Null: the device cannot store it, even after test caches were freed. */
  async function writeFreeing<T>(write: () => Promise<T>): Promise<{ value: T } | null> {
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

  async function writeEither<T>(
    stores: readonly StoreName[],
    run: Read<T>,
    attemptId?: string,
  ): Promise<{ value: T; saved: boolean }> {
    const stored = await writeFreeing(() => device.write(stores, run));
    if (stored) return { value: stored.value, saved: device.durable };
    const row = attemptId === undefined ? null : await readOne(attemptId);
    if (attemptId !== undefined) copies.add(attemptId);
    const value = await memory.write(stores, async (tx) => {
      if (row) await tx.put('attempts', await joinIn(tx, row));
      return run(tx);
    });
    return { value, saved: false };
  }

  /** Moves the attempt, its sequences and its operations without files in one transaction; null: nothing to move. */
  async function moveAttempt(attemptId: string): Promise<OperationRow[] | null> {
    const { row, content, operations } = await memory.read(ATTEMPT_STORES, async (tx) => ({
      row: await tx.get('attempts', attemptId),
      content: await tx.get('contents', attemptId),
      operations: await tx.all('operations', 'attempt', attemptId),
    }));
    if (!row) return null;
    const light = operations.filter((one) => one.fileId === null);
    const merged = await device.write(ATTEMPT_STORES, async (tx) => {
      const stored = await tx.get('attempts', attemptId);
      const joined = stored ? mergeAttempts(stored, row, hasFinish(row, operations)) : row;
      await tx.put('attempts', joined);
      if (content && !(await tx.get('contents', attemptId))) await tx.put('contents', content);
      for (const one of light) await tx.put('operations', one);
      return joined;
    });
    await memory.write(ATTEMPT_STORES, async (tx) => {
      for (const one of light) await tx.delete('operations', one.operationId);
      await tx.put('attempts', merged);
    });
    for (const one of light) unsaved.delete(one.operationId);
    return operations.filter((one) => one.fileId !== null);
  }

  async function moveFile(operation: OperationRow): Promise<void> {
    const { operationId, attemptId } = operation;
    const { files, bytes } = await memory.read(ATTEMPT_STORES, async (tx) => {
      const all = await tx.all('files', 'attempt', attemptId);
      const own = all.filter((one) => one.operationId === operationId);
      const parts = own.map(({ fileId }) => tx.all('fileBytes', 'file', fileId));
      return { files: own, bytes: (await Promise.all(parts)).flat() };
    });
    await device.write(ATTEMPT_STORES, async (tx) => {
      await tx.put('operations', operation);
      for (const file of files) await tx.put('files', file);
      for (const part of bytes) await tx.put('fileBytes', part);
    });
    await memory.write(ATTEMPT_STORES, async (tx) => {
      await tx.delete('operations', operationId);
      for (const { fileId } of files) await tx.delete('files', fileId);
      for (const part of bytes) await tx.delete('fileBytes', [part.fileId, part.part]);
    });
    unsaved.delete(operationId);
  }

  /** Deletes the copy of an attempt when no operation in memory needs it. */
  async function dropCopy(attemptId: string): Promise<void> {
    const isDropped = await memory.write(ATTEMPT_STORES, async (tx) => {
      if ((await tx.all('operations', 'attempt', attemptId)).length > 0) return false;
      await tx.delete('attempts', attemptId);
      await tx.delete('contents', attemptId);
      return true;
    });
    if (isDropped) copies.delete(attemptId);
  }

  async function moveAll(attemptId: string): Promise<boolean> {
    let isMoved = false;
    try {
      const heavy = await moveAttempt(attemptId);
      isMoved = true;
      for (const one of heavy ?? []) await moveFile(one);
      await dropCopy(attemptId);
    } catch (error) {
      // Still no space: it stays in memory and is sent from there.
      ignoreStorageFailure(error);
    }
    if (isMoved) onChange(attemptId);
    return isMoved;
  }

  function storeAttempt(attemptId: string): Promise<boolean> {
    const move = moving.then(() => (copies.has(attemptId) ? moveAll(attemptId) : true));
    moving = move.catch(() => undefined);
    return move;
  }

  return {
    durable: device.durable,
    read: (stores, run) => device.read(stores, run),
    write: (stores, run) => device.write(stores, run),
    close: () => device.close(),
    readAll: async (stores, read) =>
      withMemory((await readDevice(stores, read)) ?? [], stores, read),
    readEvery: async (stores, read) => withMemory(await device.read(stores, read), stores, read),
    readEither: async (stores, read) =>
      (await device.read(stores, read).catch(() => null)) ?? (await memory.read(stores, read)),
    readAttempt: async (attemptId) => {
      const row = await readOne(attemptId);
      return row && copies.has(attemptId) ? joinCopy(row) : row;
    },
    readAttempts: async (owner) => {
      const read: Read<AttemptRow[]> = (tx) => tx.all('attempts', 'owner', owner);
      const rows = await device
        .read(['attempts'], read)
        .catch(() => [...lastAttempts.values()].filter((row) => row.owner === owner));
      const all = new Map(rows.map((row) => [row.attemptId, row]));
      for (const last of lastAttempts.values()) {
        if (last.owner !== owner || all.has(last.attemptId) || !isCleared(last)) continue;
        await recover(last);
        all.set(last.attemptId, last);
      }
      for (const copy of await memory.read(['attempts'], read)) {
        const stored = all.get(copy.attemptId);
        all.set(copy.attemptId, stored ? await joinCopy(stored) : copy);
      }
      return [...all.values()];
    },
    readRecords: async (attemptId) => {
      const operationsOf: Read<OperationRow[]> = (tx) => tx.all('operations', 'attempt', attemptId);
      const filesOf: Read<FileRow[]> = (tx) => tx.all('files', 'attempt', attemptId);
      const contentOf: Read<ContentRow | null> = (tx) => tx.get('contents', attemptId);
      const read = () =>
        readDevice(['operations', 'files', 'contents'], async (tx) => ({
          operations: await operationsOf(tx),
          files: await filesOf(tx),
          content: await contentOf(tx),
        }));
      const last = lastRecords.get(attemptId) ?? NO_RECORDS;
      const row = lastAttempts.get(attemptId);
      let fresh = await read();
      if (fresh && row && isCleared(row) && lacks(fresh, last)) {
        await recover(row);
        fresh = await read();
      }
      if (fresh && !(copies.has(attemptId) && lacks(fresh, last)))
        lastRecords.set(attemptId, fresh);
      const stored = fresh ?? last;
      return {
        operations: await withMemory(stored.operations, ['operations'], operationsOf),
        files: await withMemory(stored.files, ['files'], filesOf),
        content: stored.content ?? (await memory.read(['contents'], contentOf)),
      };
    },
    readBroken: () => device.read(['broken'], (tx) => tx.all('broken')).catch(() => []),
    layerOf: (operationId) => (unsaved.has(operationId) ? memory : device),

    writeEither,
    writeNew: async (attemptId, stores, run) => {
      if (copies.has(attemptId) && !(await storeAttempt(attemptId))) {
        return { value: await memory.write(stores, run), saved: false };
      }
      return writeEither(stores, run, attemptId);
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
    hasUnsavedOf: async (owner) =>
      (await memory.read(['attempts'], (tx) => tx.all('attempts', 'owner', owner))).length > 0,
    store: async () => {
      for (const attemptId of copies) await storeAttempt(attemptId);
    },
    storeAttempt,
    isSilent: () => silent,
    rememberAttempt: (row) => void lastAttempts.set(row.attemptId, row),
    forgetRecords: () => lastRecords.clear(),
  };
}
