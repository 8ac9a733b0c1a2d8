import type { LayeredStorage } from '#app/storage/layered.ts';
import { hasEstimateAgain, isBeginWaiting, mergeStreams, streamsOf } from '#app/storage/merge.ts';
import type { AttemptRow, FileRow, OperationRow, StreamRow } from '#app/storage/rows.ts';
import { ATTEMPT_STORES, ignoreStorageFailure, type Transaction } from '#app/storage/storage.ts';
import type { SavedAnswers } from '#contract/answers.ts';
import type { Started } from '#contract/passing.ts';
import type { Core } from './core.ts';
import { listSaved } from '#domain/saved-answers.ts';
import { checkAttemptChange, checkInvariant } from './invariants.ts';
import { isBehind } from './restored.ts';
import { mergeSaved } from './overlay.ts';
import { followFiles, isFollowing, isMissing } from './plan.ts';
import type { LocalAttempt } from './types.ts';

/** Attempts stored on this device: created by a start, updated by replies, deleted when they have expired. */

export function toLocal(row: AttemptRow): LocalAttempt {
  const { attemptId, testId, owner, title, stream, state, takenOver, gone } = row;
  const { startedAt, deadline, countsUntil, finishedAt } = row;
  const epoch = row.streams.find((one) => one.stream === stream)?.epoch ?? 1;
  const times = { startedAt, deadline, countsUntil, finishedAt };
  return { attemptId, testId, owner, title, stream, epoch, state, takenOver, gone, ...times };
}

type ServerTimes = Pick<Started, 'deadline' | 'countsUntil'>;

/** Times after the server's reply, not earlier than these; null: those of the row are only the device's estimates. */
const timesAfter = (
  least: AttemptRow | null,
  reply: ServerTimes,
): Pick<AttemptRow, 'deadline' | 'countsUntil'> => ({
  deadline: Math.max(least?.deadline ?? 0, Date.parse(reply.deadline)),
  countsUntil: Math.max(least?.countsUntil ?? 0, Date.parse(reply.countsUntil)),
});

/** The row whose times a reply does not make earlier. */
const leastOf = (row: AttemptRow | null): AttemptRow | null =>
  row && hasEstimateAgain(row) ? null : row;

/**
 * A begin and its times after the server's reply to the start of a stream, which may be another one of the same attempt.
 * The first reply to the begin replaces the device's estimates, which may promise time that the server does not give.
 * After that no time becomes earlier.
 */
export function adoptBegin(
  row: AttemptRow | null,
  reply: ServerTimes & Pick<Started, 'stream'>,
  hold: string | undefined,
  serverEpoch: number | null,
): Pick<AttemptRow, 'begin' | 'deadline' | 'countsUntil'> {
  const begin = row?.begin;
  const isReply = row && begin && begin.state !== 'accepted' && begin.stream === reply.stream;
  const isFirstReply = isReply && begin.estimate === undefined;
  return {
    ...timesAfter(isFirstReply ? null : leastOf(row), reply),
    begin: isReply
      ? {
          ...begin,
          state: hold ? 'held' : 'accepted',
          reason: hold ?? null,
          serverEpoch,
          estimate: begin.estimate ?? row.deadline,
        }
      : begin,
  };
}

const ADOPT_STORES = ['attempts', 'contents', 'operations', 'session'] as const;

/**
 * Stores the reply of a start. A known stream continues; a new one becomes the device's current stream,
 * unless the reply is late and belongs to an older epoch.
 */
