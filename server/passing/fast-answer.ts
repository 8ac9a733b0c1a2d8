import type { Receipt } from '#contract/passing.ts';
import { one } from '#server/db/query.ts';
import { codeOf } from '#server/db/operator-error.ts';
import type { Deps } from '#server/deps.ts';
import { GRACE_MS } from '#domain/deadline.ts';
import { writtenAt } from '#domain/lateness.ts';
import type { Attempt } from './attempt.ts';
import type { OperationRequest } from './incoming.ts';
import { receiptOf, type Operation } from './journal.ts';

/** The immutable fields of an attempt, cached so that a save need not read it. */
export type Facts = Pick<
  Attempt,
  'id' | 'userId' | 'testId' | 'contentId' | 'number' | 'startedAt'
>;

/** The SQL parts that depend on whether a sequence was sent. */
interface Form {
  readonly name: string;
  readonly rank: string;
  readonly unless: string;
}

/**
 * The common answer in one statement, so in one transaction and one round trip: the attempt runs, the stream is
 * known, id and sequence are new. Locks in the order of the full rules: attempt, stream, answer. The answer is
 * written before the journal, so that the journalled outcome is what happened.
 */
const statement = ({ name, rank, unless }: Form) => ({
  name,
  text: `
with attempt as (
  select deadline, late_window_seconds, default_stream, active_stream, ended, deleted_at
  from attempts where id = $1 and user_id = $2
  for share
), stream_update as (
  update streams set last_heard_at = greatest(streams.last_heard_at, $3),
    head_at = case when $13 >= streams.head then $3 else streams.head_at end,
    head_since = case when $13 > streams.head then $3 else streams.head_since end,
    head = greatest(streams.head, $13)
  from attempt
  where streams.attempt_id = $1 and streams.id = coalesce($4::uuid, attempt.default_stream)
    and attempt.ended is null and attempt.deleted_at is null
    and attempt.deadline + interval '${GRACE_MS / 1000} seconds' >= $3
    and not exists (select 1 from operations where attempt_id = $1 and id = $5)${unless}
  returning streams.id as stream, streams.epoch, ${rank} as rank,
    nextval('operations_ordinal_seq') as ordinal
), answer_upsert as (
  insert into answers (attempt_id, question_id, operation_id, epoch, sequence, rank, ordinal, body,
    received_late, received_at)
  select $1, $7, $5, epoch, $6::integer, rank, ordinal, $8, false, $3 from stream_update
  on conflict (attempt_id, question_id) do update set
    operation_id = excluded.operation_id, epoch = excluded.epoch, sequence = excluded.sequence,
    rank = excluded.rank, ordinal = excluded.ordinal, body = excluded.body,
    received_late = excluded.received_late, received_at = excluded.received_at
  where (answers.epoch, answers.rank, answers.ordinal) < (excluded.epoch, excluded.rank, excluded.ordinal)
  returning true
), journal_entry as (
  insert into operations (attempt_id, id, kind, stream, epoch, sequence, rank, ordinal, question_id,
    body, body_digest, outcome, received_late, written_at, age_ms, seen_server_at, received_at)
  overriding system value
  select $1, $5, 'answer', stream, epoch, $6::integer, rank, ordinal, $7, $8, $9,
    case when exists (select 1 from answer_upsert) then 'stored' else 'superseded' end,
    false, $10, $11, $12, $3
  from stream_update
  returning stream, epoch, outcome
)
select journal_entry.*, attempt.deadline, attempt.late_window_seconds as "windowSeconds",
  attempt.active_stream as "activeStream"
from journal_entry, attempt`,
});

// Two statements, each with one good plan: with a nullable parameter PostgreSQL would plan every call anew.
const WITH_SEQUENCE = statement({
  name: 'fast-answer',
  rank: '$6::integer',
  unless: `
    and not exists (
      select 1 from spare_sequences s
      where s.attempt_id = $1 and s.stream = streams.id and s.sequence = $6::integer
        and s.operation_id is not null
    )`,
});
const WITHOUT_SEQUENCE = statement({
  name: 'fast-answer-unsequenced',
  rank: `coalesce((select max(o.rank) from operations o
      where o.attempt_id = $1 and o.stream = streams.id), 0)`,
  unless: '',
});

const UNIQUE_VIOLATION = '23505';

type Row = Pick<Operation, 'stream' | 'epoch' | 'outcome'> &
  Pick<Attempt, 'deadline' | 'windowSeconds' | 'activeStream'>;

/** Null: nothing was written, the full rules must decide. Only the attempt's own student can write. */
export async function fastAnswer(
  deps: Deps,
  facts: Facts,
  callerId: string,
  request: OperationRequest,
): Promise<{ receipt: Receipt; activeStream: string } | null> {
  const written = writtenAt({
    receivedAt: request.receivedAt.getTime(),
    ageMs: request.ageMs,
    seenServerTime: request.seenServerTime?.getTime() ?? null,
  });
  const writtenDate = written === null ? null : new Date(written);
  const row = await enter(deps, request.sequence === null ? WITHOUT_SEQUENCE : WITH_SEQUENCE, [
    facts.id,
    callerId,
    request.receivedAt,
    request.stream,
    request.id,
    request.sequence,
    request.questionId,
    request.bodyText,
    request.digest,
    writtenDate,
    request.ageMs === 'unknown' ? null : request.ageMs,
    request.seenServerTime,
    request.head,
  ]);
  if (!row) return null;
  const receipt = receiptOf(
    deps.state.sealKey,
    { ...facts, deadline: row.deadline, windowSeconds: row.windowSeconds },
    {
      id: request.id,
      stream: row.stream,
      epoch: row.epoch,
      sequence: request.sequence,
      outcome: row.outcome,
      receivedLate: false,
      writtenAt: writtenDate,
      receivedAt: request.receivedAt,
      bodyDigest: request.digest,
    },
  );
  return { receipt, activeStream: row.activeStream };
}

/** A duplicate entered meanwhile, or another operation with the sequence, rolls the statement back. */
async function enter(
  deps: Deps,
  sql: ReturnType<typeof statement>,
  values: readonly unknown[],
): Promise<Row | null> {
  try {
    return await one<Row>(deps.pool, sql, values);
  } catch (error) {
    if (codeOf(error) === UNIQUE_VIOLATION) return null;
    throw error;
  }
}
