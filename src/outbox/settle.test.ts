import { describe, expect, test } from 'vitest';
import type { ReplyFacts } from '#app/api/facts.ts';
import { createMemoryStorage } from '#app/storage/memory.ts';
import type { OperationRow } from '#app/storage/rows.ts';
import { StorageFailure, type Storage } from '#app/storage/storage.ts';
import { POISONED_AFTER } from './plan.ts';
import {
  acknowledge,
  countFailure,
  clearFailures,
  setOperationAside,
  renumber,
  reopen,
  reopenEarlyFinishes,
  claimForSending,
  type ClaimedOperation,
} from './settle.ts';
import { fillGaps } from './fill-gaps.ts';
import { ANNA, BORIS, open, QUESTIONS, START } from './fake-server.ts';
import {
  ATTEMPT,
  attempt,
  createTestCore,
  file,
  holding,
  OLDER,
  operation,
  RECEIPT,
} from './test-rows.ts';
import { writeAnswer } from './write.ts';

const answer = (changes: Partial<OperationRow> = {}) => operation({ owner: ANNA, ...changes });
const finish = (changes: Partial<OperationRow> = {}) =>
  answer({ kind: 'finish', answer: null, questionId: null, sequence: 9, ...changes });
const running = (changes = {}) =>
  attempt({ owner: ANNA, state: 'running', finishedAt: null, streams: [holding()], ...changes });
const finishing = (changes = {}) => running({ state: 'finishing', ...changes });

const claimed = (one: OperationRow): ClaimedOperation => ({
  operation: one,
  attempt: null,
  head: one.sequence,
  manifest: { folded: [], sequences: [], files: [] },
});
const receiptOf = (one: OperationRow, changes = {}) => ({
  ...RECEIPT,
  operationId: one.operationId,
  sequence: one.sequence,
  receivedAt: new Date(START).toISOString(),
  ...changes,
});
const facts = (serverEpoch: number | null): ReplyFacts => ({
  route: 'saveAnswer',
  status: 200,
  serverTime: START,
  serverEpoch,
  activeStream: null,
  sessionExpiresAt: null,
  receivedWall: START,
  rttMs: 10,
});

/** Runs a hook once, right before the next write. */
function interrupted(): { storage: Storage; before: (() => Promise<void>) | null } {
  const inner = createMemoryStorage({ durable: true });
  const state: { storage: Storage; before: (() => Promise<void>) | null } = {
    before: null,
    storage: {
      ...inner,
      write: async (stores, run) => {
        const task = state.before;
        state.before = null;
        await task?.();
        return inner.write(stores, run);
      },
    },
  };
  return state;
}

test('an operation claimed for sending is marked as sent, so that a newer one does not fold it', async () => {
  const one = answer({ sequence: 3 });
  const { core, operation: stored } = await createTestCore({
    attempts: [running()],
    operations: [one],
  });
  expect(await claimForSending(core, ANNA, one.operationId)).toEqual({
    operation: one,
    attempt: running(),
    head: 9,
    manifest: { folded: [], sequences: [], files: [] },
  });
  expect(await stored(one)).toEqual({ ...one, sent: true });
});

test.each(['acknowledged', 'folded', 'setAside', 'dropped'] as const)(
  'an operation that is no longer waiting is not sent: %s',
  async (state) => {
    const one = answer({ state });
    const { core, operation: stored } = await createTestCore({ operations: [one] });
    expect(await claimForSending(core, ANNA, one.operationId)).toBeNull();
    expect(await stored(one)).toEqual(one);
  },
);

test('nothing is sent for another owner, nor a missing operation', async () => {
  const one = answer({ owner: BORIS });
  const { core } = await createTestCore({ operations: [one] });
  expect(await claimForSending(core, ANNA, one.operationId)).toBeNull();
  expect(await claimForSending(core, ANNA, 'nowhere')).toBeNull();
});

test('row 9: without space for the mark the answer is sent all the same; any other error is thrown', async () => {
  const inner = createMemoryStorage({ durable: true });
  let fault: Error | null = null;
  const storage: Storage = {
    ...inner,
    write: (stores, run) => (fault ? Promise.reject(fault) : inner.write(stores, run)),
  };
  const one = answer();
  const { core } = await createTestCore({ operations: [one] }, { storage });
  fault = new StorageFailure('quota');
  expect((await claimForSending(core, ANNA, one.operationId))?.operation).toEqual(one);
  fault = new Error('a mistake');
  await expect(claimForSending(core, ANNA, one.operationId)).rejects.toThrow('a mistake');
});