async function adoptIn(
  core: Core,
  tx: Transaction,
  owner: string,
  started: Started,
): Promise<AttemptRow> {
  const { userTestId: attemptId, stream, epoch } = started;
  const known = await tx.get('attempts', attemptId);
  const operations = await tx.all('operations', 'attempt', attemptId);
  const fresh: StreamRow = { stream, epoch, nextSequence: 1, notHere: [], filesNotHere: [] };
  const streams = mergeStreams(known?.streams ?? streamsOf(operations), [fresh]);
  const own = known?.streams.find((one) => one.stream === known.stream);
  const isOutdated = own !== undefined && own.epoch > epoch;
  const current = isOutdated ? own.stream : stream;
  const isSame = known?.stream === current;
  const finishWaits = operations.some(
    (one) => one.kind === 'finish' && one.stream === current && one.state === 'waiting',
  );
  const row: AttemptRow = {
    attemptId,
    owner,
    testId: started.testId,
    title: started.title,
    language: started.language,
    attemptNumber: started.attemptNumber,
    attemptsCount: started.attemptsCount,
    totalQuestions: started.totalQuestions,
    stream: current,
    streams,
    startedAt: Date.parse(started.startedAt),
    ...adoptBegin(known, started, started.beginHold, core.runtime.serverEpoch),
    state:
      isSame && known.state === 'finished' ? 'finished' : finishWaits ? 'finishing' : 'running',
    finishedAt: isSame ? known.finishedAt : null,
    takenOver: isOutdated && known?.takenOver === true,
    gone: false,
    marks: known?.marks ?? [],
    lastQuestionId: known?.lastQuestionId ?? null,
  };
  if (known) checkAttemptChange(core.log, known, row);
  await tx.put('attempts', row);
  const content = await tx.get('contents', attemptId);
  await tx.put('contents', {
    attemptId,
    // A start replayed after the deadline returns no questions.
    questions: started.questions.length > 0 ? started.questions : (content?.questions ?? []),
    saved: content?.saved ?? null,
  });
  const session = await tx.get('session', 'current');
  if (session?.owner === owner) {
    await tx.put('session', { ...session, expiresAt: started.expiresAt });
  }
  return row;
}

/** Stores a start's reply; the device continues with its stream. */
export async function adoptStarted(
  core: Core,
  owner: string,
  started: Started,
): Promise<LocalAttempt> {
  await core.ready();
  const { value: row } = await core.storage.writeEither(
    ADOPT_STORES,
    (tx) => adoptIn(core, tx, owner, started),
    started.userTestId,
  );
  core.storage.rememberAttempt(row);
  core.emit({ kind: 'changed', attemptId: row.attemptId });
  return toLocal(row);
}

/**
 * Stores the server's answers for the overlay; merged, so that shown answers never disappear. An answer of an epoch
 * after this device's proves that another device took the attempt over.
 */
export async function adoptSaved(
  core: Core,
  attemptId: string,
  saved: SavedAnswers,
): Promise<void> {
  const newest = Math.max(0, ...listSaved(saved).map(({ epoch }) => epoch));
  let isSuperseded = false;
  await core.storage.writeBoth(attemptId, ['attempts', 'contents'], async (tx) => {
    const content = await tx.get('contents', attemptId);
    if (content) await tx.put('contents', { ...content, saved: mergeSaved(content.saved, saved) });
    const row = await tx.get('attempts', attemptId);
    if (!row || row.takenOver || row.state === 'finished' || newest <= toLocal(row).epoch) return;
    isSuperseded = true;
    await tx.put('attempts', { ...row, takenOver: true });
  });
  core.emit({ kind: 'changed', attemptId });
  if (isSuperseded) core.emit({ kind: 'takenOver', attemptId });
}

/** Updates an attempt's row; does nothing when it is not on this device. Lost on a full device. */
export async function changeAttempt(
  core: Core,
  attemptId: string,
  change: (row: AttemptRow) => AttemptRow,
): Promise<void> {
  await core.storage.writeBoth(attemptId, ['attempts'], (tx) =>
    changeIn(core, tx, attemptId, change),
  );
  core.emit({ kind: 'changed', attemptId });
}

export async function changeIn(
  core: Core,
  tx: Transaction,
  attemptId: string,
  change: (row: AttemptRow) => AttemptRow,
): Promise<void> {
  const row = await tx.get('attempts', attemptId);
  if (!row) return;
  const changed = change(row);
  checkAttemptChange(core.log, row, changed);
  await tx.put('attempts', changed);
}

/** A running attempt's deadline, once the server has given it, never becomes earlier. */
export async function adoptDeadline(
  core: Core,
  attemptId: string,
  times: ServerTimes,
): Promise<void> {
  await changeAttempt(core, attemptId, (row) => ({ ...row, ...timesAfter(leastOf(row), times) }));
}

/** Attempts of one user on this device, oldest first. */
export async function attemptsOf(core: Core, owner: string): Promise<AttemptRow[]> {
  const rows = await core.storage.readAttempts(owner);
  return rows.sort((one, other) => one.startedAt - other.startedAt);
}

const DAY_MS = 86_400_000;
/** Acknowledged operations, receipts and files are retained this long after the finish receipt. */
const RETAINED_MS = 7 * DAY_MS;
/** Attempts that ended elsewhere, without a receipt of this device's own. */
const RETAINED_WITHOUT_RECEIPT_MS = 30 * DAY_MS;

/** Whether only this device has it; what its files change is in `followFiles`. */
export const isUnsent = ({ state }: OperationRow): boolean =>
  state === 'waiting' || state === 'setAside';

