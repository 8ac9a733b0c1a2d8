import * as v from 'valibot';
import { Answer } from '#contract/answers.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { HEADER, type FinishHeaders, type OperationHeaders } from '#contract/headers.ts';
import { Receipt } from '#contract/passing.ts';
import { answerMisfit } from '#domain/answer-fit.ts';
import { fieldProblems } from '#server/http/parse.ts';
import type { TestContent } from './content.ts';
import type { FinishBody } from './journal.ts';
import { bodyDigest } from './seal.ts';

/** What an operation states about itself; its stream and epoch are checked against the attempt later. */
export interface OperationRequest {
  readonly id: string;
  readonly kind: 'answer' | 'finish';
  /** Null: the attempt's default stream. */
  readonly stream: string | null;
  readonly claimedEpoch: number | null;
  readonly sequence: number | null;
  readonly ageMs: number | 'unknown';
  readonly seenServerTime: Date | null;
  readonly head: number;
  readonly folded: readonly number[];
  /** Sequences that a finish declares will never arrive. */
  readonly setAside: readonly number[];
  readonly questionId: string | null;
  readonly body: Answer | FinishBody | null;
  /** The body as JSON; null: there is none. */
  readonly bodyText: string | null;
  readonly digest: Buffer;
  /** Why its body can never be accepted, judged against the pinned questions. */
  readonly misfit: { readonly code: ErrorCode; readonly details?: unknown } | null;
  /** Its old receipt, sent again after a restore. */
  readonly oldReceipt: Receipt | null;
  readonly receivedAt: Date;
  /** Whether a handover brought it, so that its arrival is no contact of its device. */
  readonly byHandover: boolean;
}

function parseOldReceipt(text: string | undefined): Receipt | null {
  if (text === undefined) return null;
  try {
    const parsed = v.safeParse(Receipt, JSON.parse(text));
    return parsed.success ? parsed.output : null;
  } catch {
    // Not JSON: treated as a new operation without a receipt.
    return null;
  }
}

function fromHeaders(headers: OperationHeaders, newId: () => string, now: Date) {
  const seen = headers[HEADER.seenServerTime];
  const sequence = headers[HEADER.sequence] ?? null;
  return {
    id: headers[HEADER.idempotencyKey] ?? newId(),
    stream: headers[HEADER.stream] ?? null,
    claimedEpoch: headers[HEADER.epoch] ?? null,
    sequence,
    ageMs: headers[HEADER.age],
    seenServerTime: seen === undefined ? null : new Date(seen),
    head: Math.max(headers[HEADER.head] ?? 0, sequence ?? 0),
    folded: headers[HEADER.folded] ?? [],
    setAside: [],
    oldReceipt: parseOldReceipt(headers[HEADER.receipt]),
    receivedAt: now,
    byHandover: false,
  };
}

/** Parses an answer; a body that is not an answer, or fits no question, is journalled as refused. */
export function parseAnswer(
  headers: OperationHeaders,
  rawBody: unknown,
  content: TestContent | null,
  newId: () => string,
  now: Date,
): OperationRequest {
  const parsed = v.safeParse(Answer, rawBody);
  const shared = { ...fromHeaders(headers, newId, now), kind: 'answer' as const };
  if (!parsed.success) {
    const details = { fields: fieldProblems(parsed.issues) };
    const misfit = { code: 'INVALID_ANSWER' as const, details };
    const none = { questionId: null, body: null, bodyText: null };
    return { ...shared, ...none, digest: bodyDigest(rawBody), misfit };
  }
  const body = parsed.output;
  const code = content ? answerMisfit(body, content.byId.get(body.questionId)) : null;
  const misfit = code ? { code } : null;
  const bodyText = JSON.stringify(body);
  const digest = bodyDigest(body);
  return { ...shared, questionId: body.questionId, body, bodyText, digest, misfit };
}

/** Parses a finish; its body is the reason. */
export function parseFinish(
  headers: FinishHeaders,
  newId: () => string,
  now: Date,
): OperationRequest {
  const body: FinishBody = { reason: headers[HEADER.finishReason] };
  return {
    ...fromHeaders(headers, newId, now),
    kind: 'finish',
    setAside: headers[HEADER.setAside] ?? [],
    questionId: null,
    body,
    bodyText: JSON.stringify(body),
    digest: bodyDigest(body),
    misfit: null,
  };
}
