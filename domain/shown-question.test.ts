import { expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { shownQuestion } from './shown-question.ts';
import { type PartRank, studentQuestion } from './student-question.ts';

const letters = ['а', 'б', 'в', 'г', 'д', 'е', 'ж', 'з'];
const base = { questionId: 'q', text: 'Что?', points: 1, explanation: 'потому' };
const variant: Question = {
  ...base,
  kind: 'variant',
  multiple: false,
  shuffle: true,
  scoring: 'partial',
  options: letters.map((text) => ({ optionId: text, text, isRight: text === 'г' })),
};
const matching: Question = {
  ...base,
  kind: 'compliance',
  shuffle: true,
  left: letters.map((text) => ({ leftId: text, text })),
  right: letters.map((text) => ({ rightId: text, text })),
  pairs: letters.map((text) => ({ leftId: text, rightId: text })),
};

/** Letters in another order for each name. */
const rankOf =
  (name: string): PartRank =>
  (_, partId) =>
    String((name.length * 7 * (letters.indexOf(partId) + 3)) % 11).padStart(2, '0');

const idsOf = (question: ReturnType<typeof shownQuestion>) =>
  question.kind === 'variant'
    ? question.options.map(({ optionId }) => optionId)
    : question.kind === 'compliance'
      ? question.right.map(({ rightId }) => rightId)
      : [];

test.each(['one', 'three', 'fifteen'])(
  'a question with its key has the order shown in attempt %s',
  (attempt) => {
    const rank = rankOf(attempt);
    for (const question of [variant, matching]) {
      const keyed = shownQuestion(question, rank, true);
      expect(idsOf(keyed)).toEqual(idsOf(studentQuestion(question, rank)));
      expect(idsOf(keyed)).not.toEqual(letters);
    }
  },
);

test('without permission a question has no key and no explanation', () => {
  for (const question of [variant, matching]) {
    const text = JSON.stringify(shownQuestion(question, rankOf('one'), false));
    expect(text).not.toMatch(/isRight|pairs|explanation|потому/);
  }
  expect(JSON.stringify(shownQuestion(variant, rankOf('one'), true))).toContain('"isRight":true');
});

const open: Question = {
  ...base,
  kind: 'open',
  input: 'line',
  accepted: [{ text: 'да', share: 1, tolerance: 0.5, feedback: 'отзыв' }],
  tolerance: 0,
};
const file: Question = { ...base, kind: 'file', maxBytes: 1, accept: [] };
const chosen: Question = {
  ...variant,
  options: variant.options.map((option) => ({ ...option, feedback: 'отзыв' })),
};
const authored = {
  title: 'тайна',
  topic: 'тайна',
  difficulty: 'hard',
  tags: ['тайна'],
  variantOf: '00000000-0000-4000-8000-00000000000a',
  origin: { kind: 'template', templateId: 'тайна', seed: 'тайна', number: 1 },
} as const;
const withAuthored = (question: Question): Question => ({
  ...question,
  ...authored,
  tags: [...authored.tags],
});

test.each([
  ['a choice', chosen],
  ['a matching', matching],
  ['an open question', open],
  ['a file', file],
])('what only the teacher knows of %s is in no form that a student gets', (_name, question) => {
  const names = Object.keys(authored).join('|');
  for (const withKey of [true, false]) {
    const text = JSON.stringify(shownQuestion(withAuthored(question), rankOf('one'), withKey));
    expect(text).not.toMatch(new RegExp(`тайна|hard|"(?:${names})"`));
    expect(text.includes('отзыв') || text.includes('feedback')).toBe(
      withKey && (question === chosen || question === open),
    );
  }
  expect(shownQuestion(withAuthored(question), rankOf('one'), true)).toMatchObject({
    explanation: 'потому',
  });
});
