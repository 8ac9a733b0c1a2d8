import { describe, expect, test } from 'vitest';
import * as v from 'valibot';
import { ERRORS, type ErrorCode } from '#contract/errors.ts';
import { HEADER, OperationHeaders } from '#contract/headers.ts';
import { ApiFailure, type FailureParts } from '#app/api/failure.ts';
import type { Receipt } from '#contract/passing.ts';
import type { AttemptRow, FileRow, OperationRow } from '#app/storage/rows.ts';
import { backoffMs, createBackoffs } from './backoff.ts';
import { barrierWord } from './barrier.ts';
import { classify } from './classify.ts';
import { sha256Hex } from './hash.ts';
import { finishHeaders, operationHeaders } from './headers.ts';
import { planTasks, type Work } from './plan.ts';
import { isOver, outlivedAt } from './retention.ts';
import { id, open, QUESTIONS } from './fake-server.ts';

const ATTEMPT = id();
const STREAM = id();
const OLDER = id();

function operation(changes: Partial<OperationRow> = {}): OperationRow {
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

function file(changes: Partial<FileRow> = {}): FileRow {
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

const RECEIPT: Receipt = {
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

describe('classify', () => {
  const failure = (parts: Partial<FailureParts>): ApiFailure =>
    new ApiFailure({ kind: 'refused', method: 'POST', url: '/', ...parts });
  const coded = (code: ErrorCode, details?: unknown): ApiFailure =>
    failure({ code, status: ERRORS[code].status, message: ERRORS[code].message, details });

  test.each<[string, ApiFailure, string]>([
    ['no connection', failure({ kind: 'unreachable' }), 'retry'],
    ['a time-out', failure({ kind: 'unreachable', timedOut: true }), 'retry'],
    ['a foreign page with 200', failure({ kind: 'notOurs', status: 200 }), 'retry'],
    ['a foreign 401', failure({ kind: 'notOurs', status: 401 }), 'retry'],
    ['a foreign 404', failure({ kind: 'notOurs', status: 404 }), 'retry'],
    ['a foreign 413', failure({ kind: 'notOurs', status: 413 }), 'retry'],
    ['JSON of another shape', failure({ kind: 'malformed', status: 200 }), 'retry'],
    ['408', failure({ status: 408, code: 'TIMEOUT' }), 'retry'],
    ['429', coded('TOO_MANY_REQUESTS'), 'retry'],
    ['500', coded('INTERNAL'), 'retry'],
    ['503', coded('UNAVAILABLE'), 'retry'],
    ['401', coded('UNAUTHORIZED'), 'pause'],
    ['a blocked account', coded('ACCOUNT_BLOCKED'), 'pause'],
    ['426', coded('OLD_CLIENT'), 'pause'],
    ['400', coded('VALIDATION'), 'setAside'],
    ['403', coded('FORBIDDEN'), 'setAside'],
    ['404', coded('NOT_FOUND'), 'setAside'],
    ['410', coded('GONE'), 'setAside'],
    ['413', coded('TOO_LARGE'), 'setAside'],
    ['415', coded('UNSUPPORTED_TYPE'), 'setAside'],
    ['422', coded('INVALID_ANSWER'), 'setAside'],
    ['SEQUENCE_TAKEN', coded('SEQUENCE_TAKEN'), 'renumber'],
    ['CHECKSUM_MISMATCH', coded('CHECKSUM_MISMATCH'), 'mismatch'],
    ['INCOMPLETE', coded('INCOMPLETE', { missing: [1], files: [] }), 'incomplete'],
    ['INCOMPLETE without details', coded('INCOMPLETE'), 'retry'],
    [
      'DEADLINE_MOVED',
      coded('DEADLINE_MOVED', { deadline: '2026-05-21T07:00:00Z' }),
      'deadlineMoved',
    ],
    ['DEADLINE_MOVED without details', coded('DEADLINE_MOVED', {}), 'retry'],
    ['CHUNK_OUT_OF_PLACE', coded('CHUNK_OUT_OF_PLACE', { received: 5 }), 'outOfPlace'],
    ['another 409', coded('ATTEMPT_NOT_RUNNING'), 'retry'],
  ])('%s', (_name, given, kind) => {
    expect(classify(given).kind).toBe(kind);
  });
});

describe('back-off', () => {
  test('row 23: full jitter between nothing and a doubling ceiling of at most 30 s', () => {
    const ceilings = [1, 2, 3, 4, 5, 6, 7, 20].map((n) => backoffMs(n, () => 0.999_999));
    expect(ceilings).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
    expect(backoffMs(20, () => 0)).toBe(100);
  });

  test('different operations failing in a row hold everybody; any success frees them', () => {
    const backoffs = createBackoffs(
      () => 0,
      () => 0.5,
    );
    for (const key of ['a', 'b']) backoffs.failed(key);
    expect(backoffs.allDue()).toBe(true);
    backoffs.failed('c');
    expect(backoffs.allDue()).toBe(false);
    backoffs.serverSucceeded();
    expect(backoffs.allDue()).toBe(true);
    expect(backoffs.isDue('a')).toBe(false);
  });
});

describe('plan', () => {
  const work = (changes: Partial<Work>): Work => ({
    waiting: [],
    files: [],
    busy: new Set(),
    isDue: () => true,
    failures: () => 0,
    tried: new Set(),
    ...changes,
  });
  const finish = operation({ kind: 'finish', answer: null, questionId: null, sequence: 9 });

  test('one operation per question goes, the oldest first', () => {
    const older = operation({ sequence: 1 });
    const newer = operation({ sequence: 2 });
    const other = operation({ sequence: 3, questionId: QUESTIONS[1] });
    const tasks = planTasks(work({ waiting: [other, newer, older] }));
    expect(tasks.map((task) => task.operation)).toEqual([older, other]);
  });

  test('a question whose first operation waits sends none of its later ones', () => {
    const older = operation({ sequence: 1 });
    const newer = operation({ sequence: 2 });
    const isDue = (key: string): boolean => key !== older.operationId;
    expect(planTasks(work({ waiting: [older, newer], isDue }))).toEqual([]);
  });

  test('row 18: a finish waits for its own stream only', () => {
    const foreign = operation({ stream: OLDER, epoch: 1 });
    const isDue = (key: string): boolean => key !== foreign.operationId;
    const tasks = planTasks(work({ waiting: [foreign, finish], isDue }));
    expect(tasks.map((task) => task.kind)).toEqual(['finish']);
    const own = operation();
    const waits = planTasks(
      work({ waiting: [own, finish], isDue: (key) => key !== own.operationId }),
    );
    expect(waits).toEqual([]);
  });

  test('row 26: a finish waits for a file of its stream that is still on its way', () => {
    const kinds = (changes: Partial<FileRow>, stream = STREAM): string[] => {
      const one = file({ stream, wanted: true, ...changes });
      const isDue = (key: string): boolean => key !== one.fileId;
      return planTasks(work({ waiting: [finish], files: [one], isDue })).map((task) => task.kind);
    };
    expect(kinds({ state: 'uploading' })).toEqual([]);
    expect(kinds({ state: 'unchecked' })).toEqual([]);
    expect(kinds({ state: 'complete' })).toEqual(['finish']);
    expect(kinds({ state: 'setAside' })).toEqual(['finish']);
    expect(kinds({ state: 'uploading', wanted: false })).toEqual(['finish']);
    expect(kinds({ state: 'uploading' }, OLDER)).toEqual(['finish']);
  });

  test('row 17: a finish waits for the answer whose file is on its way, and for whatever is being sent', () => {
    const one = file({ state: 'uploading' });
    const answer = operation({ fileId: one.fileId, questionId: one.questionId });
    const waiting = [answer, finish];
    const tasks = planTasks(work({ waiting, files: [one] }));
    expect(tasks).toEqual([{ kind: 'upload', file: one, operation: answer }]);
    const busy = new Set([`${ATTEMPT}/${OLDER}/${QUESTIONS[1]}`]);
    expect(planTasks(work({ waiting: [finish], busy }))).toEqual([]);
    const foreign = new Set([`${id()}/${STREAM}/${QUESTIONS[1]}`]);
    expect(planTasks(work({ waiting: [finish], busy: foreign }))).toHaveLength(1);
  });

  test('an answer goes once its file is whole, and is set aside when its file is given up', () => {
    const kindWith = (state: FileRow['state'] | null): string[] => {
      const one = file(state === null ? {} : { state });
      const answer = operation({ fileId: one.fileId });
      const files = state === null ? [] : [one];
      return planTasks(work({ waiting: [answer], files })).map((task) => task.kind);
    };
    expect(kindWith('complete')).toEqual(['answer']);
    expect(kindWith('uploading')).toEqual(['upload']);
    expect(kindWith('setAside')).toEqual(['fileLost']);
    expect(kindWith(null)).toEqual(['fileLost']);
  });

  test('row 35: an answer that is sent again with its receipt goes before its file', () => {
    const one = file({ state: 'unchecked', wanted: true });
    const answer = operation({ fileId: one.fileId, receipt: RECEIPT, acknowledgedAt: 5 });
    const tasks = planTasks(work({ waiting: [answer], files: [one] }));
    expect(tasks.map((task) => task.kind)).toEqual(['answer', 'upload']);
  });

  test('row 36: a poisoned answer lets its question and the finish go on, after one more chance', () => {
    const poisoned = operation({ poisoned: true });
    const newer = operation({ sequence: 2 });
    const next = planTasks(work({ waiting: [poisoned, newer, finish] }));
    expect(next.map((task) => task.operation)).toEqual([newer]);
    const isDue = (key: string): boolean => key !== poisoned.operationId;
    const chance = planTasks(work({ waiting: [poisoned, finish], isDue }));
    expect(chance.map((task) => task.operation)).toEqual([poisoned]);
    const tried = new Set([poisoned.operationId]);
    const last = planTasks(work({ waiting: [poisoned, finish], isDue, tried }));
    expect(last.map((task) => task.kind)).toEqual(['finish']);
  });

  test('what failed goes after what did not', () => {
    const failing = operation({ sequence: 1 });
    const fresh = operation({ sequence: 2, questionId: QUESTIONS[1] });
    const failures = (key: string): number => (key === failing.operationId ? 3 : 0);
    const tasks = planTasks(work({ waiting: [failing, fresh], failures }));
    expect(tasks.map((task) => task.operation)).toEqual([fresh, failing]);
  });
});

describe('headers', () => {
  test('an answer carries the protocol’s headers; a re-sent one its old receipt in ASCII', () => {
    const receipt = {
      operationId: id(),
      stream: STREAM,
      epoch: 2,
      sequence: 5,
      outcome: 'stored' as const,
      receivedLate: false,
      writtenAt: null,
      receivedAt: '2026-05-21T07:00:00.000Z',
      seal: 'печать',
    };
    const one = operation({ sequence: 5, receipt, seenServerTime: '2026-05-21T06:59:00.000Z' });
    const headers = operationHeaders(one, { head: 7, age: 'unknown', folded: [3, 4, 2] });
    expect(headers).toMatchObject({
      [HEADER.idempotencyKey]: one.operationId,
      [HEADER.stream]: STREAM,
      [HEADER.epoch]: '2',
      [HEADER.sequence]: '5',
      [HEADER.age]: 'unknown',
      [HEADER.head]: '7',
      [HEADER.seenServerTime]: '2026-05-21T06:59:00.000Z',
      [HEADER.folded]: '2-4',
    });
    expect(headers[HEADER.receipt]).toMatch(/^[\u0020-\u007e]+$/);
    expect(JSON.parse(headers[HEADER.receipt] ?? '')).toEqual(receipt);
  });

  test('a finish names everything of its stream that will never come, within a header’s limit', () => {
    const rows = [
      operation({ sequence: 1, state: 'folded' }),
      operation({ sequence: 2, state: 'setAside' }),
      operation({ sequence: 3, poisoned: true }),
      operation({ sequence: 6, formerSequences: [4] }),
      operation({ sequence: 5, state: 'dropped', kind: 'finish' }),
      operation({ sequence: 7, stream: OLDER, state: 'setAside' }),
    ];
    const finish = operation({ kind: 'finish', sequence: 9, finishReason: 'deadline' });
    const stream = {
      stream: STREAM,
      epoch: 2,
      nextSequence: 10,
      notHere: [8],
      filesNotHere: ['x'],
    };
    const word = barrierWord(finish, stream, rows, []);
    const headers = finishHeaders(finish, { head: 9, age: 0, folded: word.folded }, word);
    expect(headers).toMatchObject({
      [HEADER.folded]: '1',
      [HEADER.setAside]: '2-5,8',
      [HEADER.filesSetAside]: 'x',
      [HEADER.finishReason]: 'deadline',
    });
    const many = Array.from({ length: 5_000 }, (_unused, n) => 2 * n + 1);
    const long = operationHeaders(finish, { head: 9, age: 0, folded: many })[HEADER.folded] ?? '';
    expect(long.length).toBeLessThanOrEqual(8_000);
    expect(long.endsWith(',9999')).toBe(true);
    // Three hours of typing without a network, each pause a version: the server takes the list.
    const run = Array.from({ length: 12_000 }, (_unused, n) => n + 1);
    const sent = operationHeaders(finish, { head: 12_001, age: 0, folded: run });
    const read = v.parse(OperationHeaders, sent)[HEADER.folded] ?? [];
    expect([read.length > 4_000, read.at(-1)]).toEqual([true, 12_000]);
  });
});

describe('retention', () => {
  const DAY = 86_400_000;
  const attempt = (changes: Partial<AttemptRow> = {}): AttemptRow => ({
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
  });
  const elsewhere = attempt({ state: 'running', finishedAt: null, takenOver: true });

  test('what was set aside, or waits, is never removed with its attempt', () => {
    for (const state of ['waiting', 'setAside'] as const) {
      const rows = [operation({ state: 'acknowledged' }), operation({ state })];
      expect(outlivedAt(attempt(), rows)).toBeNull();
      expect(outlivedAt(elsewhere, rows)).toBeNull();
      expect(isOver(attempt(), rows)).toBe(false);
    }
  });

  test('delivered answers go 7 days after the finish, 30 days after one that ended elsewhere', () => {
    const rows = (['acknowledged', 'folded', 'dropped'] as const).map((state) =>
      operation({ state }),
    );
    expect(outlivedAt(attempt(), rows)).toBe(1_000 + 7 * DAY);
    expect(outlivedAt(elsewhere, rows)).toBe(200 + 30 * DAY);
    expect(isOver(attempt(), rows)).toBe(true);
    expect(isOver(elsewhere, rows)).toBe(true);
    expect(isOver(attempt({ state: 'running', gone: true }), [])).toBe(true);
  });

  test('an attempt that runs, or whose row is lost, is kept', () => {
    const runs = attempt({ state: 'running', finishedAt: null });
    expect(outlivedAt(runs, [])).toBeNull();
    expect(isOver(runs, [])).toBe(false);
    expect(isOver(attempt({ state: 'finishing' }), [])).toBe(false);
    expect(outlivedAt(null, [])).toBeNull();
    expect(isOver(null, [])).toBe(false);
  });
});

test('the checksum is the same with and without WebCrypto', async () => {
  const bytes = new TextEncoder().encode('Ёлка');
  const withCrypto = await sha256Hex(bytes);
  const original = Object.getOwnPropertyDescriptor(globalThis, 'crypto');
  Object.defineProperty(globalThis, 'crypto', { value: {}, configurable: true });
  try {
    expect(await sha256Hex(bytes)).toBe(withCrypto);
  } finally {
    if (original) Object.defineProperty(globalThis, 'crypto', original);
  }
});
