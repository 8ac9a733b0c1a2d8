import type { Receipt } from '#contract/passing.ts';
import { batchCalls } from '#server/db/batch-calls.ts';
import { rows } from '#server/db/query.ts';
import { codeOf } from '#server/db/operator-error.ts';
import type { Deps } from '#server/deps.ts';
import { GRACE_MS } from '#domain/deadline.ts';
import { writtenAt } from '#domain/lateness.ts';
import type { Attempt } from './attempt.ts';
import type { OperationRequest } from './incoming.ts';
import { receiptOf, type Operation } from './journal.ts';
import { contactAssignments } from './streams.ts';

/** The immutable fields of an attempt, cached so that a save need not read it. */
export type Facts = Pick<
  Attempt,
  'id' | 'userId' | 'testId' | 'contentId' | 'number' | 'startedAt'
>;

/**
 * Common answers of different attempts in one statement, so in one transaction and one round trip: each attempt runs,
 * the stream is known, id and sequence are new, no early finish may wait for it. Locks in the order of the full rules:
 * attempt, stream, answer. If a lock is held elsewhere, the answer is left to the full rules, so that no answer waits
 * for the lock of another. The answer is written before the journal, so that the journalled outcome is the actual one.
 *
 * The plan is made once, perhaps while the tables are empty, so its form is fixed: each step looks up the rows of each
 * input by index (`lateral`, scalar subqueries, `num_nulls`, which excludes the index of open attempts), and `offset 0`
 * hides the number of answers, by which PostgreSQL would plan each call anew.
 */
const ENTER_ANSWERS = {
  name: 'enter-answers',
  text: `
with attempt as materialized (
  select input.*, found.*
  from (
    select $1::uuid[] as attempt_ids, $2::uuid[] as user_ids, $3::timestamptz[] as received,
      $4::uuid[] as streams, $5::uuid[] as ids, $6::integer[] as sequences, $7::uuid[] as question_ids,
      $8::text[] as bodies, $9::bytea[] as digests, $10::timestamptz[] as written, $11::bigint[] as ages,
      $12::timestamptz[] as seen, $13::integer[] as heads
    offset 0
  ) columns
  cross join lateral unnest(attempt_ids, user_ids, received, streams, ids, sequences, question_ids,
      bodies, digests, written, ages, seen, heads)
    with ordinality as input (attempt_id, user_id, received_at, stream, id, sequence, question_id,
      body, body_digest, written_at, age_ms, seen_server_at, head, place)
  cross join lateral (
    select user_id as owner_id, deadline, late_window_seconds, active_stream, default_stream, ended, deleted_at
    from attempts where attempts.id = input.attempt_id
    for share skip locked
  ) found
  where owner_id = input.user_id and num_nulls(ended, deleted_at) = 2
    and deadline + interval '${GRACE_MS / 1000} seconds' >= input.received_at
), own_stream as materialized (
  select attempt.*, found.epoch, found.stream_id,
    coalesce(attempt.sequence, (
      select max(o.rank) from operations o
      where o.attempt_id = attempt.attempt_id and o.stream = found.stream_id
    ), 0) as rank,
    nextval('operations_ordinal_seq') as ordinal
  from attempt
  cross join lateral (
    select streams.id as stream_id, streams.epoch
    from streams
    where streams.attempt_id = attempt.attempt_id
      and streams.id = coalesce(attempt.stream, attempt.default_stream)
    for no key update skip locked
  ) found
  where (select o.id from operations o where o.attempt_id = attempt.attempt_id and o.id = attempt.id) is null
    -- a finish that may have waited for this answer
    and (
      select o.id from operations o
      where o.attempt_id = attempt.attempt_id and o.stream = found.stream_id
        and o.sequence > attempt.sequence and o.kind = 'finish' and o.outcome = 'held'
      limit 1
    ) is null
    and (
      attempt.sequence is null
      or (
        (
          select o.id from operations o
          where o.attempt_id = attempt.attempt_id and o.stream = found.stream_id
            and o.sequence = attempt.sequence
        ) is null
        and (
          select s.operation_id from spare_sequences s
          where s.attempt_id = attempt.attempt_id and s.stream = found.stream_id
            and s.sequence = attempt.sequence
        ) is null
      )
    )
), stream_update as (
  update streams set ${contactAssignments('streams', 'own_stream.head', 'own_stream.received_at')}
  from own_stream
  where streams.attempt_id = own_stream.attempt_id and streams.id = own_stream.stream_id
), answer_upsert as (
  insert into answers (attempt_id, question_id, operation_id, epoch, sequence, rank, ordinal, body,
    received_late, received_at)
  select attempt_id, question_id, id, epoch, sequence, rank, ordinal, body::jsonb, false, received_at
  from own_stream
  on conflict (attempt_id, question_id) do update set
    operation_id = excluded.operation_id, epoch = excluded.epoch, sequence = excluded.sequence,
    rank = excluded.rank, ordinal = excluded.ordinal, body = excluded.body,
    received_late = excluded.received_late, received_at = excluded.received_at
  where (answers.epoch, answers.rank, answers.ordinal) < (excluded.epoch, excluded.rank, excluded.ordinal)
  returning ordinal
), judged as (
  select own_stream.*,
    case when ordinal in (select ordinal from answer_upsert) then 'stored' else 'superseded' end as outcome
  from own_stream
), journal_entry as (
  insert into operations (attempt_id, id, kind, stream, epoch, sequence, rank, ordinal, question_id,
    body, body_digest, outcome, received_late, written_at, age_ms, seen_server_at, received_at)
  overriding system value
  select attempt_id, id, 'answer', stream_id, epoch, sequence, rank, ordinal, question_id, body::jsonb,
    body_digest, outcome, false, written_at, age_ms, seen_server_at, received_at
  from judged
)
select place, stream_id as stream, epoch, outcome, deadline, late_window_seconds as "windowSeconds",
  active_stream as "activeStream"
from judged`,
};

