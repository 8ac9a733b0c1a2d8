import type { DBSchema, IDBPDatabase } from 'idb';

const OPEN_TIMEOUT_MS = 5_000;

/** In WebKit an open sometimes never completes. */
export async function openInTime<Schema extends DBSchema>(
  opening: Promise<IDBPDatabase<Schema>>,
): Promise<IDBPDatabase<Schema>> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('IndexedDB did not open in time')), OPEN_TIMEOUT_MS);
  });
  try {
    return await Promise.race([opening, late]);
  } finally {
    clearTimeout(timer);
  }
}
