import type { FinishHeaders } from '#contract/headers.ts';
import { HEADER } from '#contract/headers.ts';
import { missingSequences } from '#domain/barrier.ts';
import { execute, rows } from '#server/db/query.ts';
import { rescore } from './counting.ts';
import {
  accountedSequences,
  receiptOf,
  spareSequences,
  type Entry,
  type FinishBody,
} from './journal.ts';
import { enter, enterRefused, judge, type Context, type Effects } from './operation.ts';
import { refused, Undone, type Verdict } from './verdict.ts';

/** How many missing sequences and files a reply names at the most. */
const MOST_NAMED = 500;

/** What the device says will never come. */
export interface GivenUp {
  readonly sequences: readonly number[];
  readonly files: readonly string[];
  /** False: the journal is full, so the barrier takes these sequences from here alone. */
  readonly isKept: boolean;
}

export function givenUp(headers: FinishHeaders): GivenUp {
  return {
    sequences: headers[HEADER.setAside] ?? [],
    files: headers[HEADER.filesSetAside] ?? [],
    isKept: true,
  };
}

/** Files of the stream's counting answers that have not arrived whole; another file is none of them. */
async function missingFiles({ client, attempt, place }: Context): Promise<string[]> {
  const found = await rows<{ fileId: string }>(
    client,
    `select a.body ->> 'fileId' as "fileId" from answers a
       join operations o on o.attempt_id = a.attempt_id and o.id = a.operation_id and o.stream = $2
       left join uploads u on u.id::text = a.body ->> 'fileId' and u.attempt_id = a.attempt_id
     where a.attempt_id = $1 and a.body ->> 'kind' = 'file' and a.body ->> 'fileId' is not null
       and (u.completed_at is not null and u.sha256 = a.body ->> 'sha256'
         and u.question_id = a.question_id) is not true
       and u.set_aside is not true limit ${MOST_NAMED}`,
    [attempt.id, place.id],
  );
  return found.map((row) => row.fileId);
}

/** Finish is the barrier of its own stream (server rule 5). */
export function finishEffects(devicesWord: GivenUp): Effects {
  /** Throws the reply, and undoes all, when something is missing: INCOMPLETE changes nothing. */
  async function passBarrier(context: Context): Promise<void> {
    const { client, attempt, place, operation } = context;
    if (devicesWord.isKept)
      await spareSequences(client, attempt.id, place.id, devicesWord.sequences, 'setAside');
    if (operation.sequence === null) return;
    const accounted = await accountedSequences(client, attempt.id, place.id);
    for (const sequence of devicesWord.sequences) accounted.add(sequence);
    const missing = missingSequences(operation.sequence, accounted, MOST_NAMED);
    const gone = new Set(devicesWord.files);
    const files = (await missingFiles(context)).filter((id) => !gone.has(id));
    if (missing.length + files.length > 0)
      throw new Undone(refused('INCOMPLETE', attempt.activeStream, { missing, files }));
  }

  async function accept(context: Context): Promise<Verdict> {
    const { client, deps, attempt, place, operation } = context;
    const judged = await judge(context);
    const receiptFor = async (entry: Entry): Promise<Verdict> => {
      const entered = await enter(context, entry);
      const receipt = receiptOf(deps.state.sealKey, attempt, entered);
      return { kind: 'receipt', receipt, activeStream: attempt.activeStream };
    };

    const owns = place.known && place.id === attempt.activeStream;
    if (!owns) return receiptFor({ ...judged, outcome: 'superseded' });
    if (attempt.ended !== null) return receiptFor({ ...judged, outcome: 'stored' });

    const { reason } = operation.body as FinishBody;
    if (reason === 'deadline' && operation.receivedAt < attempt.deadline) {
      return enterRefused(context, 'DEADLINE_MOVED');
    }
    await passBarrier(context);

    const done = await receiptFor({ ...judged, outcome: 'stored' });
    await execute(
      client,
      'update uploads set set_aside = true where attempt_id = $1 and id = any($2)',
      [attempt.id, devicesWord.files],
    );
    await execute(
      client,
      `update attempts set ended = 'finished', ended_at = $2, finish_operation = $3 where id = $1`,
      [attempt.id, operation.receivedAt, operation.id],
    );
    await rescore(client, attempt, 'finished', operation.receivedAt);
    return done;
  }

  return { accept, repeat: () => Promise.resolve(null) };
}
