import type { Question } from '#contract/questions.ts';
import { studentQuestion } from './student-question.ts';

/** A name for the order of shuffled parts: two questions are compared as the same attempt would get them. */
const ANY_ATTEMPT = 'any';

/** Everything of a question that its student saw, as text; shuffled or not belongs to it. */
export function studentForm(question: Question): string {
  const shuffle = 'shuffle' in question && question.shuffle;
  return JSON.stringify([studentQuestion(question, ANY_ATTEMPT), shuffle]);
}

/** Whether only the key differs: text, parts, kind and points are those the student saw. */
export function differsInKeyAlone(old: Question, corrected: Question): boolean {
  return studentForm(old) === studentForm(corrected);
}

/** What is wrong with a key as such, by field of the question; empty: nothing. */
export function keyProblems(question: Question): { field: string; message: string }[] {
  switch (question.kind) {
    case 'open':
      return question.accepted.flatMap(({ text }, index) =>
        text.trim() === ''
          ? [{ field: `question.accepted.${index}.text`, message: 'Впишите принимаемый ответ' }]
          : [],
      );
    case 'variant': {
      const right = question.options.filter((option) => option.isRight).length;
      if (right === 0)
        return [{ field: 'question.options', message: 'Отметьте хотя бы один верный вариант' }];
      if (!question.multiple && right > 1)
        return [{ field: 'question.options', message: 'Верный вариант здесь один' }];
      return [];
    }
    case 'compliance': {
      const left = new Set(question.left.map((item) => item.leftId));
      const right = new Set(question.right.map((item) => item.rightId));
      const isWhole =
        question.pairs.length > 0 &&
        new Set(question.pairs.map((pair) => pair.leftId)).size === question.pairs.length &&
        question.pairs.every((pair) => left.has(pair.leftId) && right.has(pair.rightId));
      return isWhole ? [] : [{ field: 'question.pairs', message: 'Подберите верные пары' }];
    }
    case 'file':
      return [];
  }
}

/** The key of a question, as text; two questions with the same are scored alike. */
export function keyForm(question: Question): string {
  switch (question.kind) {
    case 'open':
      return JSON.stringify([
        question.accepted.map(({ text, share }) => [text, share]),
        question.tolerance,
      ]);
    case 'variant':
      return JSON.stringify([
        question.options.flatMap(({ optionId, isRight }) => (isRight ? [optionId] : [])),
        question.scoring,
      ]);
    case 'compliance':
      return JSON.stringify(question.pairs.map(({ leftId, rightId }) => [leftId, rightId]));
    case 'file':
      return '';
  }
}
