import * as v from 'valibot';
import type { PoolClient } from 'pg';
import { Question } from '#contract/questions.ts';
import type { Caller } from '#server/auth/caller.ts';
import { execute, rows, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { addContent, questionsOf } from './content.ts';
import { lockEditable } from './editable.ts';

const NAME_MOST = 200;

/** `file:KEY` of pictures, wherever it stands in the questions. */
const PICTURE = /file:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/g;

/** Copies the pictures that the questions show, so that the copy's readers may see them; old key → new. */
async function copyPictures(
  client: PoolClient,
  deps: Deps,
  written: string,
  { from, to, now }: { from: string; to: string; now: Date },
): Promise<Map<string, string>> {
  const named = [...new Set([...written.matchAll(PICTURE)].map((match) => match[1] ?? ''))];
  const known = await rows<{ key: string }>(
    client,
    'select key from pictures where test_id = $1 and key = any($2)',
    [from, named],
  );
  const keys = new Map(known.map(({ key }) => [key, deps.newId()]));
  await execute(
    client,
    `insert into pictures (key, test_id, mime_type, bytes, created_at)
     select row.fresh, $1, p.mime_type, p.bytes, $2
     from unnest($3::uuid[], $4::uuid[]) as row (old, fresh) join pictures p on p.key = row.old`,
    [to, now, [...keys.keys()], [...keys.values()]],
  );
  return keys;
}

/** Copies a test as a draft of the caller: nobody is assigned, questions and pictures have ids of their own. */
export function duplicateTestAs(
  deps: Deps,
  caller: Caller,
  testId: string,
  now: Date,
): Promise<string> {
  return transaction(deps.pool, async (client) => {
    const test = await lockEditable(client, caller, testId);
    const id = deps.newId();
    const name = `Копия: ${test.name}`.slice(0, NAME_MOST).trim();
    await execute(
      client,
      `insert into tests (id, owner_id, name, description, theme, topic, difficulty, attempts_count,
         start_time, end_time, pass_seconds, late_window_seconds, counted_attempt, visibility,
         created_at, updated_at, updated_by)
       select $2, $3, $4, description, theme, topic, difficulty, attempts_count, start_time, end_time,
         pass_seconds, late_window_seconds, counted_attempt, visibility, $5, $5, $3
       from tests where id = $1`,
      [testId, id, caller.userId, name, now],
    );
    const questions = (await questionsOf(client, test.contentId)).map((question) => ({
      ...question,
      questionId: deps.newId(),
    }));
    const written = JSON.stringify(questions);
    const keys = await copyPictures(client, deps, written, { from: testId, to: id, now });
    const own = written.replaceAll(
      PICTURE,
      (link, key: string) => `file:${keys.get(key) ?? link.slice('file:'.length)}`,
    );
    const copied = v.parse(v.array(Question), JSON.parse(own));
    await addContent(client, deps, id, { questions: copied, now });
    return id;
  });
}
