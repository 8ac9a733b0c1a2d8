import type { Answer } from '#contract/answers.ts';
import type { GradingEntry, listGrading } from '#contract/grading.ts';
import type { Question } from '#contract/questions.ts';
import type { QueryOf, ReplyOf } from '#contract/route.ts';
import { scoreItem } from '#domain/scoring.ts';
import { nameKey } from '#server/db/name-order.ts';
import { one, rows, type Client } from '#server/db/query.ts';
import { loadContent } from '#server/passing/content.ts';
import { unlessTrial } from '#server/passing/trial.ts';
import { isAnsweredSql } from '#server/db/answered-sql.ts';
import { countMissing } from './missing.ts';
import { countTrials, groupNames, inGroup, type OfClass, type TaughtTest } from './taught-test.ts';

type Query = QueryOf<typeof listGrading>;

/**
 * Every answer of every ended attempt of test $1, class $2; a grade applies only to the answer it was given to.
 * Attempts bring the questions they pin. Of trials those of attempt $4 alone, unless $6.
 */
const ENTRIES = `
with items as (
  select c.id as content_id, q.number, q.question, (q.question ->> 'questionId')::uuid as question_id,
    case when q.question ? 'credit' then false when q.question ->> 'kind' = 'file' then true
      when q.question ->> 'kind' = 'open' then jsonb_array_length(q.question -> 'accepted') = 0 else false end as by_hand
  from test_contents c
    cross join lateral jsonb_array_elements(c.questions) with ordinality q (question, number)
  where c.id in (select content_id from attempts where test_id = $1 and deleted_at is null)
), entries as (
  select x.id as attempt_id, x.number as attempt_number, x.trial, x.user_id, u.user_name, i.question_id,
    i.number, i.question, a.operation_id, a.body, a.received_at, a.received_late,
    g.points, g.comment, g.graded_by, g.graded_at, ${isAnsweredSql('a.body')} as answered,
    i.by_hand and ${isAnsweredSql('a.body')} and g.attempt_id is null as pending
  from attempts x join users u on u.id = x.user_id join items i on i.content_id = x.content_id
    left join answers a on a.attempt_id = x.id and a.question_id = i.question_id
    left join grades g on g.attempt_id = x.id and g.question_id = i.question_id
      and g.operation_id is not distinct from a.operation_id
  where x.test_id = $1 and x.ended is not null and x.deleted_at is null
    and ${inGroup('x.user_id', '$2')} and (${unlessTrial('$6')} or x.id = $4)
)`;

const WANTED = `($3::uuid is null or question_id = $3) and ($4::uuid is null or attempt_id = $4)
  and ($5 = 'all' or pending)`;

interface Row {
  readonly attemptId: string;
  readonly attemptNumber: number;
  readonly trial: boolean;
  readonly userId: string;
  readonly userName: string;
  readonly groups: string[];
  readonly number: number;
  readonly question: Question;
  readonly operationId: string | null;
  readonly body: Answer | null;
  readonly receivedAt: Date | null;
  readonly receivedLate: boolean | null;
  readonly points: number | null;
  readonly comment: string | null;
  readonly grader: string | null;
  readonly gradedAt: Date | null;
  readonly reason: string | null;
}

function entryOf(row: Row): GradingEntry {
  const { question, body } = row;
  const points = row.grader === null ? undefined : (row.points ?? undefined);
  const given = scoreItem(question, body ?? undefined, points);
  const byKey = scoreItem(question, body ?? undefined, undefined);
  return {
    attemptId: row.attemptId,
    attemptNumber: row.attemptNumber,
    trial: row.trial,
    userId: row.userId,
    userName: row.userName,
    groups: row.groups,
    questionId: question.questionId,
    question,
    number: row.number,
    operationId: row.operationId,
    answer: body,
    receivedAt: row.receivedAt?.toISOString() ?? null,
    receivedLate: row.receivedLate ?? false,
    points: given.kind === 'graded' ? given.points : null,
    maxPoints: question.points,
    gradedBy: points === undefined ? (given.kind === 'graded' ? 'key' : 'nobody') : 'person',
    keyPoints: byKey.kind === 'graded' ? byKey.points : null,
    comment: points === undefined ? '' : (row.comment ?? ''),
    reason: points === undefined ? '' : (row.reason ?? ''),
    grader: row.grader,
    gradedAt: row.gradedAt?.toISOString() ?? null,
  };
}

