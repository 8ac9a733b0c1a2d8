import type { Pool } from 'pg';
import { one } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { keepBlob } from '#server/files/kept.ts';
import { readBlob } from '#server/files/store/blob-store.ts';
import type { UploadStore } from './upload-store.ts';

/** A handed-in file: by its id on this disk, by its hash among the blobs of a store apart from it, or of a backup from there. */
export interface HandedIn {
  readonly id: string;
  readonly sha256: string;
}

/** Bytes of a complete upload; null: they are gone. */
export async function readHandedIn(
  { blobs }: Pick<Deps, 'blobs'>,
  store: UploadStore,
  { id, sha256 }: HandedIn,
): Promise<Buffer | null> {
  const here = await store.read(id);
  return here ?? readBlob(blobs, sha256);
}

/** Whether an upload counts as complete and its bytes are nowhere, as after a restore. */
export async function isLost(
  { pool, blobs }: { pool: Pool } & Pick<Deps, 'blobs'>,
  store: UploadStore,
  id: string,
): Promise<boolean> {
  const upload = await one<HandedIn>(
    pool,
    'select id, sha256 from uploads where id = $1 and completed_at is not null',
    [id],
  );
  if (!upload || (await store.has(id))) return false;
  return !(await blobs.has(upload.sha256));
}

/**
 * Makes the whole bytes of an upload durable in the store apart from this disk; the parts stay until the
 * database has promised them.
 * @throws {Refusal} UNAVAILABLE or STORAGE_FULL: the device sends the last part again
 */
export async function keepHandedIn(
  deps: Pick<Deps, 'pool' | 'blobs'>,
  store: UploadStore,
  { id, sha256, size }: HandedIn & { readonly size: number },
  now: Date,
): Promise<void> {
  const incoming = { sha256, size, head: Buffer.alloc(0), path: store.partPath(id) };
  await keepBlob(deps, { ...incoming, discard: () => Promise.resolve() }, now);
}
