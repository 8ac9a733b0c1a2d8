import type { PoolClient } from 'pg';
import type { InferOutput } from 'valibot';
import type { gradeItem } from '#contract/attempts.ts';
import type { ReplyOf } from '#contract/route.ts';
import type { Question } from '#contract/questions.ts';
import { formatNumber } from '#domain/format.ts';
import { isGradedByHand } from '#domain/scoring.ts';
import { one } from '#server/db/query.ts';
import { invalid, Refusal } from '#server/http/refusal.ts';
import type { Attempt } from '#server/passing/attempt.ts';
import { loadContent } from '#server/passing/content.ts';
import { rescore } from '#server/passing/counting.ts';
import {
  findGrade,
  logGrade,
  putGrade,
  withdrawGrade,
  type GivenGrade,
} from '#server/passing/grades.ts';

type Body = InferOutput<typeof gradeItem.body>;
type Reply = ReplyOf<typeof gradeItem>;

/** The result of a grade: the reply, and the points before and after, for the log of acts; null: no change. */
interface Graded {
  readonly reply: Reply;
  readonly change: { readonly from?: number; readonly to?: number } | null;
}

/** Wrong points or a missing reason are reported at the field, before anything is written. */
function check(question: Question, { points, reason }: Body): void {
  if (points === null) return;
  if (points > question.points) {
    const message = `За этот вопрос не больше ${formatNumber(question.points)}`;
    throw invalid([{ field: 'points', message }]);
  }
  if (!isGradedByHand(question) && reason === '')
    throw invalid([{ field: 'reason', message: 'Напишите, почему балл по ключу меняется' }]);
}

/** The answer that counts for a question now; null: none. */
async function countingOperation(
  client: PoolClient,
  attemptId: string,
  questionId: string,
): Promise<string | null> {
  const counting = await one<{ id: string }>(
    client,
    'select operation_id as id from answers where attempt_id = $1 and question_id = $2',
    [attemptId, questionId],
  );
  return counting?.id ?? null;
}

/** Another person's grade, given after the grader had read the answer. */
function unseen(old: GivenGrade | null, by: string, seenGradedAt: Body['seenGradedAt']) {
  if (!old || old.graderId === by || seenGradedAt === undefined) return null;
  if (seenGradedAt !== null && Date.parse(seenGradedAt) >= old.gradedAt.getTime()) return null;
  const { grader, points, comment } = old;
  return { grader, points, comment, gradedAt: old.gradedAt.toISOString() };
}

/** Gives, changes or withdraws the grade of one answer of a locked, ended attempt. */
export async function grade(
  client: PoolClient,
  attempt: Attempt,
  body: Body,
  by: { readonly at: Date; readonly actorId: string },
): Promise<Graded> {
  const { questionId, points, comment, reason } = body;
  const question = (await loadContent(client, attempt.contentId)).byId.get(questionId);
  if (!question) throw new Refusal('UNKNOWN_QUESTION');
  check(question, body);
  const operationId = await countingOperation(client, attempt.id, questionId);
  if (body.operationId !== undefined && body.operationId !== operationId)
    throw new Refusal('ANSWER_CHANGED');
  const found = await findGrade(client, attempt.id, questionId);
  // A grade for an answer that no longer counts is ignored.
  const old = found?.operationId === operationId ? found : null;
  const at = { attemptId: attempt.id, questionId, operationId };
  const isSame = old !== null && old.points === points && old.comment === comment;
  const isChange = !isSame && (old !== null || points !== null);
  if (isChange) {
    if (points === null) await withdrawGrade(client, attempt.id, questionId);
    else await putGrade(client, { ...at, points, comment, by: by.actorId, at: by.at });
    const oldPoints = old?.points ?? null;
    await logGrade(client, { ...at, ...by, oldPoints, newPoints: points, comment, reason });
  }
  const score = await rescore(client, attempt, 'graded', by.at, by.actorId);
  return {
    reply: { score, replaced: unseen(old, by.actorId, body.seenGradedAt) },
    change: isChange
      ? { ...(old && { from: old.points }), ...(points !== null && { to: points }) }
      : null,
  };
}