function loadEntries(db: Client, test: TaughtTest, query: Query): Promise<Row[]> {
  const { groupId, questionId, attemptId, show, trials, page, pageSize } = query;
  return rows<Row>(
    db,
    `${ENTRIES}
     select e.attempt_id as "attemptId", e.attempt_number as "attemptNumber", e.trial, e.user_id as "userId",
       e.user_name as "userName", ${groupNames('e.user_id', '$7')} as groups, e.number, e.question,
       e.operation_id as "operationId", e.body, e.received_at as "receivedAt",
       e.received_late as "receivedLate", e.points, e.comment, b.user_name as grader,
       e.graded_at as "gradedAt", (
         select l.reason from grade_changes l
         where l.attempt_id = e.attempt_id and l.question_id = e.question_id
         order by l.id desc limit 1
       ) as reason
     from entries e left join users b on b.id = e.graded_by
     where ${WANTED}
     order by e.number, ${nameKey('e.user_name')}, e.user_id, e.attempt_number, e.question_id
     limit $8 offset $9`,
    [
      test.id,
      groupId ?? null,
      questionId ?? null,
      attemptId ?? null,
      show,
      trials === '1',
      test.ownerId,
      pageSize,
      (page - 1) * pageSize,
    ],
  );
}

interface Count {
  readonly questionId: string;
  readonly pending: number;
  readonly answered: number;
  readonly wanted: number;
  /** The question as some attempt has it, when the newest content no longer does. */
  readonly question: Question;
}

function countEntries(db: Client, test: TaughtTest, query: Query): Promise<Count[]> {
  const { groupId, questionId, attemptId, show, trials } = query;
  return rows<Count>(
    db,
    `${ENTRIES}, counts as (
       select question_id, min(number) as number, count(*) filter (where pending) as pending,
         count(*) filter (where answered) as answered, count(*) filter (where ${WANTED}) as wanted
       from entries group by question_id
     )
     select question_id as "questionId", pending, answered, wanted, (
         select i.question from items i where i.question_id = counts.question_id
         order by i.content_id desc limit 1
       ) as question
     from counts order by number, question_id`,
    [test.id, groupId ?? null, questionId ?? null, attemptId ?? null, show, trials === '1'],
  );
}

/** Undecided held answers in attempts of the test that are not deleted. */
async function countHeld(
  db: Client,
  test: TaughtTest,
  { groupId, trials }: OfClass,
): Promise<number> {
  const held = await one<{ count: number }>(
    db,
    `select count(*) as count from attempts x
       join operations o on o.attempt_id = x.id and o.outcome = 'held' and o.kind = 'answer'
     where x.test_id = $1 and x.deleted_at is null and o.decision is null
       and ${inGroup('x.user_id', '$2')} and ${unlessTrial('$3')}`,
    [test.id, groupId ?? null, trials === '1'],
  );
  return held?.count ?? 0;
}

/** The grading queue of a test: one page, and the number of waiting answers for each question. */
export async function gradingQueue(
  db: Client,
  test: TaughtTest,
  query: Query,
  now: Date,
): Promise<ReplyOf<typeof listGrading>> {
  const counts = await countEntries(db, test, query);
  const byId = new Map(counts.map((count) => [count.questionId, count]));
  const newest = test.contentId === null ? null : await loadContent(db, test.contentId);
  const older = counts.filter((count) => !newest?.byId.has(count.questionId));
  const questions = [...(newest?.questions ?? []), ...older.map((count) => count.question)];
  return {
    items: (await loadEntries(db, test, query)).map(entryOf),
    total: counts.reduce((sum, count) => sum + count.wanted, 0),
    title: test.name,
    questions: questions.map((question, index) => ({
      question,
      number: index + 1,
      pending: byId.get(question.questionId)?.pending ?? 0,
      answered: byId.get(question.questionId)?.answered ?? 0,
    })),
    held: await countHeld(db, test, query),
    trials: await countTrials(db, test.id, query.groupId ?? null),
    missing: await countMissing(db, test, query, now),
  };
}
