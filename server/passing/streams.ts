import type { Pool, PoolClient } from 'pg';
import { HEADER, type AttemptHeaders } from '#contract/headers.ts';
import { batchCalls } from '#server/db/batch-calls.ts';
import { execute, one, type Client } from '#server/db/query.ts';
import type { Attempt } from './attempt.ts';

export interface StreamPosition {
  readonly id: string;
  readonly epoch: number;
  /** False: the server never issued this stream (or a restore lost it); its operations are held. */
  readonly known: boolean;
  /** When it was issued; an unknown one cannot have begun before its attempt. */
  readonly beganAt: Date;
  /** Whether it is known and a finish of it that arrived before its begin counted waits for a sequence below its own. */
  readonly finishWaits: boolean;
}

/** The stream of an operation, with the epoch that the server assigned. */
export async function readStreamPosition(
  db: Client,
  attempt: Attempt,
  stream: string | null,
  claimedEpoch: number | null,
  sequence: number | null = null,
): Promise<StreamPosition> {
  const id = stream ?? attempt.defaultStream;
  const row = await one<Pick<StreamPosition, 'epoch' | 'beganAt' | 'finishWaits'>>(
    db,
    `select epoch, created_at as "beganAt", exists (
       select from operations o where o.attempt_id = $1 and o.stream = $2
         and o.sequence > $3 and o.kind = 'finish' and o.outcome = 'held') as "finishWaits"
     from streams where attempt_id = $1 and id = $2`,
    [attempt.id, id, sequence],
  );
  if (row) return { id, known: true, ...row };
  const { startedAt: beganAt } = attempt;
  return { id, epoch: claimedEpoch ?? 0, known: false, beganAt, finishWaits: false };
}

/** Whether the begin of a stream without a network waits for the teacher, or was refused. */
export async function isBeginHeld(db: Client, attemptId: string, stream: string): Promise<boolean> {
  const held = await one(
    db,
    `select 1 from begins where attempt_id = $1 and stream = $2 and hold is not null
       and decision is distinct from 'accept'`,
    [attemptId, stream],
  );
  return held !== null;
}

/** What an update of a stream writes of the highest sequence that its device had written at a time; null: unknown. */
const headAssignments = (row: string, head: string, at: string): string =>
  `head_at = case when ${head} >= ${row}.head then greatest(${row}.head_at, ${at}) else ${row}.head_at end,
   head_since = case when ${head} > ${row}.head then ${at} else ${row}.head_since end,
   head = greatest(${row}.head, ${head})`;

/**
 * The fields that an update of a stream writes for a contact.
 * @param row the alias of the stream's row
 * @param head the highest sequence that the device has written
 * @param at the time of the contact
 */
export const contactAssignments = (row: string, head: string, at: string): string =>
  `last_heard_at = greatest(${row}.last_heard_at, ${at}), ${headAssignments(row, head, at)}`;

/** Records the time of contact and the highest sequence that the device has written. */
export async function recordContact(
  db: Client,
  attemptId: string,
  stream: string,
  head: number,
  now: Date,
): Promise<void> {
  await execute(
    db,
    `update streams s set ${contactAssignments('s', '$3', '$4')} where attempt_id = $1 and id = $2`,
    [attemptId, stream, head, now],
  );
}

/** Records what a handover says of a device: the highest sequence that it had written. It is no contact. */
export async function recordHead(
  db: Client,
  attemptId: string,
  stream: string,
  head: number,
  writtenAt: Date | null,
): Promise<void> {
  await execute(
    db,
    `update streams s set ${headAssignments('s', '$3', '$4')} where attempt_id = $1 and id = $2`,
    [attemptId, stream, head, writtenAt],
  );
}

/** A locked stream belongs to an operation, which records its own contact, so nobody waits for it. */
const RECORD_CONTACTS = `
with contact as (
  select s.attempt_id, s.id, given.head, given.at
  from unnest($1::uuid[], $2::uuid[], $3::int[], $4::timestamptz[]) as given (attempt_id, id, head, at)
  join streams s on s.attempt_id = given.attempt_id and s.id = given.id
  for update of s skip locked
)
update streams s set ${contactAssignments('s', 'contact.head', 'contact.at')}
from contact where s.attempt_id = contact.attempt_id and s.id = contact.id`;

interface Contact {
  readonly attemptId: string;
  readonly stream: string;
  readonly head: number;
  readonly at: Date;
}

/** Maximum number of contacts in one statement: two classes that report at the same time, ten times over. */
const MAX_CONTACTS = 500;

type RecordCall = (
  attempt: Pick<Attempt, 'id' | 'defaultStream'>,
  headers: AttemptHeaders,
  now: Date,
) => Promise<void>;

/**
 * Records the stream headers of calls other than operations; without them does nothing. Calls that arrive
 * together share one statement and one commit.
 */
export function createCallRecorder(pool: Pool): RecordCall {
  const record = batchCalls(
    async (contacts: readonly Contact[]) => {
      await execute(pool, RECORD_CONTACTS, [
        contacts.map(({ attemptId }) => attemptId),
        contacts.map(({ stream }) => stream),
        contacts.map(({ head }) => head),
        contacts.map(({ at }) => at),
      ]);
      return contacts.map(() => undefined);
    },
    { most: MAX_CONTACTS, atOnce: 1, keyOf: ({ attemptId, stream }) => `${attemptId}/${stream}` },
  );
  return async ({ id, defaultStream }, headers, at) => {
    const { [HEADER.stream]: stream, [HEADER.head]: head } = headers;
    if (stream === undefined && head === undefined) return;
    await record({ attemptId: id, stream: stream ?? defaultStream, head: head ?? 0, at });
  };
}

/**
 * Creates a stream with its epoch; the highest epoch owns the attempt. Returns whether the stream became its owner.
 * @param beganAt ages that reach back beyond it are not accepted
 */
export async function addStream(
  client: PoolClient,
  attemptId: string,
  stream: string,
  epoch: number,
  now: Date,
  beganAt = now,
): Promise<boolean> {
  await execute(
    client,
    `insert into streams (attempt_id, id, epoch, created_at, last_heard_at) values ($1, $2, $3, $4, $5)
     on conflict do nothing`,
    [attemptId, stream, epoch, beganAt, now],
  );
  const updated = await execute(
    client,
    'update attempts set active_stream = $2, active_epoch = $3 where id = $1 and active_epoch < $3',
    [attemptId, stream, epoch],
  );
  return updated > 0;
}
