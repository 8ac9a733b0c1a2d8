import type { SavedAnswers } from '#contract/answers.ts';
import type { Started } from '#contract/passing.ts';
import type { AttemptRow, StoreName, StreamRow } from '#app/storage/rows.ts';
import { StorageFailure, type Transaction } from '#app/storage/storage.ts';
import { readAttempt, type Core } from './core.ts';
import { hasFinish, mergeAttempts, mergeStreams, streamsOf } from './merge.ts';
import { mergeSaved } from './overlay.ts';
import type { LocalAttempt } from './types.ts';

/** Attempts that this device holds: taken from a start, brought up to date by replies. */

export function toLocal(row: AttemptRow): LocalAttempt {
  const { attemptId, testId, owner, title, stream, state, takenOver, gone } = row;
  const { startedAt, deadline, countsUntil, finishedAt } = row;
  const epoch = row.streams.find((one) => one.stream === stream)?.epoch ?? 1;
  const times = { startedAt, deadline, countsUntil, finishedAt };
  return { attemptId, testId, owner, title, stream, epoch, state, takenOver, gone, ...times };
}

/** The attempt as far as this page knows it, memory included. */
export async function findAttempt(core: Core, attemptId: string): Promise<AttemptRow | null> {
  const row = await readAttempt(core, attemptId);
  if (!row || !core.runtime.copies.has(attemptId)) return row;
  return joinCopy(core, row);
}

async function joinCopy(core: Core, row: AttemptRow): Promise<AttemptRow> {
  return core.overflow.read(['attempts', 'operations'], async (tx) => {
    const copy = await tx.get('attempts', row.attemptId);
    if (!copy) return row;
    const operations = await tx.all('operations', 'attempt', row.attemptId);
    return mergeAttempts(row, copy, hasFinish(copy, operations));
  });
}

/** Brings the device's row of an attempt into memory, which then can take operations of it. */
export async function copyForMemory(
  core: Core,
  attemptId: string,
): Promise<(tx: Transaction) => Promise<void>> {
  const row = await readAttempt(core, attemptId);
  core.runtime.copies.add(attemptId);
  return async (tx) => {
    if (!row) return;
    const copy = await tx.get('attempts', attemptId);
    const operations = await tx.all('operations', 'attempt', attemptId);
    const joined = copy ? mergeAttempts(row, copy, hasFinish(copy, operations)) : row;
    await tx.put('attempts', joined);
  };
}

const ADOPT_STORES = ['attempts', 'contents', 'operations', 'session'] as const;

/**
 * Stores what a start replied. A known stream goes on; another one becomes the device's own, unless a
 * late reply to an old key tells of a holding that this device has left behind.
 */
async function adoptIn(tx: Transaction, owner: string, started: Started): Promise<AttemptRow> {
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
    attemptNumber: started.attemptNumber,
    attemptsCount: started.attemptsCount,
    totalQuestions: started.totalQuestions,
    stream: current,
    streams,
    startedAt: Date.parse(started.startedAt),
    deadline: Math.max(known?.deadline ?? 0, Date.parse(started.deadline)),
    countsUntil: Math.max(known?.countsUntil ?? 0, Date.parse(started.countsUntil)),
    state:
      isSame && known.state === 'finished' ? 'finished' : finishWaits ? 'finishing' : 'running',
    finishedAt: isSame ? known.finishedAt : null,
    takenOver: isOutdated && known?.takenOver === true,
    gone: false,
    marks: known?.marks ?? [],
    lastQuestionId: known?.lastQuestionId ?? null,
  };
  await tx.put('attempts', row);
  const content = await tx.get('contents', attemptId);
  await tx.put('contents', {
    attemptId,
    // A start that is only replayed, after the time is over, brings none.
    questions: started.questions.length > 0 ? started.questions : (content?.questions ?? []),
    saved: content?.saved ?? null,
  });
  const session = await tx.get('session', 'current');
  if (session?.owner === owner) {
    await tx.put('session', { ...session, expiresAt: started.expiresAt });
  }
  return row;
}

/** Stores a start's reply: the device goes on with its stream. */
export async function adoptStarted(
  core: Core,
  owner: string,
  started: Started,
): Promise<LocalAttempt> {
  await core.ready();
  const { value: row } = await core.writeAnywhere(
    ADOPT_STORES,
    (tx) => adoptIn(tx, owner, started),
    () => copyForMemory(core, started.userTestId),
  );
  core.runtime.attempts.set(row.attemptId, row);
  core.emit({ kind: 'changed', attemptId: row.attemptId });
  return toLocal(row);
}

/** Changes the device's row and, where there is one, the copy in memory. */
async function inBoth(
  core: Core,
  attemptId: string,
  stores: readonly StoreName[],
  change: (tx: Transaction) => Promise<void>,
): Promise<void> {
  if (core.runtime.copies.has(attemptId)) await core.overflow.write(stores, change);
  await core.main.write(stores, change).catch((error: unknown) => {
    // A mark or a reading is not worth more than the answers: it is lost with a full device.
    if (!(error instanceof StorageFailure)) throw error;
    core.log({ event: 'storageFailed', attemptId, detail: error.kind });
  });
}

/** Keeps the server's answers for the overlay; merged, so that nothing shown ever shrinks. */
export async function adoptSaved(
  core: Core,
  attemptId: string,
  saved: SavedAnswers,
): Promise<void> {
  await inBoth(core, attemptId, ['contents'], async (tx) => {
    const content = await tx.get('contents', attemptId);
    if (content) await tx.put('contents', { ...content, saved: mergeSaved(content.saved, saved) });
  });
  core.emit({ kind: 'changed', attemptId });
}

/** Changes an attempt's row; nothing when the device does not hold it. */
export async function changeAttempt(
  core: Core,
  attemptId: string,
  change: (row: AttemptRow) => AttemptRow,
): Promise<void> {
  await inBoth(core, attemptId, ['attempts'], async (tx) => {
    const row = await tx.get('attempts', attemptId);
    if (row) await tx.put('attempts', change(row));
  });
  core.emit({ kind: 'changed', attemptId });
}

/** A running attempt's deadline never becomes earlier. */
export async function adoptDeadline(
  core: Core,
  attemptId: string,
  times: { deadline: string; countsUntil: string },
): Promise<void> {
  await changeAttempt(core, attemptId, (row) => ({
    ...row,
    deadline: Math.max(row.deadline, Date.parse(times.deadline)),
    countsUntil: Math.max(row.countsUntil, Date.parse(times.countsUntil)),
  }));
}

/** Attempts of one user on this device, oldest first. */
export async function attemptsOf(core: Core, owner: string): Promise<AttemptRow[]> {
  const rows = await core.main
    .read(['attempts'], (tx) => tx.all('attempts', 'owner', owner))
    .catch(() => [...core.runtime.attempts.values()].filter((row) => row.owner === owner));
  const all = new Map(rows.map((row) => [row.attemptId, row]));
  const copies = await core.overflow.read(['attempts'], (tx) => tx.all('attempts', 'owner', owner));
  for (const copy of copies) {
    const stored = all.get(copy.attemptId);
    all.set(copy.attemptId, stored ? await joinCopy(core, stored) : copy);
  }
  return [...all.values()].sort((a, b) => a.startedAt - b.startedAt);
}