/** Operations of an owner that wait or were set aside, with the answers whose files did. */
export async function unsentOf(
  owner: string,
  readRows: LayeredStorage['readEvery'],
): Promise<OperationRow[]> {
  const unsent = await readRows<OperationRow>(['operations'], async (tx) => [
    ...(await tx.all('operations', 'ownerState', [owner, 'waiting'])),
    ...(await tx.all('operations', 'ownerState', [owner, 'setAside'])),
  ]);
  const files = await readRows<FileRow>(['files'], (tx) => tx.all('files', 'owner', owner));
  if (!files.some(isMissing)) return unsent;
  const sent = await readRows<OperationRow>(['operations'], (tx) =>
    tx.all('operations', 'ownerState', [owner, 'acknowledged']),
  );
  // One that was confirmed meanwhile may have a file that was not missing yet.
  const all = new Map([...sent, ...unsent].map((one) => [one.operationId, one]));
  return followFiles([...all.values()], files).filter(isUnsent);
}

/** The rows that decide whether anything of an attempt is only here. */
interface AttemptRows {
  readonly attempt: AttemptRow | null;
  readonly operations: readonly OperationRow[];
  readonly files: readonly FileRow[];
}

const hasUnsent = (attempt: AttemptRow, { operations, files }: AttemptRows): boolean =>
  isBeginWaiting(attempt) ||
  followFiles(operations, files).some(isUnsent) ||
  files.some(isFollowing);

/** Server time from which an attempt may be deleted; null while anything waits or is set aside. */
export function computeRetentionEnd(rows: AttemptRows): number | null {
  const { attempt } = rows;
  if (attempt === null || hasUnsent(attempt, rows)) return null;
  if (attempt.finishedAt !== null) return attempt.finishedAt + RETAINED_MS;
  return attempt.takenOver ? attempt.countsUntil + RETAINED_WITHOUT_RECEIPT_MS : null;
}

/** Whether nothing waits and nothing more will be written here. */
export function isOver(rows: AttemptRows): boolean {
  const { attempt } = rows;
  if (attempt === null || hasUnsent(attempt, rows)) return false;
  return attempt.state === 'finished' || attempt.takenOver || attempt.gone;
}

/** Deletes all rows of an attempt, in a transaction over `ATTEMPT_STORES`. */
export async function deleteAttempt(tx: Transaction, attemptId: string): Promise<void> {
  for (const one of await tx.all('operations', 'attempt', attemptId)) {
    await tx.delete('operations', one.operationId);
  }
  for (const file of await tx.all('files', 'attempt', attemptId)) {
    for (const part of await tx.all('fileBytes', 'file', file.fileId)) {
      await tx.delete('fileBytes', [part.fileId, part.part]);
    }
    await tx.delete('files', file.fileId);
  }
  await tx.delete('contents', attemptId);
  await tx.delete('attempts', attemptId);
}

/** Deletes expired encrypted rows of every owner: they may never sign in here again. */
async function deleteExpiredEncrypted(core: Core, now: number): Promise<void> {
  await core.storage.write(['encrypted'], async (tx) => {
    for (const one of await tx.all('encrypted', 'kind', 'attempt')) {
      if (one.outlivedAt === null || now < one.outlivedAt) continue;
      for (const fileId of one.fileIds) {
        for (const bytes of await tx.all('encrypted', 'file', fileId)) {
          await tx.delete('encrypted', bytes.id);
        }
      }
      await tx.delete('encrypted', one.id);
    }
  });
}

/** Deletes the owner's expired attempts, each in one transaction. */
export async function deleteExpiredAttempts(core: Core, owner: string): Promise<void> {
  const now = core.clock.serverNow();
  if (now === null) return;
  await deleteExpiredEncrypted(core, now).catch(ignoreStorageFailure);
  for (const { attemptId } of await attemptsOf(core, owner)) {
    await core.storage
      .write(ATTEMPT_STORES, async (tx) => {
        const attempt = await tx.get('attempts', attemptId);
        const operations = await tx.all('operations', 'attempt', attemptId);
        const files = await tx.all('files', 'attempt', attemptId);
        const until = computeRetentionEnd({ attempt, operations, files });
        if (until === null || now < until) return;
        // A restored server may lack it: it is sent again first.
        if (operations.some((one) => isBehind(one, core.runtime.serverEpoch ?? 0))) return;
        checkInvariant(core.log, !operations.some(isUnsent), 'deletedWasSent');
        await deleteAttempt(tx, attemptId);
      })
      .catch(ignoreStorageFailure);
  }
}
