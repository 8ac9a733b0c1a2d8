import type { PoolClient } from 'pg';
import type { Answer } from '#contract/answers.ts';
import type { ErrorCode } from '#contract/errors.ts';
import type { Outcome, Receipt } from '#contract/passing.ts';
import { execute, one, rows, type Client } from '#server/db/query.ts';
import type { Attempt } from './attempt.ts';
import { assertInvariant } from './invariant.ts';
import { sealReceipt } from './seal.ts';

/** What the journal holds of an operation that arrived. */
export interface JournalEntry {
  readonly id: string;
  readonly kind: 'answer' | 'finish';
  readonly stream: string;
  readonly epoch: number;
  readonly sequence: number | null;
  readonly ageMs: number | 'unknown';
  readonly seenServerTime: Date | null;
  readonly questionId: string | null;
  readonly body: Answer | FinishBody | null;
  readonly digest: Buffer;
  readonly receivedAt: Date;
  /** Whether a handover brought it, so that its arrival is no contact of its device. */
  readonly byHandover: boolean;
}

export interface FinishBody {
  readonly reason: 'student' | 'deadline';
}

/** A row of the journal. */
export interface Operation {
  readonly id: string;
  readonly attemptId: string;
  readonly kind: 'answer' | 'finish';
  readonly stream: string;
  readonly epoch: number;
  readonly sequence: number | null;
  readonly rank: number;
  readonly ordinal: number;
  readonly questionId: string | null;
  readonly body: unknown;
  readonly bodyDigest: Buffer;
  readonly outcome: Outcome | 'refused';
  readonly refusal: ErrorCode | null;
  readonly receivedLate: boolean;
  readonly writtenAt: Date | null;
  /** Null: unknown. */
  readonly ageMs: number | null;
  readonly seenServerAt: Date | null;
  readonly receivedAt: Date;
  readonly decision: 'accepted' | 'refused' | null;
  /** It arrived when its student could have seen the result. */
  readonly afterResult: boolean;
  /** It came from a plain file, which anybody can edit: only the teacher lets it count. */
  readonly byFile: boolean;
}

export const OPERATION_COLUMNS = `id, attempt_id as "attemptId", kind, stream, epoch, sequence, rank,
  ordinal, question_id as "questionId", body, body_digest as "bodyDigest", outcome, refusal,
  received_late as "receivedLate", written_at as "writtenAt", age_ms as "ageMs",
  seen_server_at as "seenServerAt", received_at as "receivedAt", decision,
  after_result as "afterResult", by_file as "byFile"`;

export async function findOperation(
  db: Client,
  attemptId: string,
  id: string,
): Promise<Operation | null> {
  return one<Operation>(
    db,
    `select ${OPERATION_COLUMNS} from operations where attempt_id = $1 and id = $2`,
    [attemptId, id],
  );
}

/** Limits of one reply: held answers of one attempt, and the text of all listed, in bytes. */
const HELD_PER_ATTEMPT = 500;
const HELD_BYTES = 16 * 1024 * 1024;

/**
 * Held answers of some attempts in order of receipt, within the limits of one reply: of each attempt the
 * undecided first, then the newest. The rest is listed once these are decided.
 */
export async function heldOperations(
  db: Client,
  attemptIds: readonly string[],
): Promise<(Operation & { questionId: string })[]> {
  return rows<Operation & { questionId: string }>(
    db,
    `select ${OPERATION_COLUMNS} from operations
     where attempt_id = any($1) and (attempt_id, id) in (
       select attempt_id, id from (
         select attempt_id, id, place, sum(bytes) over (order by place, attempt_id) as bytes_so_far
         from (
           select attempt_id, id, octet_length(body::text) as bytes, row_number() over (
               partition by attempt_id order by decision is not null, ordinal desc) as place
           from operations
           where attempt_id = any($1) and outcome = 'held' and kind = 'answer'
             and question_id is not null
         ) held
       ) listed
       where place = 1 or (place <= ${HELD_PER_ATTEMPT} and bytes_so_far <= ${HELD_BYTES})
     )
     order by ordinal`,
    [attemptIds],
  );
}

/** How an operation is journalled: its outcome, or the code it was refused with. */
export interface JournalOutcome {
  readonly outcome: Outcome | 'refused';
  readonly refusal: ErrorCode | null;
  readonly afterResult: boolean;
  readonly receivedLate: boolean;
  readonly writtenAt: Date | null;
  /** From a plain file; absent: its device sent it. */
  readonly byFile?: boolean;
}

