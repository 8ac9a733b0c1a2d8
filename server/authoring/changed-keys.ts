import type { PoolClient } from 'pg';
import type { Question } from '#contract/questions.ts';
import { questionRules } from '#domain/kinds/question-kinds.ts';
import { actOn, recordAct } from '#server/admin/audit.ts';
import type { AuthenticatedUser } from '#server/auth/caller.ts';
import type { Deps } from '#server/deps.ts';
import { questionsOf } from './content.ts';
import type { EditableTest } from './editable.ts';

/** Whether the keys are equal, even if the question's text changed. */
export const keyOf = (question: Question): string =>
  JSON.stringify([question.credit ?? null, questionRules(question).key(question)]);

/**
 * Logs a change of keys of a published test, before it is published. New and deleted questions do not count as changes.
 */
export async function recordChangedKeys(
  client: PoolClient,
  deps: Deps,
  test: Pick<EditableTest, 'id' | 'contentId' | 'lifecycle'>,
  {
    questions,
    caller,
    now,
  }: {
    readonly questions: readonly Question[];
    readonly caller: Pick<AuthenticatedUser, 'userId'>;
    readonly now: Date;
  },
): Promise<void> {
  if (test.lifecycle === 'draft') return;
  const published = await questionsOf(client, test.contentId);
  const keys = new Map(published.map((each) => [each.questionId, keyOf(each)]));
  const changed = questions.filter((each) => {
    const key = keys.get(each.questionId);
    return key !== undefined && key !== keyOf(each);
  });
  if (changed.length === 0) return;
  const details = { questions: changed.length };
  const act = { actorId: caller.userId, act: 'keyChanged', details } as const;
  await recordAct(client, deps, actOn('test', test.id, act), now);
}
