import { describe, expect, test } from 'vitest';
import type { AttemptRow, OperationRow } from '#app/storage/rows.ts';
import type { OutboxLog } from './environment.ts';
import { id, open, QUESTIONS } from './fake-server.ts';
import { checkAppended, checkAttemptChange, checkTransition } from './invariants.ts';
import { claimForSending } from './settle.ts';
import {
  ATTEMPT,
  attempt,
  BEGIN,
  createTestCore,
  holding,
  operation,
  RECEIPT,
} from './test-rows.ts';
import type { OperationEvent } from './transition.ts';
import { writeAnswer } from './write.ts';

/** What an invariant reports, when the functions that change state are wrong. */

function collect(check: (log: (event: OutboxLog) => void) => void): (string | undefined)[] {
  const found: OutboxLog[] = [];
  check((event) => found.push(event));
  return found.map(({ detail }) => detail);
}

const row = operation({ sequence: 3 });
const claim: OperationEvent = { kind: 'claim' };
const refusal = { status: 400, code: 'BAD', message: 'Нельзя' };

describe('an operation’s wrong step is reported', () => {
  test.each<[string, Partial<OperationRow>, OperationEvent, Partial<OperationRow>]>([
    ['contentStays', {}, claim, { answer: open('другое') }],
    ['contentStays', {}, claim, { owner: id() }],
    [
      'acknowledgedStays',
      { state: 'acknowledged' },
      { kind: 'refuse', refusal },
      { state: 'setAside', refusal },
    ],
    [
      'receiptNamesOperation',
      {},
      { kind: 'receipt', receipt: RECEIPT, serverEpoch: 1 },
      { state: 'acknowledged', receipt: RECEIPT },
    ],
    ['setAsideHasRefusal', {}, { kind: 'refuse', refusal }, { state: 'setAside' }],
    [
      'foldedNamesAnother',
      {},
      { kind: 'fold', into: row.operationId },
      { state: 'folded', foldedInto: row.operationId },
    ],
    [
      'finishIsNotFolded',
      { kind: 'finish' },
      { kind: 'foldTaken', into: id() },
      { state: 'folded', foldedInto: id() },
    ],
    ['finishIsNotPoisoned', { kind: 'finish' }, { kind: 'fail' }, { poisoned: true }],
    ['renumberGoesUp', {}, { kind: 'renumber', sequence: 3 }, { sequence: 3 }],
  ])('%s', (invariant, before, event, after) => {
    const from = { ...row, ...before };
    const to = { ...from, ...after };
    expect(collect((log) => checkTransition(log, from, event, to))).toEqual([invariant]);
  });
});

describe('an attempt’s wrong change is reported', () => {
  const stream = holding({ nextSequence: 5 });
  test.each<[string, Partial<AttemptRow>]>([
    ['ownerStays', { owner: id() }],
    ['deadlineNeverEarlier', { deadline: 99 }],
    ['deadlineNeverEarlier', { countsUntil: 199 }],
    ['streamsStay', { streams: [] }],
    ['streamsStay', { streams: [{ ...stream, nextSequence: 4 }] }],
    ['finishHasTime', { state: 'finished' }],
  ])('%s', (invariant, change) => {
    const before = attempt({ state: 'running', finishedAt: null, streams: [stream] });
    expect(collect((log) => checkAttemptChange(log, before, { ...before, ...change }))).toEqual([
      invariant,
    ]);
  });

  test.each([
    ['the first reply to its begin', undefined, 100, []],
    ['a later one', 110, 100, ['deadlineNeverEarlier']],
    ['one after a page of 1.0.0 stored the estimate again', 110, 110, []],
  ])('an earlier deadline by %s: %j', (_what, estimate, deadline, broken) => {
    const before = attempt({ deadline, begin: { ...BEGIN, estimate } });
    const after = { ...before, deadline: 95, begin: { ...BEGIN, estimate: 110 } };
    expect(collect((log) => checkAttemptChange(log, before, after))).toEqual(broken);
  });

  test('an accepted begin that waits again is reported', () => {
    const before = attempt({ begin: { ...BEGIN, state: 'accepted' } });
    const after: AttemptRow = { ...before, begin: BEGIN };
    expect(collect((log) => checkAttemptChange(log, before, after))).toEqual([
      'acceptedBeginStays',
    ]);
  });

  test('a finished stream that runs again is reported', () => {
    const before = attempt();
    const after: AttemptRow = { ...before, state: 'running' };
    expect(collect((log) => checkAttemptChange(log, before, after))).toEqual(['finishedStays']);
  });
});

test('an answer that is sent before its begin is reported', async () => {
  const one = operation();
  const { core } = await createTestCore({
    attempts: [attempt({ owner: one.owner, state: 'running', begin: BEGIN })],
    operations: [one],
  });
  const logged: OutboxLog[] = [];
  const reporting = { ...core, log: (event: OutboxLog) => void logged.push(event) };
  await claimForSending(reporting, one.owner, one.operationId);
  expect(logged.map(({ detail }) => detail)).toEqual(['beginGoesFirst']);
});

test('a sequence that the stream has given already is reported', () => {
  const { owner } = row;
  const check = (stored: OperationRow) => collect((log) => checkAppended(log, row, [stored]));
  const broken = ['newSequenceIsHighest'];
  expect(check(operation({ owner, sequence: 3 }))).toEqual(broken);
  expect(check(operation({ owner, sequence: 2 }))).toEqual([]);
  expect(check(operation({ owner, sequence: 3, stream: id() }))).toEqual([]);
});

test('an answer is stored although an invariant is broken', async () => {
  const owner = id();
  const { core, all } = await createTestCore({
    attempts: [
      attempt({
        owner,
        state: 'running',
        finishedAt: null,
        deadline: Infinity,
        streams: [holding({ nextSequence: 1 })],
      }),
    ],
    operations: [operation({ owner, sequence: 4, questionId: QUESTIONS[1] ?? null })],
  });
  const logged: OutboxLog[] = [];
  const reporting = { ...core, log: (event: OutboxLog) => void logged.push(event) };
  const stored = await writeAnswer(reporting, ATTEMPT, open('да'));
  expect(stored.saved).toBe(true);
  expect(await all('operations')).toHaveLength(2);
  expect(logged).toEqual([
    {
      event: 'brokenInvariant',
      detail: 'newSequenceIsHighest',
      operationId: stored.operationId,
    },
  ]);
});