/** Journals an operation. Null: its id or its sequence exists already. */
export async function insertOperation(
  client: PoolClient,
  attemptId: string,
  operation: JournalEntry,
  entry: JournalOutcome,
): Promise<Operation | null> {
  const entered = await one<Operation>(
    client,
    `insert into operations (attempt_id, id, kind, stream, epoch, sequence, rank, question_id, body,
       body_digest, outcome, refusal, after_result, received_late, written_at, age_ms, seen_server_at,
       received_at, by_file, by_handover)
     values ($1, $2, $3, $4, $5, $6::integer,
       coalesce($6::integer, (select max(rank) from operations where attempt_id = $1 and stream = $4), 0),
       $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
     on conflict do nothing returning ${OPERATION_COLUMNS}`,
    [
      attemptId,
      operation.id,
      operation.kind,
      operation.stream,
      operation.epoch,
      operation.sequence,
      operation.questionId,
      operation.body === null ? null : JSON.stringify(operation.body),
      operation.digest,
      entry.outcome,
      entry.refusal,
      entry.afterResult,
      entry.receivedLate,
      entry.writtenAt,
      operation.ageMs === 'unknown' ? null : operation.ageMs,
      operation.seenServerTime,
      operation.receivedAt,
      entry.byFile ?? false,
      operation.byHandover,
    ],
  );
  if (!entered) return null;
  assertInvariant(
    entered.id === operation.id && entered.bodyDigest.equals(operation.digest),
    'the journal holds the operation that arrived',
  );
  assertInvariant(
    operation.sequence === null || entered.rank === operation.sequence,
    'a numbered operation is ordered by its number',
  );
  return entered;
}

/** Removes an operation whose better copy has come. */
export async function deleteOperation(
  client: PoolClient,
  attemptId: string,
  id: string,
): Promise<void> {
  await execute(client, 'delete from operations where attempt_id = $1 and id = $2', [
    attemptId,
    id,
  ]);
}

/** Sequences of a stream that are accounted for: journalled, renumbered, folded or set aside. */
export async function accountedSequences(
  db: Client,
  attemptId: string,
  stream: string,
): Promise<Set<number>> {
  const found = await rows<{ sequence: number }>(
    db,
    `select sequence from operations where attempt_id = $1 and stream = $2 and sequence is not null
     union select sequence from spare_sequences where attempt_id = $1 and stream = $2`,
    [attemptId, stream],
  );
  return new Set(found.map((row) => row.sequence));
}

/** Whether another operation has this sequence already, as its own or as its second one. */
export async function isSequenceUsed(
  db: Client,
  attemptId: string,
  stream: string,
  sequence: number,
  operationId: string,
): Promise<boolean> {
  const existing = await one(
    db,
    `select 1 from operations where attempt_id = $1 and stream = $2 and sequence = $3 and id <> $4
     union all
     select 1 from spare_sequences
     where attempt_id = $1 and stream = $2 and sequence = $3 and operation_id <> $4`,
    [attemptId, stream, sequence, operationId],
  );
  return existing !== null;
}

/** Records sequences that will never arrive as operations; sorted, so that two calls never deadlock. */
export async function spareSequences(
  client: PoolClient,
  attemptId: string,
  stream: string,
  sequences: readonly number[],
  reason: 'renumbered' | 'folded' | 'setAside',
  operationId: string | null = null,
): Promise<void> {
  if (sequences.length === 0) return;
  await client.query(
    `insert into spare_sequences (attempt_id, stream, sequence, operation_id, reason)
     select $1, $2, unnest($3::integer[]), $4, $5 on conflict do nothing`,
    [attemptId, stream, sequences.toSorted((a, b) => a - b), operationId, reason],
  );
}

type ReceiptFields = Pick<
  Operation,
  | 'id'
  | 'stream'
  | 'epoch'
  | 'sequence'
  | 'outcome'
  | 'receivedLate'
  | 'writtenAt'
  | 'receivedAt'
  | 'bodyDigest'
>;
type Sealed = Pick<
  Attempt,
  'id' | 'testId' | 'userId' | 'contentId' | 'number' | 'startedAt' | 'deadline' | 'windowSeconds'
>;

/** The receipt of a journalled operation; the same row always gives the same receipt. */
export function receiptOf(sealKey: Buffer, attempt: Sealed, operation: ReceiptFields): Receipt {
  if (operation.outcome === 'refused') throw new Error('a refused operation has no receipt');
  const receipt = {
    operationId: operation.id,
    stream: operation.stream,
    epoch: operation.epoch,
    sequence: operation.sequence,
    outcome: operation.outcome,
    receivedLate: operation.receivedLate,
    writtenAt: operation.writtenAt?.toISOString() ?? null,
    receivedAt: operation.receivedAt.toISOString(),
  };
  const claims = {
    attemptId: attempt.id,
    testId: attempt.testId,
    userId: attempt.userId,
    contentId: attempt.contentId,
    number: attempt.number,
    startedAt: attempt.startedAt.getTime(),
    deadline: attempt.deadline.getTime(),
    windowSeconds: attempt.windowSeconds,
  };
  return { ...receipt, seal: sealReceipt(sealKey, receipt, operation.bodyDigest, claims) };
}
