import type { PoolClient } from 'pg';
import { ROLE } from '#contract/auth.ts';
import { MAX_SHARES, type Shares, type ShareLevel } from '#contract/sharing.ts';
import { actOn, recordActs, type Act } from '#server/admin/audit.ts';
import { nameKey } from '#server/db/name-order.ts';
import {
  execute,
  one,
  repeatDeadlocked,
  rows,
  transaction,
  type Client,
} from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { invalid, Refusal } from '#server/http/refusal.ts';

/** What is shared: its table, the column with its id, and its owner, by $1. */
const TABLES = {
  test: ['test_shares', 'test_id', '(select owner_id from tests where id = $1)'],
  group: ['group_shares', 'group_id', '(select owner_id from groups where id = $1)'],
  bank: ['bank_shares', 'owner_id', '$1::uuid'],
} as const;

/** A test, a class, or the bank of a teacher: `id` is then the teacher's. */
export interface Shared {
  readonly kind: keyof typeof TABLES;
  readonly id: string;
}

interface Share {
  readonly userId: string;
  readonly level: ShareLevel;
}

/** The owner, and the colleagues by name. Throws NOT_FOUND for what was deleted meanwhile. */
export async function readShares(db: Client, { kind, id }: Shared): Promise<Shares> {
  const [table, column, owner] = TABLES[kind];
  const found = await one<{ ownerId: string | null }>(db, `select ${owner} as "ownerId"`, [id]);
  if (!found?.ownerId) throw new Refusal('NOT_FOUND');
  const items = await rows<Shares['items'][number]>(
    db,
    `select u.id as "userId", u.user_name as "userName", s.level
     from ${table} s join users u on u.id = s.user_id where s.${column} = $1
     order by ${nameKey('u.user_name')}, u.id`,
    [id],
  );
  return { items, total: items.length, ownerId: found.ownerId };
}

/**
 * Locks the accounts of caller and colleagues, in the order and before the test or class as a handing over does.
 * @throws {Refusal} UNAUTHORIZED for an erased caller, VALIDATION for somebody who may not teach
 */
async function lockAccounts(client: PoolClient, actorId: string, given: readonly Share[]) {
  const ids = [...new Set([actorId, ...given.map(({ userId }) => userId)])];
  const found = await rows<{ id: string; teaches: boolean }>(
    client,
    `select id, role <> ${ROLE.student} and blocked_at is null as teaches from users
     where id = any($1) and erased_at is null order by id for key share`,
    [ids],
  );
  if (!found.some(({ id }) => id === actorId)) throw new Refusal('UNAUTHORIZED');
  const teaching = new Set(found.flatMap(({ id, teaches }) => (teaches ? id : [])));
  if (given.some(({ userId }) => !teaching.has(userId)))
    throw invalid([
      {
        field: 'given',
        message:
          'Кто-то из выбранных больше не преподаватель: открыть доступ можно только преподавателю. Уберите его из списка',
      },
    ]);
}

/** On the test or class; a bank is no subject of the log, so on the colleague there. */
function actOnShare(
  { kind, id }: Shared,
  { userId, level }: Share,
  { actorId, act }: Pick<Act, 'actorId' | 'act'>,
): Act {
  const details = { of: kind, level };
  return kind === 'bank'
    ? actOn('user', userId, { actorId, act, details })
    : { ...actOn(kind, id, { actorId, act, details }), personId: userId };
}

/** Removes assignments that colleagues made to a class which they no longer manage. */
const UNASSIGN = `
delete from assignments a using tests t, users u
where t.id = a.test_id and u.id = t.owner_id and a.group_id = $1 and t.owner_id = any($2)
  and u.role = ${ROLE.teacher}`;

/**
 * Gives and removes access: only the differences, so that changes which somebody else made meanwhile stay. Logs them.
 * @param lock locks the shared object; throws for a caller who may not share it
 */
export function changeShares(
  deps: Deps,
  shared: Shared,
  { given, taken }: { given: readonly Share[]; taken: readonly string[] },
  { actorId, now }: { actorId: string; now: Date },
  lock: (client: PoolClient) => Promise<unknown>,
): Promise<Shares> {
  const { kind, id } = shared;
  const [table, column] = TABLES[kind];
  const change = async (client: PoolClient) => {
    await lockAccounts(client, actorId, given);
    await lock(client);
    const before = await readShares(client, shared);
    const levels = new Map(before.items.map(({ userId, level }) => [userId, level]));
    const fresh = given.filter(
      ({ userId, level }) => userId !== before.ownerId && levels.get(userId) !== level,
    );
    const lost = before.items.filter(({ userId }) => taken.includes(userId));
    const added = fresh.filter(({ userId }) => !levels.has(userId)).length;
    if (before.items.length + added - lost.length > MAX_SHARES)
      throw invalid([{ field: 'given', message: `Не больше ${MAX_SHARES} коллег` }]);
    const lostIds = lost.map(({ userId }) => userId);
    await execute(client, `delete from ${table} where ${column} = $1 and user_id = any($2)`, [
      id,
      lostIds,
    ]);
    if (kind === 'group') await execute(client, UNASSIGN, [id, lostIds]);
    await execute(
      client,
      `insert into ${table} (${column}, user_id, level, created_at)
       select $1, row.user_id, row.level, $2 from unnest($3::uuid[], $4::text[]) as row (user_id, level)
       on conflict (${column}, user_id) do update set level = excluded.level`,
      [id, now, fresh.map(({ userId }) => userId), fresh.map(({ level }) => level)],
    );
    const acts = [
      ...fresh.map((share) => actOnShare(shared, share, { actorId, act: 'accessGiven' })),
      ...lost.map((share) => actOnShare(shared, share, { actorId, act: 'accessTaken' })),
    ];
    if (acts.length > 0) await recordActs(client, deps, acts, now);
    return readShares(client, shared);
  };
  return repeatDeadlocked(() => transaction(deps.pool, change));
}

/** Ends the access that an account gave to all it owns, or to its bank alone; returns the acts to log. */
export async function endSharesOf(
  client: PoolClient,
  ownerId: string,
  { actorId, banksAlone = false }: { actorId: string; banksAlone?: boolean },
): Promise<Act[]> {
  const ended = await rows<Shared & Share>(
    client,
    `with tests_ended as (
       delete from test_shares s using tests t where t.id = s.test_id and t.owner_id = $1 and not $2
       returning s.test_id as id, s.user_id, s.level
     ), groups_ended as (
       delete from group_shares s using groups g where g.id = s.group_id and g.owner_id = $1 and not $2
       returning s.group_id as id, s.user_id, s.level
     ), banks_ended as (
       delete from bank_shares where owner_id = $1 returning owner_id as id, user_id, level
     )
     select 'test' as kind, id, user_id as "userId", level from tests_ended
     union all select 'group', id, user_id, level from groups_ended
     union all select 'bank', id, user_id, level from banks_ended`,
    [ownerId, banksAlone],
  );
  return ended.map(({ kind, id, ...share }) =>
    actOnShare({ kind, id }, share, { actorId, act: 'accessTaken' }),
  );
}
