import { expect, test } from 'vitest';
import { newQuestion } from './new-question.ts';

let last = 0;
const newId = () => {
  last += 1;
  return `id-${last}`;
};

const of = (kind: Parameters<typeof newQuestion>[0]) => newQuestion(kind, newId);

test.each(['open', 'variant', 'compliance', 'file'] as const)(
  'a new question of kind %s has an id of its own, no text and one point',
  (kind) => {
    const question = of(kind);
    expect(question).toMatchObject({ kind, text: '', points: 1 });
    expect(of(kind).questionId).not.toBe(question.questionId);
  },
);

test('a line has one place for a whole answer', () => {
  expect(of('open')).toMatchObject({
    input: 'line',
    accepted: [{ text: '', share: 1 }],
    tolerance: 0,
  });
});

test('a choice has four empty options in their order, none right, one to choose', () => {
  const question = of('variant');
  expect(question).toMatchObject({ multiple: false, shuffle: false, scoring: 'partial' });
  const options = question.kind === 'variant' ? question.options : [];
  expect(options.map(({ text, isRight }) => [text, isRight])).toEqual(
    Array.from({ length: 4 }, () => ['', false]),
  );
  expect(new Set(options.map(({ optionId }) => optionId)).size).toBe(4);
});

test('a matching has three empty pairs, shuffled, each of its own two sides', () => {
  const question = of('compliance');
  if (question.kind !== 'compliance') throw new Error('another kind');
  expect(question.shuffle).toBe(true);
  expect([...question.left, ...question.right].map(({ text }) => text)).toEqual(
    Array.from({ length: 6 }, () => ''),
  );
  expect(question.pairs).toEqual(
    question.left.map(({ leftId }, n) => ({ leftId, rightId: question.right[n]?.rightId })),
  );
  expect(question.pairs).toHaveLength(3);
  expect(new Set(question.pairs.flatMap((pair) => Object.values(pair))).size).toBe(6);
});

test('file questions accept any file', () => {
  expect(of('file')).toMatchObject({ accept: [] });
});