const UNIQUE_VIOLATION = '23505';

/** Answers of one statement at most. */
const MAX_ANSWERS = 100;
/** A second statement at the same time would halve the batches, and cost PostgreSQL a fifth more for each answer. */
const STATEMENTS_AT_ONCE = 1;

type Row = Pick<Operation, 'stream' | 'epoch' | 'outcome'> &
  Pick<Attempt, 'deadline' | 'windowSeconds' | 'activeStream'> & { place: number };

interface Item {
  readonly facts: Facts;
  readonly callerId: string;
  readonly request: OperationRequest;
  readonly writtenAt: Date | null;
}

const valuesOf = ({ facts, callerId, request, writtenAt: written }: Item) => [
  facts.id,
  callerId,
  request.receivedAt,
  request.stream,
  request.id,
  request.sequence,
  request.questionId,
  request.bodyText,
  request.digest,
  written,
  request.ageMs === 'unknown' ? null : request.ageMs,
  request.seenServerTime,
  request.head,
];

/** The column of each parameter, in the form for `unnest`. */
function columnsOf(items: readonly Item[]): unknown[][] {
  const lines = items.map(valuesOf);
  return (lines[0] ?? []).map((_, column) => lines.map((line) => line[column]));
}

/** Null: nothing was written, the full rules must decide. Only the attempt's own student can write. */
export type FastAnswer = (
  facts: Facts,
  callerId: string,
  request: OperationRequest,
) => Promise<{ receipt: Receipt; activeStream: string } | null>;

/**
 * Saves common answers. Answers that arrive during a statement share the next one, each with its own verdict. Answers
 * of one attempt follow one another.
 */
export function createFastAnswer({ pool, state }: Pick<Deps, 'pool' | 'state'>): FastAnswer {
  const enter = batchCalls(
    async (items: readonly Item[]): Promise<(Row | null)[]> => {
      try {
        const entered = await rows<Row>(pool, ENTER_ANSWERS, columnsOf(items));
        const byPlace = new Map(entered.map((row) => [row.place, row]));
        return items.map((_, index) => byPlace.get(index + 1) ?? null);
      } catch (error) {
        // A duplicate entered meanwhile, or another operation with the sequence: nothing was written.
        if (items.length === 1 && codeOf(error) === UNIQUE_VIOLATION) return [null];
        throw error;
      }
    },
    { most: MAX_ANSWERS, atOnce: STATEMENTS_AT_ONCE, keyOf: ({ facts }) => facts.id },
  );

  return async (facts, callerId, request) => {
    const written = writtenAt({
      receivedAt: request.receivedAt.getTime(),
      ageMs: request.ageMs,
      seenServerTime: request.seenServerTime?.getTime() ?? null,
    });
    const writtenDate = written === null ? null : new Date(written);
    const row = await enter({ facts, callerId, request, writtenAt: writtenDate });
    if (!row) return null;
    const receipt = receiptOf(
      state.sealKey,
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
  };
}
