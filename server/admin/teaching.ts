import type { PoolClient } from 'pg';
import type { Successor, TeachingCounts } from '#contract/admin.ts';
import { ROLE } from '#contract/auth.ts';
import { indexQuestions } from '#server/bank/index-questions.ts';
import { nameKey } from '#server/db/name-order.ts';
import { execute, one, rows, type Client } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { invalid } from '#server/http/refusal.ts';
import { loadContent } from '#server/passing/content.ts';
import { rememberShown } from '#server/tests/visible.ts';
import { TEST_COLUMNS, type TestColumns } from '#server/tests/access.ts';
import { endSharesOf } from '#server/sharing/shares.ts';
import { actOn, recordAct, recordActs } from './audit.ts';

/** Whether the account named by an SQL expression owns anything for teaching. */
export const ownsTeachingSql = (userId: string) => `(
  exists (select 1 from tests where owner_id = ${userId})
  or exists (select 1 from groups where owner_id = ${userId})
  or exists (select 1 from bank_entries where owner_id = ${userId} and removed_at is null)
  or exists (select 1 from question_templates where owner_id = ${userId}))`;

/** The teaching property of an account, without questions removed from the bank. */
export async function countTeaching(db: Client, userId: string): Promise<TeachingCounts> {
  const found = await one<TeachingCounts>(
    db,
    `select (select count(*) from tests where owner_id = $1) as tests,
       (select count(*) from groups where owner_id = $1) as groups,
       (select count(*) from bank_entries where owner_id = $1 and removed_at is null) as "bankEntries",
       (select count(*) from question_templates where owner_id = $1) as templates`,
    [userId],
  );
  if (!found) throw new Error('counts are one row');
  return found;
}

const isNothing = (counts: TeachingCounts) => Object.values(counts).every((count) => count === 0);

/** Attempts in progress on an account's tests. */
export async function countRunning(db: Client, userId: string, now: Date): Promise<number> {
  const found = await one<{ count: number }>(
    db,
    `select count(*) as count from attempts x join tests t on t.id = x.test_id
     where t.owner_id = $1 and x.ended is null and x.deleted_at is null and x.deadline > $2`,
    [userId, now],
  );
  return found?.count ?? 0;
}

/** Accounts that may own tests. */
const MAY_TEACH = `role <> ${ROLE.student} and blocked_at is null and erased_at is null`;

/** Accounts that may take over what the account owns. */
export function listSuccessors(db: Client, userId: string): Promise<Successor[]> {
  return rows<Successor>(
    db,
    `select id as "userId", user_name as "userName", email, role from users
     where ${MAY_TEACH} and id <> $1 order by ${nameKey('user_name')}, id`,
    [userId],
  );
}

/**
 * Locks both accounts, so that their pending writes finish first. The caller already holds the lock under which
 * roles change.
 * @throws {Refusal} VALIDATION for a successor who may not own tests
 */
async function lockSuccessor(client: PoolClient, userId: string, successorId: string) {
  await execute(client, 'select 1 from users where id = any($1) order by id for update', [
    [userId, successorId],
  ]);
  const found = await one(client, `select 1 from users where ${MAY_TEACH} and id = $1`, [
    successorId,
  ]);
  if (!found || successorId === userId)
    throw invalid([
      {
        field: 'successorId',
        message: 'Выберите преподавателя или администратора, чья учётная запись действует',
      },
    ]);
}

const ENTRY = 'theme, topic, difficulty, kind, tags, words, digest, updated_at, removed_at';

/** Entries that both banks have with different contents: each passed one becomes a separate entry. */
const PASS_DIFFERING = `
insert into bank_entries (owner_id, entry_id, question, ${ENTRY})
select $2, fresh, jsonb_set(question, '{questionId}', to_jsonb(fresh)), ${ENTRY}
from (
  select e.*, gen_random_uuid() as fresh from bank_entries e
    join bank_entries own on own.owner_id = $2 and own.entry_id = e.entry_id
  where e.owner_id = $1 and e.removed_at is null and own.removed_at is null and own.digest <> e.digest
) differing`;

/** All others. A question that only the successor had removed from the bank is in it again. */
const PASS_ENTRIES = `
insert into bank_entries as own (owner_id, entry_id, question, ${ENTRY})
select $2, entry_id, question, ${ENTRY} from bank_entries where owner_id = $1
on conflict (owner_id, entry_id) do update set question = excluded.question, theme = excluded.theme,
  topic = excluded.topic, difficulty = excluded.difficulty, kind = excluded.kind, tags = excluded.tags,
  words = excluded.words, digest = excluded.digest, updated_at = excluded.updated_at, removed_at = null
where own.removed_at is not null and excluded.removed_at is null`;

/** Ends shares that the successor no longer needs as the owner. */
const END_OWN_SHARES = `
with own_tests as (
  delete from test_shares s using tests t where t.id = s.test_id and t.owner_id = $2 and s.user_id = $2
)
delete from group_shares s using groups g
where g.id = s.group_id and g.owner_id in ($1, $2) and s.user_id = $2`;

