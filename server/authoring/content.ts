import type { PoolClient } from 'pg';
import type { Question } from '#contract/questions.ts';
import type { TestLifecycle } from '#contract/tests.ts';
import { maxPoints } from '#domain/scoring.ts';
import { countSelected } from '#domain/variants.ts';
import { indexQuestions } from '#server/bank/index-questions.ts';
import { execute, one } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { loadContent } from '#server/passing/content.ts';
import { drawAll } from '#server/passing/draws.ts';
import { storedForm } from './stored-form.ts';

const READING_MS = 5 * 60_000;

/** The newest questions of a test, with keys. */
export async function questionsOf(
  client: PoolClient,
  contentId: string | null,
): Promise<readonly Question[]> {
  return contentId === null ? [] : (await loadContent(client, contentId)).questions;
}

/** Whether two lists of questions are stored alike. Both passed the schema, so their keys have one order. */
export const sameQuestions = (a: readonly Question[], b: readonly Question[]): boolean =>
  JSON.stringify(a.map(storedForm)) === JSON.stringify(b.map(storedForm));

/** Stores these as the newest questions of a test, in a new row, since attempts pin their rows. */
export async function addContent(
  client: PoolClient,
  deps: Deps,
  testId: string,
  {
    questions: given,
    editorId,
    now,
  }: { questions: readonly Question[]; editorId?: string; now: Date },
): Promise<void> {
  const id = deps.newId();
  const questions = given.map(storedForm);
  await execute(
    client,
    `insert into test_contents (id, test_id, questions, max_points, asked, created_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [id, testId, JSON.stringify(questions), maxPoints(questions), countSelected(questions), now],
  );
  const test = await one<{ lifecycle: TestLifecycle }>(
    client,
    'update tests set content_id = $2 where id = $1 returning lifecycle',
    [testId, id],
  );
  if (test?.lifecycle === 'active') await drawAll(client, deps, id);
  await indexQuestions(client, testId, { questions, editorId, now });
}

/**
 * Deletes contents left by drafts: only of a test that nobody can start now, and only after minutes, because the
 * previous content may still be in use.
 */
export async function dropOldDrafts(
  client: PoolClient,
  { id, contentId }: { id: string; contentId: string | null },
  now: Date,
): Promise<void> {
  await execute(
    client,
    `delete from test_contents c using tests t
     where t.id = $1 and t.lifecycle = 'draft' and c.test_id = t.id and c.created_at < $2
       and c.id is distinct from t.content_id and c.id is distinct from $3
       and not exists (select 1 from attempts x where x.content_id = c.id)
       and not exists (select 1 from offers o where c.id in (o.content_id, o.source_id))`,
    [id, new Date(now.getTime() - READING_MS), contentId],
  );
}
