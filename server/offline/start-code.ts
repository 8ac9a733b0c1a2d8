import { randomBytes, randomInt } from 'node:crypto';
import { hashRaw } from '@node-rs/argon2';
import type { StartCode } from '#contract/offers.ts';
import { JOIN_CODE_SIGNS } from '#domain/join-codes.ts';
import { START_CODE_LENGTH } from '#domain/start-code.ts';
import { actOn, recordAct } from '#server/admin/audit.ts';
import { inTurn } from '#server/auth/passwords.ts';
import { execute, one, transaction, type Client } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { Refusal } from '#server/http/refusal.ts';

/**
 * Cost of one guess with a device in hand: about a third of a second and 64 MiB on a school computer. The code has 46.9
 * bits (docs/adr/0015).
 */
export const CODE_COST = { memoryKib: 65_536, passes: 3 } as const;
const SALT_BYTES = 16;
const KEY_BYTES = 32;

/** A row of `start_codes`. */
export interface StoredCode {
  readonly code: string;
  readonly salt: Buffer;
  readonly codeKey: Buffer;
  readonly version: number;
  readonly madeAt: Date;
  readonly showFrom: Date | null;
  readonly shownAt: Date | null;
}

/** The code of a test; `lock` serializes with a renewal. */
export function readCode(
  db: Client,
  testId: string,
  lock: '' | 'for share' | 'for update' = '',
): Promise<StoredCode | null> {
  return one<StoredCode>(
    db,
    `select code, salt, code_key as "codeKey", version, made_at as "madeAt",
       show_from as "showFrom", shown_at as "shownAt"
     from start_codes where test_id = $1 ${lock}`,
    [testId],
  );
}

const newCode = (): string =>
  Array.from({ length: START_CODE_LENGTH }, () =>
    JOIN_CODE_SIGNS.charAt(randomInt(JOIN_CODE_SIGNS.length)),
  ).join('');

async function generateCode(): Promise<Pick<StoredCode, 'code' | 'salt' | 'codeKey'>> {
  const code = newCode();
  const salt = randomBytes(SALT_BYTES);
  const cost = {
    memoryCost: CODE_COST.memoryKib,
    timeCost: CODE_COST.passes,
    parallelism: 1,
    outputLen: KEY_BYTES,
  };
  const codeKey = await inTurn({ account: 'staff' }, () => hashRaw(code, { ...cost, salt }));
  return { code, salt, codeKey };
}

/** Creates the code of a test unless it has one. A class that asks together waits for one computation. */
export async function ensureCode({ pool }: Deps, testId: string, now: Date): Promise<void> {
  if (await readCode(pool, testId)) return;
  await transaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `start-code/${testId}`,
    ]);
    if (await readCode(client, testId)) return;
    const { code, salt, codeKey } = await generateCode();
    await execute(
      client,
      `insert into start_codes (test_id, code, salt, code_key, version, made_at)
       values ($1, $2, $3, $4, 1, $5)`,
      [testId, code, salt, codeKey, now],
    );
  });
}

/** What the teacher sees of the code. */
export async function startCode(db: Client, testId: string): Promise<StartCode> {
  const stored = await readCode(db, testId);
  if (!stored) throw new Refusal('NOT_FOUND');
  const use = await one<{ offers: number; begun: number }>(
    db,
    `select
       (select count(*) from offers
        where test_id = $1 and replaced_at is null and code_version = $2) as offers,
       (select count(distinct b.attempt_id) from begins b join attempts x on x.id = b.attempt_id
        where x.test_id = $1 and b.code_version = $2) as begun`,
    [testId, stored.version],
  );
  return {
    code: stored.shownAt ? stored.code : null,
    showFrom: stored.showFrom?.toISOString() ?? null,
    shownAt: stored.shownAt?.toISOString() ?? null,
    madeAt: stored.madeAt.toISOString(),
    offers: use?.offers ?? 0,
    begun: use?.begun ?? 0,
  };
}

interface By {
  readonly actorId: string;
  readonly at: Date;
}

export async function setShowFrom(
  deps: Deps,
  testId: string,
  showFrom: Date | null,
): Promise<StartCode> {
  await execute(deps.pool, 'update start_codes set show_from = $2 where test_id = $1', [
    testId,
    showFrom,
  ]);
  return startCode(deps.pool, testId);
}

/** Shows the code. The first time is recorded for ever: no begin counts before it. */
export function showCode(deps: Deps, testId: string, { actorId, at }: By): Promise<StartCode> {
  return transaction(deps.pool, async (client) => {
    const stored = await readCode(client, testId, 'for update');
    if (stored?.showFrom && at < stored.showFrom) throw new Refusal('CODE_NOT_YET');
    if (stored && !stored.shownAt) {
      await execute(client, 'update start_codes set shown_at = $2 where test_id = $1', [
        testId,
        at,
      ]);
      await recordAct(client, deps, actOn('test', testId, { actorId, act: 'startCodeShown' }), at);
    }
    return startCode(client, testId);
  });
}

/** Makes a new code, which replaces all offers; refused once an attempt has used the present one. */
export async function renewCode(
  deps: Deps,
  testId: string,
  { actorId, at }: By,
): Promise<StartCode> {
  const fresh = await generateCode();
  return transaction(deps.pool, async (client) => {
    await readCode(client, testId, 'for update');
    const { begun } = await startCode(client, testId);
    if (begun > 0) throw new Refusal('CODE_IN_USE');
    await execute(
      client,
      `update start_codes set code = $2, salt = $3, code_key = $4, version = version + 1,
         made_at = $5, shown_at = null where test_id = $1`,
      [testId, fresh.code, fresh.salt, fresh.codeKey, at],
    );
    await execute(
      client,
      'update offers set replaced_at = $2 where test_id = $1 and replaced_at is null',
      [testId, at],
    );
    await recordAct(client, deps, actOn('test', testId, { actorId, act: 'startCodeRenewed' }), at);
    return startCode(client, testId);
  });
}
