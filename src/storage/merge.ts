import type { AttemptRow, OperationRow, StreamRow } from './rows.ts';

/** Merges the device's row of an attempt with its copy in memory. Pure. */

/** Whether the attempt began here, and the server has not replied to that. */
export const isBeginWaiting = (attempt: AttemptRow | null): boolean =>
  attempt?.begin?.state === 'waiting';

export function mergeStreams(a: readonly StreamRow[], b: readonly StreamRow[]): StreamRow[] {
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

/** Rebuilds streams from operations, for an attempt with a lost row. */
export function streamsOf(operations: readonly OperationRow[]): StreamRow[] {
  const found = new Map<string, StreamRow>();
  for (const { stream, epoch, sequence } of operations) {
    const nextSequence = Math.max(found.get(stream)?.nextSequence ?? 1, sequence + 1);
    found.set(stream, { stream, epoch, nextSequence, notHere: [], filesNotHere: [] });
  }
  return [...found.values()];
}

const epochOf = (row: AttemptRow): number =>
  row.streams.find((one) => one.stream === row.stream)?.epoch ?? 0;

/** Whether these contain an active finish of the attempt's current stream. */
export function hasFinish(attempt: AttemptRow, operations: readonly OperationRow[]): boolean {
  return operations.some(
    (one) =>
      one.kind === 'finish' &&
      one.stream === attempt.stream &&
      (one.state === 'waiting' || one.state === 'acknowledged'),
  );
}

/**
 * Whether an attempt that began here has the device's estimate again, after the server's reply: a page of release 1.0.0
 * that had it in memory on a full device stores the later one of both deadlines.
 */
export const hasEstimateAgain = ({ begin, deadline }: AttemptRow): boolean =>
  begin?.estimate === deadline;

/** Of an attempt that began here: whether its times are the device's and not the server's. */
const isEstimate = (row: AttemptRow): boolean =>
  row.begin?.estimate === undefined || hasEstimateAgain(row);

/**
 * The stream with the higher epoch is the current one. Within one stream the device's row wins,
 * except for the state set by a finish in memory.
 */
export function mergeAttempts(
  stored: AttemptRow,
  inMemory: AttemptRow,
  finishInMemory: boolean,
): AttemptRow {
  const isSame = stored.stream === inMemory.stream;
  const present = !isSame && epochOf(inMemory) > epochOf(stored) ? inMemory : stored;
  const ended = isSame && finishInMemory ? inMemory : present;
  const one = isEstimate(stored) ? inMemory : stored;
  const other = isEstimate(inMemory) ? stored : inMemory;
  return {
    ...present,
    streams: mergeStreams(stored.streams, inMemory.streams),
    deadline: Math.max(one.deadline, other.deadline),
    countsUntil: Math.max(one.countsUntil, other.countsUntil),
    state: ended.state,
    finishedAt: ended.finishedAt,
    begin: isBeginWaiting(stored) ? (inMemory.begin ?? stored.begin) : present.begin,
    takenOver: isSame ? stored.takenOver || inMemory.takenOver : present.takenOver,
  };
}

/** Moves rows from memory to the device, once it has space again. */
