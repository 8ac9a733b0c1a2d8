import { describe, expect, test } from 'vitest';
import { QUESTIONS_PER_TEST } from '#contract/limits.ts';
import type { Question } from '#contract/questions.ts';
import { firstChosen, namedPictures, readyQuestions, roomLeft } from './import-plan.ts';
import type { Imported } from './messages.ts';

const KEY = '11111111-1111-4111-8111-111111111111';
const SENT = '22222222-2222-4222-8222-222222222222';

const question = (number: number, text = 'Текст'): Question => ({
  questionId: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  kind: 'variant',
  multiple: false,
  shuffle: false,
  scoring: 'partial',
  text,
  points: 1,
  options: [{ optionId: 'a', text: `![схема](file:${KEY})`, isRight: true }],
});

const imported = (...questions: Question[]): Imported => ({
  format: 'moodleXml',
  title: null,
  items: questions.map((one) => ({ question: one, place: '', losses: [] })),
  refused: [],
  pictures: [],
  notes: [],
});

describe('what comes in', () => {
  test('initially as many as fit into the test are selected; variants count as one', () => {
    const variants = [1, 2, 3].map((number) => ({ ...question(number), variantOf: KEY }));
    expect(roomLeft(variants)).toBe(QUESTIONS_PER_TEST - 1);
    expect(firstChosen(imported(question(1), question(2), question(3)), 2)).toEqual(
      new Set([0, 1]),
    );
  });

  test('pictures get their server keys, wherever they are used', () => {
    const [ready] = readyQuestions(
      imported(question(1, `Смотрите: ![ось](file:${KEY})`)),
      new Set([0]),
      new Map([[KEY, SENT]]),
    );
    expect(ready?.text).toBe(`Смотрите: ![ось](file:${SENT})`);
    expect(namedPictures(ready ? [ready] : [])).toEqual(new Set([SENT]));
    expect(ready?.origin).toEqual({ kind: 'import', format: 'moodleXml' });
  });

  test('a failed picture leaves its description', () => {
    const [ready] = readyQuestions(imported(question(1)), new Set([0]), new Map());
    expect(ready?.kind === 'variant' && ready.options[0]?.text).toBe('[схема]');
  });

  test('only selected questions are imported', () => {
    const ready = readyQuestions(imported(question(1), question(2)), new Set([1]), new Map());
    expect(ready.map(({ questionId }) => questionId)).toEqual([question(2).questionId]);
  });
});
