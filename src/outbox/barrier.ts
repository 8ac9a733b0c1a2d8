import type { FileRow, OperationRow, StreamRow } from '#app/storage/rows.ts';
import type { GivenUp } from './headers.ts';

/** What a finish tells of its stream: folded into others, and what will never come. Pure. */

export interface BarrierWord extends GivenUp {
  readonly folded: readonly number[];
}

/**
 * @param operations all of the attempt on this device
 * @param files all of the attempt on this device
 */
export function barrierWord(
  finish: OperationRow,
  stream: StreamRow | null,
  operations: readonly OperationRow[],
  files: readonly FileRow[],
): BarrierWord {
  const folded: number[] = [];
  const sequences: number[] = [...(stream?.notHere ?? [])];
  for (const operation of operations) {
    if (operation.stream !== finish.stream) continue;
    if (operation.state === 'folded') folded.push(operation.sequence);
    const isGivenUp = operation.state === 'setAside' || operation.poisoned;
    if (isGivenUp || operation.state === 'dropped') sequences.push(operation.sequence);
    sequences.push(...operation.formerSequences);
  }
  const given = files.filter((file) => file.stream === finish.stream && file.state === 'setAside');
  return {
    folded,
    sequences: sequences.filter((n) => n < finish.sequence),
    files: [...(stream?.filesNotHere ?? []), ...given.map((file) => file.fileId)],
  };
}

/** What an INCOMPLETE asks for: what is here and goes again, and what nobody can send. */
export interface Asked {
  readonly again: readonly OperationRow[];
  readonly lost: readonly number[];
  readonly filesAgain: readonly FileRow[];
  readonly filesLost: readonly string[];
}

/** @param tired sequences and files that were sent again several times and are still missing */
export function askedFor(
  finish: OperationRow,
  missing: readonly number[],
  missingFiles: readonly string[],
  operations: readonly OperationRow[],
  files: readonly FileRow[],
  tired: ReadonlySet<string>,
): Asked {
  const mine = operations.filter((one) => one.stream === finish.stream && one.kind === 'answer');
  const again: OperationRow[] = [];
  const lost: number[] = [];
  for (const n of missing) {
    const held = mine.find((one) => one.sequence === n);
    const isHeld = held?.state === 'acknowledged' || (held?.state === 'waiting' && !held.poisoned);
    if (held && isHeld && !tired.has(String(n))) again.push(held);
    else lost.push(n);
  }
  const filesAgain: FileRow[] = [];
  const filesLost: string[] = [];
  for (const id of missingFiles) {
    const held = files.find((file) => file.fileId === id);
    if (held && held.state !== 'setAside' && !tired.has(id)) filesAgain.push(held);
    else filesLost.push(id);
  }
  return { again, lost, filesAgain, filesLost };
}
