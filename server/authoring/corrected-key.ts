import * as v from 'valibot';
import type { PoolClient } from 'pg';
import { Question } from '#contract/questions.ts';
import { withoutCredit } from '#domain/bank.ts';
import { questionRules } from '#domain/kinds/question-kinds.ts';
import { indexQuestions } from '#server/bank/index-questions.ts';
import { execute, one } from '#server/db/query.ts';
import { keyOf } from './changed-keys.ts';

/** A content with a corrected key, and the question before the correction. */
interface CorrectedContent {
  readonly newId: string;
  readonly old: Question;
  readonly questions: readonly Question[];
}

/** A question of the working copy with the corrected key; unchanged if an editor has given it another key. */
function correctQuestion(typed: Question, old: Question, corrected: Question): Question {
  if (typed.questionId !== corrected.questionId) return typed;
  if (JSON.stringify(typed) === JSON.stringify(old)) return corrected;
  if (typed.kind !== corrected.kind || typed.kind !== old.kind) return typed;
  if (keyOf(typed) !== keyOf(old)) return typed;
  const { credit } = corrected;
  return {
    ...withoutCredit(questionRules(typed).withKeyOf(typed, corrected)),
    ...(credit !== undefined && { credit }),
  };
}

/** Applies the corrected key to the working copy too; open editors notice its new version. */
export async function correctWorkingCopy(
  client: PoolClient,
  testId: string,
  corrections: readonly CorrectedContent[],
  { question, at, actorId }: { question: Question; at: Date; actorId: string },
): Promise<void> {
  const row = await one<{ draft: unknown; contentId: string | null }>(
    client,
    `select d.questions as draft, t.content_id as "contentId"
     from tests t left join test_drafts d on d.test_id = t.id where t.id = $1`,
    [testId],
  );
  const newest = corrections.find(({ newId }) => newId === row?.contentId);
  if (!row || (row.draft === null && !newest)) return;
  const stored = row.draft === null ? null : v.parse(v.array(Question), row.draft);
  const questions = corrections.reduce(
    (list, { old, questions: own }) => {
      const corrected = own.find(({ questionId }) => questionId === old.questionId) ?? question;
      return list.map((typed) => correctQuestion(typed, old, corrected));
    },
    stored ?? newest?.questions ?? [],
  );
  if (stored && JSON.stringify(stored) === JSON.stringify(questions)) return;
  await execute(
    client,
    `insert into test_drafts (test_id, version, questions, updated_at, updated_by)
     values ($1, 2, $2, $3, $4)
     on conflict (test_id) do update set version = test_drafts.version + 1,
       questions = excluded.questions, updated_at = excluded.updated_at,
       updated_by = excluded.updated_by`,
    [testId, JSON.stringify(questions), at, actorId],
  );
  await indexQuestions(client, testId, { questions, now: at });
}
