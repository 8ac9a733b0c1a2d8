import { expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import type { QuestionTemplate } from '#contract/templates.ts';
import type { DrawnQuestion } from './assembly.ts';
import { nearDuplicateMessages } from './near-duplicates.ts';

const drawn = (text: string, source: 'bank' | 'template' = 'bank'): DrawnQuestion => ({
  question: { questionId: text, text } as Question,
  source:
    source === 'bank'
      ? { kind: 'bank', entryId: text, slot: 'any', facility: null }
      : { kind: 'template', template: {} as QuestionTemplate },
});

test('drawn questions that resemble each other are named', () => {
  const items = [
    drawn('Столица Франции?'),
    drawn('Тело массой 2 кг движется с ускорением 3 м/с². Чему равна сила?'),
    drawn('столица  Франции'),
  ];
  expect(nearDuplicateMessages(items)).toEqual([
    'Похожи: «Столица Франции?» и «столица Франции». Если оба не нужны, замените один.',
  ]);
  expect(nearDuplicateMessages(items.slice(0, 2))).toEqual([]);
});

test('variants of a template are not', () => {
  expect(nearDuplicateMessages([drawn('2 + 2?', 'template'), drawn('2 + 2', 'template')])).toEqual(
    [],
  );
});
