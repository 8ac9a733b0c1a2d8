import type { PoolClient } from 'pg';
import type { addTimeToMany } from '#contract/board.ts';
import type { BodyOf, ReplyOf } from '#contract/route.ts';
import { moveDeadline } from '#server/attempts/move-deadline.ts';
import { execute, one, rows, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { lockRescoring } from '#server/grading/lock.ts';
import { Refusal, invalid } from '#server/http/refusal.ts';
import { lockAttempt, lockStarts } from '#server/passing/attempt.ts';

type ExtraTimeRequest = BodyOf<typeof addTimeToMany>;
type ExtraTimeReply = ReplyOf<typeof addTimeToMany>;

interface GrantRow {
  readonly testId: string;
  readonly minutes: number;
  readonly reply: ExtraTimeReply;
}

const NO_REPLY: ExtraTimeReply = { extended: [], skipped: [] };

/** Claims the key; a concurrent repeat waits here for the first to commit. */
async function claim(
  client: PoolClient,
  testId: string,
  { key, minutes }: ExtraTimeRequest,
  by: { at: Date; actorId: string },
): Promise<boolean> {
  const claimed = await execute(
    client,
    `insert into time_grants (key, test_id, actor_id, at, minutes, reply)
     values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
    [key, testId, by.actorId, by.at, minutes, JSON.stringify(NO_REPLY)],
  );
  return claimed === 1;
}

const idsOf = ({ extended, skipped }: ExtraTimeReply) =>
  [...extended, ...skipped].map(({ attemptId }) => attemptId);

/** The reply of the first call. The same key for another request is the caller's mistake. */
async function repeated(
  client: PoolClient,
  testId: string,
  grant: ExtraTimeRequest,
): Promise<ExtraTimeReply> {
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

/**
 * Adds minutes to attempts of one test, all in one transaction. The reply is stored under the key, so that a repeat has
 * no second effect. An attempt that cannot be extended is skipped with the reason.
 * @throws {Refusal} NOT_FOUND when one is not of this test; VALIDATION for a key used otherwise
 */
export async function grantTime(
  deps: Pick<Deps, 'pool' | 'newId'>,
  testId: string,
  grant: ExtraTimeRequest,
  by: { at: Date; actorId: string },
): Promise<ExtraTimeReply> {
  return transaction(deps.pool, async (client) => {
    await lockRescoring(client, testId);
    if (!(await claim(client, testId, grant, by))) return repeated(client, testId, grant);
    const ids = [...new Set(grant.attemptIds)];
    // Always in the order of persons, so that two calls never deadlock.
    const found = await rows<{ id: string; userId: string }>(
      client,
      `select id, user_id as "userId" from attempts where test_id = $1 and id = any($2)
       order by user_id, number`,
      [testId, ids],
    );
    if (found.length !== ids.length) throw new Refusal('NOT_FOUND');
    const granted: ExtraTimeReply = { extended: [], skipped: [] };
    for (const { id, userId } of found) {
      await lockStarts(client, testId, userId);
      const attempt = await lockAttempt(client, id, 'update');
      if (!attempt) throw new Refusal('NOT_FOUND');
      try {
        const moved = await moveDeadline(client, deps, attempt, grant.minutes, by);
        granted.extended.push({ attemptId: id, deadline: moved.deadline.toISOString() });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        granted.skipped.push({ attemptId: id, message: error.message });
      }
    }
    await execute(client, 'update time_grants set reply = $2 where key = $1', [
      grant.key,
      JSON.stringify(granted),
    ]);
    return granted;
  });
}
