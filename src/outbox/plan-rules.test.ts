import { describe, expect, test } from 'vitest';
import * as v from 'valibot';
import { ERRORS, type ErrorCode } from '#contract/errors.ts';
import { HEADER, OperationHeaders } from '#contract/headers.ts';
import { ApiFailure, type FailureParts } from '#app/api/failure.ts';
import { backoffMs, createBackoffs, createFinishManifest } from './plan.ts';
import { classify, finishHeaders, operationHeaders, provesServer } from './transport.ts';
import { sha256Hex } from './files.ts';
import { id } from './fake-server.ts';
import { OLDER, operation, STREAM } from './test-rows.ts';

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
    ['another 409 with details', coded('ATTEMPT_NOT_RUNNING', { received: 5 }), 'retry'],
  ])('%s', (_name, given, kind) => {
    expect(classify(given).kind).toBe(kind);
  });

  test.each<[string, ApiFailure, object]>([
    ['401', coded('UNAUTHORIZED'), { pause: 'signIn' }],
    ['a blocked account', coded('ACCOUNT_BLOCKED'), { pause: 'blocked' }],
    ['426', coded('OLD_CLIENT'), { pause: 'update' }],
    [
      '429',
      failure({ status: 429, code: 'TOO_MANY_REQUESTS', retryAfterMs: 7_000 }),
      { cause: 'busy', waitMs: 7_000 },
    ],
    ['503', coded('UNAVAILABLE'), { cause: 'server', waitMs: null, timedOut: false }],
    ['no connection', failure({ kind: 'unreachable' }), { cause: 'network' }],
    [
      'a time-out',
      failure({ kind: 'unreachable', timedOut: true }),
      { cause: 'server', timedOut: true },
    ],
    ['JSON of another shape', failure({ kind: 'malformed', status: 200 }), { cause: 'server' }],
    ['a captive portal’s page', failure({ kind: 'notOurs', status: 200 }), { cause: 'network' }],
    ['a proxy’s 500', failure({ kind: 'notOurs', status: 500 }), { cause: 'server' }],
    [
      'INCOMPLETE',
      coded('INCOMPLETE', { missing: [1], files: [STREAM] }),
      { missing: [1], files: [STREAM] },
    ],
    ['CHUNK_OUT_OF_PLACE', coded('CHUNK_OUT_OF_PLACE', { received: 5 }), { received: 5 }],
  ])('%s has a cause and a duration', (_name, given, verdict) => {
    expect(classify(given)).toMatchObject(verdict);
  });

  test.each<[FailureParts['kind'], number, boolean]>([
    ['refused', 400, true],
    ['refused', 404, true],
    ['refused', 499, true],
    ['refused', 500, false],
    ['refused', 399, false],
    ['refused', 401, false],
    ['refused', 408, false],
    ['refused', 426, false],
    ['refused', 429, false],
    ['notOurs', 404, false],
  ])('%s with %d proves that the server works: %s', (kind, status, expected) => {
    expect(provesServer(failure({ kind, status }))).toBe(expected);
  });
});

describe('back-off', () => {
  test('row 23: full jitter between nothing and a doubling ceiling of at most 30 s', () => {
    const ceilings = [1, 2, 3, 4, 5, 6, 7, 20].map((n) => backoffMs(n, () => 0.999_999));
    expect(ceilings).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
    expect(backoffMs(20, () => 0)).toBe(100);
  });

  test('different operations failing in a row delay all; any success releases them', () => {
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

describe('waits', () => {
  const make = () => {
    const time = { now: 0 };
    return {
      time,
      backoffs: createBackoffs(
        () => time.now,
        () => 0.5,
      ),
    };
  };

  test('a failed key is due after its back-off, or after the given wait; a success or a manual retry ends it', () => {
    const { time, backoffs } = make();
    backoffs.failed('a');
    backoffs.failed('b', 5_000);
    expect([backoffs.isDue('a'), backoffs.isDue('b'), backoffs.isDue('c')]).toEqual([
      false,
      false,
      true,
    ]);
    expect(backoffs.nextIn(['a', 'b'])).toBe(500);
    expect(backoffs.nextIn(['b'])).toBe(5_000);
    time.now = 500;
    expect(backoffs.isDue('a')).toBe(true);
    backoffs.failed('a');
    expect([backoffs.failures('a'), backoffs.nextIn(['a'])]).toEqual([2, 1_000]);
    backoffs.succeeded('a');
    expect([backoffs.failures('a'), backoffs.isDue('a')]).toEqual([0, true]);
    backoffs.forget();
    expect([backoffs.failures('b'), backoffs.isDue('b')]).toEqual([1, true]);
  });

  test('a global back-off delays everything and grows until a call succeeds', () => {
    const { time, backoffs } = make();
    expect(backoffs.nextIn([])).toBeNull();
    expect(backoffs.nextIn(['a'])).toBe(0);
    backoffs.delayAll();
    expect([backoffs.allDue(), backoffs.nextIn(['a'])]).toEqual([false, 500]);
    time.now = 500;
    expect([backoffs.allDue(), backoffs.nextIn(['a'])]).toEqual([true, 0]);
    time.now = 900;
    expect(backoffs.nextIn(['a'])).toBe(0);
    backoffs.delayAll();
    expect(backoffs.nextIn(['a'])).toBe(1_000);
    backoffs.serverSucceeded();
    backoffs.delayAll();
    expect(backoffs.nextIn(['a'])).toBe(500);
    backoffs.delayAll(9_000);
    expect(backoffs.nextIn(['a'])).toBe(9_000);
    backoffs.forget();
    expect(backoffs.allDue()).toBe(true);
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

  test('empty headers are omitted, and lists are sorted', () => {
    const metadata = { head: 1, age: 0, folded: [] };
    const plain = operation({ kind: 'finish', answer: null, finishReason: 'deadline' });
    const names = Object.keys(finishHeaders(plain, metadata, { sequences: [], files: [] }));
    for (const name of ['receipt', 'folded', 'setAside', 'filesSetAside'] as const)
      expect(names).not.toContain(HEADER[name]);
    const headers = operationHeaders(plain, { ...metadata, folded: [12, 3, 5, 4] });
    expect(headers[HEADER.folded]).toBe('3-5,12');
  });

  test('a finish declares everything of its stream that will never be sent, within a header’s limit', () => {
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
    const manifest = createFinishManifest(finish, stream, rows, []);
    const headers = finishHeaders(finish, { head: 9, age: 0, folded: manifest.folded }, manifest);
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
    // Three hours of offline typing, a version at each pause: the list must fit the server's limit.
    const run = Array.from({ length: 12_000 }, (_unused, n) => n + 1);
    const sent = operationHeaders(finish, { head: 12_001, age: 0, folded: run });
    const read = v.parse(OperationHeaders, sent)[HEADER.folded] ?? [];
    expect([read.length > 4_000, read.at(-1)]).toEqual([true, 12_000]);
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
