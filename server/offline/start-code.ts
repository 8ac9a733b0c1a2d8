import { randomBytes, randomInt } from 'node:crypto';
import { hashRaw } from '@node-rs/argon2';
import type { PoolClient } from 'pg';
import type { AuditAct } from '#contract/admin.ts';
import type { StartCode } from '#contract/offers.ts';
import { JOIN_CODE_SIGNS } from '#domain/join-codes.ts';
import { START_CODE_LENGTH } from '#domain/start-code.ts';
import { actOn, recordAct, type Act } from '#server/admin/audit.ts';
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
  readonly id: string;
  readonly groupId: string | null;
  readonly code: string;
  readonly salt: Buffer;
  readonly codeKey: Buffer;
  readonly version: number;
  readonly createdAt: Date;
  readonly madeAt: Date;
  readonly showFrom: Date | null;
  readonly shownAt: Date | null;
}

/** A test, and the class with a code of its own; null: the code of everybody else. */
export interface CodeOf {
  readonly testId: string;
  readonly groupId: string | null;
}

const COLUMNS = `id, group_id as "groupId", code, salt, code_key as "codeKey", version,
  created_at as "createdAt", made_at as "madeAt", show_from as "showFrom", shown_at as "shownAt"`;

type Lock = '' | 'for share' | 'for update';

/** A code of a test; `lock` serializes with its renewal and removal. */
function readCode(
  db: Client,
  { testId, groupId }: CodeOf,
  lock: Lock = '',
): Promise<StoredCode | null> {
  return one<StoredCode>(
    db,
    `select ${COLUMNS} from start_codes
     where test_id = $1 and group_id is not distinct from $2 ${lock}`,
    [testId, groupId],
  );
}

/** The code of an offer, in the version that opens it. */
export interface OfferCode {
  readonly id: string | null;
  /** Null: the test's, or one of a class that was removed since. */
  readonly groupId: string | null;
  readonly shownAt: Date | null;
  /** When it was renewed or removed; null: it was not. */
  readonly replacedAt: Date | null;
}

/** The code by which an offer was made; null: it was replaced, and the server does not know when. */
export async function readOfferCode(
  db: Client,
  offer: { id: string; codeId: string | null; codeVersion: number },
): Promise<OfferCode | null> {
  const stored = await one<StoredCode>(
    db,
    `select ${COLUMNS} from start_codes where id = $1 for share`,
    [offer.codeId],
  );
  if (stored?.version === offer.codeVersion) return { ...stored, replacedAt: null };
  // Read once the code is locked: it may have been replaced a moment ago.
  const former = await one<Pick<OfferCode, 'shownAt' | 'replacedAt'>>(
    db,
    `select code_shown_at as "shownAt", code_replaced_at as "replacedAt" from offers
     where id = $1 and code_replaced_at is not null`,
    [offer.id],
  );
  return former && { ...former, id: offer.codeId, groupId: stored?.groupId ?? null };
}

/**
 * SQL: the id of a person's code of a test. It is that of the person's class to which the test is assigned and which has
 * a code of its own (the smallest id of several), otherwise the test's.
 */
export const studentCodeId = (testId: string, userId: string) => `(
  select own.id from start_codes own
  where own.test_id = ${testId} and (own.group_id is null or exists (
    select 1 from assignments ca join group_members cm on cm.group_id = ca.group_id
    where ca.test_id = own.test_id and ca.group_id = own.group_id and cm.user_id = ${userId}))
  -- null comes last
  order by own.group_id limit 1)`;