test.each([
  ['the sequences allocated since', [holding({ nextSequence: 8 })], 7],
  ['its own sequence if the row has a lower one', [holding({ nextSequence: 2 })], 5],
  ['its own sequence if its stream was lost', [], 5],
])('the head comes from %s', async (_, streams, head) => {
  const one = answer({ sequence: 5 });
  const { core } = await createTestCore({ attempts: [running({ streams })], operations: [one] });
  expect((await claimForSending(core, ANNA, one.operationId))?.head).toBe(head);
});

test('row 10: an answer with a lost attempt row has its own sequence as the head', async () => {
  const one = answer({ sequence: 5 });
  const { core } = await createTestCore({ operations: [one] });
  expect(await claimForSending(core, ANNA, one.operationId)).toMatchObject({
    attempt: null,
    head: 5,
  });
});

test('an answer declares what was folded into it, transitively, and nothing else', async () => {
  const one = answer({ sequence: 4 });
  const middle = answer({ sequence: 3, state: 'folded', foldedInto: one.operationId });
  const first = answer({ sequence: 1, state: 'folded', foldedInto: middle.operationId });
  const other = answer({ sequence: 2, state: 'folded', foldedInto: 'another' });
  const aside = answer({ sequence: 5, state: 'setAside' });
  const { core } = await createTestCore({ operations: [one, middle, first, other, aside] });
  const manifest = (await claimForSending(core, ANNA, one.operationId))?.manifest;
  expect(manifest).toEqual({ folded: [3, 1], sequences: [], files: [] });
});

test('row 9: a finish declares what is set aside on the device and in memory', async () => {
  const last = finish();
  const { core, putInMemory } = await createTestCore({
    attempts: [finishing({ streams: [holding({ notHere: [1], filesNotHere: ['lost'] })] })],
    operations: [last, answer({ sequence: 2, state: 'setAside' })],
  });
  const aside = file({ state: 'setAside' });
  await putInMemory({
    attempts: [finishing()],
    operations: [answer({ sequence: 3, state: 'setAside' })],
    files: [aside],
  });
  expect((await claimForSending(core, ANNA, last.operationId))?.manifest).toEqual({
    folded: [],
    sequences: [1, 2, 3],
    files: ['lost', aside.fileId],
  });
});

test('a receipt acknowledges its operation and clears its failures', async () => {
  const one = answer({
    failures: 3,
    poisoned: true,
    refusal: { status: 500, code: 'INTERNAL', message: '' },
  });
  const {
    core,
    operation: stored,
    attempt: row,
  } = await createTestCore({
    attempts: [running({ gone: true })],
    operations: [one],
  });
  core.runtime.serverEpoch = 3;
  const receipt = receiptOf(one);
  expect(await acknowledge(core, claimed(one), receipt, facts(4))).toBe('acknowledged');
  expect(await stored(one)).toEqual({
    ...one,
    state: 'acknowledged',
    receipt,
    acknowledgedAt: START,
    serverEpoch: 4,
    failures: 0,
    poisoned: false,
    refusal: null,
  });
  expect(await row(), 'who takes an answer has the attempt').toEqual(running({ gone: false }));
});

test.each([
  [null, 3, 3],
  [3, 3, 3],
  [3, null, 3],
  [null, null, null],
])(
  'under server epoch %s, with %s known, it is acknowledged under %s',
  async (replied, known, expected) => {
    const one = answer();
    const { core, operation: stored } = await createTestCore({ operations: [one] });
    core.runtime.serverEpoch = known;
    expect(await acknowledge(core, claimed(one), receiptOf(one), facts(replied))).toBe(
      'acknowledged',
    );
    expect(await stored(one)).toMatchObject({ state: 'acknowledged', serverEpoch: expected });
  },
);

test('row 35: a receipt from before a restore acknowledges nothing, but is included when the operation is resent', async () => {
  const last = finish();
  const {
    core,
    operation: stored,
    attempt: row,
  } = await createTestCore({
    attempts: [finishing()],
    operations: [last],
  });
  core.runtime.serverEpoch = 3;
  const receipt = receiptOf(last);
  expect(await acknowledge(core, claimed(last), receipt, facts(2))).toBe('stale');
  expect(await stored(last)).toEqual({ ...last, receipt });
  expect(await row()).toEqual(finishing());
});

