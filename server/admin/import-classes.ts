import type { PoolClient } from 'pg';
import { MAX_GROUP_MEMBERS } from '#contract/limits.ts';
import { classKey } from '#domain/class-names.ts';
import { execute, rows, type Client } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { freeJoinCode } from '#server/groups/join-codes.ts';
import { lockPlaces } from '#server/groups/joining.ts';
import { Refusal } from '#server/http/refusal.ts';
import type { JudgedRow } from './import-rows.ts';

const CLASSES_LOCK = 4_071_805_325;

/** A class that exists. */
interface KnownClass {
  readonly id: string;
  readonly memberCount: number;
}

/** Classes by the key of their name. */
type KnownClasses = ReadonlyMap<string, readonly KnownClass[]>;

export async function readClasses(db: Client): Promise<KnownClasses> {
  const found = await rows<KnownClass & { name: string }>(
    db,
    `select g.id, g.name,
       (select count(*) from group_members m where m.group_id = g.id) as "memberCount"
     from groups g`,
  );
  const known = new Map<string, KnownClass[]>();
  for (const { name, ...one } of found) {
    const key = classKey(name);
    known.set(key, [...(known.get(key) ?? []), one]);
  }
  return known;
}

const wrong = ({ line }: JudgedRow, message: string): JudgedRow => ({
  line,
  problems: [{ field: 'className', message }],
  good: null,
});

/** Adds the problems of classes: several with one name, and full ones. */
export function judgeClasses(judged: readonly JudgedRow[], known: KnownClasses): JudgedRow[] {
  const joining = new Map<string, number>();
  return judged.map((row) => {
    const name = row.good?.className;
    if (name === null || name === undefined) return row;
    const key = classKey(name);
    const [found, ...others] = known.get(key) ?? [];
    if (others.length > 0)
      return wrong(
        row,
        `Классов «${name}» несколько, у разных преподавателей. Оставьте класс пустым и добавьте ученика на странице нужного класса`,
      );
    const count = (joining.get(key) ?? found?.memberCount ?? 0) + 1;
    if (count > MAX_GROUP_MEMBERS)
      return wrong(row, `В классе «${name}» уже ${MAX_GROUP_MEMBERS} учеников, больше нельзя`);
    joining.set(key, count);
    return row;
  });
}

/** Serializes imports, so that two imports that name a new class create it once. */
export const lockClasses = (client: PoolClient): Promise<number> =>
  execute(client, 'select pg_advisory_xact_lock($1)', [CLASSES_LOCK]);

export interface NewMember {
  readonly userId: string;
  readonly className: string | null;
}

interface Assigner {
  readonly actorId: string;
  readonly now: Date;
}

/**
 * Adds new students to their classes and creates missing classes.
 * @throws {Refusal} GROUP_FULL when the class became full meanwhile
 */
export async function assignClasses(
  client: PoolClient,
  deps: Deps,
  people: readonly NewMember[],
  { actorId, now }: Assigner,
): Promise<void> {
  const byClass = new Map<string, { name: string; userIds: string[] }>();
  for (const { userId, className } of people) {
    if (className === null) continue;
    const key = classKey(className);
    const named = byClass.get(key) ?? { name: className, userIds: [] };
    byClass.set(key, { ...named, userIds: [...named.userIds, userId] });
  }
  if (byClass.size === 0) return;
  const known = await readClasses(client);
  for (const [key, { name, userIds }] of byClass) {
    const [found] = known.get(key) ?? [];
    const groupId = found?.id ?? deps.newId();
    if (!found) {
      await execute(
        client,
        'insert into groups (id, name, owner_id, join_code, created_at) values ($1, $2, $3, $4, $5)',
        [groupId, name, actorId, await freeJoinCode(client), now],
      );
    }
    if ((await lockPlaces(client, groupId)) < userIds.length) throw new Refusal('GROUP_FULL');
    await execute(
      client,
      `insert into group_members (group_id, user_id, via, added_by, added_by_admin, added_at)
       select $1, member.id, 'picked', $3, true, $4 from unnest($2::uuid[]) as member(id)`,
      [groupId, userIds, actorId, now],
    );
  }
}
