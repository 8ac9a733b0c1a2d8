import { createIndexedDbStorage, type OpenOptions } from './indexeddb.ts';
import { createMemoryStorage } from './memory.ts';
import { ignoreStorageFailure, type Storage } from './storage.ts';

/** Opens the device's database. Throws `StorageFailure('unopenable')`. */
export async function openStorage(
  factory: IDBFactory,
  options: OpenOptions = {},
): Promise<Storage> {
  return createIndexedDbStorage(factory, options);
}

/** Like `openStorage`; falls back to memory storage with `durable: false`. */
export async function openAnyStorage(
  factory: IDBFactory | undefined,
  options: OpenOptions = {},
): Promise<Storage> {
  if (!factory) return createMemoryStorage();
  try {
    return await openStorage(factory, options);
  } catch (error) {
    ignoreStorageFailure(error);
    options.log?.({ kind: 'unopenable', issue: String(error.cause) });
    return createMemoryStorage();
  }
}
