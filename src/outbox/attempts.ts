import type { SavedAnswers } from '#contract/answers.ts';
import type { Started } from '#contract/passing.ts';
import type { AttemptRow, OperationRow, StreamRow } from '#app/storage/rows.ts';
import type { Transaction } from '#app/storage/storage.ts';
import { readAttempt, type Core } from './core.ts';
import { mergeSaved } from './overlay.ts';
import type { LocalAttempt } from './types.ts';

/** Attempts that this device holds: taken from a start, brought up to date by replies. */

const STATES = ['running', 'finishing', 'finished'] as const;

export function toLocal(row: AttemptRow): LocalAttempt {
  const { attemptId, testId, owner, title, stream, state, takenOver, gone } = row;
  const { startedAt, deadline, countsUntil, finishedAt } = row;
  const epoch = row.streams.find((one) => one.stream === stream)?.epoch ?? 1;
  const times = { startedAt, deadline, countsUntil, finishedAt };
  return { attemptId, testId, owner, title, stream, epoch, state, takenOver, gone, ...times };
}

function mergeStreams(a: readonly StreamRow[], b: readonly StreamRow[]): StreamRow[] {
  const all = new Map(a.map((one) => [one.stream, one]));
  for (const one of b) {
    const old = all.get(one.stream);
    if (!old) {
      all.set(one.stream, one);
      continue;
    }
    all.set(one.stream, {
      ...old,
      nextSequence: Math.max(old.nextSequence, one.nextSequence),
      notHere: [...new Set([...old.notHere, ...one.notHere])],
      filesNotHere: [...new Set([...old.filesNotHere, ...one.filesNotHere])],
    });
  }
  return [...all.values()].sort((x, y) => x.epoch - y.epoch);
}

/** The device's row joined with what memory knows of the same attempt. */
export function mergeAttempts(stored: AttemptRow, inMemory: AttemptRow): AttemptRow {
  const rank = Math.max(STATES.indexOf(stored.state), STATES.indexOf(inMemory.state));
  return {
    ...stored,
    streams: mergeStreams(stored.streams, inMemory.streams),
    deadline: Math.max(stored.deadline, inMemory.deadline),
    countsUntil: Math.max(stored.countsUntil, inMemory.countsUntil),
    state: STATES[rank] ?? stored.state,
    finishedAt: stored.finishedAt ?? inMemory.finishedAt,
    takenOver: stored.takenOver || inMemory.takenOver,
    gone: stored.gone || inMemory.gone,
  };
}

/** The attempt as far as this page knows it, memory included. */
export async function findAttempt(core: Core, attemptId: string): Promise<AttemptRow | null> {
  const row = await readAttempt(core, attemptId);
  if (!row || core.runtime.unsaved.size === 0) return row;
  const inMemory = await core.overflow.read(['attempts'], (tx) => tx.get('attempts', attemptId));
  return inMemory && inMemory !== row ? mergeAttempts(row, inMemory) : row;
}

/** Streams that only operations remember, for an attempt whose row was lost. */
function streamsOf(operations: readonly OperationRow[]): StreamRow[] {
  const found = new Map<string, StreamRow>();
  for (const { stream, epoch, sequence } of operations) {
    const nextSequence = Math.max(found.get(stream)?.nextSequence ?? 1, sequence + 1);
    found.set(stream, { stream, epoch, nextSequence, notHere: [], filesNotHere: [] });
  }
  return [...found.values()];
}

export const ADOPT_STORES = ['attempts', 'contents', 'operations', 'session'] as const;

/** Stores what a start replied. A known stream goes on; another one becomes the device's own. */
export async function adoptIn(
  tx: Transaction,
  owner: string,
  started: Started,
): Promise<AttemptRow> {
  const { userTestId: attemptId, stream, epoch } = started;
  const known = await tx.get('attempts', attemptId);
  const operations = known ? [] : await tx.all('operations', 'attempt', attemptId);
  const fresh: StreamRow = { stream, epoch, nextSequence: 1, notHere: [], filesNotHere: [] };
  const streams = mergeStreams(mergeStreams(known?.streams ?? [], streamsOf(operations)), [fresh]);
  const isSame = known?.stream === stream;
  const finish = operations.find((one) => one.kind === 'finish' && one.stream === stream);
  const row: AttemptRow = {
    attemptId,
    owner,
    testId: started.testId,
    title: started.title,
    attemptNumber: started.attemptNumber,
    attemptsCount: started.attemptsCount,
    totalQuestions: started.totalQuestions,
    stream,
    streams,
    startedAt: Date.parse(started.startedAt),
    deadline: Math.max(known?.deadline ?? 0, Date.parse(started.deadline)),
    countsUntil: Math.max(known?.countsUntil ?? 0, Date.parse(started.countsUntil)),
    state: isSame ? known.state : finish?.state === 'waiting' ? 'finishing' : 'running',
    finishedAt: isSame ? known.finishedAt : null,
    takenOver: false,
    gone: false,
    marks: known?.marks ?? [],
    lastQuestionId: known?.lastQuestionId ?? null,
  };
  await tx.put('attempts', row);
  const content = await tx.get('contents', attemptId);
  await tx.put('contents', {
    attemptId,
    questions: started.questions,
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
  const { value: row } = await core.writeAnywhere(ADOPT_STORES, (tx) =>
    adoptIn(tx, owner, started),
  );
  core.runtime.attempts.set(row.attemptId, row);
  core.emit({ kind: 'changed', attemptId: row.attemptId });
  return toLocal(row);
}

/** Keeps the server's answers for the overlay; merged, so that nothing shown ever shrinks. */
export async function adoptSaved(
  core: Core,
  attemptId: string,
  saved: SavedAnswers,
): Promise<void> {
  await core.writeAnywhere(['contents'], async (tx) => {
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
  await core.writeAnywhere(['attempts'], async (tx) => {
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
  const inMemory = await core.overflow.read(['attempts'], (tx) =>
    tx.all('attempts', 'owner', owner),
  );
  const all = new Map(rows.map((row) => [row.attemptId, row]));
  for (const row of inMemory) {
    const stored = all.get(row.attemptId);
    all.set(row.attemptId, stored ? mergeAttempts(stored, row) : row);
  }
  return [...all.values()].sort((a, b) => a.startedAt - b.startedAt);
}
