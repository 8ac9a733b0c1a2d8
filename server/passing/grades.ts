import type { PoolClient } from 'pg';
import { execute, one, rows, type Client } from '#server/db/query.ts';

/** Points given by a person, and the graded answer; null operation: there was none. */
export interface Grade {
  readonly attemptId: string;
  readonly questionId: string;
  readonly operationId: string | null;
  readonly points: number;
  readonly comment: string;
}

/** All grades of some attempts, including those of answers that no longer count. */
export async function loadGrades(db: Client, attemptIds: readonly string[]): Promise<Grade[]> {
  return rows<Grade>(
    db,
    `select attempt_id as "attemptId", question_id as "questionId", operation_id as "operationId",
       points, comment
     from grades where attempt_id = any($1)`,
    [attemptIds],
  );
}

/** A grade with its attempt. */
export interface GivenGrade extends Omit<Grade, 'attemptId' | 'questionId'> {
  readonly graderId: string;
  readonly grader: string;
  readonly gradedAt: Date;
}

export async function findGrade(
  db: Client,
  attemptId: string,
  questionId: string,
): Promise<GivenGrade | null> {
  return one<GivenGrade>(
    db,
    `select g.operation_id as "operationId", g.points, g.comment, g.graded_by as "graderId",
       u.user_name as grader, g.graded_at as "gradedAt"
     from grades g join users u on u.id = g.graded_by
     where g.attempt_id = $1 and g.question_id = $2`,
    [attemptId, questionId],
  );
}

/** Withdraws a grade: the key decides again, or the answer has no grade. */
export async function withdrawGrade(
  client: PoolClient,
  attemptId: string,
  questionId: string,
): Promise<void> {
  await execute(client, 'delete from grades where attempt_id = $1 and question_id = $2', [
    attemptId,
    questionId,
  ]);
}

/** Grades one answer; an answer that replaces it needs a grade of its own. */
export async function putGrade(
  client: PoolClient,
  grade: Grade & { readonly by: string; readonly at: Date },
): Promise<void> {
  await execute(
    client,
    `insert into grades (attempt_id, question_id, operation_id, points, comment, graded_by, graded_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (attempt_id, question_id) do update set operation_id = excluded.operation_id,
       points = excluded.points, comment = excluded.comment, graded_by = excluded.graded_by,
       graded_at = excluded.graded_at`,
    [
      grade.attemptId,
      grade.questionId,
      grade.operationId,
      grade.points,
      grade.comment,
      grade.by,
      grade.at,
    ],
  );
}

/** A change of a grade; null points: none. */
interface GradeChange {
  readonly attemptId: string;
  readonly questionId: string;
  readonly operationId: string | null;
  readonly at: Date;
  readonly actorId: string;
  readonly oldPoints: number | null;
  readonly newPoints: number | null;
  readonly comment: string;
  readonly reason: string;
}

/** Logs a grade that was given, changed or withdrawn, with the old one. */
export async function logGrade(client: PoolClient, change: GradeChange): Promise<void> {
  await execute(
    client,
    `insert into grade_changes (attempt_id, question_id, operation_id, at, actor_id, old_points,
       new_points, comment, reason)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      change.attemptId,
      change.questionId,
      change.operationId,
      change.at,
      change.actorId,
      change.oldPoints,
      change.newPoints,
      change.comment,
      change.reason,
    ],
  );
}
