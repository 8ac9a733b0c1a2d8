import type { PoolClient } from 'pg';
import { HEADER, type AttemptHeaders } from '#contract/headers.ts';
import { execute, one, type Client } from '#server/db/query.ts';
import type { Attempt } from './attempt.ts';

export interface StreamPosition {
  readonly id: string;
  readonly epoch: number;
  /** False: the server never issued this stream (or a restore lost it); its operations are held. */
  readonly known: boolean;
  /** When it was issued; an unknown one cannot have begun before its attempt. */
  readonly beganAt: Date;
}

/** The stream of an operation, with the epoch that the server assigned. */
export async function readStreamPosition(
  db: Client,
  attempt: Attempt,
  stream: string | null,
  claimedEpoch: number | null,
): Promise<StreamPosition> {
  const id = stream ?? attempt.defaultStream;
  const row = await one<{ epoch: number; beganAt: Date }>(
    db,
    'select epoch, created_at as "beganAt" from streams where attempt_id = $1 and id = $2',
    [attempt.id, id],
  );
  return row
    ? { id, epoch: row.epoch, known: true, beganAt: row.beganAt }
    : { id, epoch: claimedEpoch ?? 0, known: false, beganAt: attempt.startedAt };
}

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
    `update streams set last_heard_at = greatest(last_heard_at, $4),
       head_at = case when $3 >= head then $4 else head_at end,
       head_since = case when $3 > head then $4 else head_since end, head = greatest(head, $3)
     where attempt_id = $1 and id = $2`,
    [attemptId, stream, head, now],
  );
}

/** Records the stream headers of a call other than an operation; without them does nothing. */
export async function recordCall(
  db: Client,
  attempt: Pick<Attempt, 'id' | 'defaultStream'>,
  headers: AttemptHeaders,
  now: Date,
): Promise<void> {
  const { [HEADER.stream]: stream, [HEADER.head]: head } = headers;
  if (stream === undefined && head === undefined) return;
  await recordContact(db, attempt.id, stream ?? attempt.defaultStream, head ?? 0, now);
}

/**
 * Creates a stream with its epoch; the highest epoch owns the attempt.
 * @param beganAt ages that reach beyond it are not believed
 */
export async function addStream(
  client: PoolClient,
  attemptId: string,
  stream: string,
  epoch: number,
  now: Date,
  beganAt = now,
): Promise<void> {
  await execute(
    client,
    `insert into streams (attempt_id, id, epoch, created_at, last_heard_at) values ($1, $2, $3, $4, $5)
     on conflict do nothing`,
    [attemptId, stream, epoch, beganAt, now],
  );
  await execute(
    client,
    'update attempts set active_stream = $2, active_epoch = $3 where id = $1 and active_epoch < $3',
    [attemptId, stream, epoch],
  );
}
