import { expect, test } from 'vitest';
import { ERRORS, type ErrorCode } from '#contract/errors.ts';
import type { Receipt } from '#contract/passing.ts';
import { ApiFailure, type FailureParts } from '#app/api/failure.ts';
import type { OperationRow } from '#app/storage/rows.ts';
import { applyReply, scheduleRetry, type FlushSummary } from './replies.ts';
import { POISONED_AFTER, POISONED_EVERY_MS } from './plan.ts';
import { ANNA, START } from './fake-server.ts';
import {
  ATTEMPT,
  attempt,
  createTestCore,
  holding,
  OLDER,
  operation,
  RECEIPT,
  type TestCore,
} from './test-rows.ts';
import type { CallResult } from './transport.ts';

const answer = (changes: Partial<OperationRow> = {}) => operation({ owner: ANNA, ...changes });
const finish = (changes: Partial<OperationRow> = {}) =>
  answer({ kind: 'finish', answer: null, questionId: null, sequence: 9, ...changes });
const row = (changes = {}) =>
  attempt({ owner: ANNA, state: 'finishing', finishedAt: null, streams: [holding()], ...changes });

const failed = (parts: Partial<FailureParts>): CallResult<Receipt> => ({
  ok: false,
  failure: new ApiFailure({ kind: 'refused', method: 'POST', url: '/', ...parts }),
});
const refused = (code: ErrorCode, details?: unknown): CallResult<Receipt> =>
  failed({ code, ...ERRORS[code], details });

const receipt = (one: OperationRow, changes: Partial<Receipt> = {}): CallResult<Receipt> => ({
  ok: true,
  value: { ...RECEIPT, operationId: one.operationId, ...changes },
  facts: {
    route: 'saveAnswer',
    status: 200,
    serverTime: START,
    serverEpoch: 1,
    activeStream: null,
    sessionExpiresAt: null,
    receivedWall: START,
    rttMs: 10,
  },
});

const newTally = (): FlushSummary => ({ acknowledged: 0, failed: 0, setAside: 0, suspects: [] });

async function reply(
  made: TestCore,
  one: OperationRow,
  sent: CallResult<Receipt>,
  tally = newTally(),
) {
  const manifest = { folded: [], sequences: [], files: [] };
  const claimed = { operation: one, attempt: null, head: one.sequence, manifest };
  await applyReply(made.core, claimed, sent, 'token-1', tally);
  return tally;
}

/** Milliseconds until the operation is retried. */
const waitOf = ({ core }: TestCore, one: OperationRow) =>
  core.runtime.backoffs.nextIn([one.operationId]);

test('a receipt is counted, resets the back-off of its operation, and a finish is announced', async () => {
  const one = answer();
  const made = await createTestCore({ attempts: [row()], operations: [one] });
  made.core.runtime.backoffs.failed(one.operationId);
  expect(await reply(made, one, receipt(one))).toEqual({ ...newTally(), acknowledged: 1 });
  expect(waitOf(made, one)).toBe(0);
  expect(made.events, 'an answer emits no event').toEqual([]);
});

test.each([
  ['stored', 'finished'],
  ['superseded', 'takenOver'],
] as const)('a finish that was %s is announced as %s', async (outcome, kind) => {
  const last = finish();
  const made = await createTestCore({ attempts: [row()], operations: [last] });
  await reply(made, last, receipt(last, { outcome }));
  expect(made.events).toEqual([{ kind, attemptId: ATTEMPT }]);
});

test('row 35: a receipt from before a restore is neither counted nor announced, and the operation is resent at once', async () => {
  const last = finish();
  const made = await createTestCore({ attempts: [row()], operations: [last] });
  made.core.runtime.serverEpoch = 2;
  made.core.runtime.backoffs.failed(last.operationId);
  expect(await reply(made, last, receipt(last))).toEqual(newTally());
  expect(made.events).toEqual([]);
  expect(waitOf(made, last)).toBe(0);
});

test.each([
  ['operation', { operationId: RECEIPT.operationId }],
  ['stream', { stream: OLDER }],
])(
  'a receipt with another %s leaves the answer waiting and counts as a failure',
  async (_, changes) => {
    const one = answer();
    const made = await createTestCore({ operations: [one] });
    const tally = await reply(made, one, receipt(one, changes));
    expect(tally).toEqual({ ...newTally(), failed: 1, suspects: [one] });
    expect(await made.operation(one)).toMatchObject({ state: 'waiting', receipt: null });
    expect(waitOf(made, one)).toBe(500);
  },
);

