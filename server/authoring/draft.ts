import { TestQuestions } from '#contract/authoring.ts';
import { TEST_BODY_BYTES } from '#contract/limits.ts';
import type { publishDraft, saveDraft } from '#contract/drafts.ts';
import type { Question } from '#contract/questions.ts';
import type { BodyOf, ReplyOf } from '#contract/route.ts';
import * as v from 'valibot';
import type { AuthenticatedUser } from '#server/auth/caller.ts';
import { indexQuestions } from '#server/bank/index-questions.ts';
import { one, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { parseInput } from '#server/http/parse.ts';
import { invalid, Refusal } from '#server/http/refusal.ts';
import { refuseOlderApp } from '#server/older-apps.ts';
import { requireLevel } from '#server/tests/level.ts';
import { questionsOf, sameQuestions } from './content.ts';
import { lockEditable } from './editable.ts';
import { requireReady } from './ready.ts';
import { storedForm } from './stored-form.ts';
import {
  publishQuestions,
  readWorkingCopy,
  storeWorkingCopy,
  type DraftedTest,
  type StoredWorkingCopy,
} from './working-copy.ts';

/** The editor and the working copy of an edit, and its time. */
export interface DraftEdit {
  readonly caller: AuthenticatedUser;
  readonly testId: string;
  readonly now: Date;
}

/**
 * The working copy of a test that the caller may edit.
 * @throws {Refusal} NOT_FOUND for a deleted test or somebody else's
 */
export async function openWorkingCopy(
  deps: Deps,
  caller: AuthenticatedUser,
  testId: string,
): Promise<{ test: DraftedTest; copy: StoredWorkingCopy }> {
  await requireLevel(deps.pool, caller, testId, 'edit');
  const test = await one<DraftedTest>(
    deps.pool,
    `select t.id, t.owner_id as "ownerId", t.lifecycle, t.content_id as "contentId",
       t.updated_at as "updatedAt",
       (select user_name from users where id = t.updated_by) as "updatedBy"
     from tests t where t.id = $1`,
    [testId],
  );
  if (!test) throw new Refusal('NOT_FOUND');
  return { test, copy: await readWorkingCopy(deps.pool, test) };
}

/** Refuses an edit of a stale version, and names the author of the newer one. */
function checkVersion(copy: StoredWorkingCopy, draftVersion: number): void {
  if (copy.draftVersion === draftVersion) return;
  throw new Refusal('STALE_VERSION', {
    details: {
      version: copy.draftVersion,
      updatedAt: copy.updatedAt.toISOString(),
      updatedBy: copy.updatedBy,
    },
  });
}

/** The resulting questions: changed ones from the payload, the others as stored. */
function composed(
  stored: readonly Question[],
  { order, changed }: Pick<BodyOf<typeof saveDraft>, 'order' | 'changed'>,
): Question[] {
  const sent = new Map(changed.map((question) => [question.questionId, question]));
  const named = new Set(order);
  if (sent.size < changed.length) {
    throw invalid([{ field: 'changed', message: 'Изменённые вопросы повторяются' }]);
  }
  if (changed.some(({ questionId }) => !named.has(questionId))) {
    throw invalid([{ field: 'order', message: 'Изменённый вопрос не назван в порядке вопросов' }]);
  }
  const known = new Map(stored.map((question) => [question.questionId, question]));
  const questions = order.map((questionId) => {
    const question = sent.get(questionId) ?? known.get(questionId);
    if (question) return question;
    throw new Refusal('UNKNOWN_QUESTION', {
      message: 'Одного из вопросов на сервере уже нет. Обновите страницу: правки сохранятся',
      details: { questionId },
    });
  });
  parseInput(v.object({ questions: TestQuestions }), { questions });
  if (Buffer.byteLength(JSON.stringify(questions)) > TEST_BODY_BYTES) {
    throw invalid([
      { field: 'questions', message: 'Тест слишком велик: вместе вопросы не больше 4 МБ' },
    ]);
  }
  return questions;
}

/** Stores an edit. An edit that changes nothing does not raise the version, so that it can be repeated. */
export function saveDraftAs(
  deps: Deps,
  { caller, testId, now, wireVersion }: DraftEdit & { readonly wireVersion: number },
  body: BodyOf<typeof saveDraft>,
): Promise<ReplyOf<typeof saveDraft>> {
  return transaction(deps.pool, async (client) => {
    const test = await lockEditable(client, caller, testId);
    const copy = await readWorkingCopy(client, test);
    refuseOlderApp(deps, copy.questions, wireVersion);
    checkVersion(copy, body.draftVersion);
    const questions = composed(copy.questions, body).map(storedForm);
    if (sameQuestions(questions, copy.questions)) {
      return { draftVersion: copy.draftVersion, updatedAt: copy.updatedAt.toISOString() };
    }
    const storing = { questions, caller, now };
    const draftVersion = await storeWorkingCopy(client, test, storing);
    if (test.lifecycle === 'draft') await publishQuestions(client, deps, test, storing);
    else await indexQuestions(client, test.id, { questions, editorId: caller.userId, now });
    return { draftVersion, updatedAt: now.toISOString() };
  });
}

/** Publishes the working copy as the newest content. Running attempts continue with their own content. */
export function publishDraftAs(
  deps: Deps,
  { caller, testId, now }: DraftEdit,
  draftVersion: number,
): Promise<ReplyOf<typeof publishDraft>> {
  return transaction(deps.pool, async (client) => {
    const test = await lockEditable(client, caller, testId);
    const copy = await readWorkingCopy(client, test);
    checkVersion(copy, draftVersion);
    requireReady(copy.questions);
    const version = copy.hasUnpublished
      ? await publishQuestions(client, deps, test, { questions: copy.questions, caller, now })
      : test.version;
    return { draftVersion, updatedAt: copy.updatedAt.toISOString(), version };
  });
}

/** Resets the working copy to the published content. */
export function discardDraftAs(
  deps: Deps,
  { caller, testId, now }: DraftEdit,
  draftVersion: number,
): Promise<ReplyOf<typeof saveDraft>> {
  return transaction(deps.pool, async (client) => {
    const test = await lockEditable(client, caller, testId);
    const copy = await readWorkingCopy(client, test);
    checkVersion(copy, draftVersion);
    if (!copy.hasUnpublished) {
      return { draftVersion, updatedAt: copy.updatedAt.toISOString() };
    }
    const questions = await questionsOf(client, test.contentId);
    const next = await storeWorkingCopy(client, test, { questions, caller, now });
    await indexQuestions(client, test.id, { questions, now });
    return { draftVersion: next, updatedAt: now.toISOString() };
  });
}
