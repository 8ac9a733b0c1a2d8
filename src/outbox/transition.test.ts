import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { AttemptRow, type OperationRow } from '#app/storage/rows.ts';
import { POISONED_AFTER } from './plan.ts';
import { attempt, holding, OLDER, operation, RECEIPT, STREAM } from './test-rows.ts';
import { attemptAfter, transition, type OperationEvent } from './transition.ts';

type State = OperationRow['state'];

const REFUSAL = { status: 409, code: 'GONE', message: 'Попытка удалена' };
const EVENTS: readonly OperationEvent[] = [
  { kind: 'fold', into: 'newer' },
  { kind: 'foldTaken', into: 'newer' },
  { kind: 'unfold' },
  { kind: 'claim' },
  { kind: 'receipt', receipt: RECEIPT, serverEpoch: 3 },
  { kind: 'staleReceipt', receipt: RECEIPT },
  { kind: 'refuse', refusal: REFUSAL },
  { kind: 'fail' },
  { kind: 'progress' },
  { kind: 'renumber', sequence: 7 },
  { kind: 'resend' },
  { kind: 'retry' },
  { kind: 'drop', deadline: 500 },
];

/** The state that each event leads to; events that are not listed leave the row unchanged. */
const DIAGRAM: Readonly<Record<State, Partial<Record<OperationEvent['kind'], State>>>> = {
  waiting: {
    fold: 'folded',
    foldTaken: 'folded',
    claim: 'waiting',
    receipt: 'acknowledged',
    staleReceipt: 'waiting',
    refuse: 'setAside',
    fail: 'waiting',
    renumber: 'waiting',
    resend: 'waiting',
    drop: 'dropped',
  },
  folded: { unfold: 'waiting', receipt: 'acknowledged', staleReceipt: 'folded' },
  setAside: { retry: 'waiting', receipt: 'acknowledged', staleReceipt: 'setAside' },
  acknowledged: { resend: 'waiting' },
  dropped: { receipt: 'acknowledged', staleReceipt: 'dropped' },
};

describe.each(Object.entries(DIAGRAM) as [State, (typeof DIAGRAM)[State]][])(
  'an operation that is %s',
  (state, leads) => {
    test.each(EVENTS)('meets $kind', (event) => {
      const row = operation({ state });
      expect(transition(row, event)?.state).toBe(leads[event.kind]);
    });

    test.each(EVENTS)('leaves the answer, time and owner unchanged by $kind', (event) => {
      const row = operation({ state });
      const { operationId, owner, attemptId, stream, answer, writtenWall } = row;
      const after = transition(row, event) ?? row;
      expect(after).toMatchObject({ operationId, owner, attemptId, stream, answer, writtenWall });
    });
  },
);

test('what was sent, or has a receipt from before a restore, is not folded by a newer answer', () => {
  const fold: OperationEvent = { kind: 'fold', into: 'newer' };
  expect(transition(operation({ sent: true }), fold)).toBeNull();
  expect(transition(operation({ receipt: RECEIPT }), fold)).toBeNull();
  expect(transition(operation({ sent: true }), { kind: 'foldTaken', into: 'newer' })).toMatchObject(
    { state: 'folded', foldedInto: 'newer' },
  );
});

test('an unfolded answer waits to be sent again', () => {
  const folded = operation({ state: 'folded', foldedInto: 'newer' });
  expect(transition(folded, { kind: 'unfold' })).toEqual({
    ...folded,
    state: 'waiting',
    foldedInto: null,
  });
});

test('a receipt clears what went before it; one from before a restore proves nothing', () => {
  const failed = operation({ failures: 9, poisoned: true, refusal: REFUSAL, sent: true });
  expect(transition(failed, { kind: 'receipt', receipt: RECEIPT, serverEpoch: 3 })).toEqual({
    ...failed,
    state: 'acknowledged',
    failures: 0,
    poisoned: false,
    refusal: null,
    receipt: RECEIPT,
    acknowledgedAt: Date.parse(RECEIPT.receivedAt),
    serverEpoch: 3,
  });
  expect(transition(failed, { kind: 'staleReceipt', receipt: RECEIPT })).toEqual({
    ...failed,
    receipt: RECEIPT,
  });
});

test('a held receipt leaves a finish dropped; one that was stored has ended the attempt', () => {
  const row = operation({ kind: 'finish', state: 'dropped' });
  const receipt = (outcome: typeof RECEIPT.outcome): OperationEvent => ({
    kind: 'receipt',
    receipt: { ...RECEIPT, outcome },
    serverEpoch: 3,
  });
  expect(transition(row, receipt('held'))).toBeNull();
  expect(transition(row, receipt('stored'))?.state).toBe('acknowledged');
});

test('an answer is poisoned by its last allowed failure, a finish never; progress and retry cure it', () => {
  const nearly = operation({ failures: POISONED_AFTER - 1 });
  const poisoned = transition(nearly, { kind: 'fail' });
  expect(poisoned).toEqual({ ...nearly, failures: POISONED_AFTER, poisoned: true });
  expect(transition(operation({ failures: POISONED_AFTER - 2 }), { kind: 'fail' })?.poisoned).toBe(
    false,
  );
  expect(
    transition(operation({ kind: 'finish', failures: POISONED_AFTER - 1 }), { kind: 'fail' }),
  ).toMatchObject({ failures: POISONED_AFTER, poisoned: false });
  for (const kind of ['progress', 'retry'] as const)
    expect(poisoned && transition(poisoned, { kind })).toMatchObject({
      state: 'waiting',
      failures: 0,
      poisoned: false,
    });
});

