import { expect, test } from 'vitest';
import type { GapAnswer } from '#contract/answers.ts';
import type { Gap } from '#contract/questions.ts';
import { reviewedChoices } from './reviewed-choices.ts';
import { reviewedGaps } from './reviewed-gaps.ts';

const gaps: Gap[] = [
  {
    gapId: '1',
    weight: 1,
    input: 'line',
    accepted: [
      { text: 'Рим', share: 1 },
      { text: 'Roma', share: 0.5, feedback: 'По-русски' },
      { text: 'Париж', share: 0, feedback: 'Это во Франции' },
    ],
    tolerance: 0,
  },
  {
    gapId: '2',
    weight: 1,
    input: 'choice',
    options: [
      { optionId: 'a', text: 'Тибр', isRight: true },
      { optionId: 'b', text: 'Нил', isRight: false, feedback: 'Это в Африке' },
    ],
  },
];

const review = (...answered: GapAnswer[]) =>
  reviewedGaps(gaps, answered).map(({ answer, share, feedback }) => [answer, share, feedback]);

test('what was put into each gap, what it earns, and what the teacher wrote to it', () => {
  expect(review({ gapId: '1', text: ' рим ' }, { gapId: '2', optionId: 'b' })).toEqual([
    ['рим', 1, ''],
    ['Нил', 0, 'Это в Африке'],
  ]);
  expect(review({ gapId: '1', text: 'roma' }, { gapId: '2', optionId: 'gone' })).toEqual([
    ['roma', 0.5, 'По-русски'],
    ['?', 0, ''],
  ]);
  expect(review({ gapId: '1', text: ' ' })).toEqual([
    [null, 0, ''],
    [null, 0, ''],
  ]);
  expect(reviewedGaps(gaps, []).map(({ accepted }) => accepted)).toEqual([
    ['Рим', 'Roma'],
    ['Тибр'],
  ]);
});

test('without the key only the answers', () => {
  const shownGaps = [
    { gapId: '1', input: 'line' as const },
    { gapId: '2', input: 'choice' as const, options: [{ optionId: 'a', text: 'Тибр' }] },
  ];
  expect(reviewedGaps(shownGaps, [{ gapId: '2', optionId: 'a' }])).toEqual([
    { gapId: '1', answer: null, share: null, accepted: [], feedback: '' },
    { gapId: '2', answer: 'Тибр', share: null, accepted: [], feedback: '' },
  ]);
});

test('an option is reviewed with its key and feedback where they are shown, and with its place on the picture', () => {
  const area = { shape: 'ellipse', left: 0, top: 0, width: 0.2, height: 0.2 } as const;
  expect(
    reviewedChoices({
      options: [
        { optionId: 'a', text: 'Сердце', isRight: true, feedback: 'Верно', area },
        { optionId: 'b', text: 'Б', isRight: false, area },
        { optionId: 'c', text: 'Его нет', isRight: false },
      ],
    }),
  ).toEqual([
    { id: 'a', text: 'Сердце', isRight: true, feedback: 'Верно', area, mark: '1' },
    { id: 'b', text: 'Б', isRight: false, feedback: '', area, mark: 'Б' },
    { id: 'c', text: 'Его нет', isRight: false, feedback: '' },
  ]);
  expect(reviewedChoices({ options: [{ optionId: 'a', text: 'Сердце' }] })).toEqual([
    { id: 'a', text: 'Сердце', isRight: null, feedback: '' },
  ]);
});