test('a second receipt of the same operation changes nothing, and one of a deleted row recreates nothing', async () => {
  const one = answer({ state: 'acknowledged', receipt: RECEIPT, acknowledgedAt: 1 });
  const {
    core,
    operation: stored,
    all,
  } = await createTestCore({
    attempts: [running({ gone: true })],
    operations: [one],
  });
  await acknowledge(core, claimed(one), receiptOf(one), facts(1));
  expect(await stored(one)).toEqual(one);
  const deleted = answer();
  await acknowledge(core, claimed(deleted), receiptOf(deleted), facts(1));
  expect(await all('operations')).toEqual([one]);
  expect(await all('attempts')).toEqual([running({ gone: true })]);
});

test('the receipt of a finish finishes the attempt at the receipt’s time', async () => {
  const last = finish();
  const { core, attempt: row } = await createTestCore({
    attempts: [finishing()],
    operations: [last],
  });
  await acknowledge(core, claimed(last), receiptOf(last), facts(1));
  expect(await row()).toEqual(finishing({ state: 'finished', finishedAt: START }));
});

test.each([
  ['leaves it running, taken over', {}, { state: 'running', takenOver: true }],
  ['of an earlier stream changes nothing', { stream: OLDER }, {}],
  ['that is already finished changes nothing', { state: 'finished' as const }, {}],
])('row 6: a superseded finish of the attempt %s', async (_, changes, expected) => {
  const last = finish();
  const row = finishing(changes);
  const made = await createTestCore({ attempts: [row], operations: [last] });
  const receipt = receiptOf(last, { outcome: 'superseded' });
  await acknowledge(made.core, claimed(last), receipt, facts(1));
  expect(await made.attempt()).toEqual({ ...row, ...expected });
});

const refusal = (code: string) => ({ status: 422, code, message: 'почему' });

test('row 25: a refused operation is stored with its reason, and its predecessor is sent instead', async () => {
  const one = answer({ sequence: 2 });
  const older = answer({ state: 'folded', foldedInto: one.operationId });
  const other = answer({ state: 'folded', foldedInto: 'another' });
  const {
    core,
    operation: stored,
    attempt: row,
  } = await createTestCore({
    attempts: [finishing()],
    operations: [one, older, other],
  });
  await setOperationAside(core, one.operationId, { ...refusal('INVALID_ANSWER') });
  expect(await stored(one)).toEqual({
    ...one,
    state: 'setAside',
    refusal: refusal('INVALID_ANSWER'),
  });
  expect(await stored(older)).toEqual({ ...older, state: 'waiting', foldedInto: null });
  expect(await stored(other)).toEqual(other);
  expect(await row(), 'a refused answer opens no inputs').toEqual(finishing());
});

test.each(['GONE', 'TOO_MANY_ANSWERS'])(
  '%s refuses every version, so the older one stays folded',
  async (code) => {
    const one = answer({ sequence: 2 });
    const older = answer({ state: 'folded', foldedInto: one.operationId });
    const { core, operation: stored } = await createTestCore({ operations: [one, older] });
    await setOperationAside(core, one.operationId, refusal(code));
    expect(await stored(one)).toMatchObject({ state: 'setAside' });
    expect(await stored(older)).toEqual(older);
  },
);

test.each([
  ['GONE', finishing(), finishing({ gone: true })],
  ['FORBIDDEN', finishing(), running()],
  ['FORBIDDEN', running({ state: 'finished' }), running({ state: 'finished' })],
])(
  'a finish refused with %s reopens the inputs unless the attempt is gone',
  async (code, before, after) => {
    const last = finish();
    const { core, attempt: row } = await createTestCore({ attempts: [before], operations: [last] });
    await setOperationAside(core, last.operationId, refusal(code));
    expect(await row()).toEqual(after);
  },
);

test('row 10: a refusal is stored although the attempt’s row was lost', async () => {
  const last = finish();
  const { core, operation: stored, all } = await createTestCore({ operations: [last] });
  await setOperationAside(core, last.operationId, refusal('GONE'));
  expect(await stored(last)).toMatchObject({ state: 'setAside' });
  expect(await all('attempts')).toEqual([]);
});

test('a refusal that comes after the receipt changes nothing, nor one of a deleted row', async () => {
  const one = answer({ state: 'acknowledged' });
  const { core, all } = await createTestCore({ attempts: [running()], operations: [one] });
  await setOperationAside(core, one.operationId, refusal('GONE'));
  await setOperationAside(core, 'nowhere', refusal('GONE'));
  expect(await all('operations')).toEqual([one]);
  expect(await all('attempts')).toEqual([running()]);
});

