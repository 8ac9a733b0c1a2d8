import type { Receipt } from '#contract/passing.ts';
import { one } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { writtenAt } from '#domain/lateness.ts';
import type { Attempt } from './attempt.ts';
import { supersede } from './counting.ts';
import type { Arriving } from './incoming.ts';
import { receiptOf, type Operation } from './journal.ts';

/**
 * The usual answer in one statement, so in one transaction and one round trip: attempt runs, stream is
 * known, id and sequence are new. Enters nothing in every other case; then the full rules decide.
 * `counts` makes the answer's row be locked before the stream's, as the full rules do: no deadlock.
 */
const STATEMENT = {
  name: 'fast-answer',
  text: `
with attempt as (
  select id, test_id, user_id, content_id, number, started_at, deadline, late_window_seconds,
    default_stream, active_stream, active_epoch
  from attempts
  where id = $1 and user_id = $2 and deleted_at is null and ended is null
    and deadline + interval '60 seconds' >= $3
  for share
), place as (
  select streams.id, streams.epoch from streams, attempt
  where streams.attempt_id = attempt.id and streams.id = coalesce($4::uuid, attempt.default_stream)
), ranked as (
  select place.id as stream, place.epoch,
    coalesce($6::integer,
      (select max(o.rank) from operations o where o.attempt_id = $1 and o.stream = place.id), 0) as rank
  from place
), entered as (
  insert into operations (attempt_id, id, kind, stream, epoch, sequence, rank, question_id, body,
    body_digest, outcome, received_late, written_at, age_ms, seen_server_at, received_at)
  select $1, $5, 'answer', ranked.stream, ranked.epoch, $6::integer, ranked.rank, $7, $8, $9,
    case when exists (
      select 1 from answers a where a.attempt_id = $1 and a.question_id = $7
        and (a.epoch, a.rank) > (ranked.epoch, ranked.rank)
    ) then 'superseded' else 'stored' end,
    false, $10, $11, $12, $3
  from ranked
  where not exists (
    select 1 from spare_sequences s
    where s.attempt_id = $1 and s.stream = ranked.stream and s.sequence = $6 and s.operation_id is not null
  )
  on conflict do nothing
  returning stream, epoch, rank, ordinal, outcome
), counted as (
  insert into answers (attempt_id, question_id, operation_id, epoch, sequence, rank, ordinal, body,
    received_late, received_at)
  select $1, $7, $5, epoch, $6::integer, rank, ordinal, $8, false, $3 from entered where outcome = 'stored'
  on conflict (attempt_id, question_id) do update set
    operation_id = excluded.operation_id, epoch = excluded.epoch, sequence = excluded.sequence,
    rank = excluded.rank, ordinal = excluded.ordinal, body = excluded.body,
    received_late = excluded.received_late, received_at = excluded.received_at
  where (answers.epoch, answers.rank, answers.ordinal) < (excluded.epoch, excluded.rank, excluded.ordinal)
  returning true
), heard as (
  update streams set last_heard_at = greatest(streams.last_heard_at, $3),
    head_at = case when $13 >= head then $3 else head_at end, head = greatest(head, $13)
  from entered where streams.attempt_id = $1 and streams.id = entered.stream
)
select entered.*, attempt.test_id as "testId", attempt.content_id as "contentId", attempt.number,
  attempt.started_at as "startedAt", attempt.deadline, attempt.late_window_seconds as "windowSeconds",
  attempt.active_stream as "activeStream", exists (select 1 from counted) as counts
from entered, attempt`,
};

type Row = Pick<Operation, 'stream' | 'epoch' | 'rank' | 'ordinal' | 'outcome'> &
  Pick<
    Attempt,
    'testId' | 'contentId' | 'number' | 'startedAt' | 'deadline' | 'windowSeconds' | 'activeStream'
  > & { readonly counts: boolean };

/** Null: nothing was entered, the full rules must decide. */
export async function fastAnswer(
  deps: Deps,
  userId: string,
  attemptId: string,
  arriving: Arriving,
): Promise<{ receipt: Receipt; activeStream: string } | null> {
  const written = writtenAt({
    receivedAt: arriving.receivedAt.getTime(),
    ageMs: arriving.ageMs,
    seenServerTime: arriving.seenServerTime?.getTime() ?? null,
  });
  const writtenDate = written === null ? null : new Date(written);
  const row = await one<Row>(deps.pool, STATEMENT, [
    attemptId,
    userId,
    arriving.receivedAt,
    arriving.stream,
    arriving.id,
    arriving.sequence,
    arriving.questionId,
    JSON.stringify(arriving.body),
    arriving.digest,
    writtenDate,
    arriving.ageMs === 'unknown' ? null : arriving.ageMs,
    arriving.seenServerTime,
    arriving.head,
  ]);
  if (!row) return null;
  // A greater answer came between this statement's look and its turn.
  const isLesser = row.outcome === 'stored' && !row.counts;
  if (isLesser) await supersede(deps.pool, attemptId, arriving.id);
  const receipt = receiptOf(
    deps.state.sealKey,
    { ...row, id: attemptId, userId },
    {
      id: arriving.id,
      stream: row.stream,
      epoch: row.epoch,
      sequence: arriving.sequence,
      outcome: isLesser ? 'superseded' : row.outcome,
      receivedLate: false,
      writtenAt: writtenDate,
      receivedAt: arriving.receivedAt,
      bodyDigest: arriving.digest,
    },
  );
  return { receipt, activeStream: row.activeStream };
}
