import type { listMissing } from '#contract/grading.ts';
import type { QueryOf, ReplyOf } from '#contract/route.ts';
import { nameKey } from '#server/db/name-order.ts';
import { one, rows, type Client } from '#server/db/query.ts';
import { isAnsweredSql } from '#server/db/answered-sql.ts';
import { ASSIGNED } from '#server/tests/people.ts';
import { unlessTrial } from '#server/passing/trial.ts';
import { inGroup, type OfClass, type TaughtTest } from './taught-test.ts';

/**
 * Known gaps in the answers of test $1, class $2, at time $3, in trials if $4: ended attempts with a device that
 * reported more operations than arrived, those the server closed, and those recreated after a restore; then operations
 * of attempts unknown to the database, by students of the test and to its questions.
 */
const KNOWN = `
with gaps as (
  select s.attempt_id, sum(s.head - came.count) as missing,
    max(s.head_at) filter (where s.head > came.count) as missing_at
  from attempts x join streams s on s.attempt_id = x.id
    cross join lateral (
      select count(*) as count from (
        select sequence from operations o
        where o.attempt_id = s.attempt_id and o.stream = s.id and o.sequence <= s.head
        union select sequence from spare_sequences p
        where p.attempt_id = s.attempt_id and p.stream = s.id and p.sequence <= s.head
      ) known
    ) came
  where x.test_id = $1 and x.deleted_at is null and ${unlessTrial('$4')}
    and (x.ended is not null or x.deadline <= $3)
  group by s.attempt_id
), known as (
  select x.id as attempt_id, x.user_id, x.number, x.ended, x.ended_at,
    coalesce(g.missing, 0) as missing, g.missing_at, 0 as stray, x.recovered_at, x.trial
  from attempts x left join gaps g on g.attempt_id = x.id
  where x.test_id = $1 and x.deleted_at is null and ${unlessTrial('$4')}
    and (x.ended = 'closed' or g.missing > 0 or x.recovered_at is not null)
), students as (${ASSIGNED}
  union select user_id from attempts where test_id = $1
), own_questions as (
  select distinct q.question ->> 'questionId' as id from test_contents c
    cross join lateral jsonb_array_elements(c.questions) as q (question) where c.test_id = $1
), strays as (
  select s.user_id, s.attempt_id, count(s.body ->> 'questionId') as stray, max(s.received_at) as at
  from stray_operations s join students p on p.user_id = s.user_id
  group by s.user_id, s.attempt_id
  having bool_or(s.body ->> 'questionId' in (select id from own_questions))
), found as (
  select attempt_id, user_id, number, ended, ended_at, missing, missing_at, stray, recovered_at, trial
    from known
  union all
  select null, user_id, null, null, null, 0, at, stray, null, false from strays
), listed as (
  select f.*, u.user_name from found f join users u on u.id = f.user_id
  where ${inGroup('f.user_id', '$2')}
)`;

/** How many entries `missingOf` has in all. */
export async function countMissing(
  db: Client,
  test: TaughtTest,
  { groupId, trials }: OfClass,
  now: Date,
): Promise<number> {
  const found = await one<{ count: number }>(db, `${KNOWN} select count(*) as count from listed`, [
    test.id,
    groupId ?? null,
    now,
    trials === '1',
  ]);
  return found?.count ?? 0;
}

interface Row {
  readonly attemptId: string | null;
  readonly userId: string;
  readonly userName: string;
  readonly attemptNumber: number | null;
  readonly end: 'finished' | 'closed' | null;
  readonly endedAt: Date | null;
  readonly answered: number;
  readonly totalQuestions: number;
  readonly lastSeenAt: Date | null;
  readonly missing: number;
  readonly missingAt: Date | null;
  readonly stray: number;
  readonly recoveredAt: Date | null;
  readonly trial: boolean;
}

/** One page, attempts with missing answers first. */
export async function missingOf(
  db: Client,
  test: TaughtTest,
  query: QueryOf<typeof listMissing>,
  now: Date,
): Promise<ReplyOf<typeof listMissing>> {
  const { groupId, trials, page, pageSize } = query;
  const found = await rows<Row>(
    db,
    `${KNOWN}
     select l.attempt_id as "attemptId", l.user_id as "userId", l.user_name as "userName",
       l.number as "attemptNumber", l.trial, l.ended as end, l.ended_at as "endedAt", l.missing,
       l.missing_at as "missingAt", l.stray, l.recovered_at as "recoveredAt",
       (select count(*) from answers a where a.attempt_id = l.attempt_id and ${isAnsweredSql('a.body')})
         as answered,
       coalesce((select jsonb_array_length(c.questions) from attempts x
         join test_contents c on c.id = x.content_id where x.id = l.attempt_id), 0)
         as "totalQuestions",
       (select max(s.last_heard_at) from streams s where s.attempt_id = l.attempt_id) as "lastSeenAt"
     from listed l
     order by l.stray > 0 desc, l.missing > 0 desc, l.recovered_at is null, ${nameKey('l.user_name')}, l.user_id, l.number
     limit $5 offset $6`,
    [test.id, groupId ?? null, now, trials === '1', pageSize, (page - 1) * pageSize],
  );
  return {
    items: found.map((row) => ({
      ...row,
      endedAt: row.endedAt?.toISOString() ?? null,
      lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
      missingAt: row.missingAt?.toISOString() ?? null,
      recoveredAt: row.recoveredAt?.toISOString() ?? null,
    })),
    total: await countMissing(db, test, query, now),
  };
}
