import { getDraft, saveDraft } from '#contract/drafts.ts';
import type { Question } from '#contract/questions.ts';
import { call } from '#app/api/call.ts';
import { idsOf } from './same.ts';
import { outcomeOf } from './sending.ts';

const TRIES = 5;

/**
 * Appends questions to another test's working copy, retrying on a version conflict. Resolves when stored on the
 * server; throws `ApiFailure`. Idempotent.
 */
export async function appendQuestions(
  testId: string,
  questions: readonly Question[],
): Promise<void> {
  const params = { id: testId };
  for (let tried = 1; ; tried += 1) {
    const copy = await call(getDraft, { params });
    const there = new Set(idsOf(copy.questions));
    const missing = questions.filter(({ questionId }) => !there.has(questionId));
    if (missing.length === 0) return;
    const order = [...idsOf(copy.questions), ...idsOf(missing)];
    const { draftVersion } = copy;
    try {
      await call(saveDraft, { params, body: { draftVersion, order, changed: missing } });
      return;
    } catch (error) {
      const mayHelp = ['stale', 'unknown', 'busy'].includes(outcomeOf(error));
      if (!mayHelp || tried === TRIES) throw error;
    }
  }
}
