import { expect, test } from 'vitest';
import type { GradingEntry } from '#contract/grading.ts';
import { smallTest } from '#tests/school.ts';
import { itemOf, mergeQueue, findNextPending } from './queue.ts';
import { pendingEntry } from './test-entry.ts';

const question = smallTest[5];
if (!question) throw new Error('the small test has an essay');

const entry = (attemptId: string, points: number | null = null): GradingEntry =>
  pendingEntry({
    attemptId,
    userId: attemptId,
    userName: attemptId,
    questionId: question.questionId,
    question,
    number: 6,
    operationId: null,
    points,
  });
const names = (entries: readonly GradingEntry[]) => entries.map(({ attemptId }) => attemptId);

test('graded entries stay in place, new ones come last, changed ones are updated', () => {
  const shown = [entry('a'), entry('b', 3), entry('c')];
  const merged = mergeQueue(shown, [entry('d'), entry('c', 1), entry('a')]);
  expect(names(merged)).toEqual(['a', 'b', 'c', 'd']);
  expect(merged.map(({ points }) => points)).toEqual([null, 3, 1, null]);
});

test('an answer that moved between pages appears once', () => {
  expect(names(mergeQueue([], [entry('a'), entry('b'), entry('b')]))).toEqual(['a', 'b']);
});

test('after the last ungraded answer comes the first skipped one', () => {
  const entries = [entry('a'), entry('b', 2), entry('c', 1)];
  expect(findNextPending(entries, 2)?.attemptId).toBe('a');
  expect(findNextPending(entries, 0)).toBeNull();
  expect(findNextPending([entry('a', 1), entry('b')], 0)?.attemptId).toBe('b');
  expect(itemOf(entry('a'))).toBe(`a.${question.questionId}`);
});