test('row 39: upload progress clears the failures of its answer only', async () => {
  const one = answer({ poisoned: true, failures: POISONED_AFTER });
  const two = answer({ failures: 2 });
  const other = answer({ failures: 2 });
  const { core, operation: stored, all } = await createTestCore({ operations: [one, two, other] });
  for (const { operationId } of [one, two]) await clearFailures(core, operationId);
  await clearFailures(core, 'nowhere');
  expect(await stored(one)).toEqual({ ...one, poisoned: false, failures: 0 });
  expect(await stored(two)).toEqual({ ...two, failures: 0 });
  expect(await stored(other)).toEqual(other);
  expect(await all('operations')).toHaveLength(3);
});

test('row 36: the eighth counted failure poisons an answer and unfolds its predecessor', async () => {
  const one = answer({ sequence: 2, failures: POISONED_AFTER - 2 });
  const older = answer({ state: 'folded', foldedInto: one.operationId });
  const { core, operation: stored } = await createTestCore({ operations: [one, older] });
  expect(await countFailure(core, one)).toBe(false);
  expect(await stored(one)).toEqual({ ...one, failures: POISONED_AFTER - 1 });
  expect(await stored(older)).toEqual(older);
  expect(await countFailure(core, one)).toBe(true);
  expect(await stored(one)).toEqual({ ...one, failures: POISONED_AFTER, poisoned: true });
  expect(await stored(older)).toMatchObject({ state: 'waiting', foldedInto: null });
  expect(await countFailure(core, one), 'it is said once').toBe(false);
  expect(await stored(one)).toMatchObject({ failures: POISONED_AFTER + 1, poisoned: true });
});

test('row 36: a finish is never poisoned, however often it fails', async () => {
  const last = finish({ failures: 20 });
  const { core, operation: stored } = await createTestCore({ operations: [last] });
  expect(await countFailure(core, last)).toBe(false);
  expect(await stored(last)).toEqual({ ...last, failures: 21 });
});

test('a failure of an operation that is no longer waiting is not counted', async () => {
  const one = answer({ state: 'acknowledged', failures: 20 });
  const { core, all } = await createTestCore({ operations: [one] });
  expect(await countFailure(core, one)).toBe(false);
  expect(await countFailure(core, answer({ failures: 20 }))).toBe(false);
  expect(await all('operations')).toEqual([one]);
});

test('an answer with a used sequence gets the next one, and no later answer gets the same', async () => {
  const one = answer({ sequence: 4, formerSequences: [2] });
  const before = running({ streams: [holding(), holding({ stream: OLDER, epoch: 1 })] });
  const {
    core,
    put,
    operation: stored,
    attempt: row,
  } = await createTestCore({
    attempts: [before],
    operations: [one],
  });
  await renumber(core, one.operationId);
  expect(await stored(one)).toEqual({ ...one, sequence: 10, formerSequences: [2, 4] });
  expect((await row())?.streams).toEqual([
    holding({ nextSequence: 11 }),
    holding({ stream: OLDER, epoch: 1 }),
  ]);
  // A row that an interrupted write left unchanged.
  await put({ attempts: [before] });
  expect((await writeAnswer(core, ATTEMPT, open('дальше', 1))).sequence).toBe(11);
});

test.each([
  ['waiting', { sequence: 5, state: 'waiting' }],
  ['acknowledged', { sequence: 5, state: 'acknowledged' }],
  ['of the same sequence, written later', { sequence: 4, writtenWall: 101 }],
  ['of a lower sequence, written later', { sequence: 3, writtenWall: 101 }],
  ['after the clock was set back', { sequence: 4, writtenEra: 1, writtenWall: 50 }],
] as const)(
  'with a newer answer (%s) it is folded into that instead of outranking it',
  async (_, changes) => {
    const one = answer({ sequence: 4 });
    const newer = answer(changes);
    const {
      core,
      operation: stored,
      attempt: row,
    } = await createTestCore({
      attempts: [running()],
      operations: [one, newer],
    });
    await renumber(core, one.operationId);
    expect(await stored(one)).toEqual({
      ...one,
      state: 'folded',
      foldedInto: newer.operationId,
    });
    expect(await row()).toEqual(running());
  },
);

