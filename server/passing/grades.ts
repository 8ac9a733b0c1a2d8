import type { PoolClient } from 'pg';
import { execute, rows, type Client } from '#server/db/query.ts';

/** Points that a person gave, and for which answer; null operation: there was none. */
interface Grade {
  readonly questionId: string;
  readonly operationId: string | null;
  readonly points: number;
  readonly comment: string;
}

export async function loadGrades(db: Client, attemptId: string): Promise<Grade[]> {
  return rows<Grade>(
    db,
    `select question_id as "questionId", operation_id as "operationId", points, comment
     from grades where attempt_id = $1`,
    [attemptId],
  );
}

/** Withdraws a grade: the key decides again, or the answer waits for one. */
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

/** Grades the answer that counts now; another one that comes to count waits for a grade of its own. */
export async function putGrade(
  client: PoolClient,
  attemptId: string,
  grade: Omit<Grade, 'operationId'> & { readonly by: string; readonly at: Date },
): Promise<void> {
  await execute(
    client,
    `insert into grades (attempt_id, question_id, operation_id, points, comment, graded_by, graded_at)
     values ($1, $2, (select operation_id from answers where attempt_id = $1 and question_id = $2),
       $3, $4, $5, $6)
     on conflict (attempt_id, question_id) do update set operation_id = excluded.operation_id,
       points = excluded.points, comment = excluded.comment, graded_by = excluded.graded_by,
       graded_at = excluded.graded_at`,
    [attemptId, grade.questionId, grade.points, grade.comment, grade.by, grade.at],
  );
}
