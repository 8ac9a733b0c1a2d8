import type { Colleague, ShareLevel } from '#contract/sharing.ts';
import { ROLE } from '#contract/auth.ts';
import { actOn, recordActs, type Act } from '#server/admin/audit.ts';
import { lockCaller } from '#server/auth/caller.ts';
import type { PoolClient } from 'pg';
import { nameKey } from '#server/db/name-order.ts';
import { execute, rows, transaction, type Client } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { invalid } from '#server/http/refusal.ts';

/** What is shared: its table, and the column with its id. */
const TABLES = {
  test: ['test_shares', 'test_id'],
  group: ['group_shares', 'group_id'],
  bank: ['bank_shares', 'owner_id'],
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

/** Colleagues by name. */
export async function readShares(
  db: Client,
  { kind, id }: Shared,
): Promise<{ items: Colleague[]; total: number }> {
  const [table, column] = TABLES[kind];
  const items = await rows<Colleague>(
    db,
    `select u.id as "userId", u.user_name as "userName", s.level
     from ${table} s join users u on u.id = s.user_id where s.${column} = $1
     order by ${nameKey('u.user_name')}, u.id`,
    [id],
  );
  return { items, total: items.length };
}

/** @throws {Refusal} VALIDATION for somebody who may not teach */
async function checkColleagues(client: Client, shares: readonly Share[], before: Set<string>) {
  const added = shares.filter(({ userId }) => !before.has(userId));
  const found = await rows<{ id: string }>(
    client,
    `select id from users where id = any($1) and role <> ${ROLE.student} and erased_at is null
     for key share`,
    [added.map(({ userId }) => userId)],
  );
  if (found.length < added.length)
    throw invalid([
      {
        field: 'shares',
        message: 'Открыть доступ можно только преподавателю. Уберите из списка остальных',
      },
    ]);
}

/** On the test; a class and a bank are no subjects of the log, so on the colleague there. */
function actOnShare(
  { kind, id }: Shared,
  { userId, level }: Share,
  { actorId, act }: Pick<Act, 'actorId' | 'act'>,
): Act {
  const details = { of: kind, level };
  return kind === 'test'
    ? { ...actOn('test', id, { actorId, act, details }), personId: userId }
    : actOn('user', userId, { actorId, act, details: { ...details, id } });
}

/**
 * Replaces the colleagues as a set, and logs who got and who lost access.
 * @param lock locks what is shared and returns its owner; throws for a caller who may not share it
 */
export function replaceShares(
  deps: Deps,
  shared: Shared,
  shares: readonly Share[],
  { actorId, now }: { actorId: string; now: Date },
  lock: (client: PoolClient) => Promise<string>,
): Promise<{ items: Colleague[]; total: number }> {
  const { kind, id } = shared;
  const [table, column] = TABLES[kind];
  return transaction(deps.pool, async (client) => {
    await lockCaller(client, actorId);
    const ownerId = await lock(client);
    const wanted = shares.filter(({ userId }) => userId !== ownerId);
    const before = (await readShares(client, shared)).items;
    await checkColleagues(client, wanted, new Set(before.map(({ userId }) => userId)));
    const levels = new Map(before.map(({ userId, level }) => [userId, level]));
    const given = wanted.filter(({ userId, level }) => levels.get(userId) !== level);
    const kept = new Set(wanted.map(({ userId }) => userId));
    const taken = before.filter(({ userId }) => !kept.has(userId));
    await execute(client, `delete from ${table} where ${column} = $1 and user_id = any($2)`, [
      id,
      taken.map(({ userId }) => userId),
    ]);
    await execute(
      client,
      `insert into ${table} (${column}, user_id, level, created_at)
       select $1, row.user_id, row.level, $2 from unnest($3::uuid[], $4::text[]) as row (user_id, level)
       on conflict (${column}, user_id) do update set level = excluded.level`,
      [id, now, given.map(({ userId }) => userId), given.map(({ level }) => level)],
    );
    const acts = [
      ...given.map((share) => actOnShare(shared, share, { actorId, act: 'accessGiven' })),
      ...taken.map((share) => actOnShare(shared, share, { actorId, act: 'accessTaken' })),
    ];
    if (acts.length > 0) await recordActs(client, deps, acts, now);
    return readShares(client, shared);
  });
}
