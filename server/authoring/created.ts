import type { CreatedTest, ListCreatedQuery } from '#contract/authoring.ts';
import type { AccessLevel, ShareLevel } from '#contract/sharing.ts';
import type { TestOrder } from '#contract/tests.ts';
import { ROLE } from '#contract/auth.ts';
import { reaches } from '#domain/access-level.ts';
import { difficultyLabel, subjectLabel } from '#domain/labels.ts';
import type { AuthenticatedUser } from '#server/auth/caller.ts';
import { one, rows, type Client } from '#server/db/query.ts';
import { folded, wordPatterns } from '#server/db/search.ts';
import { isAnsweredSql } from '#server/db/answered-sql.ts';
import { levelOf, sharedAsSql } from '#server/tests/level.ts';

interface Row {
  readonly id: string;
  readonly owner: string;
  readonly ownerId: string;
  readonly sharedAs: ShareLevel | null;
  readonly title: string;
  readonly theme: string;
  readonly difficulty: string;
  readonly startTime: Date | null;
  readonly endTime: Date | null;
  readonly maxPoints: number;
  readonly lifecycle: CreatedTest['lifecycle'];
  readonly version: number;
  readonly totalQuestions: number;
  readonly attempts: number;
  readonly trialAttempts: number;
  readonly runningAttempts: number;
  readonly pendingGrades: number;
  readonly heldAnswers: number;
  readonly updatedAt: Date;
}

const ORDER: Readonly<Record<TestOrder, string>> = {
  new: 't.created_at desc',
  name: folded('t.name'),
  deadline: 't.end_time nulls last',
  points: 'coalesce(c.max_points, 0) desc',
};

const FILTER = `
from tests t join users u on u.id = t.owner_id left join test_contents c on c.id = t.content_id
where ($1::uuid is null or t.owner_id = $1 or t.id in (select test_id from test_shares where user_id = $1))
  and ${folded(`concat_ws(' ', t.name, u.user_name, t.topic)`)} like all ($2::text[])
  and ($3::text is null or t.theme = $3) and ($4::text is null or t.lifecycle = $4)
  and (not $5 or t.lifecycle <> 'archived'
    and ($6::uuid is null or t.owner_id = $6 or ${sharedAsSql('$6')} = 'edit'))`;

/** Ungraded answers in ended attempts that only a person can grade. */
const PENDING = `
select count(*) from attempts x
  join test_contents k on k.id = x.content_id
  join answers a on a.attempt_id = x.id
  cross join lateral jsonb_array_elements(k.questions) q
where x.test_id = page.id and x.deleted_at is null and not x.trial and x.ended is not null
  and x.graded_max is distinct from k.max_points
  and q ->> 'questionId' = a.question_id::text
  and not q ? 'credit' and (q ->> 'kind' = 'file' or q ->> 'kind' = 'open' and q -> 'accepted' = '[]')
  and ${isAnsweredSql('a.body')}
  and not exists (
    select 1 from grades g where g.attempt_id = x.id and g.question_id = a.question_id
      and g.operation_id = a.operation_id)`;

const HELD = `
select count(*) from operations o join attempts x on x.id = o.attempt_id
where x.test_id = page.id and x.deleted_at is null and not x.trial
  and o.outcome = 'held' and o.kind = 'answer' and o.decision is null`;

const toItem = (row: Row, level: AccessLevel, isOwn: boolean): CreatedTest => ({
  id: row.id,
  level,
  isOwn,
  owner: row.owner,
  title: row.title,
  theme: row.theme,
  subject: subjectLabel(row.theme),
  difficulty: difficultyLabel(row.difficulty),
  startDate: row.startTime?.toISOString() ?? null,
  endDate: row.endTime?.toISOString() ?? null,
  totalPoints: row.maxPoints,
  currentPoints: null,
  status: row.lifecycle,
  running: null,
  lifecycle: row.lifecycle,
  version: row.version,
  totalQuestions: row.totalQuestions,
  attempts: row.attempts,
  trialAttempts: row.trialAttempts,
  runningAttempts: row.runningAttempts,
  // Only those who may grade see the work.
  pendingGrades: reaches(level, 'grade') ? row.pendingGrades : 0,
  heldAnswers: reaches(level, 'grade') ? row.heldAnswers : 0,
  updatedAt: row.updatedAt.toISOString(),
});

/** A page of the caller's own and shared tests, archived ones last. Admins may request everyone's. */
export async function listCreated(
  db: Client,
  caller: AuthenticatedUser,
  query: ListCreatedQuery,
  now: Date,
): Promise<{ items: CreatedTest[]; total: number }> {
  const isEveryones = query.everyones === '1' && caller.role === ROLE.admin;
  const filter = [
    isEveryones ? null : caller.userId,
    wordPatterns(query.searchQuery),
    query.subject ?? null,
    query.status ?? null,
    query.editable === '1',
    caller.role === ROLE.admin ? null : caller.userId,
  ];
  const found = await one<{ total: number }>(db, `select count(*) as total ${FILTER}`, filter);
  const items = await rows<Row>(
    db,
    `with page as (
       select row_number() over (order by (t.lifecycle = 'archived'), ${ORDER[query.sortOrder]}, t.id desc) as place,
         t.id, t.owner_id as "ownerId", u.user_name as owner, ${sharedAsSql('$10')} as "sharedAs", t.name as title, t.theme, t.difficulty,
         t.start_time as "startTime", t.end_time as "endTime",
         coalesce(c.max_points, 0) as "maxPoints", t.lifecycle, t.version,
         coalesce(c.asked, jsonb_array_length(c.questions), 0) as "totalQuestions",
         t.updated_at as "updatedAt"
       ${FILTER} order by place limit $7 offset $8
     )
     select page.*, made.attempts, made.trials as "trialAttempts", made.running as "runningAttempts",
       (${PENDING}) as "pendingGrades", (${HELD}) as "heldAnswers"
     from page cross join lateral (
       select count(*) as attempts, count(*) filter (where x.trial) as trials,
         count(*) filter (where not x.trial and x.ended is null and x.deadline > $9) as running
       from attempts x where x.test_id = page.id and x.deleted_at is null
     ) made order by page.place`,
    [...filter, query.pageSize, (query.page - 1) * query.pageSize, now, caller.userId],
  );
  return {
    items: items.map((row) =>
      toItem(row, levelOf(caller, row) ?? 'results', row.ownerId === caller.userId),
    ),
    total: found?.total ?? 0,
  };
}
