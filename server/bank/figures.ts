import * as v from 'valibot';
import type { Pool } from 'pg';
import { Question } from '#contract/questions.ts';
import { execute, rows, transaction, type Client } from '#server/db/query.ts';
import { eachGiven, makeScorer, type MatrixAnswer } from '#server/statistics/matrix.ts';

interface StaleTest {
  readonly id: string;
  readonly attempts: number;
  readonly fingerprint: string;
}

/**
 * Tests with ended attempts that have changed since their figures were computed. Every change of a mark writes the
 * attempt's row, so its `xmin` shows it.
 */
function staleTests(db: Client, ownerId: string | null): Promise<StaleTest[]> {
  return rows<StaleTest>(
    db,
    `select t.id, stood.attempts, stood.fingerprint
     from tests t
       cross join lateral (
         select count(*) as attempts,
           concat_ws('.', count(*), sum(x.xmin::text::bigint)) as fingerprint
         from attempts x
         where x.test_id = t.id and x.ended is not null and x.deleted_at is null and not x.trial
       ) stood
       left join bank_figures f on f.test_id = t.id
     where ($1::uuid is null or t.owner_id = $1)
       and stood.fingerprint <> coalesce(f.fingerprint, '0')
       and exists (select 1 from bank_uses u where u.test_id = t.id)
     order by stood.attempts, t.id`,
    [ownerId],
  );
}

interface EndedAttempt {
  readonly id: string;
  readonly testId: string;
  readonly contentId: string;
}

interface FacilitySum {
  readonly testId: string;
  readonly questionId: string;
  attempts: number;
  shareSum: number;
}

async function questionsByContent(
  db: Client,
  ids: readonly string[],
): Promise<Map<string, Question[]>> {
  const found = await rows<{ id: string; questions: unknown }>(
    db,
    'select id, questions from test_contents where id = any($1)',
    [ids],
  );
  return new Map(found.map(({ id, questions }) => [id, v.parse(v.array(Question), questions)]));
}

/** Scores of the questions of some tests, by the rule that also makes the marks. Ungraded answers are left out. */
async function tallies(db: Client, testIds: readonly string[]): Promise<FacilitySum[]> {
  const attempts = await rows<EndedAttempt>(
    db,
    `select id, test_id as "testId", content_id as "contentId" from attempts
     where test_id = any($1) and ended is not null and deleted_at is null and not trial`,
    [testIds],
  );
  const contents = await questionsByContent(db, [
    ...new Set(attempts.map(({ contentId }) => contentId)),
  ]);
  const scorer = makeScorer();
  const made = new Map<string, FacilitySum>();
  const enter = ({ testId, contentId }: EndedAttempt, given: readonly MatrixAnswer[]) => {
    const answers = new Map(given.map((each) => [each[0], each]));
    for (const question of contents.get(contentId) ?? []) {
      const { questionId, points } = question;
      const [, answer, grade] = answers.get(questionId) ?? [];
      const score = scorer.score(question, answer ?? undefined, grade ?? undefined);
      if (score.kind === 'pending' || points === 0) continue;
      const key = `${testId} ${questionId}`;
      const tally = made.get(key) ?? { testId, questionId, attempts: 0, shareSum: 0 };
      tally.attempts += 1;
      tally.shareSum += score.points / points;
      made.set(key, tally);
    }
  };
  await eachGiven(db, attempts, enter);
  return [...made.values()];
}

async function storeFigures(
  pool: Pool,
  tests: readonly StaleTest[],
  figures: readonly FacilitySum[],
): Promise<void> {
  const ids = tests.map(({ id }) => id);
  await transaction(pool, async (client) => {
    // Editors of a test write the same rows under the test's lock.
    await client.query('select 1 from tests where id = any($1) order by id for no key update', [
      ids,
    ]);
    await execute(
      client,
      `insert into bank_figures (test_id, fingerprint)
       select given.* from unnest($1::uuid[], $2::text[]) as given (id, fingerprint)
         join tests t on t.id = given.id
       on conflict (test_id) do update set fingerprint = excluded.fingerprint`,
      [ids, tests.map(({ fingerprint }) => fingerprint)],
    );
    await execute(
      client,
      `update bank_uses u set attempts = coalesce(given.attempts, 0),
         share_sum = coalesce(given.share_sum, 0)
       from bank_uses k
         left join unnest($2::uuid[], $3::uuid[], $4::integer[], $5::float8[])
           as given (test_id, question_id, attempts, share_sum) using (test_id, question_id)
       where k.test_id = any($1) and u.test_id = k.test_id and u.question_id = k.question_id`,
      [
        ids,
        figures.map(({ testId }) => testId),
        figures.map(({ questionId }) => questionId),
        figures.map(({ attempts }) => attempts),
        figures.map(({ shareSum }) => shareSum),
      ],
    );
  });
}

/**
 * Updates the facility of bank entries from ended attempts, for one teacher or (null) for all: tests with the fewest
 * attempts first, up to `most` attempts, and at least `least` tests.
 * @returns whether nothing is left to do
 */
export async function refreshFigures(
  pool: Pool,
  { ownerId, most, least }: { ownerId: string | null; most: number; least: 0 | 1 },
): Promise<boolean> {
  const stale = await staleTests(pool, ownerId);
  let attempts = 0;
  const tests = stale.filter((test, place) => (attempts += test.attempts) <= most || place < least);
  if (tests.length > 0) {
    const figures = await tallies(
      pool,
      tests.map(({ id }) => id),
    );
    await storeFigures(pool, tests, figures);
  }
  return tests.length === stale.length;
}
