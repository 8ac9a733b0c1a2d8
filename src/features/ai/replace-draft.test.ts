import { expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { replaceDraft } from './replace-draft.ts';

const base = { questionId: 'old', points: 1, text: 'Старый', tags: ['сила'] };
const fresh = { questionId: 'fresh', points: 2, text: 'Новый' };
const option = (optionId: string, text: string, isRight = false) => ({ optionId, text, isRight });
const typed = (text: string, share = 1) => ({ text, share });

/** By kind: the teacher's question, the provider's, and the own fields of the result. */
const REVISIONS: readonly (readonly [string, Question, Question, object])[] = [
  [
    'a typed answer',
    {
      ...base,
      kind: 'open',
      input: 'line',
      accepted: [{ ...typed('Ом'), tolerance: 3, feedback: 'Да' }, typed('ом')],
      tolerance: 0,
    },
    { ...fresh, kind: 'open', input: 'number', accepted: [typed('Ом', 0.5)], tolerance: 1 },
    {
      input: 'number',
      accepted: [{ ...typed('Ом', 0.5), tolerance: 3, feedback: 'Да' }],
      tolerance: 1,
    },
  ],
  [
    'a choice',
    {
      ...base,
      kind: 'variant',
      multiple: false,
      shuffle: false,
      scoring: 'allOrNothing',
      options: [{ ...option('a', 'да'), feedback: 'Почему?' }, option('b', 'нет')],
    },
    {
      ...fresh,
      kind: 'variant',
      multiple: true,
      shuffle: true,
      scoring: 'partial',
      options: [option('c', 'да', true), { ...option('d', 'нет'), feedback: 'Нет' }],
    },
    {
      multiple: true,
      shuffle: false,
      scoring: 'allOrNothing',
      options: [
        { ...option('c', 'да', true), feedback: 'Почему?' },
        { ...option('d', 'нет'), feedback: 'Нет' },
      ],
    },
  ],
  [
    'pairs',
    {
      ...base,
      kind: 'compliance',
      shuffle: false,
      reuse: true,
      left: [{ leftId: 'l', text: 'кит' }],
      right: [{ rightId: 'r', text: 'зверь' }],
      pairs: [{ leftId: 'l', rightId: 'r' }],
    },
    {
      ...fresh,
      kind: 'compliance',
      shuffle: true,
      left: [{ leftId: 'm', text: 'сом' }],
      right: [{ rightId: 's', text: 'рыба' }],
      pairs: [{ leftId: 'm', rightId: 's' }],
    },
    {
      shuffle: false,
      reuse: true,
      left: [{ leftId: 'm', text: 'сом' }],
      right: [{ rightId: 's', text: 'рыба' }],
      pairs: [{ leftId: 'm', rightId: 's' }],
    },
  ],
  [
    'an order',
    { ...base, kind: 'ordering', items: [{ itemId: 'a', text: '1' }] },
    { ...fresh, kind: 'ordering', items: [{ itemId: 'b', text: '2' }] },
    { items: [{ itemId: 'b', text: '2' }] },
  ],
  [
    'gaps',
    {
      ...base,
      kind: 'gaps',
      gaps: [
        { gapId: '7', weight: 3, input: 'line', accepted: [typed('да')], tolerance: 0 },
        {
          gapId: '4',
          weight: 2,
          input: 'choice',
          options: [{ ...option('a', 'пар'), feedback: 'Верно' }],
        },
      ],
    },
    {
      ...fresh,
      kind: 'gaps',
      gaps: [
        { gapId: '1', weight: 1, input: 'choice', options: [option('b', 'пар', true)] },
        { gapId: '2', weight: 1, input: 'number', accepted: [typed('5')], tolerance: 1 },
      ],
    },
    {
      gaps: [
        {
          gapId: '1',
          weight: 2,
          input: 'choice',
          options: [{ ...option('b', 'пар', true), feedback: 'Верно' }],
        },
        { gapId: '2', weight: 3, input: 'number', accepted: [typed('5')], tolerance: 1 },
      ],
    },
  ],
];

test.each(REVISIONS)(
  'a revision of %s replaces what a provider writes, and nothing else',
  (_, old, next, own) => {
    expect(replaceDraft(old, next)).toEqual({
      kind: old.kind,
      questionId: 'old',
      points: 2,
      text: 'Новый',
      tags: ['сила'],
      ...own,
    });
  },
);

test('a revision of another kind has the shared fields of the old one alone', () => {
  const [, choice] = REVISIONS[1] ?? [];
  const [, , ordering] = REVISIONS[3] ?? [];
  if (!choice || !ordering) throw new Error('two revisions');
  expect(replaceDraft(choice, ordering)).toEqual({
    ...ordering,
    questionId: 'old',
    tags: ['сила'],
  });
});
