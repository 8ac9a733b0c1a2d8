import { expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { sortedOptions } from './sorted-options.ts';
import { type PartRank, studentQuestion } from './student-question.ts';

const reversed: PartRank = (_, partId) => String(9 - Number(partId.slice(1)));
const base = { questionId: 'q', text: 'Вопрос', points: 1, explanation: 'ключ' };
const questions: Question[] = [
  { ...base, kind: 'open', input: 'line', accepted: [{ text: 'ключ', share: 1 }], tolerance: 0 },
  {
    ...base,
    kind: 'variant',
    multiple: false,
    shuffle: true,
    scoring: 'partial',
    options: Array.from({ length: 8 }, (_, i) => ({
      optionId: `o${i}`,
      text: `${i}`,
      isRight: i === 0,
    })),
  },
  {
    ...base,
    kind: 'compliance',
    shuffle: true,
    left: [{ leftId: 'l', text: 'слева' }],
    right: Array.from({ length: 6 }, (_, i) => ({ rightId: `r${i}`, text: `${i}` })),
    pairs: [{ leftId: 'l', rightId: 'r0' }],
  },
  { ...base, kind: 'file', maxBytes: 5, accept: ['.pdf'] },
];

test.each(questions)('a student’s $kind question has no key in it', (question) => {
  const text = JSON.stringify(studentQuestion(question, reversed));
  expect(text).not.toMatch(/ключ|isRight|accepted|pairs|explanation|share|tolerance|scoring/);
});

test('a student learns whether a right item may be used again, and not where', () => {
  const [, , matching] = questions as [Question, Question, Question & { kind: 'compliance' }];
  expect(studentQuestion({ ...matching, reuse: true }, reversed)).toHaveProperty('reuse', true);
  for (const question of [matching, { ...matching, reuse: false }])
    expect(studentQuestion(question, reversed)).not.toHaveProperty('reuse');
});

test('shuffled parts are sorted by rank, others stay as stored', () => {
  const [, choice, matching] = questions as [Question, Question, Question];
  expect(studentQuestion(choice, reversed)).toMatchObject({
    options: [7, 6, 5, 4, 3, 2, 1, 0].map((i) => ({ optionId: `o${i}` })),
  });
  expect(studentQuestion(matching, reversed)).toMatchObject({
    right: [5, 4, 3, 2, 1, 0].map((i) => ({ rightId: `r${i}` })),
  });
  expect(studentQuestion({ ...choice, shuffle: false } as Question, reversed)).toMatchObject({
    options: [0, 1, 2, 3, 4, 5, 6, 7].map((i) => ({ optionId: `o${i}` })),
  });
});

test('parts of equal rank stay in order', () => {
  const [, choice] = questions as [Question, Question];
  const ranks = ['2', '0', '1', '0', '2', '1', '0', '2'];
  const mixed: PartRank = (_, partId) => ranks[Number(partId.slice(1))] ?? '';
  expect(studentQuestion(choice, mixed)).toMatchObject({
    options: [1, 3, 6, 2, 5, 0, 4, 7].map((i) => ({ optionId: `o${i}`, text: `${i}` })),
  });
});

test('a student gets the left column as it is stored', () => {
  const [, , matching] = questions as [Question, Question, Question];
  expect(studentQuestion(matching, reversed)).toMatchObject({
    left: [{ leftId: 'l', text: 'слева' }],
  });
});

test('shuffled parts stand by their ranks whatever their order was; of equal ranks none moves', () => {
  const [, variant] = questions as [Question, Extract<Question, { kind: 'variant' }>];
  const orderOf = (ids: readonly string[], rank: PartRank) => {
    const options = ids.map((optionId) => ({ optionId, text: optionId, isRight: false }));
    const shown = studentQuestion({ ...variant, options }, rank);
    return shown.kind === 'variant' ? shown.options.map(({ optionId }) => optionId).join('') : '';
  };
  const byId: PartRank = (_, partId) => partId;
  for (const ids of ['abcd', 'dcba', 'bdac', 'cadb'])
    expect(orderOf(Array.from(ids), byId)).toBe('abcd');
  for (const ids of ['abcd', 'dcba', 'bdac']) expect(orderOf(Array.from(ids), () => '')).toBe(ids);
});

test('a list is sorted by text, then by id, so that its order reveals nothing', () => {
  const of = (...ids: string[]) =>
    sortedOptions(ids.map((optionId) => ({ optionId, text: optionId.slice(1) })));
  for (const ids of [
    ['1лёд', '2лёд', '3вода', '110', '29'],
    ['2лёд', '29', '1лёд', '110', '3вода'],
  ])
    expect(of(...ids).map(({ optionId }) => optionId)).toEqual([
      '29',
      '110',
      '3вода',
      '1лёд',
      '2лёд',
    ]);
});
