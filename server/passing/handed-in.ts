import type { Pool } from 'pg';
import { one } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { storeBlob } from '#server/files/store-blob.ts';
import { readBlob } from '#server/files/store/blob-store.ts';
import type { UploadStore } from './upload-store.ts';

/** A handed-in file: by its id on this disk; by its hash in a remote store, or in a backup made from one. */
export interface HandedInFile {
  readonly id: string;
  readonly sha256: string;
}

/** Bytes of a complete upload; null: they are missing. */
export async function readHandedIn(
  { blobs }: Pick<Deps, 'blobs'>,
  store: UploadStore,
  { id, sha256 }: HandedInFile,
): Promise<Buffer | null> {
  const here = await store.read(id);
  return here ?? readBlob(blobs, sha256);
}

/** Whether an upload counts as complete while its bytes are missing, as after a restore. */
export async function isLost(
  { pool, blobs }: { pool: Pool } & Pick<Deps, 'blobs'>,
  store: UploadStore,
  id: string,
): Promise<boolean> {
  const upload = await one<HandedInFile>(
    pool,
    'select id, sha256 from uploads where id = $1 and completed_at is not null',
    [id],
  );
  if (!upload || (await store.has(id))) return false;
  return !(await blobs.has(upload.sha256));
}

/**
 * Makes the whole bytes of an upload durable in the remote store; the parts stay until the database has
 * committed.
 * @throws {Refusal} UNAVAILABLE or STORAGE_FULL: the device sends the last part again
 */
export async function storeHandedIn(
  deps: Pick<Deps, 'pool' | 'blobs'>,
  store: UploadStore,
  { id, sha256, size }: HandedInFile & { readonly size: number },
  now: Date,
): Promise<void> {
  const incoming = { sha256, size, head: Buffer.alloc(0), path: store.partPath(id) };
  await storeBlob(deps, { ...incoming, discard: () => Promise.resolve() }, now);
}
