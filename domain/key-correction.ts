import type { Question } from '#contract/questions.ts';
import { markRepeated, normaliseText } from './normalise.ts';
import { studentQuestion } from './student-question.ts';

/**
 * Everything of a question that its student saw, as text, including whether it is shuffled. Shuffled parts have
 * no order of their own, and a right column never has.
 */
function studentForm(question: Question): string {
  const shuffle = 'shuffle' in question && question.shuffle;
  const compared = question.kind === 'compliance' ? { ...question, shuffle: true } : question;
  return JSON.stringify([studentQuestion(compared, (_, partId) => partId), shuffle]);
}

/** Whether only the key differs: text, parts, kind and points are those the student saw. */
export function differsInKeyAlone(old: Question, corrected: Question): boolean {
  return studentForm(old) === studentForm(corrected);
}

type Accepted = Extract<Question, { kind: 'open' }>['accepted'];

function acceptedProblems(
  accepted: Accepted,
  common: number,
): { field: string; message: string }[] {
  const repeated = markRepeated(
    accepted.map(({ text, tolerance = common }) => ({ text, tolerance })),
  );
  const ofTexts = accepted.flatMap(({ text }, index) => {
    const field = `question.accepted.${index}.text`;
    if (normaliseText(text) === '') return [{ field, message: 'Впишите принимаемый ответ' }];
    return repeated[index] ? [{ field, message: 'Такой ответ уже есть' }] : [];
  });
  const isWorthless = accepted.length > 0 && accepted.every(({ share }) => share === 0);
  return isWorthless
    ? [
        ...ofTexts,
        { field: 'question.accepted.0.share', message: 'Ни один ответ не приносит баллов' },
      ]
    : ofTexts;
}

interface KeyProblem {
  readonly field: string;
  readonly message: string;
}

/** Each attempt has one of the alternatives, and all attempts have one maximum. */
const creditProblems = ({ credit, variantOf }: Question): KeyProblem[] =>
  credit === 'nobody' && variantOf !== undefined
    ? [{ field: 'question.credit', message: ALTERNATIVE_LEFT_OUT }]
    : [];

const ALTERNATIVE_LEFT_OUT =
  'Это один из равноценных вопросов: без него у учеников был бы разный максимум. Засчитайте его всем.';

/**
 * Problems of a key as such, by field of the question; empty: none. As strict as publishing: otherwise the test
 * could not be saved afterwards.
 */
export const keyProblems = (question: Question): KeyProblem[] => [
  ...creditProblems(question),
  ...partProblems(question),
];

function partProblems(question: Question): KeyProblem[] {
  switch (question.kind) {
    case 'open':
      return acceptedProblems(question.accepted, question.tolerance);
    case 'variant': {
      const right = question.options.filter((option) => option.isRight).length;
      return right === 0
        ? [{ field: 'question.options', message: 'Отметьте хотя бы один верный вариант' }]
        : [];
    }
    case 'compliance': {
      const left = new Set(question.left.map((item) => item.leftId));
      const right = new Set(question.right.map((item) => item.rightId));
      const paired = new Set(question.pairs.map((pair) => pair.leftId));
      const isWhole =
        paired.size === left.size &&
        question.pairs.length === left.size &&
        question.pairs.every((pair) => left.has(pair.leftId) && right.has(pair.rightId));
      return isWhole ? [] : [{ field: 'question.pairs', message: 'Подберите верные пары' }];
    }
    case 'gaps':
      return question.gaps.flatMap((gap, index) => {
        if (gap.input === 'choice')
          return gap.options.some(({ isRight }) => isRight)
            ? []
            : [{ field: `question.gaps.${index}`, message: 'Отметьте верный вариант' }];
        if (gap.accepted.length === 0)
          return [{ field: `question.gaps.${index}`, message: 'Впишите принимаемый ответ' }];
        return acceptedProblems(gap.accepted, gap.tolerance).map(({ message }) => ({
          field: `question.gaps.${index}`,
          message,
        }));
      });
    // Any order of the same items is a key.
    case 'ordering':
    case 'file':
      return [];
  }
}
