import type { PoolClient } from 'pg';
import type { addTimeToMany, GrantedTime } from '#contract/board.ts';
import type { giveTimeBack } from '#contract/lost-time.ts';
import type { BodyOf } from '#contract/route.ts';
import type { LostMinutes } from '#domain/lost-minutes.ts';
import type { Period } from '#domain/periods.ts';
import { moveDeadline, settlePeriods } from '#server/attempts/move-deadline.ts';
import { execute, one, rows, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { lockRescoring } from '#server/grading/lock.ts';
import { Refusal, invalid } from '#server/http/refusal.ts';
import { lockAttempt, lockStarts } from '#server/passing/attempt.ts';
import { readLostTime } from './lost-time.ts';

type ExtraTimeRequest = BodyOf<typeof addTimeToMany>;
type BackRequest = BodyOf<typeof giveTimeBack>;

interface By {
  readonly at: Date;
  readonly actorId: string;
}

/** What one attempt gets. */
interface Share {
  readonly minutes: number;
  /** Causes of lost time, for the log. */
  readonly reasons?: string;
  /** The lost time that is given back. */
  readonly periods?: readonly Period[];
}

interface Grant {
  readonly key: string;
  /** Null: each attempt gets its own. */
  readonly minutes: number | null;
  readonly attemptIds: readonly string[];
  /** Null: the attempt gets nothing. */
  readonly shareOf: (attemptId: string) => Share | null;
}

interface GrantRow {
  readonly testId: string;
  readonly minutes: number | null;
  readonly reply: GrantedTime;
}

const NO_REPLY: GrantedTime = { extended: [], skipped: [] };

/** Claims the key; a concurrent repeat waits here for the first to commit. */
async function claim(
  client: PoolClient,
  testId: string,
  { key, minutes }: Pick<Grant, 'key' | 'minutes'>,
  by: By,
): Promise<boolean> {
  const claimed = await execute(
    client,
    `insert into time_grants (key, test_id, actor_id, at, minutes, reply)
     values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
    [key, testId, by.actorId, by.at, minutes, JSON.stringify(NO_REPLY)],
  );
  return claimed === 1;
}

const idsOf = ({ extended, skipped }: GrantedTime) =>
  [...extended, ...skipped].map(({ attemptId }) => attemptId);

/** The reply of the first call. The same key for another request is the caller's mistake. */
async function repeated(
  client: PoolClient,
  testId: string,
  grant: Pick<Grant, 'key' | 'minutes' | 'attemptIds'>,
): Promise<GrantedTime> {
  const known = await one<GrantRow>(
    client,
    'select test_id as "testId", minutes, reply from time_grants where key = $1',
    [grant.key],
  );
  const wanted = new Set(grant.attemptIds);
  const isSame =
    known?.testId === testId &&
    known.minutes === grant.minutes &&
    idsOf(known.reply).length === wanted.size &&
    idsOf(known.reply).every((id) => wanted.has(id));
  if (isSame) return known.reply;
  const message = 'Под этим ключом время уже добавляли иначе. Обновите страницу и повторите';
  throw invalid([{ field: 'key', message }]);
}

/** Gives one attempt its share. */
async function extend(
  client: PoolClient,
  deps: Pick<Deps, 'newId'>,
  attemptId: string,
  { minutes, reasons, periods = [] }: Share,
  by: By,
): Promise<GrantedTime['extended'][number]> {
  const attempt = await lockAttempt(client, attemptId, 'update');
  if (!attempt) throw new Refusal('NOT_FOUND');
  const { deadline } = await moveDeadline(client, deps, attempt, minutes, by, reasons);
  if (periods.length > 0) await settlePeriods(client, attemptId, periods);
  return { attemptId, deadline: deadline.toISOString() };
}

/** Carries out a claimed grant. An attempt that cannot be extended is skipped with the reason. */
async function carryOut(
  client: PoolClient,
  deps: Pick<Deps, 'newId'>,
  testId: string,
  { key, attemptIds, shareOf }: Grant,
  by: By,
): Promise<GrantedTime> {
  const ids = [...new Set(attemptIds)];
  // Always in the order of persons, so that two calls never deadlock.
  const found = await rows<{ id: string; userId: string }>(
    client,
    `select id, user_id as "userId" from attempts where test_id = $1 and id = any($2)
     order by user_id, number`,
    [testId, ids],
  );
  if (found.length !== ids.length) throw new Refusal('NOT_FOUND');
  const granted: GrantedTime = { extended: [], skipped: [] };
  for (const { id, userId } of found) {
    await lockStarts(client, testId, userId);
    const share = shareOf(id);
    try {
      if (share) granted.extended.push(await extend(client, deps, id, share, by));
      else granted.skipped.push({ attemptId: id, message: 'Возвращать уже нечего' });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      granted.skipped.push({ attemptId: id, message: error.message });
    }
  }
  await execute(client, 'update time_grants set reply = $2 where key = $1', [
    key,
    JSON.stringify(granted),
  ]);
  return granted;
}

/**
 * Adds minutes to attempts of one test, all in one transaction. The reply is stored under the key, so that a repeat has
 * no second effect.
 * @throws {Refusal} NOT_FOUND when one is not of this test; VALIDATION for a key used otherwise
 */
export async function grantTime(
  deps: Pick<Deps, 'pool' | 'newId'>,
  testId: string,
  grant: ExtraTimeRequest,
  by: By,
): Promise<GrantedTime> {
  return transaction(deps.pool, async (client) => {
    await lockRescoring(client, testId);
    if (!(await claim(client, testId, grant, by))) return repeated(client, testId, grant);
    const { minutes } = grant;
    return carryOut(client, deps, testId, { ...grant, shareOf: () => ({ minutes }) }, by);
  });
}

/** What is given back of lost time. */
function shareOf(lost: LostMinutes | undefined, withSilence: boolean): Share | null {
  if (!lost) return null;
  const minutes = withSilence ? lost.minutesWithSilence : lost.minutes;
  const losses = lost.losses.filter(({ cause }) => withSilence || cause !== 'silence');
  if (minutes === 0) return null;
  return {
    minutes,
    reasons: losses.map(({ cause }) => cause).join(','),
    periods: losses.flatMap(({ periods }) => periods),
  };
}

/**
 * Gives attempts of one test what they lost. Computed here, under the test's lock: two teachers who give back the same
 * outage do so once. Otherwise as `grantTime`.
 */
export async function giveBack(
  deps: Pick<Deps, 'pool' | 'newId'>,
  testId: string,
  { withSilence, ...request }: BackRequest,
  by: By,
): Promise<GrantedTime> {
  return transaction(deps.pool, async (client) => {
    await lockRescoring(client, testId);
    const grant = { ...request, minutes: null };
    if (!(await claim(client, testId, grant, by))) return repeated(client, testId, grant);
    const lost = await readLostTime(client, testId, by.at);
    return carryOut(
      client,
      deps,
      testId,
      { ...grant, shareOf: (id) => shareOf(lost.get(id), withSilence) },
      by,
    );
  });
}
