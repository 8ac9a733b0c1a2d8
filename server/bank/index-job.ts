import type { Pool } from 'pg';
import { one, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { type StopSignal, unstopped } from '#server/housekeeping/batches.ts';
import { scheduleJob } from '#server/housekeeping/schedule.ts';
import { loadContent } from '#server/passing/content.ts';
import { refreshFigures } from './figures.ts';
import { indexQuestions } from './index-questions.ts';

const EVERY_MS = 60_000;
/** Attempts with answers in memory at one time, unless a single test has more. */
const ATTEMPTS_A_PART = 2_000;
const INDEX_LOCK = 4_071_805_320;

interface UnknownTest {
  readonly id: string;
  readonly contentId: string;
  readonly updatedAt: Date;
}

/**
 * Indexes the next test, by id, with questions that are in no bank. Null: there is none, or another node indexes it.
 */
function indexNext(pool: Pool, after: string): Promise<string | null> {
  return transaction(pool, async (client) => {
    const lock = await one<{ ours: boolean }>(
      client,
      'select pg_try_advisory_xact_lock($1) as ours',
      [INDEX_LOCK],
    );
    if (!lock?.ours) return null;
    const test = await one<UnknownTest>(
      client,
      `select t.id, t.content_id as "contentId", t.updated_at as "updatedAt"
       from tests t join test_contents c on c.id = t.content_id
       where t.id > $1 and jsonb_array_length(c.questions) > 0
         and not exists (select 1 from bank_uses u where u.test_id = t.id)
         and not exists (select 1 from users o where o.id = t.owner_id and o.erased_at is not null)
       order by t.id limit 1 for no key update of t`,
      [after],
    );
    if (!test) return null;
    const { questions } = await loadContent(client, test.contentId);
    await indexQuestions(client, test.id, { questions, now: test.updatedAt });
    return test.id;
  });
}

/** Adds to the bank the questions of tests older than it, a test at a time. Returns their number. */
export async function indexUnknownTests(
  pool: Pool,
  { isStopped }: StopSignal = unstopped,
): Promise<number> {
  let after: string | null = '00000000-0000-0000-0000-000000000000';
  let count = -1;
  while (after !== null && !isStopped()) {
    count += 1;
    after = await indexNext(pool, after);
  }
  return count;
}

/**
 * Fills the bank from older tests once, then updates the facility of its questions regularly. Returns the stop
 * function.
 */
export function startBankIndexJob(deps: Deps): () => Promise<void> {
  let isIndexed = false;
  return scheduleJob(deps.log, {
    what: 'keeping the bank',
    everyMs: EVERY_MS,
    firstMs: 0,
    async run(progress) {
      if (!isIndexed) await indexUnknownTests(deps.pool, progress);
      isIndexed = !progress.isStopped();
      const part = { ownerId: null, most: ATTEMPTS_A_PART, least: 1 } as const;
      while (!progress.isStopped() && !(await refreshFigures(deps.pool, part)));
    },
  });
}
