import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PoolClient } from 'pg';
import type { Question } from '#contract/questions.ts';
import { execute, one } from '#server/db/query.ts';
import { demoTest } from './content/all.ts';
import { indexQuestions } from '#server/bank/index-questions.ts';
import { stableId } from '#server/ids.ts';
import { questionsOf } from './content/stored.ts';
import { durationMs } from './plan.ts';
import type { PlannedTest } from './plan-tests.ts';
import { personId } from './demo-accounts.ts';
import { CLASS_ID } from './seed-people.ts';

export const testId = (key: string): string => stableId(`test/${key}`);

/** The folder of pictures, beside the sources or beside the bundle. */
export function picturesFolder(): string {
  const places = ['./pictures', './demo/pictures'].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  );
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw new Error(`no demo pictures in ${places.join(', ')}`);
  return found;
}

const pictureId = (test: PlannedTest) => (key: string) => stableId(`picture/${test.key}/${key}`);

/** The questions as this test stores them. */
export const storedQuestions = (test: PlannedTest): Question[] =>
  questionsOf(demoTest(test.content), { scope: test.key, pictureKey: pictureId(test) });

async function seedContent(client: PoolClient, test: PlannedTest): Promise<string> {
  const stored = storedQuestions(test);
  const questions = JSON.stringify(stored);
  // Contents are immutable: changed questions are another content, which older attempts do not see.
  const id = stableId(`content/${test.key}/${questions}`);
  const maxPoints = demoTest(test.content).questions.reduce((sum, { points }) => sum + points, 0);
  await execute(
    client,
    `insert into test_contents (id, test_id, questions, max_points, created_at)
     values ($1, $2, $3, $4, $5) on conflict (id) do nothing`,
    [id, testId(test.key), questions, maxPoints, test.createdAt],
  );
  await execute(client, 'update tests set content_id = $2 where id = $1', [testId(test.key), id]);
  await indexQuestions(client, testId(test.key), { questions: stored, now: test.createdAt });
  return id;
}

async function seedPictures(client: PoolClient, test: PlannedTest): Promise<void> {
  for (const { key, file, mimeType } of demoTest(test.content).pictures) {
    const stored = pictureId(test)(key);
    const bytes = await readFile(join(picturesFolder(), file));
    await execute(
      client,
      `insert into pictures (key, owner_id, mime_type, bytes, created_at) values ($1, $2, $3, $4, $5)
       on conflict (key) do update set bytes = excluded.bytes`,
      [stored, personId(test.owner), mimeType, bytes, test.createdAt],
    );
    await execute(
      client,
      'insert into picture_uses (key, test_id) values ($1, $2) on conflict do nothing',
      [stored, testId(test.key)],
    );
  }
}

async function seedAssignments(client: PoolClient, test: PlannedTest): Promise<void> {
  if (test.assignedGroups.length > 0)
    await execute(
      client,
      `insert into assignments (id, test_id, group_id, created_at) values ($1, $2, $3, $4)
       on conflict (id) do nothing`,
      [stableId(`assignment/${test.key}`), testId(test.key), CLASS_ID, test.createdAt],
    );
  for (const { email, extraSeconds, attemptsCount } of test.personalTerms)
    await execute(
      client,
      `insert into personal_terms (test_id, user_id, extra_seconds, attempts_count)
       values ($1, $2, $3, $4) on conflict (test_id, user_id) do nothing`,
      [testId(test.key), personId(email), extraSeconds, attemptsCount],
    );
}

/** Whether a teacher has edited the test: then even its dates are not changed. */
async function isEdited(client: PoolClient, test: PlannedTest): Promise<boolean> {
  const row = await one<{ isEdited: boolean }>(
    client,
    `select version > 1 or exists (select 1 from test_drafts d where d.test_id = t.id) as "isEdited"
     from tests t where id = $1`,
    [testId(test.key)],
  );
  return row?.isEdited ?? false;
}

/**
 * Plants one test with its questions, pictures and assignments, opening and closing today.
 * @returns false for an edited test: it stays unchanged
 */
export async function seedTest(client: PoolClient, test: PlannedTest): Promise<boolean> {
  if (await isEdited(client, test)) return false;
  const content = demoTest(test.content);
  await execute(
    client,
    `insert into tests (id, owner_id, lifecycle, name, description, theme, topic, difficulty,
       attempts_count, start_time, end_time, pass_seconds, late_window_seconds, open_to_all,
       counted_attempt, visibility, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $17)
     on conflict (id) do update set
       name = excluded.name, description = excluded.description, topic = excluded.topic,
       start_time = excluded.start_time, end_time = excluded.end_time,
       created_at = excluded.created_at, updated_at = excluded.updated_at`,
    [
      testId(test.key),
      personId(test.owner),
      test.lifecycle,
      test.name,
      content.description,
      content.theme,
      content.topic,
      content.difficulty,
      test.attemptsCount,
      test.startTime,
      test.endTime,
      durationMs(test.passTime) / 1000,
      test.lateWindowSeconds,
      test.openToAll,
      test.countedAttempt,
      JSON.stringify(test.visibility),
      test.createdAt,
    ],
  );
  await seedContent(client, test);
  await seedPictures(client, test);
  await seedAssignments(client, test);
  return true;
}
