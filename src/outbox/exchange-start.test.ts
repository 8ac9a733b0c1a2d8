import { expect, test } from 'vitest';
import { ERRORS, type ErrorCode } from '#contract/errors.ts';
import { HEADER } from '#contract/headers.ts';
import type { Started } from '#contract/passing.ts';
import { ApiFailure, type FailureParts } from '#app/api/failure.ts';
import { createMemoryStorage } from '#app/storage/memory.ts';
import type { AttemptRow, SessionRow, StartRow } from '#app/storage/rows.ts';
import { StorageFailure, type Storage } from '#app/storage/storage.ts';
import { ANNA, BORIS, FakeServer, id, START, TEST_ID } from './fake-server.ts';
import { fakeTransport } from './fake-transport.ts';
import { startAttempt } from './exchange.ts';
import { attempt, createTestCore, holding, STREAM } from './test-rows.ts';
import type { CallResult } from './transport.ts';
import type { OutboxEnvironment } from './environment.ts';

const DEADLINE = START + 60_000;
const row = (changes: Partial<AttemptRow> = {}): AttemptRow =>
  attempt({
    owner: ANNA,
    state: 'running',
    finishedAt: null,
    deadline: DEADLINE,
    streams: [holding()],
    ...changes,
  });
const session: SessionRow = {
  key: 'current',
  token: 'token-1',
  owner: ANNA,
  user: { userId: ANNA, userName: '', email: 'a@b.ru', role: 0, isAdmin: false },
  expiresAt: '',
};

const failed = (parts: Partial<FailureParts>): CallResult<Started> => ({
  ok: false,
  failure: new ApiFailure({ kind: 'refused', method: 'POST', url: '/', ...parts }),
});
const refused = (code: ErrorCode, details?: unknown): CallResult<Started> =>
  failed({ code, ...ERRORS[code], details });

const unclear = failed({ kind: 'unreachable' });

/** Anna's device, and a server that gives this reply to every start; null: it starts. */
async function desk(
  attempts: readonly AttemptRow[] = [],
  reply: CallResult<Started> | null = null,
  env: Partial<OutboxEnvironment> = {},
) {
  const server = new FakeServer({ now: START });
  const transport = fakeTransport(server, () => START);
  const sent: { token: string; key: string; stream: string; takeOver: string | undefined }[] = [];
  const answering = { reply };
  const made = await createTestCore(
    { attempts, session: [session] },
    {
      ...env,
      transport: {
        ...transport,
        start: async (token, testId, headers) => {
          sent.push({
            token,
            key: headers[HEADER.idempotencyKey] ?? '',
            stream: headers[HEADER.stream] ?? '',
            takeOver: headers[HEADER.takeOver],
          });
          return answering.reply ?? transport.start(token, testId, headers);
        },
      },
    },
  );
  const pending = async () =>
    (await made.all('device')).filter((one): one is StartRow => one.kind === 'start');
  return { ...made, sent, answering, pending };
}

test('a start sends its key and stream with the session’s token, and is completed once its reply is stored', async () => {
  const made = await desk();
  const outcome = await startAttempt(made.core, TEST_ID);
  expect(outcome).toMatchObject({ kind: 'started', attempt: { testId: TEST_ID, owner: ANNA } });
  expect(made.sent).toMatchObject([{ token: 'token-1', takeOver: undefined }]);
  expect(made.sent[0]?.key).not.toBe(made.sent[0]?.stream);
  expect(await made.pending()).toEqual([]);
  expect(await made.all('attempts')).toHaveLength(1);
});

test('without a session nothing is started', async () => {
  const made = await desk();
  await made.core.storage.write(['session'], (tx) => tx.delete('session', 'current'));
  expect(await startAttempt(made.core, TEST_ID)).toEqual({
    kind: 'refused',
    status: 401,
    code: 'UNAUTHORIZED',
    message: 'Войдите, чтобы продолжить',
  });
  expect(made.sent).toEqual([]);
});

