import * as v from 'valibot';
import type { ReplyFacts } from '#app/api/facts.ts';
import { ApiFailure } from '#app/api/failure.ts';
import type { CallReply, Caller } from '#app/api/request.ts';
import type { OperationRow } from '#app/storage/rows.ts';
import type { Answer, SavedAnswers } from '#contract/answers.ts';
import { ChunkDetails, DeadlineMovedDetails, IncompleteDetails } from '#contract/errors.ts';
import { HEADER, formatSequences } from '#contract/headers.ts';
import { health } from '#contract/health.ts';
import { GAP_LIST_NUMBERS, HTTP_TIMEOUT_MS } from '#contract/limits.ts';
import {
  type Receipt,
  type Started,
  type UploadState,
  finishAttempt,
  getSavedAnswers,
  getUpload,
  saveAnswer,
  startAttempt,
  uploadChunk,
} from '#contract/passing.ts';
import type { CallInput, ReplyOf, Route } from '#contract/route.ts';
import { getPassing } from '#contract/tests.ts';
import type { Pause } from './types.ts';

/** Calls of the outbox, their protocol headers, and what a failed call means for its operation. */

/** State and deadlines of an attempt in the server's reply. */
export type Passing = Pick<ReplyOf<typeof getPassing>, 'deadline' | 'countsUntil'>;

export type CallResult<T> =
  | { readonly ok: true; readonly value: T; readonly facts: ReplyFacts }
  | { readonly ok: false; readonly failure: ApiFailure };

type ProtocolHeaders = Readonly<Record<string, string>>;

/** Calls of the outbox. The token is passed per call, so that nothing is sent as another user. */
export interface Transport {
  start(token: string, testId: string, headers: ProtocolHeaders): Promise<CallResult<Started>>;
  answer(
    token: string,
    attemptId: string,
    answer: Answer,
    headers: ProtocolHeaders,
    timeoutMs?: number,
  ): Promise<CallResult<Receipt>>;
  finish(
    token: string,
    attemptId: string,
    headers: ProtocolHeaders,
    timeoutMs?: number,
  ): Promise<CallResult<Receipt>>;
  uploadChunk(
    token: string,
    chunk: FileChunk,
    headers: ProtocolHeaders,
  ): Promise<CallResult<UploadState>>;
  getUpload(
    token: string,
    attemptId: string,
    fileId: string,
    headers: ProtocolHeaders,
  ): Promise<CallResult<UploadState>>;
  savedAnswers(
    token: string,
    attemptId: string,
    headers: ProtocolHeaders,
  ): Promise<CallResult<SavedAnswers>>;
  passing(token: string, attemptId: string, headers: ProtocolHeaders): Promise<CallResult<Passing>>;
  /** Checks whether our server replies; proves nothing about its database. */
  probe(): Promise<CallResult<unknown>>;
}

