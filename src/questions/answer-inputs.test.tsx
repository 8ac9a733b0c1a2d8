import { expect, test } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { QuestionKind } from '#contract/bank.ts';
import { newQuestion } from '#domain/new-question.ts';
import { studentQuestion } from '#domain/student-question.ts';
import type { StudentQuestionOf } from '#domain/kinds/rules.ts';
import {
  answerInput,
  digitsOf,
  holdsText,
  ownAnswer,
  pressDigit,
  summaryOf,
} from './answer-inputs.ts';

const KINDS = QuestionKind.options;

let last = 0;
const newId = () => `id-${(last += 1)}`;

const choice: StudentQuestionOf<'variant'> = {
  questionId: 'q',
  kind: 'variant',
  text: 'Где клетка?',
  points: 1,
  multiple: true,
  options: [
    { optionId: 'a', text: 'слева' },
    { optionId: 'b', text: 'справа' },
  ],
};
const area = { shape: 'rectangle', left: 0, top: 0, width: 0.1, height: 0.1 } as const;
const onPicture = { ...choice, options: [{ optionId: 'a', text: 'слева', area }] };
const chosen = (optionIds: string[]): Answer => ({ questionId: 'q', kind: 'variant', optionIds });

test('only gaps and areas of a picture are answered within the text of the question', () => {
  const holding = KINDS.filter((kind) =>
    holdsText(studentQuestion(newQuestion(kind, newId), (_, id) => id)),
  );
  expect(holding).toEqual(['gaps']);
  expect(holdsText(onPicture)).toBe(true);
  expect(holdsText({ ...onPicture, text: ' ' })).toBe(false);
});

test('a digit chooses an option, or deselects it if several may be chosen', () => {
  expect(digitsOf(choice)).toBe(2);
  expect(pressDigit(choice, null, 2)).toEqual(chosen(['b']));
  expect(pressDigit(choice, chosen(['b']), 1)).toEqual(chosen(['a', 'b']));
  expect(pressDigit(choice, chosen(['a', 'b']), 1)).toEqual(chosen(['b']));
  expect(pressDigit({ ...choice, multiple: false }, chosen(['b']), 1)).toEqual(chosen(['a']));
  expect(pressDigit(choice, null, 3)).toBeNull();
});

test('digits choose nothing in the other kinds', () => {
  for (const kind of KINDS.filter((one) => one !== 'variant')) {
    const question = studentQuestion(newQuestion(kind, newId), (_, id) => id);
    expect(digitsOf(question), kind).toBe(0);
    expect(pressDigit(question, null, 1), kind).toBeNull();
  }
});

test('an answer of another kind is none of this question', () => {
  expect(ownAnswer(choice, { questionId: 'q', kind: 'open', text: '7' })).toBeNull();
  expect(ownAnswer(choice, chosen(['a']))).toEqual(chosen(['a']));
});

test('files alone show themselves where they are stored', () => {
  expect(KINDS.filter((kind) => answerInput({ kind }).holdsState)).toEqual(['file']);
});

test('an answer without its question is shown briefly', () => {
  const questionId = 'q';
  const answers: Answer[] = [
    { questionId, kind: 'open', text: '4,9' },
    chosen(['a', 'b']),
    { questionId, kind: 'compliance', pairs: [{ leftId: 'l', rightId: 'r' }] },
    { questionId, kind: 'ordering', itemIds: ['a', 'b', 'c'] },
    {
      questionId,
      kind: 'gaps',
      gaps: [
        { gapId: '1', text: ' ' },
        { gapId: '2', text: 'пар' },
      ],
    },
    {
      questionId,
      kind: 'file',
      fileId: 'f',
      name: 'опыт.jpg',
      size: 2048,
      mimeType: 'image/jpeg',
      sha256: '',
    },
  ];
  expect(answers.map((answer) => summaryOf(answer).replaceAll('\u00a0', ' '))).toEqual([
    '4,9',
    'Выбрано: 2 варианта',
    'Составлено: 1 пара',
    'Расставлено: 3 пункта',
    'Заполнено: 1 пропуск',
    'Файл «опыт.jpg», 2 КБ',
  ]);
});
