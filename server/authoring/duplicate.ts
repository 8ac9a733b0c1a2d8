import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { PoolClient } from 'pg';
import { Question } from '#contract/questions.ts';
import { bankEntryId, withoutCredit } from '#domain/bank.ts';
import type { AuthenticatedUser } from '#server/auth/caller.ts';
import { execute, rows, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { pictureKeys, PICTURE_LINK } from '#server/files/lend.ts';
import { addContent } from './content.ts';
import { lockEditable } from './editable.ts';
import { readWorkingCopy } from './working-copy.ts';

const MAX_NAME = 200;

/** The same questions with new ids. Their bank entries are the same, and alternatives stay together. */
function withOwnIds(questions: readonly Question[], newId: () => string): Question[] {
  const groups = questions.flatMap(({ variantOf }) => variantOf ?? []);
  const fresh = new Map(
    [...questions.map(({ questionId }) => questionId), ...groups].map((id) => [id, newId()]),
  );
  return questions.map((question) => ({
    ...withoutCredit(question),
    questionId: fresh.get(question.questionId) ?? newId(),
    ...(question.variantOf !== undefined && {
      variantOf: fresh.get(question.variantOf) ?? newId(),
    }),
    // A question made by a template can be drawn again only while it names the template.
    ...(question.origin?.kind !== 'template' && {
      origin: { kind: 'bank', entryId: bankEntryId(question) },
    }),
  }));
}

/** Copies the pictures that the questions show, so that the copy's readers may see them; old key → new. */
async function copyPictures(
  client: PoolClient,
  written: string,
  { from, to, caller, now }: { from: string; to: string; caller: AuthenticatedUser; now: Date },
): Promise<Map<string, string>> {
  const known = await rows<{ key: string }>(
    client,
    `select key from pictures p where key = any($2::uuid[]) and (test_id = $1
       or exists (select 1 from picture_uses u where u.key = p.key and u.test_id = $1))`,
    [from, pictureKeys(written)],
  );
  const keys = new Map(known.map(({ key }) => [key, randomUUID()]));
  await execute(
    client,
    `insert into pictures (key, owner_id, mime_type, bytes, created_at)
     select row.fresh, $1, p.mime_type, p.bytes, $2
     from unnest($3::uuid[], $4::uuid[]) as row (old, fresh) join pictures p on p.key = row.old`,
    [caller.userId, now, [...keys.keys()], [...keys.values()]],
  );
  await execute(
    client,
    'insert into picture_uses (key, test_id) select key, $2 from unnest($1::uuid[]) as fresh (key)',
    [[...keys.values()], to],
  );
  return keys;
}

/**
 * Copies a test from its working copy as a draft of the caller. Assignments and the dates of an ended test are left
 * out; questions and pictures get new ids.
 */
export function duplicateTestAs(
  deps: Deps,
  caller: AuthenticatedUser,
  testId: string,
  now: Date,
): Promise<string> {
  return transaction(deps.pool, async (client) => {
    const test = await lockEditable(client, caller, testId);
    const id = deps.newId();
    const name = `Копия: ${test.name}`.slice(0, MAX_NAME).trim();
    await execute(
      client,
      `insert into tests (id, owner_id, name, description, theme, topic, difficulty, attempts_count,
         start_time, end_time, pass_seconds, late_window_seconds, counted_attempt, visibility, language,
         offline_start, offline_window_seconds, created_at, updated_at, updated_by)
       select $2, $3, $4, description, theme, topic, difficulty, attempts_count,
         case when end_time <= $5 then null else start_time end,
         case when end_time <= $5 then null else end_time end,
         pass_seconds, late_window_seconds, counted_attempt, visibility, language,
         offline_start, offline_window_seconds, $5, $5, $3
       from tests where id = $1`,
      [testId, id, caller.userId, name, now],
    );
    const copy = await readWorkingCopy(client, test);
    const questions = withOwnIds(copy.questions, deps.newId);
    const written = JSON.stringify(questions);
    const keys = await copyPictures(client, written, {
      from: testId,
      to: id,
      caller,
      now,
    });
    const own = written.replaceAll(
      PICTURE_LINK,
      (link, key: string) => `file:${keys.get(key) ?? link.slice('file:'.length)}`,
    );
    const copied = v.parse(v.array(Question), JSON.parse(own));
    await addContent(client, deps, id, { questions: copied, now });
    return id;
  });
}