test.each([
  ['an older answer', { sequence: 3 }],
  ['an older answer of the same sequence', { sequence: 4, writtenWall: 99 }],
  ['an older answer of a higher sequence', { writtenWall: 99 }],
  ['one of another question', { questionId: QUESTIONS[1] }],
  ['one of another stream', { stream: OLDER }],
  ['one that was refused', { state: 'setAside' as const }],
  ['one that was folded', { state: 'folded' as const }],
])('%s does not prevent its next sequence', async (_, changes) => {
  const one = answer({ sequence: 4 });
  const other = answer({ sequence: 5, ...changes });
  const { core, operation: stored } = await createTestCore({
    attempts: [running()],
    operations: [one, other],
  });
  await renumber(core, one.operationId);
  expect(await stored(one)).toMatchObject({ state: 'waiting', sequence: 10 });
});

test('a finish with a used sequence is never folded', async () => {
  const last = finish({ sequence: 4 });
  const { core, operation: stored } = await createTestCore({
    attempts: [finishing()],
    operations: [last, finish({ sequence: 5, state: 'acknowledged' })],
  });
  await renumber(core, last.operationId);
  expect(await stored(last)).toMatchObject({ state: 'waiting', sequence: 10 });
});

test('an operation that is not waiting, or has lost its attempt, is not renumbered', async () => {
  const settled = answer({ state: 'acknowledged' });
  const lost = answer({ attemptId: 'lost' });
  const {
    core,
    all,
    attempt: row,
  } = await createTestCore({
    attempts: [running()],
    operations: [settled, lost],
  });
  for (const one of [settled.operationId, lost.operationId, 'nowhere']) await renumber(core, one);
  expect(await all('operations')).toEqual([settled, lost]);
  expect(await row()).toEqual(running());
});

test('row 18: what INCOMPLETE lists is resent, answers and files', async () => {
  const last = finish();
  const one = answer({ sequence: 1, state: 'acknowledged', receipt: RECEIPT });
  const whole = file({ state: 'complete', received: 3 });
  const made = await createTestCore({
    attempts: [finishing()],
    operations: [last, one],
    files: [whole],
  });
  expect(await fillGaps(made.core, last, [1], [])).toBe(true);
  expect(await made.operation(one)).toEqual({ ...one, state: 'waiting', sent: true });
  expect(await fillGaps(made.core, last, [], [whole.fileId])).toBe(true);
  expect(await made.file(whole)).toEqual({ ...whole, state: 'unchecked', wanted: true });
  expect((await made.attempt())?.streams).toEqual([holding()]);
  expect(made.events).toEqual([]);
});

test('row 18: what is not on the device is declared lost once, beside what was declared before', async () => {
  const last = finish();
  const known = holding({ notHere: [3], filesNotHere: ['old'] });
  const made = await createTestCore({
    attempts: [finishing({ streams: [holding({ stream: OLDER, epoch: 1 }), known] })],
    operations: [last],
  });
  expect(await fillGaps(made.core, last, [3, 4], ['old', 'new'])).toBe(true);
  const after = holding({ notHere: [3, 4], filesNotHere: ['old', 'new'] });
  expect((await made.attempt())?.streams).toEqual([holding({ stream: OLDER, epoch: 1 }), after]);
  expect(await fillGaps(made.core, last, [3, 4], ['old', 'new']), 'nothing new').toBe(false);
  expect(await fillGaps(made.core, last, [5], []), 'one more number').toBe(true);
  expect(await fillGaps(made.core, last, [], ['newer']), 'one more file').toBe(true);
  expect((await made.attempt())?.streams[1]).toEqual({
    ...after,
    notHere: [3, 4, 5],
    filesNotHere: ['old', 'new', 'newer'],
  });
});

test('row 18: what was resent three times and is still missing is declared lost, for that stream only', async () => {
  const last = finish();
  const older = finish({ stream: OLDER });
  const whole = file({ state: 'complete' });
  const made = await createTestCore({
    attempts: [finishing({ streams: [holding({ stream: OLDER, epoch: 1 }), holding()] })],
    operations: [
      last,
      answer({ sequence: 1, state: 'acknowledged' }),
      answer({ sequence: 1, state: 'acknowledged', stream: OLDER }),
    ],
    files: [whole],
  });
  const lost = async () =>
    (await made.attempt())?.streams.map(({ notHere, filesNotHere }) => [notHere, filesNotHere]);
  for (const _ of [1, 2, 3]) await fillGaps(made.core, last, [1], [whole.fileId]);
  expect(await lost()).toEqual([
    [[], []],
    [[], []],
  ]);
  await fillGaps(made.core, older, [1], []);
  await fillGaps(made.core, last, [1], [whole.fileId]);
  expect(await lost()).toEqual([
    [[], []],
    [[1], [whole.fileId]],
  ]);
});