test('row 24: a 429 delays every operation and does not count as a failure of the answer', async () => {
  const one = answer({ failures: POISONED_AFTER - 1 });
  const made = await createTestCore({ operations: [one] });
  made.core.runtime.successes = 5;
  const busy = failed({ status: 429, code: 'TOO_MANY_REQUESTS', retryAfterMs: 7_000 });
  expect(await reply(made, one, busy)).toEqual({ ...newTally(), failed: 1 });
  expect(made.core.runtime.backoffs.nextIn(['anything'])).toBe(7_000);
  expect(made.core.runtime.backoffs.failures(one.operationId)).toBe(0);
  expect(await made.operation(one)).toEqual(one);
  expect(made.core.runtime.reachability).toBe('unknown');
});

test.each([
  [true, 'silent'],
  [false, 'offline'],
  [undefined, 'silent'],
])('without a connection everything waits; navigator.onLine %s shows %s', async (online, said) => {
  const one = answer();
  const made = await createTestCore(
    { operations: [one] },
    online === undefined ? {} : { online: () => online },
  );
  await reply(made, one, failed({ kind: 'unreachable' }));
  expect(made.core.runtime.reachability).toBe(said);
  expect(made.core.runtime.backoffs.nextIn(['anything'])).toBe(500);
});

test('row 23: one failing answer waits alone, as long as Retry-After says, and the server stays reachable', async () => {
  const one = answer();
  const made = await createTestCore({ operations: [one] });
  const slow = failed({ status: 503, code: 'UNAVAILABLE', retryAfterMs: 9_000 });
  await reply(made, one, slow);
  expect(waitOf(made, one)).toBe(9_000);
  expect(made.core.runtime.backoffs.nextIn(['another'])).toBe(0);
  expect(made.core.runtime.reachability).toBe('unknown');
});

test('when many operations fail in a row the server is reported as silent', async () => {
  const three = [answer(), answer(), answer()];
  const made = await createTestCore({ operations: three });
  for (const one of three) await reply(made, one, refused('INTERNAL'));
  expect(made.core.runtime.reachability).toBe('silent');
});

test('row 36: a failure counts against an answer only if other calls succeeded since its last one', async () => {
  const one = answer();
  const made = await createTestCore({ operations: [one] });
  const failures = async () => (await made.operation(one))?.failures;
  await reply(made, one, refused('INTERNAL'));
  expect(await failures(), 'nothing got through').toBe(0);
  made.core.runtime.successes += 1;
  await reply(made, one, refused('INTERNAL'));
  expect(await failures()).toBe(1);
  await reply(made, one, refused('INTERNAL'));
  expect(await failures(), 'nothing more got through').toBe(1);
});

test('row 36: the failure that poisons is announced, counted as set aside, and the next retry is distant', async () => {
  const one = answer({ failures: POISONED_AFTER - 1 });
  const made = await createTestCore({ operations: [one] });
  made.core.runtime.successes = 1;
  const tally = await reply(made, one, refused('INTERNAL'));
  expect(tally).toEqual({ acknowledged: 0, failed: 1, setAside: 1, suspects: [one] });
  expect(waitOf(made, one)).toBe(POISONED_EVERY_MS);
  const { operationId } = one;
  expect(made.events).toEqual([{ kind: 'setAside', attemptId: ATTEMPT, operationId }]);
  expect(made.logged).toEqual([{ event: 'poisoned', operationId }]);
  expect((await made.operation(one))?.poisoned).toBe(true);
});

test.each<[string, Partial<FailureParts>]>([
  ['nobody replied in time', { kind: 'unreachable', timedOut: true }],
  ['a proxy gave up on the request', { kind: 'notOurs', status: 408 }],
  ['a proxy gave up on the reply', { kind: 'notOurs', status: 504 }],
])('row 39: a time-out counts as no failure of the answer: %s', async (_what, parts) => {
  const one = answer({ failures: POISONED_AFTER - 1 });
  const made = await createTestCore({ operations: [one] });
  made.core.runtime.successes = 1;
  expect(await reply(made, one, failed(parts))).toEqual({ ...newTally(), failed: 1 });
  expect(await made.operation(one)).toEqual(one);
  expect(made.events.filter(({ kind }) => kind === 'setAside')).toEqual([]);
});

test('row 36: a counted failure that does not poison yet is not announced', async () => {
  const one = answer({ failures: POISONED_AFTER - 2 });
  const made = await createTestCore({ operations: [one] });
  made.core.runtime.successes = 1;
  expect((await reply(made, one, refused('INTERNAL'))).setAside).toBe(0);
  expect(made.events).toEqual([]);
  expect(waitOf(made, one)).toBe(500);
});

test('row 36: a poisoned operation is retried every two minutes, whatever Retry-After says', async () => {
  const one = answer({ poisoned: true, failures: 9 });
  const made = await createTestCore({ operations: [one] });
  await reply(made, one, failed({ status: 503, code: 'UNAVAILABLE', retryAfterMs: 9_000 }));
  expect(waitOf(made, one)).toBe(POISONED_EVERY_MS);
});

