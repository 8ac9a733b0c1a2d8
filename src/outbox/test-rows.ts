import type { Receipt } from '#contract/passing.ts';
import type { AttemptRow, FileRow, OperationRow } from '#app/storage/rows.ts';
import { id, open, QUESTIONS } from './fake-server.ts';

/** Rows of one attempt, for tests of rules that need no device. */

export const ATTEMPT = id();
export const STREAM = id();
export const OLDER = id();

export function operation(changes: Partial<OperationRow> = {}): OperationRow {
  return {
    operationId: id(),
    owner: id(),
    attemptId: ATTEMPT,
    stream: STREAM,
    epoch: 2,
    sequence: 1,
    formerSequences: [],
    kind: 'answer',
    questionId: QUESTIONS[0],
    answer: open('да'),
    fileId: null,
    finishReason: null,
    writtenEra: 0,
    writtenWall: 100,
    writtenServer: 100,
    seenServerTime: null,
    state: 'waiting',
    sent: false,
    failures: 0,
    poisoned: false,
    foldedInto: null,
    refusal: null,
    receipt: null,
    acknowledgedAt: null,
    serverEpoch: null,
    ...changes,
  };
}

export function file(changes: Partial<FileRow> = {}): FileRow {
  return {
    fileId: id(),
    owner: id(),
    attemptId: ATTEMPT,
    stream: STREAM,
    questionId: QUESTIONS[3],
    operationId: id(),
    name: 'а.txt',
    size: 3,
    mimeType: 'text/plain',
    sha256: '',
    state: 'uploading',
    received: 0,
    wanted: false,
    mismatches: 0,
    refusal: null,
    ...changes,
  };
}

export const RECEIPT: Receipt = {
  operationId: id(),
  stream: STREAM,
  epoch: 2,
  sequence: 1,
  outcome: 'stored',
  receivedLate: false,
  writtenAt: null,
  receivedAt: '2026-05-21T07:00:00.000Z',
  seal: 's',
};

export function attempt(changes: Partial<AttemptRow> = {}): AttemptRow {
  return {
    attemptId: ATTEMPT,
    owner: id(),
    testId: id(),
    title: 'Проба',
    attemptNumber: 1,
    attemptsCount: 1,
    totalQuestions: 4,
    stream: STREAM,
    streams: [],
    startedAt: 0,
    deadline: 100,
    countsUntil: 200,
    state: 'finished',
    finishedAt: 1_000,
    takenOver: false,
    gone: false,
    marks: [],
    lastQuestionId: null,
    ...changes,
  };
}
