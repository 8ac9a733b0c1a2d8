import { afterEach, expect, test, vi } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { appendQuestions } from './append.ts';
import { idsOf } from './same.ts';
import { idOf, list } from './testing.ts';
import { serveDraft } from './serve-draft.ts';

afterEach(() => void vi.unstubAllGlobals());

const TEST_ID = idOf(99);

test('questions are appended in their order, once', async () => {
  const { state, calls } = serveDraft(list(1, 2));
  await appendQuestions(TEST_ID, list(4, 3));
  expect(idsOf(state.questions)).toEqual([1, 2, 4, 3].map(idOf));
  await appendQuestions(TEST_ID, list(3, 4));
  expect(calls).toEqual(['GET draft', 'PUT draft', 'GET draft']);
});

test('of questions some of which are there already the others are sent', async () => {
  const { state, bodies } = serveDraft(list(1, 2));
  await appendQuestions(TEST_ID, list(2, 3));
  expect(idsOf(state.questions)).toEqual([1, 2, 3].map(idOf));
  expect(idsOf((bodies[0] as { changed: Question[] }).changed)).toEqual([idOf(3)]);
});

test.each(['stale', 'replyLost', 'busy'] as const)(
  'a save that met «%s» is repeated',
  async (met) => {
    const { state, faults } = serveDraft(list(1));
    faults.push('none', met);
    await appendQuestions(TEST_ID, list(2));
    expect(idsOf(state.questions)).toEqual([idOf(1), idOf(2)]);
  },
);

test('it gives up after the fifth try', async () => {
  const { faults, calls } = serveDraft(list(1));
  for (let tried = 0; tried < 5; tried += 1) faults.push('none', 'busy');
  await expect(appendQuestions(TEST_ID, list(2))).rejects.toMatchObject({ status: 503 });
  expect(calls.filter((call) => call === 'PUT draft')).toHaveLength(5);
  expect(faults).toEqual([]);
});

test('a refusal is not repeated', async () => {
  const { faults, calls } = serveDraft(list(1));
  faults.push('none', 'gone');
  await expect(appendQuestions(TEST_ID, list(2))).rejects.toMatchObject({ status: 404 });
  expect(calls).toEqual(['GET draft', 'PUT draft']);
});