/** The code that a student has to enter; null: the test has none yet. */
export function readStudentCode(
  db: Client,
  testId: string,
  userId: string,
): Promise<StoredCode | null> {
  return one<StoredCode>(
    db,
    `select ${COLUMNS} from start_codes where id = ${studentCodeId('$1', '$2')} for share`,
    [testId, userId],
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

type OnMade = (client: PoolClient) => Promise<void>;

async function makeCode(
  deps: Deps,
  { testId, groupId }: CodeOf,
  now: Date,
  onMade?: OnMade,
): Promise<void> {
  // Before the transaction: whoever waits for a turn holds no connection, since those whose turn it is need one.
  const { code, salt, codeKey } = await generateCode();
  await transaction(deps.pool, async (client) => {
    const made = await execute(
      client,
      `insert into start_codes (id, test_id, group_id, code, salt, code_key, version, created_at,
         made_at)
       values ($1, $2, $3, $4, $5, $6, 1, $7, $7) on conflict do nothing`,
      [deps.newId(), testId, groupId, code, salt, codeKey, now],
    );
    // Another process may have been faster.
    if (made > 0) await onMade?.(client);
  });
}

/** Codes that this process makes now. */
const inMaking = new Map<string, Promise<void>>();

/** Creates a code unless there is one. A class that asks together waits for one computation. */
export async function ensureCode(
  deps: Deps,
  of: CodeOf,
  now: Date,
  onMade?: OnMade,
): Promise<void> {
  if (await readCode(deps.pool, of)) return;
  const key = `${of.testId}/${of.groupId ?? ''}`;
  const making =
    inMaking.get(key) ?? makeCode(deps, of, now, onMade).finally(() => inMaking.delete(key));
  inMaking.set(key, making);
  await making;
}

/** What the teacher sees of a code. */
export async function startCode(db: Client, of: CodeOf): Promise<StartCode> {
  const stored = await readCode(db, of);
  if (!stored) throw new Refusal('NOT_FOUND');
  const use = await one<{ offers: number; begun: number }>(
    db,
    `select
       (select count(*) from offers o
        where o.test_id = $1 and o.replaced_at is null and o.code_id = $2 and o.code_version = $3
          and o.code_id = ${studentCodeId('o.test_id', 'o.user_id')}) as offers,
       (select count(distinct b.attempt_id) from begins b
        where b.code_id = $2 and b.code_version = $3
          -- anybody can send one without the code
          and (b.hold is distinct from 'proof' or b.decision = 'accept')) as begun`,
    [of.testId, stored.id, stored.version],
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

export interface By {
  readonly actorId: string;
  readonly at: Date;
}

/** An act on a code, for the log. */
export const actOnCode = (
  { testId, groupId }: CodeOf,
  actorId: string,
  act: Extract<AuditAct, `startCode${string}`>,
): Act =>
  actOn('test', testId, { actorId, act, ...(groupId !== null && { details: { groupId } }) });

export async function setShowFrom(
  deps: Deps,
  of: CodeOf,
  showFrom: Date | null,
): Promise<StartCode> {
  await execute(
    deps.pool,
    `update start_codes set show_from = $3
     where test_id = $1 and group_id is not distinct from $2`,
    [of.testId, of.groupId, showFrom],
  );
  return startCode(deps.pool, of);
}

/** Shows the code. The first time is recorded for ever: no begin counts before it. */
export function showCode(deps: Deps, of: CodeOf, { actorId, at }: By): Promise<StartCode> {
  return transaction(deps.pool, async (client) => {
    const stored = await readCode(client, of, 'for update');
    if (stored?.showFrom && at < stored.showFrom) throw new Refusal('CODE_NOT_YET');
    if (stored && !stored.shownAt) {
      await execute(client, 'update start_codes set shown_at = $2 where id = $1', [stored.id, at]);
      await recordAct(client, deps, actOnCode(of, actorId, 'startCodeShown'), at);
    }
    return startCode(client, of);
  });
}

/** @throws {Refusal} CODE_IN_USE once an attempt has used the code */
async function refuseUsed(db: Client, of: CodeOf): Promise<void> {
  if ((await startCode(db, of)).begun > 0) throw new Refusal('CODE_IN_USE');
}

/**
 * Locks a code that no attempt has used, and replaces its offers.
 * @throws {Refusal} CODE_IN_USE once one has
 */
export async function replaceUnused(client: PoolClient, of: CodeOf, at: Date): Promise<StoredCode> {
  const stored = await readCode(client, of, 'for update');
  if (!stored) throw new Refusal('NOT_FOUND');
  await refuseUsed(client, of);
  await execute(
    client,
    `update offers set replaced_at = coalesce(replaced_at, $3), code_shown_at = $4,
       code_replaced_at = $3
     where code_id = $1 and code_version = $2`,
    [stored.id, stored.version, at, stored.shownAt],
  );
  return stored;
}

/** Makes a new code, which replaces all offers of the present one. */
export async function renewCode(deps: Deps, of: CodeOf, { actorId, at }: By): Promise<StartCode> {
  // A refusal costs no computation.
  await refuseUsed(deps.pool, of);
  const fresh = await generateCode();
  return transaction(deps.pool, async (client) => {
    const { id } = await replaceUnused(client, of, at);
    await execute(
      client,
      `update start_codes set code = $2, salt = $3, code_key = $4, version = version + 1,
         made_at = $5, shown_at = null where id = $1`,
      [id, fresh.code, fresh.salt, fresh.codeKey, at],
    );
    await recordAct(client, deps, actOnCode(of, actorId, 'startCodeRenewed'), at);
    return startCode(client, of);
  });
}