const PASS_TEMPLATES = `
update question_templates t set owner_id = $2, id = case when exists (
  select 1 from question_templates own where own.owner_id = $2 and own.id = t.id
) then gen_random_uuid() else t.id end
where t.owner_id = $1`;

/** The digest finds a repeated picture, one for each owner. */
const PASS_PICTURES = `
update pictures p set owner_id = $2, digest = case when exists (
  select 1 from pictures own where own.owner_id = $2 and own.digest = p.digest
) then null else p.digest end
where p.owner_id = $1`;

const PASS_HELD_PICTURES = `
with passed as (delete from picture_holders where user_id = $1 returning key)
insert into picture_holders (key, user_id) select key, $2 from passed on conflict do nothing`;

/** Adds the questions of tests that are in no bank because the bank was erased with its owner. */
async function indexPassed(client: PoolClient, successorId: string, now: Date): Promise<void> {
  const unknown = await rows<{ id: string; contentId: string }>(
    client,
    `select t.id, t.content_id as "contentId" from tests t
     where t.owner_id = $1 and t.content_id is not null
       and not exists (select 1 from bank_uses u where u.test_id = t.id)`,
    [successorId],
  );
  for (const { id, contentId } of unknown) {
    const { questions } = await loadContent(client, contentId);
    await indexQuestions(client, id, { questions, now });
  }
}

/** An act of an administrator on what somebody owns for teaching. */
interface HandOver {
  readonly deps: Pick<Deps, 'newId'>;
  readonly actorId: string;
  /** The owner of the tests and classes. */
  readonly userId: string;
  readonly now: Date;
}

/**
 * Passes tests, classes, bank and templates to a successor, within the caller's transaction. Attempts, grades and
 * working copies belong to the tests and go with them. Projects and own attempts stay.
 * @returns the counts of what was passed
 * @throws {Refusal} VALIDATION for a successor who may not own tests
 */
export async function passTeaching(
  client: PoolClient,
  { deps, actorId, userId, now }: HandOver,
  successorId: string,
): Promise<TeachingCounts> {
  await lockSuccessor(client, userId, successorId);
  const counts = await countTeaching(client, userId);
  // The bank is merged into another one, which nobody shared.
  const ended = await endSharesOf(client, userId, { actorId, banksAlone: true });
  await recordActs(client, deps, ended, now);
  // In one order, and before the bank, as edits lock them.
  await execute(client, 'select 1 from tests where owner_id = $1 order by id for no key update', [
    userId,
  ]);
  for (const table of ['tests', 'groups'])
    await execute(client, `update ${table} set owner_id = $2 where owner_id = $1`, [
      userId,
      successorId,
    ]);
  for (const sql of [
    PASS_DIFFERING,
    PASS_ENTRIES,
    'update bank_uses set owner_id = $2 where owner_id = $1',
    END_OWN_SHARES,
    PASS_TEMPLATES,
    PASS_PICTURES,
    PASS_HELD_PICTURES,
  ])
    await execute(client, sql, [userId, successorId]);
  await execute(client, 'delete from bank_entries where owner_id = $1', [userId]);
  if (counts.tests > 0) await indexPassed(client, successorId, now);
  if (isNothing(counts)) return counts;
  const details = { ...counts };
  const passed = actOn('user', userId, { actorId, act: 'teachingPassed', details });
  const received = actOn('user', successorId, { actorId, act: 'teachingReceived', details });
  await recordActs(client, deps, [passed, received], now);
  return counts;
}

/**
 * Archives an account's tests and closes its classes for joining, within the caller's transaction. Attempts in progress
 * continue; results, bank and templates stay.
 * @returns what the account owns
 */
export async function archiveTeaching(
  client: PoolClient,
  { deps, actorId, userId, now }: HandOver,
): Promise<TeachingCounts> {
  const counts = await countTeaching(client, userId);
  const tests = await rows<TestColumns>(
    client,
    `select ${TEST_COLUMNS} from tests t where t.owner_id = $1 and t.lifecycle <> 'archived'
     order by t.id for no key update of t`,
    [userId],
  );
  for (const test of tests) await rememberShown(client, test, now);
  await execute(
    client,
    `update tests set lifecycle = 'archived', updated_at = $2, updated_by = $3 where id = any($1)`,
    [tests.map(({ id }) => id), now, actorId],
  );
  const closed = await execute(
    client,
    'update groups set join_code = null where owner_id = $1 and join_code is not null',
    [userId],
  );
  // Otherwise a colleague could restore what is archived here.
  await recordActs(client, deps, await endSharesOf(client, userId, { actorId }), now);
  if (tests.length + closed === 0) return counts;
  const details = { tests: tests.length, groups: closed };
  const acts = tests.map(({ id }) => actOn('test', id, { actorId, act: 'testArchived' } as const));
  await recordActs(client, deps, acts, now);
  const act = actOn('user', userId, { actorId, act: 'teachingArchived', details });
  await recordAct(client, deps, act, now);
  return counts;
}
