import { type Client, execute } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import type { Incoming } from './store/blob-store.ts';

/** Hashes in the database are bytes. */
export const hashBytes = (sha256: string): Buffer => Buffer.from(sha256, 'hex');

/**
 * Makes bytes durable before anything names them. The row is written first, so that a crash leaves no bytes
 * unknown to the sweeper; it also protects them for a day, even if they were unnamed.
 * @throws {Refusal} STORAGE_FULL, or UNAVAILABLE when the store is unavailable
 */
export async function storeBlob(
  { pool, blobs }: Pick<Deps, 'pool' | 'blobs'>,
  incoming: Incoming,
  now: Date,
): Promise<void> {
  await recordBlob(pool, incoming, now);
  await blobs.keep(incoming);
}

async function recordBlob(
  client: Client,
  { sha256, size }: Pick<Incoming, 'sha256' | 'size'>,
  now: Date,
): Promise<void> {
  await execute(
    client,
    `insert into blobs (sha256, size, created_at) values ($1, $2, $3)
     on conflict (sha256) do update set unnamed_since = null`,
    [hashBytes(sha256), size, now],
  );
}