test('a failure without an operation backs off by its own key and adds no suspect', async () => {
  const made = await createTestCore();
  const tally = newTally();
  const verdict = { kind: 'retry', cause: 'server', timedOut: false, waitMs: null } as const;
  await scheduleRetry(made.core, 'a file', null, verdict, tally);
  expect(tally).toEqual({ ...newTally(), failed: 1 });
  expect(made.core.runtime.backoffs.nextIn(['a file'])).toBe(500);
});

test.each([
  ['UNAUTHORIZED', 'signIn'],
  ['ACCOUNT_BLOCKED', 'blocked'],
  ['OLD_CLIENT', 'update'],
] as const)('%s pauses all sending of its session and is announced', async (code, pause) => {
  const one = answer();
  const made = await createTestCore({ operations: [one] });
  made.server.world.now += 60;
  expect(await reply(made, one, refused(code))).toEqual(newTally());
  expect(made.core.runtime.pause).toEqual({ why: pause, token: 'token-1', at: 60 });
  expect(made.events).toEqual([{ kind: 'paused', pause }]);
  expect(await made.operation(one)).toEqual(one);
});

test('row 25: a permanent refusal sets the answer aside with its reason, counted and announced', async () => {
  const one = answer();
  const made = await createTestCore({ operations: [one] });
  expect(await reply(made, one, refused('FORBIDDEN'))).toEqual({ ...newTally(), setAside: 1 });
  const { operationId } = one;
  expect((await made.operation(one))?.refusal).toEqual({ code: 'FORBIDDEN', ...ERRORS.FORBIDDEN });
  expect(made.events).toEqual([{ kind: 'setAside', attemptId: ATTEMPT, operationId }]);
  expect(made.logged).toEqual([{ event: 'setAside', operationId, detail: 'FORBIDDEN' }]);
});

test('an answer with a used sequence is resent at once with the next one', async () => {
  const one = answer();
  const made = await createTestCore({ attempts: [row()], operations: [one] });
  expect(await reply(made, one, refused('SEQUENCE_TAKEN'))).toEqual(newTally());
  expect(await made.operation(one)).toMatchObject({ sequence: 10, formerSequences: [1] });
  expect(waitOf(made, one)).toBe(0);
});

test('what cannot be renumbered, since its attempt is lost, is not sent again at once', async () => {
  const one = answer({ sequence: 1 });
  const made = await createTestCore({ operations: [one] });
  expect(await reply(made, one, refused('SEQUENCE_TAKEN'))).toEqual({ ...newTally(), failed: 1 });
  expect(waitOf(made, one)).toBe(500);
});

test('row 18: an INCOMPLETE finish is resent at once if something can be resent, and otherwise waits', async () => {
  const last = finish();
  const made = await createTestCore({ attempts: [row()], operations: [last] });
  const gap = refused('INCOMPLETE', { missing: [4], files: ['file'] });
  expect(await reply(made, last, gap)).toEqual(newTally());
  expect(waitOf(made, last)).toBe(0);
  expect((await made.attempt())?.streams).toEqual([
    holding({ notHere: [4], filesNotHere: ['file'] }),
  ]);
  const tally = await reply(made, last, gap);
  expect(tally, 'a finish is suspected of nothing').toEqual({ ...newTally(), failed: 1 });
  expect(waitOf(made, last)).toBe(500);
});

test('a finish before a moved deadline reopens the inputs and announces the new deadline', async () => {
  const last = finish({ finishReason: 'deadline' });
  const made = await createTestCore({ attempts: [row({ deadline: START })], operations: [last] });
  const deadline = new Date(START + 60_000).toISOString();
  expect(await reply(made, last, refused('DEADLINE_MOVED', { deadline }))).toEqual(newTally());
  expect(await made.operation(last)).toMatchObject({ state: 'dropped' });
  expect(await made.attempt()).toMatchObject({ state: 'running', deadline: START + 60_000 });
  expect(made.events).toEqual([
    { kind: 'deadlineMoved', attemptId: ATTEMPT, deadline: START + 60_000 },
  ]);
});

test.each([refused('CHUNK_OUT_OF_PLACE', { received: 1 }), refused('CHECKSUM_MISMATCH')])(
  'a file error in reply to an answer counts as a server failure (%#)',
  async (sent) => {
    const one = answer();
    const made = await createTestCore({ operations: [one] });
    expect(await reply(made, one, sent)).toEqual({ ...newTally(), failed: 1, suspects: [one] });
    expect(waitOf(made, one)).toBe(500);
  },
);
