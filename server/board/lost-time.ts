import type { getLostTime, getSilence } from '#contract/lost-time.ts';
import type { ReplyOf } from '#contract/route.ts';
import { lostMinutes, type LostMinutes } from '#domain/lost-minutes.ts';
import { clipPeriods, type Period } from '#domain/periods.ts';
import { SILENCE_MS, silenceBefore, silenceOf } from '#domain/silence.ts';
import { one, rows, type Client } from '#server/db/query.ts';
import { Refusal } from '#server/http/refusal.ts';
import { CLOSES_AT, laterAttempts } from '#server/passing/attempt.ts';
import { OWN_START } from '#server/tests/access.ts';
import { readOutages } from './uptime.ts';

interface AttemptRow {
  readonly id: string;
  readonly startedAt: Date;
  readonly deadline: Date;
  /** When the server closed it, or would have; null: its window is open. */
  readonly closedAt: Date | null;
  readonly opensAt: Date | null;
  readonly passSeconds: number;
  /**
   * Since when it may need the server. One begun without a network needs none until its begin has arrived or, after a
   * restore, a receipt has proved it; null: neither has happened.
   */
  readonly needsServerFrom: Date | null;
}

/** How long an attempt that was closed during an outage is offered its minutes. */
const CLOSED_FOR = `interval '1 day'`;

/** Attempts of test $1 at $2 that may still get minutes: unfinished, and the newest of their student. */
const ATTEMPTS = `
select x.id, x.started_at as "startedAt", x.deadline, x.closed_at as "closedAt",
  ${OWN_START} as "opensAt", t.pass_seconds + coalesce(p.extra_seconds, 0) as "passSeconds",
  coalesce(begun.at, case when exists (select from offers where id = x.id)
    then x.recovered_at else least(x.started_at, ${OWN_START}) end) as "needsServerFrom"
from (
  select *, coalesce(ended_at, case when ${CLOSES_AT} <= $2 then ${CLOSES_AT} end) as closed_at
  from attempts
  where test_id = $1 and deleted_at is null and not begin_held and ended is distinct from 'finished'
) x
  join tests t on t.id = x.test_id
  left join personal_terms p on p.test_id = x.test_id and p.user_id = x.user_id
  cross join lateral (
    select min(received_at) as at from begins where attempt_id = x.id
  ) begun
where (x.closed_at is null or x.closed_at > $2::timestamptz - ${CLOSED_FOR})
  and not exists (${laterAttempts('x', '$2')})`;

interface PeriodRow {
  readonly attemptId: string;
  readonly from: Date;
  readonly to: Date;
}

/**
 * From the last sign of an earlier device to the beginning on the next. What arrived afterwards or in a file that somebody
 * brought is no sign.
 */
const TAKE_OVERS = `
select s.attempt_id as "attemptId", greatest(earlier.at, sent.received, sent.written) as "from",
  s.created_at as "to"
from streams s
  cross join lateral (
    select max(greatest(f.created_at,
      case when f.last_heard_at <= s.created_at then f.last_heard_at end)) as at
    from streams f where f.attempt_id = s.attempt_id and f.epoch < s.epoch
  ) earlier
  cross join lateral (
    select max(o.received_at) filter (
        where o.received_at <= s.created_at and not o.by_handover and not o.by_file) as received,
      max(o.written_at) filter (where o.written_at <= s.created_at) as written
    from operations o where o.attempt_id = s.attempt_id and o.epoch < s.epoch
  ) sent
where s.attempt_id = any($1) and s.epoch > 1`;

/** A device reports about every half minute: a shorter gap was no search for another one. */
const MIN_TAKE_OVER_MS = 60_000;

interface DeliveryRow {
  readonly attemptId: string;
  readonly writtenAt: Date | null;
  readonly seenServerAt: Date | null;
  readonly receivedAt: Date;
}

const DELIVERIES = `select attempt_id as "attemptId", written_at as "writtenAt",
  seen_server_at as "seenServerAt", received_at as "receivedAt" from operations`;

interface ArrivalRow {
  readonly attemptId: string;
  readonly receivedAt: Date;
  readonly lastContactAt: Date | null;
  readonly waitingSince: Date;
}

const LONGER = `${SILENCE_MS} * interval '1 millisecond'`;

/**
 * Arrivals that ended a silence, in order. Computed here, since after an outage a class has 100,000 others; without a late
 * one an attempt has no silence and is not sorted.
 */
const ARRIVALS = `
select attempt_id as "attemptId", received_at as "receivedAt", last_contact_at as "lastContactAt",
  waiting_since as "waitingSince"
from (
  select attempt_id, received_at, lead(received_at) over later as last_contact_at,
    min(coalesce(written_at, seen_server_at, received_at)) over later as waiting_since
  from operations where attempt_id in (
    select attempt_id from operations
    where attempt_id = any($1) and received_at - coalesce(written_at, seen_server_at) > ${LONGER})
  window later as (partition by attempt_id order by received_at desc)
) x
where received_at - greatest(waiting_since, last_contact_at) > ${LONGER}
order by received_at`;

