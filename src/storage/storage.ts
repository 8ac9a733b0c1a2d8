import type { IndexName, Key, StoredRows, StoreName } from './rows.ts';

/** Operations within one transaction. Await nothing else in it. */
export interface Transaction {
  get<S extends StoreName>(store: S, key: Key): Promise<StoredRows[S] | null>;
  /** Rows in key order; with an index only rows with indexed fields equal to `value`. */
  all<S extends StoreName>(store: S, index?: IndexName<S>, value?: Key): Promise<StoredRows[S][]>;
  put<S extends StoreName>(store: S, row: StoredRows[S]): Promise<void>;
  delete(store: StoreName, key: Key): Promise<void>;
}

/**
 * The device's storage. The IndexedDB and memory implementations pass one test suite.
 * `run` may be repeated after a lost connection: it must change nothing outside the transaction.
 */
export interface Storage {
  /** False in emergency mode: nothing survives a reload, so nothing may be shown as saved on the device. */
  readonly durable: boolean;
  read<T>(stores: readonly StoreName[], run: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Resolves on the transaction's `complete`, strict durability. Throws `StorageFailure`. */
  write<T>(stores: readonly StoreName[], run: (tx: Transaction) => Promise<T>): Promise<T>;
  close(): void;
}

/**
 * - `quota`: no space
 * - `lost`: the connection broke twice
 * - `silent`: a transaction did not end in time; for a while nothing is tried
 * - `unopenable`: no IndexedDB, private mode, or a damaged database
 * - `failed`: anything else
 */
export type StorageFailureKind = 'quota' | 'lost' | 'silent' | 'unopenable' | 'failed';

export class StorageFailure extends Error {
  readonly kind: StorageFailureKind;

  constructor(kind: StorageFailureKind, cause?: unknown) {
    super(`Storage failed: ${kind}`, { cause });
    this.name = 'StorageFailure';
    this.kind = kind;
  }
}

export type StorageLog = (event: {
  kind: 'brokenRow' | 'mendedRow' | 'connectionLost' | 'silent' | 'unopenable';
  store?: string;
  issue?: string;
}) => void;

/** For work that may be left undone while the device cannot store; any other error is thrown. */
export function ignoreStorageFailure(error: unknown): asserts error is StorageFailure {
  if (!(error instanceof StorageFailure)) throw error;
}

/** The stores that hold an attempt. */
export const ATTEMPT_STORES = ['attempts', 'contents', 'operations', 'files', 'fileBytes'] as const;