test('row 18: a finish of a stream that this device has lost resends nothing', async () => {
  const one = answer({ sequence: 1, state: 'acknowledged' });
  const without = await createTestCore({ operations: [one] });
  expect(await fillGaps(without.core, finish(), [1], [])).toBe(false);
  const other = await createTestCore({ attempts: [finishing({ streams: [] })], operations: [one] });
  expect(await fillGaps(other.core, finish(), [1], [])).toBe(false);
  expect(await other.operation(one)).toEqual(one);
});

test('INCOMPLETE does not recreate what another tab deleted meanwhile', async () => {
  const one = answer({ sequence: 1, state: 'acknowledged' });
  const whole = file({ state: 'complete' });
  const doubt = interrupted();
  const { core, all } = await createTestCore(
    { attempts: [finishing()], operations: [one], files: [whole] },
    { storage: doubt.storage },
  );
  const erase = () =>
    doubt.storage.write(['operations', 'files'], async (tx) => {
      await tx.delete('operations', one.operationId);
      await tx.delete('files', whole.fileId);
    });
  doubt.before = erase;
  await fillGaps(core, finish(), [1], []);
  expect(await all('operations')).toEqual([]);
  await doubt.storage.write(['files'], (tx) => tx.put('files', whole));
  doubt.before = erase;
  await fillGaps(core, finish(), [], [whole.fileId]);
  expect(await all('files')).toEqual([]);
});

test.each([
  [finishing(), 60, running({ deadline: 160, countsUntil: 260 })],
  [finishing(), -60, running()],
  [
    running({ state: 'finished' }),
    60,
    running({ state: 'finished', deadline: 160, countsUntil: 260 }),
  ],
])(
  'a finish before a moved deadline is dropped, and the deadline only moves later (%#)',
  async (before, by, after) => {
    const last = finish();
    const {
      core,
      operation: stored,
      attempt: row,
    } = await createTestCore({
      attempts: [before],
      operations: [last],
    });
    await reopen(core, last, before.deadline + by);
    expect(await stored(last)).toEqual({ ...last, state: 'dropped' });
    expect(await row()).toEqual(after);
  },
);

test('a finish that was acknowledged meanwhile stays so, and a lost attempt is not recreated', async () => {
  const last = finish({ state: 'acknowledged' });
  const { core, all } = await createTestCore({ operations: [last] });
  await reopen(core, last, 160);
  await reopen(core, finish(), 160);
  expect(await all('operations')).toEqual([last]);
  expect(await all('attempts')).toEqual([]);
});

describe('a finish of the deadline whose time came back', () => {
  const EARLY = { finishReason: 'deadline' } as const;
  const later = { deadline: START + 60_000 };

  async function after(
    changes: Partial<OperationRow>,
    { isSending = false, ...row }: { isSending?: boolean; deadline?: number } = {},
  ) {
    const last = finish({ ...EARLY, ...changes });
    const made = await createTestCore({
      attempts: [finishing({ ...later, ...row })],
      operations: [last],
    });
    made.core.clock.observe({ serverTime: START, receivedWall: START, rttMs: 0 });
    if (isSending) made.core.runtime.sending.add(last.operationId);
    await reopenEarlyFinishes(made.core, ANNA);
    return [(await made.operation(last))?.state, (await made.attempt())?.state];
  }

  test('is dropped, and the inputs open', async () => {
    expect(await after({})).toEqual(['dropped', 'running']);
    expect(await after({}, { deadline: START + 1_000 })).toEqual(['dropped', 'running']);
  });

  test.each<[string, Partial<OperationRow>, { isSending?: boolean; deadline?: number }]>([
    ['is being sent', {}, { isSending: true }],
    ['has a receipt', { receipt: RECEIPT }, {}],
    ['is the student’s own', { finishReason: 'student' }, {}],
    ['is of another stream', { stream: OLDER }, {}],
    ['is set aside', { state: 'setAside' }, {}],
    ['has less than a second left', {}, { deadline: START + 999 }],
  ])('stays when it %s', async (_, changes, row) => {
    expect(await after(changes, row)).toEqual([changes.state ?? 'waiting', 'finishing']);
  });
});
