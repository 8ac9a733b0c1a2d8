import { formatSequences, HEADER } from '#contract/headers.ts';
import { GAP_LIST_NUMBERS } from '#contract/limits.ts';
import type { Receipt } from '#contract/passing.ts';
import type { OperationRow } from '#app/storage/rows.ts';

/** Room that a list may take in one header; the server reads at most 8,000 characters. */
const LIST_CHARACTERS = 7_500;

/** What travels with an operation beside its row. */
export interface Travel {
  /** Highest sequence written into its stream. */
  readonly head: number;
  readonly age: number | 'unknown';
  /** Sequences folded into it; for a finish all of its stream. */
  readonly folded: readonly number[];
}

/** What a finish says will never come. */
export interface GivenUp {
  readonly sequences: readonly number[];
  readonly files: readonly string[];
}

function listHeader(name: string, sequences: readonly number[]): Record<string, string> {
  if (sequences.length === 0) return {};
  let kept = [...sequences].sort((a, b) => a - b).slice(-GAP_LIST_NUMBERS);
  let text = formatSequences(kept);
  // Beyond the limits the newest are named; the server asks for the rest by INCOMPLETE.
  while (text.length > LIST_CHARACTERS) {
    kept = kept.slice(Math.ceil(kept.length / 4));
    text = formatSequences(kept);
  }
  return { [name]: text };
}

/** Header values are ASCII. */
function receiptHeader(receipt: Receipt | null): Record<string, string> {
  if (!receipt) return {};
  const text = JSON.stringify(receipt).replace(
    /[^\u0020-\u007e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return { [HEADER.receipt]: text };
}

export function operationHeaders(operation: OperationRow, travel: Travel): Record<string, string> {
  return {
    [HEADER.idempotencyKey]: operation.operationId,
    [HEADER.stream]: operation.stream,
    [HEADER.epoch]: String(operation.epoch),
    [HEADER.sequence]: String(operation.sequence),
    [HEADER.age]: String(travel.age),
    [HEADER.head]: String(travel.head),
    ...(operation.seenServerTime === null
      ? {}
      : { [HEADER.seenServerTime]: operation.seenServerTime }),
    ...listHeader(HEADER.folded, travel.folded),
    ...receiptHeader(operation.receipt),
  };
}

export function finishHeaders(
  operation: OperationRow,
  travel: Travel,
  givenUp: GivenUp,
): Record<string, string> {
  return {
    ...operationHeaders(operation, travel),
    [HEADER.finishReason]: operation.finishReason ?? 'student',
    ...listHeader(HEADER.setAside, givenUp.sequences),
    ...(givenUp.files.length === 0 ? {} : { [HEADER.filesSetAside]: givenUp.files.join(',') }),
  };
}

/** For the other calls of a running attempt. */
export function attemptHeaders(stream: string, head: number): Record<string, string> {
  return { [HEADER.stream]: stream, [HEADER.head]: String(head) };
}
