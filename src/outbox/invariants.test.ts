import { describe, expect, test } from 'vitest';
import type { AttemptRow, OperationRow } from '#app/storage/rows.ts';
import type { OutboxLog } from './environment.ts';
import { id, open, QUESTIONS } from './fake-server.ts';
import { checkAppended, checkAttemptChange, checkTransition } from './invariants.ts';
import { ATTEMPT, attempt, createTestCore, holding, operation, RECEIPT } from './test-rows.ts';
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
    ['an operation keeps its content', {}, claim, { answer: open('другое') }],
    ['an operation keeps its content', {}, claim, { owner: id() }],
    [
      'an acknowledged operation is only sent again',
      { state: 'acknowledged' },
      { kind: 'refuse', refusal },
      { state: 'setAside', refusal },
    ],
    [
      'a receipt names its operation',
      {},
      { kind: 'receipt', receipt: RECEIPT, serverEpoch: 1 },
      { state: 'acknowledged', receipt: RECEIPT },
    ],
    [
      'an operation set aside has a refusal',
      {},
      { kind: 'refuse', refusal },
      { state: 'setAside' },
    ],
    [
      'a folded operation names another one',
      {},
      { kind: 'fold', into: row.operationId },
      { state: 'folded', foldedInto: row.operationId },
    ],
    [
      'only an answer is folded',
      { kind: 'finish' },
      { kind: 'foldTaken', into: id() },
      { state: 'folded', foldedInto: id() },
    ],
    ['a finish is never poisoned', { kind: 'finish' }, { kind: 'fail' }, { poisoned: true }],
    [
      'a new sequence is higher than the former one',
      {},
      { kind: 'renumber', sequence: 3 },
      { sequence: 3 },
    ],
  ])('%s', (invariant, before, event, after) => {
    const from = { ...row, ...before };
    const to = { ...from, ...after };
    expect(collect((log) => checkTransition(log, from, event, to))).toEqual([invariant]);
  });
});

describe('an attempt’s wrong change is reported', () => {
  const stream = holding({ nextSequence: 5 });
  test.each<[string, Partial<AttemptRow>]>([
    ['an attempt keeps its owner', { owner: id() }],
    ['a deadline never moves earlier', { deadline: 99 }],
    ['a deadline never moves earlier', { countsUntil: 199 }],
    ['no stream is lost or counts back', { streams: [] }],
    ['no stream is lost or counts back', { streams: [{ ...stream, nextSequence: 4 }] }],
    ['an attempt is finished at a known time', { state: 'finished' }],
  ])('%s', (invariant, change) => {
    const before = attempt({ state: 'running', finishedAt: null, streams: [stream] });
    expect(collect((log) => checkAttemptChange(log, before, { ...before, ...change }))).toEqual([
      invariant,
    ]);
  });

  test('a finished stream stays finished', () => {
    const before = attempt();
    const after: AttemptRow = { ...before, state: 'running' };
    expect(collect((log) => checkAttemptChange(log, before, after))).toEqual([
      'a finished stream stays finished',
    ]);
  });
});

test('a sequence that the stream has given already is reported', () => {
  const { owner } = row;
  const check = (stored: OperationRow) => collect((log) => checkAppended(log, row, [stored]));
  const broken = ['a new operation has the highest sequence of its stream'];
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
      detail: 'a new operation has the highest sequence of its stream',
      operationId: stored.operationId,
    },
  ]);
});
