import type { PoolClient } from 'pg';
import type { Answer } from '#contract/answers.ts';
import type { Question } from '#contract/questions.ts';
import { countingAnswers } from '#domain/order.ts';
import { scoreAttempt, type AttemptScore } from '#domain/scoring.ts';
import { execute, rows, type Client } from '#server/db/query.ts';
import type { Attempt } from './attempt.ts';
import { loadContent } from './content.ts';
import { loadGrades, type Grade } from './grades.ts';
import { OPERATION_COLUMNS, type Operation } from './journal.ts';

type CountedOperation = Operation & { questionId: string };

/** Makes an operation the answer that counts; false: a greater one exists already. */
export async function applyAnswer(client: PoolClient, operation: Operation): Promise<boolean> {
  const applied = await execute(
    client,
    `insert into answers (attempt_id, question_id, operation_id, epoch, sequence, rank, ordinal, body,
       received_late, received_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (attempt_id, question_id) do update set
       operation_id = excluded.operation_id, epoch = excluded.epoch, sequence = excluded.sequence,
       rank = excluded.rank, ordinal = excluded.ordinal, body = excluded.body,
       received_late = excluded.received_late, received_at = excluded.received_at
     where (answers.epoch, answers.rank, answers.ordinal)
         < (excluded.epoch, excluded.rank, excluded.ordinal)`,
    [
      operation.attemptId,
      operation.questionId,
      operation.id,
      operation.epoch,
      operation.sequence,
      operation.rank,
      operation.ordinal,
      JSON.stringify(operation.body),
      operation.receivedLate,
      operation.receivedAt,
    ],
  );
  return applied > 0;
}

/** Marks a stored answer as superseded by the one that counts (server rule 3). */
async function supersede(db: Client, attemptId: string, id: string): Promise<void> {
  await execute(
    db,
    `update operations set outcome = 'superseded'
     where attempt_id = $1 and id = $2 and outcome = 'stored'`,
    [attemptId, id],
  );
}

/** Applies a stored answer; a lesser one becomes superseded. The write itself decides, not an earlier read. */
export async function applyStored(client: PoolClient, operation: Operation): Promise<Operation> {
  if (await applyAnswer(client, operation)) return operation;
  await supersede(client, operation.attemptId, operation.id);
  return { ...operation, outcome: 'superseded' };
}

/** Rebuilds the answers that count from the journal, after decisions or a moved deadline. */
export async function rebuildAnswers(client: PoolClient, attemptId: string): Promise<void> {
  const journal = await countingOperations(client, [attemptId], null, [MAY_COUNT.withLate]);
  await client.query('delete from answers where attempt_id = $1', [attemptId]);
  for (const operation of countingAnswers(journal, 'withLate').values()) {
    await applyAnswer(client, {
      ...operation,
      receivedLate: operation.receivedLate || operation.outcome === 'held',
    });
  }
}

const RECEIVED = `outcome in ('stored', 'superseded')`;

/** Which journalled answers may count: `domain/order.ts` in SQL. */
const MAY_COUNT = {
  withLate: `(${RECEIVED} or (outcome = 'held' and decision = 'accepted'))`,
  withoutLate: `(${RECEIVED} and not received_late)`,
  /** If every held answer were accepted. */
  accepted: `outcome <> 'refused'`,
  /** If every held answer were refused. */
  refused: RECEIVED,
} as const;

/** The conditions for both marks of an attempt. */
const MARKS = [MAY_COUNT.withLate, MAY_COUNT.withoutLate];
/** The same, and the marks by either decision on the held answers. */
export const MARKS_BY_DECISION = [...MARKS, MAY_COUNT.accepted, MAY_COUNT.refused];

/**
 * For each question the journalled answer that counts under each condition; of several attempts, for one
 * question or all. Uses the index operations_question, so its cost does not grow with the journal.
 */
function countingOperations(
  db: Client,
  attemptIds: readonly string[],
  questionId: string | null,
  conditions: readonly string[],
): Promise<CountedOperation[]> {
  const greatest = conditions.map(
    (condition) => `(
      select distinct on (attempt_id, question_id) attempt_id, id from operations
      where attempt_id = any($1) and ($2::uuid is null or question_id = $2)
        and question_id is not null and kind = 'answer' and ${condition}
      order by attempt_id, question_id, epoch desc, rank desc, ordinal desc)`,
  );
  return rows<CountedOperation>(
    db,
    `select ${OPERATION_COLUMNS} from operations
     where attempt_id = any($1) and (attempt_id, id) in (${greatest.join(' union ')})
     order by ordinal`,
    [attemptIds, questionId],
  );
}

/** The input of an attempt's mark: journalled answers that may count, and manual grades. */
export interface MarkEvidence {
  readonly journal: readonly CountedOperation[];
  readonly grades: readonly Grade[];
}

/**
 * Evidence of several attempts by two queries, by attempt id; for one question or all.
 * @param conditions under which of them an answer may count, `MARKS` or `MARKS_BY_DECISION`
 */
