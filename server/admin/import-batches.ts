import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import * as v from 'valibot';
import type { ImportResult, ImportRow } from '#contract/admin.ts';
import { execute, one, type Client } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { every } from '#server/housekeeping/every.ts';
import { Refusal } from '#server/http/refusal.ts';
import { stableId } from '#server/ids.ts';

/** One call of an import, as it is known again. */
export interface Batch {
  readonly actorId: string;
  /** Made by the caller; a repeat has the same. It opens the kept passwords and is itself not kept. */
  readonly key: string;
  readonly rows: readonly ImportRow[];
}

/** How long a repeat still shows the passwords that were made. */
const PASSWORDS_MS = 60 * 60_000;

const IV_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';

const batchId = ({ actorId, key }: Batch) => stableId(`import/${actorId}/${key}`);
const digestOf = ({ rows }: Batch) => hash('sha256', JSON.stringify(rows), 'buffer');
const sealKey = ({ actorId, key }: Batch) =>
  Buffer.from(hkdfSync('sha256', key, actorId, 'passwords of an import', 32));

function seal(batch: Batch, text: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, sealKey(batch), iv);
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

function unseal(batch: Batch, sealed: Buffer): string {
  const decipher = createDecipheriv(CIPHER, sealKey(batch), sealed.subarray(0, IV_BYTES));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const text = decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES));
  return Buffer.concat([text, decipher.final()]).toString('utf8');
}

const Passwords = v.array(v.nullable(v.string()));

/**
 * The reply that this batch was given before; null: it is new.
 * @throws {Refusal} OPERATION_REUSED when the rows were others
 */
export async function repliedBefore(
  db: Client,
  batch: Batch,
  now: Date,
): Promise<ImportResult[] | null> {
  const kept = await one<{
    digest: Buffer;
    reply: Omit<ImportResult, 'password'>[];
    passwords: Buffer | null;
    createdAt: Date;
  }>(
    db,
    `select digest, reply, passwords, created_at as "createdAt" from import_batches where id = $1`,
    [batchId(batch)],
  );
  if (!kept) return null;
  if (!kept.digest.equals(digestOf(batch)))
    throw new Refusal('OPERATION_REUSED', {
      message: 'Под этим номером уже загружены другие строки. Начните загрузку заново',
    });
  const isShown = now.getTime() - kept.createdAt.getTime() < PASSWORDS_MS;
  const passwords =
    kept.passwords && isShown ? v.parse(Passwords, JSON.parse(unseal(batch, kept.passwords))) : [];
  return kept.reply.map((result, index) => ({ ...result, password: passwords[index] ?? null }));
}

/** Keeps a reply for repeats; of two at once the second waits for the first, and is told false. */
export async function takeBatch(client: Client, batch: Batch, now: Date): Promise<boolean> {
  const taken = await execute(
    client,
    `insert into import_batches (id, actor_id, digest, reply, created_at)
     values ($1, $2, $3, '[]', $4) on conflict do nothing`,
    [batchId(batch), batch.actorId, digestOf(batch), now],
  );
  return taken === 1;
}

export async function keepReply(
  client: Client,
  batch: Batch,
  results: readonly ImportResult[],
): Promise<void> {
  const passwords = results.map(({ password }) => password);
  const reply = results.map((result) => ({ ...result, password: undefined }));
  await execute(client, 'update import_batches set reply = $2, passwords = $3 where id = $1', [
    batchId(batch),
    JSON.stringify(reply),
    seal(batch, JSON.stringify(passwords)),
  ]);
}

/** Deletes made passwords after an hour. How many batches had some. */
export function purgePasswords(pool: Pool, now: Date): Promise<number> {
  return execute(
    pool,
    'update import_batches set passwords = null where passwords is not null and created_at <= $1',
    [new Date(now.getTime() - PASSWORDS_MS)],
  );
}

const EVERY_MS = 5 * 60_000;

/** Purges made passwords now and then. Returns the stop function. */
export function startPasswordPurge(deps: Deps): () => Promise<void> {
  return every(deps.log, {
    what: 'purging made passwords',
    everyMs: EVERY_MS,
    firstMs: 0,
    run: async () => void (await purgePasswords(deps.pool, deps.clock())),
  });
}