/** A chunk of a file, with the metadata that every chunk repeats. */
export interface FileChunk {
  readonly attemptId: string;
  readonly fileId: string;
  readonly questionId: string;
  readonly offset: number;
  readonly size: number;
  readonly sha256: string;
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export function createTransport(caller: Caller): Transport {
  async function send<const R extends Route>(
    route: R,
    input: CallInput<R>,
    token: string | null,
    headers: ProtocolHeaders,
    timeoutMs = HTTP_TIMEOUT_MS,
  ): Promise<CallResult<CallReply<R>['reply']>> {
    try {
      const { reply, facts } = await caller(route, input, { token, headers, timeoutMs });
      return { ok: true, value: reply, facts };
    } catch (error) {
      if (error instanceof ApiFailure) return { ok: false, failure: error };
      throw error;
    }
  }

  return {
    start: (token, testId, headers) =>
      send(startAttempt, { params: { id: testId } }, token, headers),
    answer: (token, attemptId, body, headers, timeoutMs) =>
      send(saveAnswer, { params: { id: attemptId }, body }, token, headers, timeoutMs),
    finish: (token, attemptId, headers, timeoutMs) =>
      send(finishAttempt, { params: { id: attemptId } }, token, headers, timeoutMs),
    uploadChunk: (token, chunk, headers) => {
      const { attemptId, fileId, bytes, ...query } = chunk;
      return send(uploadChunk, { params: { id: attemptId, fileId }, query, bytes }, token, headers);
    },
    getUpload: (token, attemptId, fileId, headers) =>
      send(getUpload, { params: { id: attemptId, fileId } }, token, headers),
    savedAnswers: (token, attemptId, headers) =>
      send(getSavedAnswers, { params: { id: attemptId } }, token, headers),
    passing: (token, attemptId, headers) =>
      send(getPassing, { params: { attemptId } }, token, headers),
    probe: () => send(health, {}, null, {}),
  };
}

/** Maximum length of a list in one header; the server reads at most 8,000 characters. */
const LIST_CHARACTERS = 7_500;

/** Data sent with an operation beside its row. */
export interface DeliveryMetadata {
  /** Highest sequence written in its stream. */
  readonly head: number;
  readonly age: number | 'unknown';
  /** Sequences folded into it; for a finish all of its stream. */
  readonly folded: readonly number[];
}

/** Sequences and files that a finish declares as never to be sent. */
export interface Undeliverable {
  readonly sequences: readonly number[];
  readonly files: readonly string[];
}

function listHeader(name: string, sequences: readonly number[]): Record<string, string> {
  if (sequences.length === 0) return {};
  let listed = [...sequences].sort((a, b) => a - b).slice(-GAP_LIST_NUMBERS);
  let text = formatSequences(listed);
  // Beyond the limit only the newest are listed; the server requests the rest by INCOMPLETE.
  while (text.length > LIST_CHARACTERS) {
    listed = listed.slice(Math.ceil(listed.length / 4));
    text = formatSequences(listed);
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

export function operationHeaders(
  operation: OperationRow,
  metadata: DeliveryMetadata,
): Record<string, string> {
  return {
    [HEADER.idempotencyKey]: operation.operationId,
    [HEADER.stream]: operation.stream,
    [HEADER.epoch]: String(operation.epoch),
    [HEADER.sequence]: String(operation.sequence),
    [HEADER.age]: String(metadata.age),
    [HEADER.head]: String(metadata.head),
    ...(operation.seenServerTime === null
      ? {}
      : { [HEADER.seenServerTime]: operation.seenServerTime }),
    ...listHeader(HEADER.folded, metadata.folded),
    ...receiptHeader(operation.receipt),
  };
}

export function finishHeaders(
  operation: OperationRow,
  metadata: DeliveryMetadata,
  undeliverable: Undeliverable,
): Record<string, string> {
  return {
    ...operationHeaders(operation, metadata),
    [HEADER.finishReason]: operation.finishReason ?? 'student',
    ...listHeader(HEADER.setAside, undeliverable.sequences),
    ...(undeliverable.files.length === 0
      ? {}
      : { [HEADER.filesSetAside]: undeliverable.files.join(',') }),
  };
}

/** For the other calls of a running attempt. */
export function attemptHeaders(stream: string, head: number): Record<string, string> {
  return { [HEADER.stream]: stream, [HEADER.head]: String(head) };
}

/** The meaning of a failed call for its operation. */
export type FailureVerdict =
  /** The effect is unknown or the server is busy: send the same request again. */
  | {
      readonly kind: 'retry';
      /** `network`: our server is unreachable; `server`: it or a proxy failed this call; `busy`: 429. */
      readonly cause: 'network' | 'server' | 'busy';
      readonly timedOut: boolean;
      readonly waitMs: number | null;
    }
  | { readonly kind: 'pause'; readonly pause: Pause }
  | {
      readonly kind: 'setAside';
      readonly status: number;
      readonly code: string;
      readonly message: string;
    }
  | { readonly kind: 'renumber' }
  | { readonly kind: 'incomplete'; readonly missing: number[]; readonly files: string[] }
  | { readonly kind: 'deadlineMoved'; readonly deadline: number }
  | { readonly kind: 'outOfPlace'; readonly received: number }
  | { readonly kind: 'mismatch' };

/** The reply was of no use, though nothing says that the network or the device is at fault. */
export const RETRY_LATER: FailureVerdict & { kind: 'retry' } = {
  kind: 'retry',
  cause: 'server',
  timedOut: false,
  waitMs: null,
};

const FINAL = new Set([400, 403, 404, 410, 413, 415, 422]);

/** Only an error in our own format can mean anything other than a retry. */
export function classify(failure: ApiFailure): FailureVerdict {
  if (failure.kind !== 'refused') return retry(failure, unansweredCause(failure));
  const status = failure.status ?? 0;
  const code = failure.code ?? '';
  if (status === 401)
    return { kind: 'pause', pause: code === 'ACCOUNT_BLOCKED' ? 'blocked' : 'signIn' };
  if (status === 426) return { kind: 'pause', pause: 'update' };
  if (status === 429) return retry(failure, 'busy');
  if (code === 'SEQUENCE_TAKEN') return { kind: 'renumber' };
  if (code === 'CHECKSUM_MISMATCH') return { kind: 'mismatch' };
  if (status === 409) return conflict(failure) ?? retry(failure, 'server');
  if (FINAL.has(status)) return { kind: 'setAside', status, code, message: failure.message };
  return retry(failure, 'server');
}

/** Request and gateway time-outs: a proxy stopped waiting for the body, or for the reply. */
const TIME_OUTS = new Set([408, 504]);

const isTimeOut = (failure: ApiFailure): boolean =>
  failure.timedOut || TIME_OUTS.has(failure.status ?? 0);

/** A time-out may concern this call only; no connection or a foreign page concerns all calls. */
function unansweredCause(failure: ApiFailure): 'network' | 'server' {
  if (failure.kind === 'malformed' || isTimeOut(failure)) return 'server';
  return failure.kind === 'notOurs' && (failure.status ?? 0) >= 500 ? 'server' : 'network';
}

function retry(failure: ApiFailure, cause: 'network' | 'server' | 'busy'): FailureVerdict {
  const timedOut = isTimeOut(failure);
  return { kind: 'retry', cause, timedOut, waitMs: failure.retryAfterMs ?? null };
}

function conflict(failure: ApiFailure): FailureVerdict | null {
  const { code, details } = failure;
  if (code === 'INCOMPLETE') {
    const parsed = v.safeParse(IncompleteDetails, details);
    return parsed.success ? { kind: 'incomplete', ...parsed.output } : null;
  }
  if (code === 'DEADLINE_MOVED') {
    const parsed = v.safeParse(DeadlineMovedDetails, details);
    const deadline = parsed.success ? Date.parse(parsed.output.deadline) : Number.NaN;
    return Number.isNaN(deadline) ? null : { kind: 'deadlineMoved', deadline };
  }
  if (code === 'CHUNK_OUT_OF_PLACE') {
    const parsed = v.safeParse(ChunkDetails, details);
    return parsed.success ? { kind: 'outOfPlace', received: parsed.output.received } : null;
  }
  return null;
}

/** Whether the failed call still proves that the server and its database work. */
export function provesServer(failure: ApiFailure): boolean {
  const status = failure.status ?? 0;
  const isVerdict = failure.kind === 'refused' && status >= 400 && status < 500;
  return isVerdict && ![401, 408, 426, 429].includes(status);
}