export async function loadEvidence(
  db: Client,
  attemptIds: readonly string[],
  questionId: string | null = null,
  conditions: readonly string[] = MARKS,
): Promise<Map<string, MarkEvidence>> {
  const found = new Map(
    attemptIds.map((id) => [id, { journal: [] as CountedOperation[], grades: [] as Grade[] }]),
  );
  for (const operation of await countingOperations(db, attemptIds, questionId, conditions))
    found.get(operation.attemptId)?.journal.push(operation);
  for (const grade of await loadGrades(db, attemptIds))
    found.get(grade.attemptId)?.grades.push(grade);
  return found;
}

/** The stored sums of an attempt. */
export interface AttemptMark {
  readonly points: number;
  readonly withoutLate: number;
  readonly gradedMax: number;
}

export function markOf({ withLate, withoutLate }: AttemptMarks): AttemptMark {
  return {
    points: withLate.points,
    withoutLate: withoutLate.points,
    gradedMax: withLate.gradedMax,
  };
}

export interface AttemptMarks {
  readonly withLate: AttemptScore;
  readonly withoutLate: AttemptScore;
  readonly answers: ReadonlyMap<string, Answer>;
  /** The manual grades in force, by question id. */
  readonly comments: ReadonlyMap<string, string>;
}

/** Both marks of an attempt by the pure rules (server rule 10). */
export function marksFrom(
  questions: readonly Question[],
  { journal, grades }: MarkEvidence,
): AttemptMarks {
  const markBy = (late: 'withLate' | 'withoutLate') => {
    const counting = countingAnswers(journal, late);
    const answers = new Map([...counting].map(([id, operation]) => [id, operation.body as Answer]));
    // A grade applies to the answer it was given to, never to one that replaced it.
    const standing = grades.filter(
      (grade) => grade.operationId === (counting.get(grade.questionId)?.id ?? null),
    );
    const points = new Map(standing.map((grade) => [grade.questionId, grade.points]));
    return { answers, standing, score: scoreAttempt(questions, answers, points) };
  };
  const { answers, standing, score } = markBy('withLate');
  return {
    withLate: score,
    withoutLate: markBy('withoutLate').score,
    answers,
    comments: new Map(standing.map((grade) => [grade.questionId, grade.comment])),
  };
}

/** Both marks of an attempt, from the journal. */
export async function computeMarks(db: Client, attempt: Attempt): Promise<AttemptMarks> {
  const content = await loadContent(db, attempt.contentId);
  const evidence = (await loadEvidence(db, [attempt.id])).get(attempt.id);
  return marksFrom(content.questions, evidence ?? { journal: [], grades: [] });
}

/** Computes and stores the mark of an ended attempt and logs a change. */
export async function rescore(
  client: PoolClient,
  attempt: Attempt,
  reason: string,
  at: Date,
  actorId: string | null = null,
): Promise<number> {
  const marks = await computeMarks(client, attempt);
  await storeMarks(client, new Map([[attempt.id, markOf(marks)]]), { reason, at, actorId });
  return marks.withLate.points;
}

/** The reason, time and author of a change of marks; null: not by a person. */
interface MarkChangeReason {
  readonly reason: string;
  readonly at: Date;
  readonly actorId: string | null;
}

/** Stores marks by attempt id, in the order of ids, and logs those that change. */
export async function storeMarks(
  client: PoolClient,
  marks: ReadonlyMap<string, AttemptMark>,
  { reason, at, actorId }: MarkChangeReason,
): Promise<void> {
  const ids = [...marks.keys()].toSorted();
  const of = (pick: (each: AttemptMark) => number) =>
    ids.map((id) => {
      const each = marks.get(id);
      return each ? pick(each) : 0;
    });
  const points = of((each) => each.points);
  await client.query('select 1 from attempts where id = any($1) order by id for update', [ids]);
  await execute(
    client,
    `with given as (
       select * from unnest($1::uuid[], $2::numeric[]) as g (id, points)
     )
     insert into score_changes (attempt_id, at, reason, actor_id, old_points, new_points)
     select x.id, $3, $4, $5, x.points, given.points
     from given join attempts x on x.id = given.id
     where x.points is distinct from given.points order by x.id`,
    [ids, points, at, reason, actorId],
  );
  await execute(
    client,
    `update attempts x set points = g.points, points_without_late = g.without_late,
       graded_max = g.graded_max
     from unnest($1::uuid[], $2::numeric[], $3::numeric[], $4::numeric[])
       as g (id, points, without_late, graded_max)
     where x.id = g.id`,
    [ids, points, of((each) => each.withoutLate), of((each) => each.gradedMax)],
  );
}

/** A change of a mark; null points: none. */
interface MarkChange {
  readonly at: Date;
  readonly reason: string;
  readonly actorId: string | null;
  readonly oldPoints: number | null;
  readonly newPoints: number | null;
}

/** Logs a change of a mark with the old one; an equal mark is no change (server rule 10). */
export async function logChange(
  client: PoolClient,
  attemptId: string,
  { at, reason, actorId, oldPoints, newPoints }: MarkChange,
): Promise<void> {
  if (oldPoints === newPoints) return;
  await execute(
    client,
    `insert into score_changes (attempt_id, at, reason, actor_id, old_points, new_points)
     values ($1, $2, $3, $4, $5, $6)`,
    [attemptId, at, reason, actorId, oldPoints, newPoints],
  );
}
