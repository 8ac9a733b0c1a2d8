import type { PoolClient } from 'pg';
import { ROLE } from '#contract/auth.ts';
import type { UpdateTestInput } from '#contract/authoring.ts';
import type { AuthenticatedUser } from '#server/auth/caller.ts';
import { execute, rows } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { isSharedGroup } from '#server/groups/access.ts';
import type { FieldMessage } from '#server/http/refusal.ts';

const PERSON_GONE = 'Ученика больше нет: уберите его из списка';
const GROUP_GONE = 'Класса больше нет, или он не ваш: уберите его из списка';

type Terms = NonNullable<UpdateTestInput['personalTerms']>;

async function goneUsers(client: PoolClient, ids: readonly string[]): Promise<Set<string>> {
  const found = await rows<{ id: string }>(
    client,
    'select id from users where id = any($1) and erased_at is null for key share',
    [ids],
  );
  const known = new Set(found.map(({ id }) => id));
  return new Set(ids.filter((id) => !known.has(id)));
}

/** Groups that the caller cannot assign: deleted, or neither own nor shared nor assigned before. Locks the rest. */
async function goneGroups(
  client: PoolClient,
  caller: AuthenticatedUser,
  testId: string,
  ids: readonly string[],
): Promise<string[]> {
  const found = await rows<{ id: string }>(
    client,
    `select g.id from groups g where g.id = any($1) and ($2 or g.owner_id = $3
       or ${isSharedGroup('$3')}
       or exists (select 1 from assignments a where a.test_id = $4 and a.group_id = g.id))
     for key share of g`,
    [ids, caller.role === ROLE.admin, caller.userId, testId],
  );
  const known = new Set(found.map(({ id }) => id));
  return ids.filter((id) => !known.has(id));
}

/** Assignments and personal terms for people and groups that do not exist, by field. */
export async function assignmentProblems(
  client: PoolClient,
  caller: AuthenticatedUser,
  change: UpdateTestInput,
): Promise<FieldMessage[]> {
  const users = change.assignedUserIds ?? [];
  const terms = change.personalTerms ?? [];
  const gone = await goneUsers(client, [...users, ...terms.map(({ userId }) => userId)]);
  const groups = await goneGroups(client, caller, change.id, change.assignedGroupIds ?? []);
  return [
    ...(users.some((id) => gone.has(id))
      ? [{ field: 'assignedUserIds', message: PERSON_GONE }]
      : []),
    ...(groups.length > 0 ? [{ field: 'assignedGroupIds', message: GROUP_GONE }] : []),
    ...terms.flatMap(({ userId }, index) =>
      gone.has(userId) ? [{ field: `personalTerms.${index}.userId`, message: PERSON_GONE }] : [],
    ),
  ];
}

interface AssignmentRow {
  readonly testId: string;
  readonly column: 'user_id' | 'group_id';
  readonly ids: readonly string[];
  readonly now: Date;
}

/** Replaces a test's assignments to persons or groups as a set. Unchanged assignments retain their row. */
export async function replaceAssigned(
  client: PoolClient,
  deps: Deps,
  { testId, column, ids, now }: AssignmentRow,
): Promise<void> {
  await execute(
    client,
    `delete from assignments where test_id = $1 and ${column} is not null and ${column} <> all($2)`,
    [testId, ids],
  );
  const distinct = [...new Set(ids)];
  await execute(
    client,
    `insert into assignments (id, test_id, ${column}, created_at)
     select row.id, $1, row.target, $2
     from unnest($3::uuid[], $4::uuid[]) as row (id, target)
     on conflict (test_id, ${column}) do nothing`,
    [testId, now, distinct.map(() => deps.newId()), distinct],
  );
}

/** Replaces everybody's personal time, attempts and dates as a set. The deadlines of running attempts stay. */
export async function replacePersonalTerms(
  client: PoolClient,
  testId: string,
  terms: Terms,
): Promise<void> {
  await execute(client, 'delete from personal_terms where test_id = $1', [testId]);
  await execute(
    client,
    `insert into personal_terms (test_id, user_id, extra_seconds, attempts_count, start_time, end_time)
     select $1, row.user_id, row.extra, row.attempts, row.start_time, row.end_time
     from unnest($2::uuid[], $3::int[], $4::int[], $5::timestamptz[], $6::timestamptz[])
       as row (user_id, extra, attempts, start_time, end_time)`,
    [
      testId,
      terms.map(({ userId }) => userId),
      terms.map(({ extraMinutes }) => extraMinutes * 60),
      terms.map(({ attemptsCount }) => attemptsCount),
      terms.map(({ startTestTime }) => startTestTime),
      terms.map(({ endTestTime }) => endTestTime),
    ],
  );
}
