import type { Answer, SavedAnswers } from '#contract/answers.ts';
import { health } from '#contract/health.ts';
import {
  finishAttempt,
  getSavedAnswers,
  getUpload,
  saveAnswer,
  startAttempt,
  uploadChunk,
  type Receipt,
  type Started,
  type UploadState,
} from '#contract/passing.ts';
import type { CallInput, ReplyOf, Route } from '#contract/route.ts';
import { getPassing } from '#contract/tests.ts';
import type { ReplyFacts } from '#app/api/facts.ts';
import { ApiFailure } from '#app/api/failure.ts';
import type { Caller, CallReply } from '#app/api/request.ts';

/** State and deadlines of an attempt, as the server replies them. */
export type Passing = Pick<ReplyOf<typeof getPassing>, 'deadline' | 'countsUntil'>;

export type Sent<T> =
  | { readonly ok: true; readonly value: T; readonly facts: ReplyFacts }
  | { readonly ok: false; readonly failure: ApiFailure };

type ProtocolHeaders = Readonly<Record<string, string>>;

/** The calls the outbox makes. Tokens are passed per call: nothing is ever sent as somebody else. */
export interface Transport {
  start(token: string, testId: string, headers: ProtocolHeaders): Promise<Sent<Started>>;
  answer(
    token: string,
    attemptId: string,
    answer: Answer,
    headers: ProtocolHeaders,
  ): Promise<Sent<Receipt>>;
  finish(token: string, attemptId: string, headers: ProtocolHeaders): Promise<Sent<Receipt>>;
  uploadChunk(token: string, chunk: Chunk, headers: ProtocolHeaders): Promise<Sent<UploadState>>;
  getUpload(
    token: string,
    attemptId: string,
    fileId: string,
    headers: ProtocolHeaders,
  ): Promise<Sent<UploadState>>;
  savedAnswers(
    token: string,
    attemptId: string,
    headers: ProtocolHeaders,
  ): Promise<Sent<SavedAnswers>>;
  passing(token: string, attemptId: string, headers: ProtocolHeaders): Promise<Sent<Passing>>;
  /** Whether our server answers at all; proves nothing about its database. */
  probe(): Promise<Sent<unknown>>;
}

/** A part of a file, with what every part repeats about the whole. */
export interface Chunk {
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
  ): Promise<Sent<CallReply<R>['reply']>> {
    try {
      const { reply, facts } = await caller(route, input, { token, headers });
      return { ok: true, value: reply, facts };
    } catch (error) {
      if (error instanceof ApiFailure) return { ok: false, failure: error };
      throw error;
    }
  }

  return {
    start: (token, testId, headers) =>
      send(startAttempt, { params: { id: testId } }, token, headers),
    answer: (token, attemptId, body, headers) =>
      send(saveAnswer, { params: { id: attemptId }, body }, token, headers),
    finish: (token, attemptId, headers) =>
      send(finishAttempt, { params: { id: attemptId } }, token, headers),
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
