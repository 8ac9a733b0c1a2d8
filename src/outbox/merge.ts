import type { AttemptRow, OperationRow, StreamRow } from '#app/storage/rows.ts';

/** Joins two pictures of one attempt: the device's row and the copy in memory. Pure. */

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

/** Streams that only operations remember, for an attempt whose row was lost. */
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

/** Whether a finish of the attempt's present stream is among these and still means something. */
export function hasFinish(attempt: AttemptRow, operations: readonly OperationRow[]): boolean {
  return operations.some(
    (one) =>
      one.kind === 'finish' &&
      one.stream === attempt.stream &&
      (one.state === 'waiting' || one.state === 'acknowledged'),
  );
}

/**
 * The holding with the higher epoch is the present one. Within one holding the device's row stands,
 * but for what a finish in memory made of it.
 */
export function mergeAttempts(
  stored: AttemptRow,
  inMemory: AttemptRow,
  finishInMemory: boolean,
): AttemptRow {
  const isSame = stored.stream === inMemory.stream;
  const present = !isSame && epochOf(inMemory) > epochOf(stored) ? inMemory : stored;
  const ended = isSame && finishInMemory ? inMemory : present;
  return {
    ...present,
    streams: mergeStreams(stored.streams, inMemory.streams),
    deadline: Math.max(stored.deadline, inMemory.deadline),
    countsUntil: Math.max(stored.countsUntil, inMemory.countsUntil),
    state: ended.state,
    finishedAt: ended.finishedAt,
    takenOver: isSame ? stored.takenOver || inMemory.takenOver : present.takenOver,
  };
}