const SETTLED = `select attempt_id as "attemptId", began_at as "from", ended_at as "to"
  from settled_periods where attempt_id = any($1)`;

/** Rows by their attempt. */
function byAttempt<T extends { readonly attemptId: string }>(
  found: readonly T[],
): (attemptId: string) => readonly T[] {
  const groups = new Map<string, T[]>();
  for (const row of found) {
    const group = groups.get(row.attemptId);
    if (group) group.push(row);
    else groups.set(row.attemptId, [row]);
  }
  return (attemptId) => groups.get(attemptId) ?? [];
}

const silenceIn = (deliveries: readonly DeliveryRow[]) =>
  silenceOf(
    deliveries.map(({ writtenAt, seenServerAt, receivedAt }) => ({
      writtenAt: writtenAt?.getTime() ?? null,
      seenServerAt: seenServerAt?.getTime() ?? null,
      receivedAt: receivedAt.getTime(),
    })),
  );

/** The silences of attempts, by the rules of `silenceOf`. */
export async function readSilences(
  db: Client,
  attemptIds: readonly string[],
): Promise<(attemptId: string) => readonly Period[]> {
  const arrivals = byAttempt(await rows<ArrivalRow>(db, ARRIVALS, [attemptIds]));
  return (attemptId) =>
    arrivals(attemptId).flatMap(({ receivedAt, lastContactAt, waitingSince }) => {
      const period = silenceBefore({
        receivedAt: receivedAt.getTime(),
        lastContactAt: lastContactAt?.getTime() ?? null,
        waitingSince: waitingSince.getTime(),
      });
      return period ?? [];
    });
}

const asPeriod = ({ from, to }: PeriodRow): Period => ({ from: from.getTime(), to: to.getTime() });

const isWithin =
  (at: Date) =>
  ({ from, to }: Period): boolean =>
    from <= at.getTime() && at.getTime() <= to;

/** What each attempt of a test lost and has not got back; attempts that lost nothing are left out. */
export async function readLostTime(
  db: Client,
  testId: string,
  now: Date,
): Promise<Map<string, LostMinutes>> {
  const attempts = await rows<AttemptRow>(db, ATTEMPTS, [testId, now]);
  const ids = attempts.map(({ id }) => id);
  const since = attempts.flatMap(({ startedAt, opensAt }) => [startedAt, opensAt ?? startedAt]);
  const outages = await readOutages(db, new Date(Math.min(...since.map(Number), now.getTime())));
  const takeOvers = byAttempt(await rows<PeriodRow>(db, TAKE_OVERS, [ids]));
  const silences = await readSilences(db, ids);
  const settled = byAttempt(await rows<PeriodRow>(db, SETTLED, [ids]));
  const lost = new Map<string, LostMinutes>();
  for (const attempt of attempts) {
    const { id, startedAt, deadline, closedAt, opensAt, passSeconds, needsServerFrom } = attempt;
    // Closed while the server ran: its student saw the end come.
    if (closedAt && !outages.some(isWithin(closedAt))) continue;
    const found = lostMinutes({
      startedAt: startedAt.getTime(),
      deadline: deadline.getTime(),
      now: now.getTime(),
      opensAt: opensAt?.getTime() ?? null,
      passMs: passSeconds * 1000,
      outages: clipPeriods(outages, { from: needsServerFrom?.getTime() ?? Infinity, to: Infinity }),
      takeOvers: takeOvers(id)
        .map(asPeriod)
        .filter(({ from, to }) => to - from > MIN_TAKE_OVER_MS),
      silences: silences(id),
      settled: settled(id).map(asPeriod),
    });
    if (found.minutesWithSilence > 0) lost.set(id, found);
  }
  return lost;
}

const isoPeriods = (periods: readonly Period[]) =>
  periods.map(({ from, to }) => ({
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
  }));

/** The same as the wire has it. */
export async function listLostTime(
  db: Client,
  testId: string,
  now: Date,
): Promise<ReplyOf<typeof getLostTime>> {
  const lost = await readLostTime(db, testId, now);
  const items = [...lost].map(([attemptId, { losses, minutes, minutesWithSilence }]) => ({
    attemptId,
    minutes,
    minutesWithSilence,
    causes: losses.map(({ cause, periods }) => ({ cause, periods: isoPeriods(periods) })),
  }));
  return { items, total: items.length };
}

/** @throws {Refusal} NOT_FOUND for an attempt of another test */
export async function readSilence(
  db: Client,
  testId: string,
  attemptId: string,
): Promise<ReplyOf<typeof getSilence>> {
  const attempt = await one(db, 'select 1 from attempts where id = $1 and test_id = $2', [
    attemptId,
    testId,
  ]);
  if (!attempt) throw new Refusal('NOT_FOUND');
  const deliveries = await rows<DeliveryRow>(db, `${DELIVERIES} where attempt_id = $1`, [
    attemptId,
  ]);
  const { periods, isAgeUnknown } = silenceIn(deliveries);
  return { periods: isoPeriods(periods), isAgeUnknown };
}
