import type { Pool } from 'pg';
import type { Answer } from '#contract/answers.ts';
import { one, rows } from '#server/db/query.ts';
import type { Person } from './test-school.ts';

/** The server's data of an attempt, read from its database. */
export interface Journalled {
  id: string;
  kind: 'answer' | 'finish';
  questionId: string | null;
  outcome: 'stored' | 'superseded' | 'held' | 'refused';
  refusal: string | null;
  receivedLate: boolean;
}

export const journal = (pool: Pool, attemptId: string) =>
  rows<Journalled>(
    pool,
    `select id, kind, question_id as "questionId", outcome, refusal, received_late as "receivedLate"
     from operations where attempt_id = $1 order by ordinal`,
    [attemptId],
  );

/** The answers that count, by question. */
export async function countingAnswers(
  pool: Pool,
  attemptId: string,
): Promise<Record<string, Answer>> {
  const found = await rows<{ questionId: string; body: Answer }>(
    pool,
    'select question_id as "questionId", body from answers where attempt_id = $1',
    [attemptId],
  );
  return Object.fromEntries(found.map(({ questionId, body }) => [questionId, body]));
}

/** Sizes and state of the files handed in. */
export const uploads = (pool: Pool, attemptId: string) =>
  rows<{ questionId: string; size: number; received: number; sha256: string; isComplete: boolean }>(
    pool,
    `select question_id as "questionId", size, received, sha256, completed_at is not null as "isComplete"
     from uploads where attempt_id = $1`,
    [attemptId],
  );

/** The only attempt of a student; fails when there is none. */
export async function attemptOf(
  pool: Pool,
  student: Person,
): Promise<{ id: string; ended: string | null; points: number | null; testId: string }> {
  const found = await one<{
    id: string;
    ended: string | null;
    points: number | null;
    testId: string;
  }>(pool, 'select id, ended, points, test_id as "testId" from attempts where user_id = $1', [
    student.userId,
  ]);
  if (!found) throw new Error(`${student.userName} has no attempt`);
  return found;
}
