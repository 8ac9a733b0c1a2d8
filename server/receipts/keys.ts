import { createHash, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import type { PoolClient } from 'pg';
import type { ReceiptKeys } from '#contract/receipts.ts';
import { PRODUCT } from '#contract/health.ts';
import { execute, one, rows, transaction, type Client } from '#server/db/query.ts';
import { recordAct } from '#server/admin/audit.ts';
import { requireStillAdmin } from '#server/admin/admins.ts';
import type { Deps } from '#server/deps.ts';

export interface SigningKey {
  readonly id: string;
  readonly sign: (text: string) => Buffer;
}

const ID_CHARACTERS = 12;

/** Makes the key that signs, unless there is one. Several servers may do so at once. */
export async function ensureKey(client: Client, now: Date): Promise<void> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const id = createHash('sha256').update(raw).digest('base64url').slice(0, ID_CHARACTERS);
  await execute(
    client,
    `insert into receipt_keys (id, public_key, private_key, made_at) values ($1, $2, $3, $4)
     on conflict do nothing`,
    [id, raw, privateKey.export({ format: 'der', type: 'pkcs8' }), now],
  );
}

async function findKey(client: Client): Promise<SigningKey | null> {
  const found = await one<{ id: string; der: Buffer }>(
    client,
    'select id, private_key as der from receipt_keys where retired_at is null',
  );
  if (!found) return null;
  const key = createPrivateKey({ key: found.der, format: 'der', type: 'pkcs8' });
  return { id: found.id, sign: (text) => sign(null, Buffer.from(text), key) };
}

/** The key that signs now; a server makes the first at its start, before any backup. */
export async function signingKey(client: PoolClient, now: Date): Promise<SigningKey> {
  const known = await findKey(client);
  if (known) return known;
  await ensureKey(client, now);
  const made = await findKey(client);
  if (!made) throw new Error('receipt_keys has no key right after it was made');
  return made;
}

/** All public keys, the newest first. */
export async function publishedKeys(db: Client): Promise<ReceiptKeys> {
  const found = await rows<{ id: string; publicKey: Buffer; madeAt: Date; retiredAt: Date | null }>(
    db,
    `select id, public_key as "publicKey", made_at as "madeAt", retired_at as "retiredAt"
     from receipt_keys order by made_at desc, id`,
  );
  return {
    product: PRODUCT,
    keys: found.map(({ id, publicKey, madeAt, retiredAt }) => ({
      id,
      publicKey: publicKey.toString('base64url'),
      madeAt: madeAt.toISOString(),
      retiredAt: retiredAt?.toISOString() ?? null,
    })),
  };
}

async function renewKey(client: Client, now: Date): Promise<void> {
  await execute(client, 'update receipt_keys set retired_at = $1 where retired_at is null', [now]);
  await ensureKey(client, now);
}

/** A key as stored. */
export interface StoredKey {
  readonly id: string;
  readonly public: Buffer;
  readonly private: Buffer;
  readonly made: Date;
  readonly retired: Date | null;
}

export const storedKeys = (db: Client): Promise<StoredKey[]> =>
  rows<StoredKey>(
    db,
    `select id, public_key as public, private_key as private, made_at as made, retired_at as retired
     from receipt_keys`,
  );

/**
 * After a restore another key signs: the copy's key may have been retired since, because somebody else has it. Keys that
 * only the replaced database knew stay published, and none is retired later than it was there.
 */
export async function renewRestoredKeys(
  client: Client,
  replaced: readonly StoredKey[],
  now: Date,
): Promise<void> {
  await renewKey(client, now);
  for (const key of replaced)
    await execute(
      client,
      `insert into receipt_keys (id, public_key, private_key, made_at, retired_at)
       values ($1, $2, $3, $4, $5) on conflict (id) do update
         set retired_at = least(receipt_keys.retired_at, excluded.retired_at)`,
      [key.id, key.public, key.private, key.made, key.retired ?? now],
    );
}

/** Retires the present key and makes another. */
export const rotateKey = (deps: Deps, actorId: string, now: Date): Promise<{ keyId: string }> =>
  transaction(deps.pool, async (client) => {
    await requireStillAdmin(client, actorId);
    await renewKey(client, now);
    await recordAct(client, deps, { actorId, act: 'receiptKeyRotated' }, now);
    return { keyId: (await signingKey(client, now)).id };
  });
