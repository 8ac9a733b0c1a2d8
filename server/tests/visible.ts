import type { PoolClient } from 'pg';
import type { Visibility } from '#contract/tests.ts';
import { isEnded } from '#domain/deadline.ts';
import { partsVisibleFrom, showsAnything, testClosedAt, visibleFrom } from '#domain/visibility.ts';
import { execute, one, rows, type Client } from '#server/db/query.ts';
import { attemptTime, CLOSES_AT, type Attempt } from '#server/passing/attempt.ts';
import { LAST_END, type TestAccess } from './access.ts';

/** A change of the test and an end at the same moment may race: the end may appear later by this much. */
const CROSSING_MS = 60_000;

type ClosingTest = Pick<
  TestAccess,
  'lifecycle' | 'lastEndTime' | 'windowSeconds' | 'offlineStart' | 'offlineWindowSeconds'
>;
type ShownTest = ClosingTest & Pick<TestAccess, 'visibility'>;

const CLOSING_COLUMNS = `lifecycle, ${LAST_END} as "lastEndTime",
  late_window_seconds as "windowSeconds", offline_start as "offlineStart",
  offline_window_seconds as "offlineWindowSeconds"`;

const DAY_SECONDS = 86_400;

/** Answers of attempts that began without a network may come later. Until then nobody sees the keys. */
const lateSeconds = (test: ClosingTest): number =>
  Math.max(test.windowSeconds, test.offlineStart ? (test.offlineWindowSeconds ?? DAY_SECONDS) : 0);

/** When the last of anybody's attempts closes, by test: decides when a test is closed for all. */
export async function latestCloses(
  db: Client,
  testIds: readonly string[],
): Promise<Map<string, number>> {
  const found = await rows<{ testId: string; latest: Date }>(
    db,
    `select test_id as "testId",
       max(${CLOSES_AT}) as latest
     from attempts where test_id = any($1) and deleted_at is null group by test_id`,
    [testIds],
  );
  return new Map(found.map((row) => [row.testId, row.latest.getTime()]));
}

/** When a test is closed for everybody, milliseconds; null: it has no end. */
export function closedAtOf(test: ClosingTest, latestClose: number | null): number | null {
  return testClosedAt({
    archived: test.lifecycle === 'archived',
    testEnd: test.lastEndTime?.getTime() ?? null,
    latestClose,
    windowMs: lateSeconds(test) * 1000,
  });
}

/** Whether the student of an attempt may see a part of it after its end, by the teacher's choice. */
export function maySeePart(
  moment: Visibility[keyof Visibility],
  attempt: Attempt,
  closedAt: number | null,
  now: Date,
): boolean {
  const time = attemptTime(attempt);
  if (attempt.isHeld || !isEnded(time, now.getTime())) return false;
  const from = visibleFrom(moment, time.endedAt ?? now.getTime(), closedAt);
  return from !== null && now.getTime() >= from;
}

/** Records that results are visible at this moment: before a change of the test that may hide them. */
export async function rememberShown(
  client: PoolClient,
  test: ShownTest & { readonly id: string },
  now: Date,
): Promise<void> {
  const latest = (await latestCloses(client, [test.id])).get(test.id) ?? null;
  const from = partsVisibleFrom(test.visibility, 0, closedAtOf(test, latest));
  if (!showsAnything(from, now.getTime())) return;
  // Not before any end: the clock may have been set back since.
  await execute(
    client,
    `update tests set results_shown_until = greatest(results_shown_until, $2,
       (select max(ended_at) from attempts where test_id = $1)) where id = $1`,
    [test.id, now],
  );
}

/**
 * Whether the student of an attempt could have seen a part of its result by now, whatever the present settings:
 * the teacher decides about later answers (protocol, server rule 6).
 */
export async function isResultSeen(db: Client, attempt: Attempt, now: Date): Promise<boolean> {
  if (attempt.endedAt === null || attempt.isHeld) return false;
  const test = await one<ShownTest & { readonly shownUntil: Date | null }>(
    db,
    `select ${CLOSING_COLUMNS}, visibility,
       results_shown_until as "shownUntil"
     from tests t where id = $1`,
    [attempt.testId],
  );
  if (!test) return false;
  const endedAt = attempt.endedAt.getTime();
  if (test.shownUntil && endedAt <= test.shownUntil.getTime() + CROSSING_MS) return true;
  const latest = (await latestCloses(db, [attempt.testId])).get(attempt.testId) ?? null;
  const from = partsVisibleFrom(test.visibility, endedAt, closedAtOf(test, latest));
  // An answer that waited for the finish is judged after it, though it was received before.
  return showsAnything(from, Math.max(endedAt, now.getTime()));
}

/** A student's own answers are visible while the attempt runs; afterwards as the teacher chose. */
export async function maySeeOwnAnswers(db: Client, attempt: Attempt, now: Date): Promise<boolean> {
  if (!isEnded(attemptTime(attempt), now.getTime())) return true;
  const test = await one<ShownTest>(
    db,
    `select ${CLOSING_COLUMNS}, visibility
     from tests t where id = $1`,
    [attempt.testId],
  );
  if (!test) return false;
  const latest = (await latestCloses(db, [attempt.testId])).get(attempt.testId) ?? null;
  return maySeePart(test.visibility.ownAnswers, attempt, closedAtOf(test, latest), now);
}