test('the running attempt of the test continues in its latest stream', async () => {
  const made = await desk(
    [
      row({ attemptId: 'a', startedAt: 1, stream: 'older' }),
      row({ attemptId: 'b', startedAt: 2, stream: 'newer' }),
    ],
    refused('FORBIDDEN'),
  );
  await startAttempt(made.core, TEST_ID);
  made.core.clock.observe({ serverTime: START, receivedWall: START, rttMs: 0 });
  await startAttempt(made.core, TEST_ID);
  expect(made.sent.map(({ stream }) => stream)).toEqual(['newer', 'newer']);
});

test.each<[string, Partial<AttemptRow>]>([
  ['of another test', { testId: id() }],
  ['that is finished', { state: 'finished' }],
  ['that was taken over', { takenOver: true }],
  ['that was deleted', { gone: true }],
  ['of another student', { owner: BORIS }],
  ['whose time is over', { deadline: START }],
])('an attempt %s does not continue', async (_, changes) => {
  const made = await desk([row(changes)]);
  made.core.clock.observe({ serverTime: START, receivedWall: START, rttMs: 0 });
  await startAttempt(made.core, TEST_ID);
  expect(made.sent[0]?.stream).not.toBe(STREAM);
});

test('before the first reply server time is unknown, and the attempt continues', async () => {
  const made = await desk([row({ deadline: START - 1 })]);
  await startAttempt(made.core, TEST_ID);
  expect(made.sent[0]?.stream).toBe(STREAM);
});

test('a finishing attempt continues too: its finish may wait for a moved deadline', async () => {
  const made = await desk([row({ state: 'finishing' })]);
  await startAttempt(made.core, TEST_ID);
  expect(made.sent[0]?.stream).toBe(STREAM);
});

test('a take-over names the attempt and begins its own stream', async () => {
  const made = await desk([row()]);
  await startAttempt(made.core, TEST_ID, { takeOver: 'that one' });
  expect(made.sent[0]?.takeOver).toBe('that one');
  expect(made.sent[0]?.stream).not.toBe(STREAM);
});

test('a start with an unclear reply is repeated unchanged; another test has its own', async () => {
  const made = await desk([], unclear);
  for (const testId of [TEST_ID, id(), TEST_ID]) await startAttempt(made.core, testId);
  const [first, other, repeated] = made.sent;
  expect(repeated).toEqual(first);
  expect(other?.key).not.toBe(first?.key);
  expect(await made.pending()).toMatchObject([
    { owner: ANNA, testId: TEST_ID, idempotencyKey: first?.key, stream: first?.stream },
    { idempotencyKey: other?.key },
  ]);
});

test('a take-over replaces a plain start and another take-over, and is repeated itself', async () => {
  const made = await desk([], unclear);
  const takeOver = (attemptId?: string) =>
    startAttempt(made.core, TEST_ID, attemptId === undefined ? {} : { takeOver: attemptId });
  for (const attemptId of [undefined, 'a', 'a', 'b', undefined]) await takeOver(attemptId);
  const keys = made.sent.map(({ key }) => key);
  expect(made.sent.map((one) => one.takeOver)).toEqual([undefined, 'a', 'a', 'b', 'b']);
  expect(keys[1]).not.toBe(keys[0]);
  expect(keys[2]).toBe(keys[1]);
  expect(keys[3]).not.toBe(keys[2]);
  expect(keys[4], 'a plain start goes on with what is under way').toBe(keys[3]);
});

test.each(['FORBIDDEN', 'GONE', 'VALIDATION', 'NOT_FOUND'] as const)(
  '%s is definite: it is returned, and the next start is a new one',
  async (code) => {
    const made = await desk([], refused(code));
    const outcome = { kind: 'refused', code, ...ERRORS[code] };
    expect(await startAttempt(made.core, TEST_ID)).toEqual(outcome);
    expect(await made.pending()).toEqual([]);
  },
);

