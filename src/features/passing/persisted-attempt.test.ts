import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { NO_SAVED_ANSWERS, type Answer } from '#contract/answers.ts';
import type { Receipt } from '#contract/passing.ts';
import type { QuestionView } from '#app/outbox/types.ts';
import { findPersistedAttempt, withReceipts } from './persisted-attempt.ts';

const DEADLINE = Date.parse('2026-05-22T08:07:00Z');
const COUNTS_UNTIL = Date.parse('2026-05-22T08:22:00Z');
const passing = {
  userTestId: 'a1',
  testId: 't1',
  title: 'Законы Ньютона',
  attemptNumber: 1,
  attemptsCount: 2,
  state: 1,
  leftTestTime: '00:24:51',
  startedAt: '2026-05-22T07:27:00.000Z',
  deadline: new Date(DEADLINE).toISOString(),
  countsUntil: new Date(COUNTS_UNTIL).toISOString(),
  finishedAt: null,
  serverTime: '2026-05-22T07:42:09.000Z',
};
const place = (sequence: number) => ({
  operationId: `o${sequence}`,
  epoch: 1,
  sequence,
  receivedAt: `2026-05-22T07:${40 + sequence}:00.000Z`,
  receivedLate: false,
});
const open = (questionId: string, text: string) => ({ questionId, kind: 'open' as const, text });

/** A query client with restored queries. */
function restored(...attempts: object[]) {
  const client = new QueryClient();
  for (const [index, one] of attempts.entries()) {
    client.setQueryData(['test/passing', `a${index + 1}`], one);
  }
  return client;
}

test('finds the running attempt of the test and its answers in order of arrival', () => {
  const client = restored(passing, { ...passing, testId: 't2' });
  client.setQueryData(['test/savedAnswers', 'a1'], {
    ...NO_SAVED_ANSWERS,
    openAnswers: [
      { ...open('q3', '4,9'), ...place(3) },
      { ...open('q2', ' '), ...place(2) },
    ],
    variantAnswers: [{ questionId: 'q1', kind: 'variant', optionIds: ['x'], ...place(1) }],
  });
  const found = findPersistedAttempt(client, 't1', DEADLINE);
  expect(found?.passing).toEqual(passing);
  expect(found?.answers.map(({ questionId }) => questionId)).toEqual(['q1', 'q3']);
});

test('finds the last of several attempts, with no answers if none were saved', () => {
  const second = { ...passing, userTestId: 'a2', attemptNumber: 2 };
  const found = findPersistedAttempt(restored(passing, second), 't1', DEADLINE);
  expect(found?.passing.userTestId).toBe('a2');
  expect(found?.answers).toEqual([]);
});

test.each([
  ['of another test', { ...passing, testId: 't2' }, DEADLINE],
  ['that is over', { ...passing, state: 2 }, DEADLINE],
  ['that was never begun', { ...passing, state: 0 }, DEADLINE],
  ['that nobody could read', null, DEADLINE],
  ['that the server has closed', passing, COUNTS_UNTIL],
])('an attempt %s is none', (_, data, now) => {
  const client = new QueryClient();
  client.setQueryData(['test/passing', 'a1'], data);
  expect(findPersistedAttempt(client, 't1', now)).toBeNull();
});

const receipt = (sequence: number, outcome: Receipt['outcome'] = 'stored'): Receipt => ({
  ...place(sequence),
  stream: 's1',
  outcome,
  writtenAt: null,
  seal: 'x',
});
const shown = (answer: Answer | null, one: Receipt | null) =>
  ({ questionId: answer?.questionId ?? 'q', answer, receipt: one }) as QuestionView;

test('answers of every kind with a receipt are merged into the saved ones', () => {
  const file = {
    questionId: 'q4',
    kind: 'file' as const,
    fileId: 'f1',
    name: 'фото.jpg',
    size: 1,
    mimeType: 'image/jpeg',
    sha256: '',
  };
  const variant = { questionId: 'q2', kind: 'variant' as const, optionIds: ['x'] };
  const compliance = { questionId: 'q3', kind: 'compliance' as const, pairs: [] };
  const ordering = { questionId: 'q5', kind: 'ordering' as const, itemIds: ['x', 'y'] };
  const gaps = { questionId: 'q6', kind: 'gaps' as const, gaps: [{ gapId: '1', text: 'Рим' }] };
  const known = { ...NO_SAVED_ANSWERS, openAnswers: [{ ...open('q0', 'раньше'), ...place(1) }] };
  expect(
    withReceipts(known, [
      shown(open('q1', '4,9'), receipt(2)),
      shown(variant, receipt(3)),
      shown(compliance, receipt(4)),
      shown(file, receipt(5)),
      shown(ordering, receipt(6)),
      shown(gaps, receipt(7)),
    ]),
  ).toEqual({
    openAnswers: [
      { ...open('q0', 'раньше'), ...place(1) },
      { ...open('q1', '4,9'), ...place(2) },
    ],
    variantAnswers: [{ ...variant, ...place(3) }],
    complianceAnswers: [{ ...compliance, ...place(4) }],
    orderingAnswers: [{ ...ordering, ...place(6) }],
    gapsAnswers: [{ ...gaps, ...place(7) }],
    fileAnswers: [{ ...file, ...place(5) }],
  });
});

test('only answers that the server stored and counts are merged, and never over a higher sequence', () => {
  const known = { ...NO_SAVED_ANSWERS, openAnswers: [{ ...open('q1', 'новое'), ...place(7) }] };
  expect(withReceipts(known, [shown(open('q1', 'старое'), receipt(6))])).toEqual(known);
  const none = [
    shown(open('q1', 'ждёт'), null),
    shown(open('q1', 'придержан'), receipt(8, 'held')),
    shown(open('q1', 'заменён'), receipt(8, 'superseded')),
    shown(open('q1', 'новое'), receipt(7)),
  ];
  expect(withReceipts(known, none), 'nothing to add').toBeUndefined();
  expect(withReceipts(undefined, none.slice(0, 3))).toBeUndefined();
  expect(NO_SAVED_ANSWERS.openAnswers).toEqual([]);
});

test('what another page has read of an attempt is none to go on with', () => {
  const client = new QueryClient();
  client.setQueryData(['test/history', 'a1'], passing);
  expect(findPersistedAttempt(client, 't1', DEADLINE)).toBeNull();
});

test('a receipt without an answer adds nothing', () => {
  const known = { ...NO_SAVED_ANSWERS, openAnswers: [{ ...open('q1', 'есть'), ...place(1) }] };
  expect(withReceipts(known, [shown(null, receipt(9))])).toBeUndefined();
});
