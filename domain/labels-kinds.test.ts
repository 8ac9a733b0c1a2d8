import { expect, test } from 'vitest';
import { QuestionKind } from '#contract/bank.ts';
import { questionKindLabel, wireKindLabel } from './labels-kinds.ts';

test('a question has the label of its kind in the editor', () => {
  expect(questionKindLabel({ kind: 'variant', multiple: false })).toBe('Один ответ');
  expect(questionKindLabel({ kind: 'variant', multiple: true })).toBe('Несколько ответов');
  expect(questionKindLabel({ kind: 'open', input: 'line' })).toBe('Ввод ответа');
  expect(questionKindLabel({ kind: 'open', input: 'number' })).toBe('Ввод ответа');
  expect(questionKindLabel({ kind: 'open', input: 'text' })).toBe('Развёрнутый ответ');
  expect(questionKindLabel({ kind: 'compliance', multiple: false })).toBe('Соответствие');
});

test('a kind on the wire is named after every kind of the editor that it holds', () => {
  expect(QuestionKind.options.map(wireKindLabel)).toEqual(
    expect.arrayContaining([
      'Один ответ или несколько ответов',
      'Ввод ответа или развёрнутый ответ',
      'Соответствие',
      'Порядок',
      'Пропуски',
      'Файл',
    ]),
  );
});
