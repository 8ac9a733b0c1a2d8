import type { PoolClient } from 'pg';
import { judgeArrival } from '#domain/lateness.ts';
import { execute, one, rows } from '#server/db/query.ts';
import type { Attempt } from './attempt.ts';
import { logChange, rebuildAnswers } from './counting.ts';
import { assertInvariant } from './invariant.ts';
import type { Operation } from './journal.ts';
import { arrivalContext } from './operation.ts';

/** The reason, time and author of a moved deadline; null: not by a person. */
interface Extension {
  readonly reason: string;
  readonly at: Date;
  readonly actorId: string | null;
}

/**
 * Moves the deadline of a locked attempt that its student did not finish (server rule 5). One that the server
 * had closed runs again, so its mark is removed; late answers are judged again.
 */
export async function extendDeadline(
  client: PoolClient,
  attempt: Attempt,
  deadline: Date,
  { reason, at, actorId }: Extension,
): Promise<Attempt> {
  assertInvariant(attempt.ended !== 'finished', 'a finished attempt does not run again');
  assertInvariant(deadline >= attempt.deadline, 'a deadline never moves earlier');
  const old = await one<{ points: number | null }>(
    client,
    'select points from attempts where id = $1',
    [attempt.id],
  );
  await execute(
    client,
    `update attempts set deadline = $2, ended = null, ended_at = null, points = null,
       points_without_late = null, graded_max = null where id = $1`,
    [attempt.id, deadline],
  );
  await logChange(client, attempt.id, {
    at,
    reason,
    actorId,
    oldPoints: old?.points ?? null,
    newPoints: null,
  });
  const moved: Attempt = { ...attempt, deadline, ended: null, endedAt: null };
  await rejudgeLate(client, moved);
  return moved;
}

/**
 * Held and undecided, or counted as late: a later deadline may improve their outcome. Never that of an answer from a
 * plain file, which anybody can edit.
 */
const MAY_GAIN = `kind = 'answer'
  and (outcome = 'held' and decision is null and not after_result and not by_file
    or outcome in ('stored', 'superseded') and received_late)`;

type LateOperation = Pick<
  Operation,
  'id' | 'stream' | 'epoch' | 'ageMs' | 'seenServerAt' | 'receivedAt'
>;

/** What came before its stream was known claimed an epoch; it has that of the stream. Returns how much changed. */
const takeEpochs = (client: PoolClient, attempt: Attempt): Promise<number> =>
  execute(
    client,
    `update operations o set epoch = s.epoch from streams s
     where o.attempt_id = $1 and s.attempt_id = $1 and s.id = o.stream and s.epoch <> o.epoch`,
    [attempt.id],
  );

/** Judges held and late operations again, after a later deadline or for a stream that was accepted. */
export async function rejudgeLate(client: PoolClient, attempt: Attempt): Promise<void> {
  let gained = await takeEpochs(client, attempt);
  const known = await rows<{ id: string; beganAt: Date }>(
    client,
    'select id, created_at as "beganAt" from streams where attempt_id = $1',
    [attempt.id],
  );
  const streams = new Map(known.map(({ id, beganAt }) => [id, beganAt]));
  // Without their bodies: there may be many.
  const late = await rows<LateOperation>(
    client,
    `select id, stream, epoch, age_ms as "ageMs", seen_server_at as "seenServerAt",
       received_at as "receivedAt"
     from operations where attempt_id = $1 and ${MAY_GAIN} order by ordinal`,
    [attempt.id],
  );
  for (const operation of late) {
    const beganAt = streams.get(operation.stream);
    if (!beganAt) continue;
    const arrival = {
      receivedAt: operation.receivedAt.getTime(),
      ageMs: operation.ageMs ?? ('unknown' as const),
      seenServerTime: operation.seenServerAt?.getTime() ?? null,
    };
    const against = await arrivalContext(client, attempt, { epoch: operation.epoch, beganAt });
    const verdict = judgeArrival(arrival, { ...against, resultVisible: false });
    if (verdict.outcome !== 'stored') continue;
    const updated = await execute(
      client,
      `update operations set received_late = $3,
         outcome = case when outcome = 'held' then 'stored' else outcome end
       where attempt_id = $1 and id = $2`,
      [attempt.id, operation.id, verdict.receivedLate],
    );
    assertInvariant(updated === 1, 'a judged operation is in the journal');
    gained += 1;
  }
  // Rebuilt only after a change: extra time for a whole class changes few answers.
  if (gained > 0) await rebuildAnswers(client, attempt.id);
}