test('a renumbered operation remembers its former sequences, a resent one counts as sent', () => {
  expect(
    transition(operation({ sequence: 4, formerSequences: [2] }), { kind: 'renumber', sequence: 7 }),
  ).toMatchObject({ sequence: 7, formerSequences: [2, 4] });
  expect(transition(operation({ state: 'acknowledged' }), { kind: 'resend' })?.sent).toBe(true);
  expect(transition(operation(), { kind: 'claim' })?.sent).toBe(true);
});

test('the reason of a refusal is stored until a retry', () => {
  const refused = transition(operation(), { kind: 'refuse', refusal: REFUSAL });
  expect(refused).toMatchObject({ state: 'setAside', refusal: REFUSAL });
  expect(refused && transition(refused, { kind: 'retry' })).toMatchObject({
    state: 'waiting',
    refusal: null,
  });
});

describe('the attempt of the operation', () => {
  const finish = operation({ kind: 'finish', answer: null, questionId: null });
  const receiptOf = (outcome: typeof RECEIPT.outcome): OperationEvent => ({
    kind: 'receipt',
    receipt: { ...RECEIPT, outcome },
    serverEpoch: 3,
  });
  const running = attempt({
    state: 'running',
    stream: STREAM,
    finishedAt: null,
    streams: [holding()],
  });
  const finishing = { ...running, state: 'finishing' as const };

  test.each(EVENTS.filter(({ kind }) => !['receipt', 'refuse', 'retry', 'drop'].includes(kind)))(
    '$kind does not concern it',
    (event) => {
      expect(attemptAfter(finishing, finish, event)).toBe(finishing);
    },
  );

  test('an answer on the server proves that it exists, a finish ends it', () => {
    const gone = { ...finishing, gone: true };
    expect(attemptAfter(gone, operation(), receiptOf('stored'))).toEqual(finishing);
    expect(attemptAfter(gone, finish, receiptOf('stored'))).toEqual({
      ...finishing,
      state: 'finished',
      finishedAt: Date.parse(RECEIPT.receivedAt),
    });
  });

  test('a finish of a device that no longer owns the attempt does not end it', () => {
    expect(attemptAfter(finishing, finish, receiptOf('superseded'))).toEqual({
      ...running,
      takenOver: true,
    });
    const elsewhere = { ...finish, stream: OLDER };
    expect(attemptAfter(finishing, elsewhere, receiptOf('superseded'))).toEqual(finishing);
    const finished = { ...running, state: 'finished' as const };
    expect(attemptAfter(finished, finish, receiptOf('superseded'))).toEqual(finished);
  });

  test('a held finish of an earlier stream does not end what goes on since', () => {
    const elsewhere = { ...finish, stream: OLDER };
    expect(attemptAfter(running, elsewhere, receiptOf('held'))).toEqual(running);
    expect(attemptAfter(finishing, finish, receiptOf('held')).state).toBe('finished');
    expect(attemptAfter(running, elsewhere, receiptOf('stored')).state).toBe('finished');
  });

  test('a refused finish opens the inputs, its retry closes them; a refused answer does neither', () => {
    const refuse: OperationEvent = { kind: 'refuse', refusal: { ...REFUSAL, code: 'CONFLICT' } };
    expect(attemptAfter(finishing, finish, refuse)).toEqual(running);
    expect(attemptAfter(finishing, operation(), refuse)).toBe(finishing);
    expect(attemptAfter(running, finish, { kind: 'retry' })).toEqual(finishing);
    expect(attemptAfter(running, operation(), { kind: 'retry' })).toBe(running);
    const elsewhere = { ...finish, stream: OLDER };
    expect(attemptAfter(running, elsewhere, { kind: 'retry' })).toBe(running);
    const gone: OperationEvent = { kind: 'refuse', refusal: REFUSAL };
    expect(attemptAfter(running, operation(), gone)).toEqual({ ...running, gone: true });
  });

  test('a moved deadline opens the inputs and is never earlier', () => {
    const { deadline, countsUntil } = finishing;
    const drop = (by: number): OperationEvent => ({ kind: 'drop', deadline: deadline + by });
    expect(attemptAfter(finishing, finish, drop(60))).toEqual({
      ...running,
      deadline: deadline + 60,
      countsUntil: countsUntil + 60,
    });
    expect(attemptAfter(finishing, finish, drop(-60))).toEqual(running);
    const finished = { ...running, state: 'finished' as const };
    expect(attemptAfter(finished, finish, drop(0))).toEqual(finished);
  });

  test.each([running, finishing, { ...running, state: 'finished' as const }])(
    'a deadline that is no time moves nothing while $state, and the row stays readable',
    (before) => {
      for (const one of [
        finish,
        { ...finish, receipt: { ...RECEIPT, outcome: 'held' as const } },
      ]) {
        const after = attemptAfter(before, one, { kind: 'drop', deadline: Number.NaN });
        expect(v.is(AttemptRow, after)).toBe(true);
        expect(after).toMatchObject({ deadline: before.deadline, countsUntil: before.countsUntil });
      }
    },
  );
});
