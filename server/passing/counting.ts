import type { PoolClient } from 'pg';
import type { Answer } from '#contract/answers.ts';
import { countingAnswers } from '#domain/order.ts';
import { scoreAttempt, type AttemptScore } from '#domain/scoring.ts';
import { execute, one, type Client } from '#server/db/query.ts';
import type { Attempt } from './attempt.ts';
import { loadContent } from './content.ts';
import { loadGrades } from './grades.ts';
import { journalledAnswers, type Operation } from './journal.ts';

type Counted = Operation & { questionId: string };

/** Makes an operation the answer that counts; false: a greater one stands already. */
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

/** Journals that a stored answer is lesser than one that counts (server rule 3). */
async function supersede(db: Client, attemptId: string, id: string): Promise<void> {
  await execute(
    db,
    `update operations set outcome = 'superseded'
     where attempt_id = $1 and id = $2 and outcome = 'stored'`,
    [attemptId, id],
  );
}

/** Applies a stored answer; a lesser one becomes superseded. Judged by what is there, not by a look before. */
export async function applyStored(client: PoolClient, operation: Operation): Promise<Operation> {
  if (await applyAnswer(client, operation)) return operation;
  await supersede(client, operation.attemptId, operation.id);
  return { ...operation, outcome: 'superseded' };
}

/** Derives the answers that count from the journal again, after decisions or a moved deadline. */
export async function rebuildAnswers(client: PoolClient, attemptId: string): Promise<void> {
  const journal = (await journalledAnswers(client, attemptId)).filter(isCounted);
  await client.query('delete from answers where attempt_id = $1', [attemptId]);
  for (const operation of countingAnswers(journal, 'withLate').values()) {
    await applyAnswer(client, {
      ...operation,
      receivedLate: operation.receivedLate || operation.outcome === 'held',
    });
  }
}

function isCounted(operation: Operation): operation is Counted {
  return operation.questionId !== null;
}

export interface Marks {
  readonly withLate: AttemptScore;
  readonly withoutLate: AttemptScore;
  readonly answers: ReadonlyMap<string, Answer>;
  /** Of the grades that stand, by question id. */
  readonly comments: ReadonlyMap<string, string>;
}

/** Both marks of an attempt, from the journal by the pure rules (server rule 10). */
export async function computeMarks(db: Client, attempt: Attempt): Promise<Marks> {
  const content = await loadContent(db, attempt.contentId);
  const journal = (await journalledAnswers(db, attempt.id)).filter(isCounted);
  const grades = await loadGrades(db, attempt.id);
  const markBy = (late: 'withLate' | 'withoutLate') => {
    const counting = countingAnswers(journal, late);
    const answers = new Map([...counting].map(([id, operation]) => [id, operation.body as Answer]));
    // A grade is for the answer it was given to, never for one that came to count instead.
    const standing = grades.filter(
      (grade) => grade.operationId === (counting.get(grade.questionId)?.id ?? null),
    );
    const points = new Map(standing.map((grade) => [grade.questionId, grade.points]));
    return { answers, standing, score: scoreAttempt(content.questions, answers, points) };
  };
  const { answers, standing, score } = markBy('withLate');
  return {
    withLate: score,
    withoutLate: markBy('withoutLate').score,
    answers,
    comments: new Map(standing.map((grade) => [grade.questionId, grade.comment])),
  };
}

/** Computes and stores the mark of an ended attempt; a change of an older mark is logged. */
export async function rescore(
  client: PoolClient,
  attempt: Attempt,
  reason: string,
  at: Date,
  actorId: string | null = null,
): Promise<number> {
  const { withLate, withoutLate } = await computeMarks(client, attempt);
  const old = await one<{ points: number | null }>(
    client,
    'select points from attempts where id = $1 for update',
    [attempt.id],
  );
  await client.query(
    'update attempts set points = $2, points_without_late = $3, graded_max = $4 where id = $1',
    [attempt.id, withLate.points, withoutLate.points, withLate.gradedMax],
  );
  await logChange(client, attempt.id, {
    at,
    reason,
    actorId,
    oldPoints: old?.points ?? null,
    newPoints: withLate.points,
  });
  return withLate.points;
}

/** A change of a mark; null points: none. */
interface MarkChange {
  readonly at: Date;
  readonly reason: string;
  readonly actorId: string | null;
  readonly oldPoints: number | null;
  readonly newPoints: number | null;
}

/** Logs a change of a mark with the old one; what stays is no change (server rule 10). */
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
