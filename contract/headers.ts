import * as v from 'valibot';
import { GAP_LIST_NUMBERS } from './limits.ts';
import { Age, Id, IsoTime, Sequence, SequenceHead, StreamEpoch } from './primitives.ts';

/** Header names, lower case, as in Fastify and fetch. Meanings: docs/protocol.md. */
export const HEADER = {
  idempotencyKey: 'idempotency-key',
  stream: 'x-operation-stream',
  epoch: 'x-operation-epoch',
  sequence: 'x-operation-sequence',
  age: 'x-operation-age',
  head: 'x-operation-head',
  seenServerTime: 'x-seen-server-time',
  setAside: 'x-operations-set-aside',
  folded: 'x-operations-folded',
  filesSetAside: 'x-files-set-aside',
  finishReason: 'x-finish-reason',
  takeOver: 'x-take-over',
  offer: 'x-offer',
  offerProof: 'x-offer-proof',
  receipt: 'x-operation-receipt',
  appVersion: 'x-app-version',
  serverTime: 'x-server-time',
  serverEpoch: 'x-server-epoch',
  activeStream: 'x-active-stream',
  sessionExpiresAt: 'x-session-expires-at',
  requestId: 'x-request-id',
} as const;

/** Comma-separated sequences, `3,5-9` for runs. */
export const SequenceList = v.pipe(
  v.string(),
  v.maxLength(8_000),
  // Blanks can match in one position only: with two, backtracking would be quadratic.
  v.regex(/^\s*(\d{1,9}(-\d{1,9})?(\s*,\s*\d{1,9}(-\d{1,9})?)*\s*)?$/, 'Неверный список номеров'),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const numbers: number[] = [];
    for (const part of dataset.value.split(',')) {
      const [from, to = from] = part.trim().split('-');
      if (!from || !to) continue;
      if (Number(to) - Number(from) + numbers.length > GAP_LIST_NUMBERS) {
        addIssue({ message: 'Слишком длинный список номеров' });
        return NEVER;
      }
      for (let n = Number(from); n <= Number(to); n += 1) numbers.push(n);
    }
    return numbers;
  }),
);

/** As many as fit. */
const MAX_IDS = 444;

const IdList = v.pipe(
  v.string(),
  v.maxLength(16_000),
  // Counted before parsing: a header may hold thousands of commas.
  v.transform((text) => text.split(',', MAX_IDS + 1)),
  v.maxLength(MAX_IDS),
  v.transform((ids) => ids.map((id) => id.trim()).filter(Boolean)),
  v.array(Id),
);

/** Formats sequences in the syntax of `SequenceList`; runs are folded: `1,3-5`. */
export function formatSequences(sequences: readonly number[]): string {
  const sorted = [...new Set(sequences)].sort((a, b) => a - b);
  const runs: [number, number][] = [];
  for (const n of sorted) {
    const last = runs.at(-1);
    if (last && last[1] === n - 1) last[1] = n;
    else runs.push([n, n]);
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
}

/** HMAC-SHA-256 as base64url. */
const OfferProof = v.pipe(v.string(), v.maxLength(43), v.regex(/^[\w-]{43}$/));

export const StartHeaders = v.object({
  [HEADER.idempotencyKey]: v.optional(Id),
  [HEADER.stream]: v.optional(Id),
  [HEADER.takeOver]: v.optional(Id),
  /** A begin without a network: the offer, the proof that its content was opened, and when that was. */
  [HEADER.offer]: v.optional(Id),
  [HEADER.offerProof]: v.optional(OfferProof),
  [HEADER.age]: v.optional(Age),
  [HEADER.seenServerTime]: v.optional(IsoTime),
});

export const OperationHeaders = v.object({
  [HEADER.idempotencyKey]: v.optional(Id),
  [HEADER.stream]: v.optional(Id),
  [HEADER.epoch]: v.optional(v.pipe(StreamEpoch, v.minValue(1))),
  [HEADER.sequence]: v.optional(Sequence),
  [HEADER.age]: v.optional(Age, 0),
  [HEADER.head]: v.optional(SequenceHead),
  [HEADER.seenServerTime]: v.optional(IsoTime),
  [HEADER.folded]: v.optional(SequenceList),
  /** An old receipt as JSON, sent with an operation that is resent after a restore. */
  [HEADER.receipt]: v.optional(v.pipe(v.string(), v.maxLength(4_000))),
});
export type OperationHeaders = v.InferOutput<typeof OperationHeaders>;

export const FinishHeaders = v.object({
  ...OperationHeaders.entries,
  [HEADER.setAside]: v.optional(SequenceList),
  [HEADER.filesSetAside]: v.optional(IdList),
  [HEADER.finishReason]: v.optional(v.picklist(['student', 'deadline']), 'student'),
});
export type FinishHeaders = v.InferOutput<typeof FinishHeaders>;

/** Headers of the other calls of a running attempt. */
export const AttemptHeaders = v.object({
  [HEADER.stream]: v.optional(Id),
  [HEADER.head]: v.optional(SequenceHead),
});
export type AttemptHeaders = v.InferOutput<typeof AttemptHeaders>;