test.each(['UNAUTHORIZED', 'OLD_CLIENT'] as const)(
  '%s is returned, and the same start is repeated afterwards',
  async (code) => {
    const made = await desk([], refused(code));
    const outcome = { kind: 'refused', code, ...ERRORS[code] };
    expect(await startAttempt(made.core, TEST_ID)).toEqual(outcome);
    expect(await made.pending()).toHaveLength(1);
  },
);

test.each<[string, CallResult<Started>, boolean]>([
  ['429', refused('TOO_MANY_REQUESTS'), true],
  ['408', failed({ status: 408, code: 'TIMEOUT' }), true],
  ['500', refused('INTERNAL'), true],
  ['503', refused('UNAVAILABLE'), true],
  ['a redirect of ours', failed({ status: 399, code: 'X' }), true],
  ['no connection', unclear, false],
  ['a foreign 404', failed({ kind: 'notOurs', status: 404 }), false],
  ['a foreign 401', failed({ kind: 'notOurs', status: 401 }), false],
  ['a foreign 426', failed({ kind: 'notOurs', status: 426 }), false],
])('%s is not definite: the same start is repeated', async (_, reply, reachable) => {
  const made = await desk([], reply);
  expect(await startAttempt(made.core, TEST_ID)).toEqual({ kind: 'unknown', reachable });
  expect(await made.pending()).toHaveLength(1);
  expect(made.core.runtime.reachability).toBe(reachable ? 'unknown' : 'silent');
});

test('400 from our server is the lowest definite status', async () => {
  const made = await desk([], failed({ status: 400, code: 'VALIDATION', message: 'нет' }));
  expect(await startAttempt(made.core, TEST_ID)).toMatchObject({ kind: 'refused', status: 400 });
});

test.each([
  [true, 'silent'],
  [false, 'offline'],
])('without a connection navigator.onLine %s shows %s', async (online, said) => {
  const made = await desk([], unclear, { online: () => online });
  await startAttempt(made.core, TEST_ID);
  expect(made.core.runtime.reachability).toBe(said);
});

test('an attempt running elsewhere is returned with its last contact; without details it is a plain refusal', async () => {
  const details = { userTestId: id(), lastHeardAt: '2026-05-21T07:00:00.000Z' };
  const made = await desk([], refused('RUNNING_ELSEWHERE', details));
  expect(await startAttempt(made.core, TEST_ID)).toEqual({
    kind: 'runningElsewhere',
    attemptId: details.userTestId,
    lastHeardAt: details.lastHeardAt,
  });
  made.answering.reply = refused('RUNNING_ELSEWHERE', { some: 'thing' });
  expect(await startAttempt(made.core, TEST_ID)).toMatchObject({
    kind: 'refused',
    code: 'RUNNING_ELSEWHERE',
  });
  made.answering.reply = refused('FORBIDDEN', details);
  expect(await startAttempt(made.core, TEST_ID)).toMatchObject({
    kind: 'refused',
    code: 'FORBIDDEN',
  });
});

test('row 9: a start on a full device succeeds; a programming error is thrown', async () => {
  const inner = createMemoryStorage({ durable: true });
  let failure: Error | null = null;
  const storage: Storage = {
    ...inner,
    write: (stores, run) => (failure ? Promise.reject(failure) : inner.write(stores, run)),
  };
  const made = await desk([], null, { storage });
  failure = new StorageFailure('quota');
  expect(await startAttempt(made.core, TEST_ID)).toMatchObject({ kind: 'started' });
  const inMemory = await made.memory.read(['device'], (tx) => tx.all('device'));
  expect(inMemory, 'it is over in memory too').toEqual([]);
  failure = null;
  made.answering.reply = refused('FORBIDDEN');
  const { write } = storage;
  let writes = 0;
  // The start is stored, then the storage fails with an unexpected error.
  storage.write = (stores, run) => {
    writes += 1;
    return writes > 1 ? Promise.reject(new Error('a mistake')) : write(stores, run);
  };
  await expect(startAttempt(made.core, TEST_ID)).rejects.toThrow('a mistake');
});
