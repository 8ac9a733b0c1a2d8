import type { Pool, PoolClient } from 'pg';
import { execute, one, rows, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { scheduleJob } from '#server/housekeeping/schedule.ts';
import {
  ATTEMPT_COLUMNS,
  attemptClosesAt,
  CLOSES_AT,
  isOver,
  lockAttempt,
  type Attempt,
} from './attempt.ts';
import { loadContent } from './content.ts';
import {
  type MarkEvidence,
  loadEvidence,
  type AttemptMark,
  markOf,
  marksFrom,
  rescore,
  storeMarks,
} from './counting.ts';
import { assertInvariant } from './invariant.ts';
import type { Operation } from './journal.ts';

const NOTHING: MarkEvidence = { journal: [], grades: [] };

/** An attempt's times after it was closed, as stored. */
type ClosedTimes = Pick<Attempt, 'startedAt' | 'deadline'> & { readonly endedAt: Date };
const CLOSED_TIMES = 'started_at as "startedAt", deadline, ended_at as "endedAt"';

function assertClosedInOrder({ startedAt, deadline, endedAt }: ClosedTimes, now: Date): void {
  assertInvariant(endedAt >= startedAt, 'a closed attempt ends after its start');
  assertInvariant(endedAt >= deadline && endedAt <= now, 'an attempt is closed after its deadline');
}

const isDue = (attempt: Attempt, now: Date): boolean =>
  attempt.ended === null && isOver(attempt, now);

/**
 * Ends an unfinished attempt after the end of its window (server rule 7). Returns its present state.
 * @param locked exclusively, by the caller
 */
export async function closeIfDue(client: PoolClient, locked: Attempt, now: Date): Promise<Attempt> {
  if (!isDue(locked, now)) return locked;
  const endedAt = attemptClosesAt(locked);
  const closed = await one<ClosedTimes>(
    client,
    `update attempts set ended = 'closed', ended_at = $2 where id = $1 returning ${CLOSED_TIMES}`,
    [locked.id, endedAt],
  );
  assertInvariant(closed !== null, 'a locked attempt exists');
  assertClosedInOrder(closed, now);
  await rescore(client, locked, 'closed', now);
  return { ...locked, ended: 'closed', endedAt };
}

/** Ends an attempt by its student's finish; one that the server closed meanwhile is finished too. */
export async function endByFinish(
  client: PoolClient,
  attempt: Attempt,
  finish: Pick<Operation, 'id' | 'kind' | 'outcome' | 'receivedAt'>,
): Promise<void> {
  assertInvariant(
    finish.kind === 'finish' && finish.outcome === 'stored',
    'only a stored finish ends an attempt',
  );
  const updated = await execute(
    client,
    `update attempts set ended = 'finished', ended_at = $2, finish_operation = $3
     where id = $1 and ended is distinct from 'finished'`,
    [attempt.id, finish.receivedAt, finish.id],
  );
  assertInvariant(updated === 1, 'an attempt is finished once');
}

/** `closeIfDue` for readers, who hold no lock: in a separate transaction. */
export async function closedIfDue(pool: Pool, attempt: Attempt, now: Date): Promise<Attempt> {
  if (!isDue(attempt, now)) return attempt;
  return transaction(pool, async (client) => {
    const locked = await lockAttempt(client, attempt.id, 'update');
    return locked ? closeIfDue(client, locked, now) : attempt;
  });
}

/** Attempts locked at once: a class, for milliseconds. */
const TOGETHER = 50;

/** Closes the due ones of some attempts, all or none. Returns their number. */
function closeTogether(pool: Pool, ids: readonly string[], now: Date): Promise<number> {
  return transaction(pool, async (client) => {
    const locked = await rows<Attempt>(
      client,
      `select ${ATTEMPT_COLUMNS} from attempts
       where id = any($1) order by id for update`,
      [ids],
    );
    const due = locked.filter((attempt) => isDue(attempt, now));
    const closing = due.map(({ id }) => id);
    const closed = await rows<ClosedTimes>(
      client,
      `update attempts x set ended = 'closed', ended_at = given.at
       from unnest($1::uuid[], $2::timestamptz[]) as given (id, at) where x.id = given.id
       returning ${CLOSED_TIMES}`,
      [closing, due.map(attemptClosesAt)],
    );
    assertInvariant(closed.length === due.length, 'locked attempts exist');
    for (const times of closed) assertClosedInOrder(times, now);
    const evidence = await loadEvidence(client, closing);
    const marks = new Map<string, AttemptMark>();
    for (const { id, contentId } of due) {
      const { questions } = await loadContent(client, contentId);
      marks.set(id, markOf(marksFrom(questions, evidence.get(id) ?? NOTHING)));
    }
    await storeMarks(client, marks, { reason: 'closed', at: now, actorId: null });
    return closing.length;
  });
}

/**
 * Closes the due ones of some attempts, a class at a time. Returns their number. A failure of one does not prevent the
 * others from closing; its error is thrown at the end.
 */
export async function closeAttempts(
  pool: Pool,
  ids: readonly string[],
  now: Date,
): Promise<number> {
  let closed = 0;
  const failures: unknown[] = [];
  for (let from = 0; from < ids.length; from += TOGETHER) {
    const part = ids.slice(from, from + TOGETHER);
    try {
      closed += await closeTogether(pool, part, now);
    } catch {
      // The failed attempt is unknown, so each is tried separately.
      for (const id of part)
        try {
          await closeTogether(pool, [id], now);
        } catch (error) {
          failures.push(error);
        }
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'some attempts could not be closed');
  return closed;
}

/**
 * Closes all due attempts, oldest first, as `closeAttempts` does. Returns their number.
 * @param testId all of this test alone, before its attempts are listed; without it at most 500
 */
export async function closeDueAttempts(
  pool: Pool,
  now: Date,
  testId: string | null = null,
): Promise<number> {
  const due = await rows<{ id: string }>(
    pool,
    `select id from attempts
     where ended is null and deleted_at is null and ($2::uuid is null or test_id = $2)
       and ${CLOSES_AT} <= $1
     order by deadline limit case when $2::uuid is null then 500 end`,
    [now, testId],
  );
  return closeAttempts(
    pool,
    due.map(({ id }) => id),
    now,
  );
}

const EVERY_MS = 20_000;

/** Periodically closes due attempts; reading one closes it as well. Returns the stop function. */
export const startClosingJob = ({ log, pool, clock }: Deps): (() => Promise<void>) =>
  scheduleJob(log, {
    what: 'closing due attempts',
    everyMs: EVERY_MS,
    firstMs: 0,
    run: async () => void (await closeDueAttempts(pool, clock())),
  });
