import type { PoolClient } from 'pg';
import type { Question } from '#contract/questions.ts';
import { differsInKeyAlone } from '#domain/key-correction.ts';
import { questionRules } from '#domain/kinds/question-kinds.ts';
import { maxPoints } from '#domain/scoring.ts';
import { countSelected } from '#domain/variants.ts';
import { execute, one, rows } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { Refusal } from '#server/http/refusal.ts';
import { loadContent } from '#server/passing/content.ts';
import { drawAll } from '#server/passing/draws.ts';

/** A content with the wrong key, and its replacement. */
export interface ContentReplacement {
  readonly oldId: string;
  readonly newId: string;
  readonly old: Question;
  readonly questions: readonly Question[];
}

export const oldIds = (replacements: readonly ContentReplacement[]) =>
  replacements.map((each) => each.oldId);
export const newIds = (replacements: readonly ContentReplacement[]) =>
  replacements.map((each) => each.newId);

/**
 * The contents of the test that have the question as its students saw it, each with the corrected key. Throws
 * UNKNOWN_QUESTION where none has the question, KEY_ONLY where all show it otherwise.
 */
export async function findCorrectedContents(
  client: PoolClient,
  deps: Deps,
  testId: string,
  question: Question,
): Promise<ContentReplacement[]> {
  const { questionId } = question;
  const contents = await rows<{ id: string }>(
    client,
    `select id from test_contents
     where test_id = $1 and corrected_to is null
       and questions @> jsonb_build_array(jsonb_build_object('questionId', $2::text))
     order by created_at, id`,
    [testId, questionId],
  );
  const replacements: ContentReplacement[] = [];
  let isShown = false;
  for (const { id } of contents) {
    const content = await loadContent(client, id);
    const old = content.byId.get(questionId);
    if (!old) continue;
    if (!differsInKeyAlone(old, question)) continue;
    isShown = true;
    const corrected = withCorrectedKey(old, question);
    if (JSON.stringify(old) === JSON.stringify(corrected)) continue;
    const questions = content.questions.map((each) => (each === old ? corrected : each));
    replacements.push({ oldId: id, newId: deps.newId(), old, questions });
  }
  if (contents.length === 0) throw new Refusal('UNKNOWN_QUESTION');
  if (!isShown) throw new Refusal('KEY_ONLY');
  return replacements;
}

/**
 * The corrected question in the position of the old one: in the same alternatives, with the old order of its
 * right column.
 */
function withCorrectedKey(old: Question, corrected: Question): Question {
  const { variantOf: _, ...sent } = corrected;
  const alone = questionRules(old).orderLike?.(sent, old) ?? sent;
  return old.variantOf === undefined ? alone : { ...alone, variantOf: old.variantOf };
}

/** Stores the corrected contents beside the old ones. */
export async function insertContents(
  client: PoolClient,
  testId: string,
  replacements: readonly ContentReplacement[],
  at: Date,
): Promise<void> {
  for (const { newId, questions } of replacements) {
    await execute(
      client,
      `insert into test_contents (id, test_id, questions, max_points, asked, created_at)
       values ($1, $2, $3, $4, $5, $6)`,
      [
        newId,
        testId,
        JSON.stringify(questions),
        maxPoints(questions),
        countSelected(questions),
        at,
      ],
    );
  }
}

/**
 * Records in each old content its replacement, which continues its draws. Only once the test is locked against
 * starts: they lock it, too, before the lock on a content's draws.
 */
export async function closeContents(
  client: PoolClient,
  replacements: readonly ContentReplacement[],
): Promise<void> {
  const pairs = [oldIds(replacements), newIds(replacements)];
  await execute(
    client,
    `update test_contents c set corrected_to = m.new_id
     from unnest($1::uuid[], $2::uuid[]) as m (old_id, new_id) where c.id = m.old_id`,
    pairs,
  );
  await execute(
    client,
    `update test_contents c set draws_given = old.draws_given
     from unnest($1::uuid[], $2::uuid[]) as m (old_id, new_id)
       join test_contents old on old.id = m.old_id
     where c.id = m.new_id`,
    pairs,
  );
}

/** Moves the test itself from an old content to the new one: an open editor is notified. */
export async function repointTest(
  client: PoolClient,
  testId: string,
  replacements: readonly ContentReplacement[],
  { at, actorId }: { readonly at: Date; readonly actorId: string },
): Promise<void> {
  await execute(
    client,
    `update tests t set content_id = m.new_id, version = version + 1, updated_at = $4, updated_by = $5
     from unnest($2::uuid[], $3::uuid[]) as m (old_id, new_id)
     where t.id = $1 and t.content_id = m.old_id`,
    [testId, oldIds(replacements), newIds(replacements), at, actorId],
  );
}

/** Draws of a corrected content become draws of its replacement; the other draws are made anew. */
export async function repointDraws(
  client: PoolClient,
  deps: Deps,
  testId: string,
  replacements: readonly ContentReplacement[],
): Promise<void> {
  await execute(
    client,
    `update test_contents fresh set drawn_from = source.new_id, drawn_number = old.drawn_number
     from unnest($1::uuid[], $2::uuid[]) as m (old_id, new_id)
       join test_contents old on old.id = m.old_id
       join unnest($1::uuid[], $2::uuid[]) as source (old_id, new_id) on source.old_id = old.drawn_from
     where fresh.id = m.new_id`,
    [oldIds(replacements), newIds(replacements)],
  );
  const current = await one<{ contentId: string | null }>(
    client,
    'select content_id as "contentId" from tests where id = $1',
    [testId],
  );
  if (current?.contentId && newIds(replacements).includes(current.contentId)) {
    await drawAll(client, deps, current.contentId);
  }
}
