import type { PoolClient } from 'pg';
import type { FinishHeaders } from '#contract/headers.ts';
import { HEADER } from '#contract/headers.ts';
import { missingSequences } from '#domain/barrier.ts';
import { isFinishOf } from '#domain/deadline.ts';
import { answerFilesSql, isWholeSql } from '#server/db/answered-sql.ts';
import { execute, rows, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { attemptClosesAt, lockAttempt, type Attempt } from './attempt.ts';
import { endByFinish } from './close.ts';
import { rescore } from './counting.ts';
import {
  accountedSequences,
  findOperation,
  OPERATION_COLUMNS,
  receiptOf,
  spareSequences,
  type JournalOutcome,
  type FinishBody,
  type Operation,
} from './journal.ts';
import {
  journalOperation,
  journalRefused,
  judge,
  type Context,
  type Effects,
} from './operation.ts';
import { isBeginHeld } from './streams.ts';
import { refused, RollbackWithVerdict, type AnswerVerdict } from './verdict.ts';

/** Maximum number of missing sequences and files in a reply. */
const MAX_NAMED = 500;

/** Sequences that the device declares will never arrive. */
export interface AbandonedSequences {
  readonly sequences: readonly number[];
  readonly files: readonly string[];
  /** False: the journal is full, so the barrier reads these sequences from the request alone. */
  readonly isRecorded: boolean;
}

export function readAbandoned(headers: FinishHeaders): AbandonedSequences {
  return {
    sequences: headers[HEADER.setAside] ?? [],
    files: headers[HEADER.filesSetAside] ?? [],
    isRecorded: true,
  };
}

/** Files of the stream's counting answers that have not arrived whole. */
async function missingFiles(
  client: PoolClient,
  attemptId: string,
  stream: string,
): Promise<string[]> {
  const found = await rows<{ fileId: string }>(
    client,
    `select file ->> 'fileId' as "fileId" from answers a
       join operations o on o.attempt_id = a.attempt_id and o.id = a.operation_id and o.stream = $2
       cross join lateral ${answerFilesSql('a.body')} as named
       left join uploads u on u.id::text = file ->> 'fileId' and u.attempt_id = a.attempt_id
     where a.attempt_id = $1
       and not ${isWholeSql('a.question_id')}
       and u.set_aside is not true limit ${MAX_NAMED}`,
    [attemptId, stream],
  );
  return found.map((row) => row.fileId);
}

type TimedFinish = Pick<Operation, 'body' | 'receivedAt' | 'writtenAt'>;

/** Whether the device wrote it by itself at a deadline that has moved since. */
function isByMovedDeadline({ deadline }: Attempt, finish: TimedFinish): boolean {
  if ((finish.body as FinishBody).reason !== 'deadline') return false;
  const receivedAt = finish.receivedAt.getTime();
  const writtenAt = finish.writtenAt?.getTime() ?? null;
  return !isFinishOf(deadline.getTime(), { receivedAt, writtenAt });
}

/**
 * A finish that arrived before its begin counted ends the attempt once nothing of its stream is missing. Returns
 * whether it did. Called when a begin counts, and when what may have been missing has come; a held begin's waits.
 */
export async function applyEarlyFinish(
  client: PoolClient,
  attemptId: string,
  now: Date,
): Promise<boolean> {
  const attempt = await lockAttempt(client, attemptId, 'update');
  if (!attempt || attempt.ended === 'finished') return false;
  const stream = attempt.activeStream;
  const held = await rows<Operation>(
    client,
    `select ${OPERATION_COLUMNS} from operations o
     where attempt_id = $1 and stream = $2 and kind = 'finish' and outcome = 'held'
       and received_at < $3
       and exists (
         select from begins b where b.attempt_id = $1 and b.stream = $2
           and (b.hold is null or b.decision = 'accept'))
     order by ordinal desc`,
    [attemptId, stream, attemptClosesAt(attempt)],
  );
  const finish = held.find((one) => !isByMovedDeadline(attempt, one));
  if (!finish || finish.sequence === null) return false;
  const accounted = await accountedSequences(client, attemptId, stream);
  if (missingSequences(finish.sequence, accounted, 1).length > 0) return false;
  if ((await missingFiles(client, attemptId, stream)).length > 0) return false;
  await execute(
    client,
    `update operations set outcome = 'stored' where attempt_id = $1 and id = $2`,
    [attemptId, finish.id],
  );
  await endByFinish(client, attempt, { ...finish, outcome: 'stored' });
  await rescore(client, attempt, 'finished', now);
  return true;
}

/** The same in a transaction of its own. */
export const settleEarlyFinish = (deps: Deps, attemptId: string, now: Date): Promise<boolean> =>
  transaction(deps.pool, (client) => applyEarlyFinish(client, attemptId, now));

async function setFilesAside(
  { client, attempt }: Context,
  { files }: AbandonedSequences,
): Promise<void> {
  await execute(
    client,
    'update uploads set set_aside = true where attempt_id = $1 and id = any($2)',
    [attempt.id, files],
  );
}

/** The finish of a held begin: what its device declares is recorded, and the rest waits for the teacher. */
async function holdFinish(
  context: Context,
  abandoned: AbandonedSequences,
  judged: JournalOutcome,
): Promise<Operation> {
  const { client, attempt, streamPosition } = context;
  if (abandoned.isRecorded)
    await spareSequences(client, attempt.id, streamPosition.id, abandoned.sequences, 'setAside');
  await setFilesAside(context, abandoned);
  return journalOperation(context, { ...judged, outcome: 'held' });
}

/** Finish is the barrier of its own stream (server rule 5). */
export function finishEffects(abandoned: AbandonedSequences): Effects {
  /** If something is missing, throws the reply, which rolls everything back: INCOMPLETE changes nothing. */
  async function passBarrier(context: Context): Promise<void> {
    const { client, attempt, streamPosition, operation } = context;
    if (abandoned.isRecorded)
      await spareSequences(client, attempt.id, streamPosition.id, abandoned.sequences, 'setAside');
    if (operation.sequence === null) return;
    const accounted = await accountedSequences(client, attempt.id, streamPosition.id);
    for (const sequence of abandoned.sequences) accounted.add(sequence);
    const missing = missingSequences(operation.sequence, accounted, MAX_NAMED);
    const gone = new Set(abandoned.files);
    const files = (await missingFiles(client, attempt.id, streamPosition.id)).filter(
      (id) => !gone.has(id),
    );
    if (missing.length + files.length > 0)
      throw new RollbackWithVerdict(
        refused('INCOMPLETE', attempt.activeStream, { missing, files }),
      );
  }

  async function accept(context: Context): Promise<AnswerVerdict> {
    const { client, deps, attempt, streamPosition, operation } = context;
    const judged = await judge(context);
    const replyWith = (entered: Operation): AnswerVerdict => {
      const receipt = receiptOf(deps.state.sealKey, attempt, entered);
      return { kind: 'receipt', receipt, activeStream: attempt.activeStream };
    };
    const receiptFor = async (entry: JournalOutcome): Promise<AnswerVerdict> =>
      replyWith(await journalOperation(context, entry));

    const { known, id: stream } = streamPosition;
    const isHeld = !known && (await isBeginHeld(client, attempt.id, stream));
    const owns = known && stream === attempt.activeStream;
    if (!owns && !isHeld) return receiptFor({ ...judged, outcome: 'superseded' });
    if (attempt.ended !== null)
      return receiptFor({ ...judged, outcome: isHeld ? 'held' : 'stored' });

    const { reason } = operation.body as FinishBody;
    // Its device can use what is left, even seconds.
    const isEarly = reason === 'deadline' && operation.receivedAt < attempt.deadline;
    if (isEarly || isByMovedDeadline(attempt, { ...operation, ...judged }))
      return journalRefused(context, 'DEADLINE_MOVED');
    if (isHeld) return replyWith(await holdFinish(context, abandoned, judged));
    await passBarrier(context);

    const entered = await journalOperation(context, { ...judged, outcome: 'stored' });
    await setFilesAside(context, abandoned);
    await endByFinish(client, attempt, entered);
    await rescore(client, attempt, 'finished', operation.receivedAt);
    return replyWith(entered);
  }

  async function repeat(context: Context, existing: Operation) {
    const { client, attempt, operation } = context;
    if (attempt.ended === 'finished' || existing.outcome === 'stored') return null;
    // A restore may have lost this.
    if (existing.outcome === 'held') await setFilesAside(context, abandoned);
    const isOver = await applyEarlyFinish(client, attempt.id, operation.receivedAt);
    return isOver ? findOperation(client, attempt.id, existing.id) : null;
  }

  return { accept, repeat };
}
