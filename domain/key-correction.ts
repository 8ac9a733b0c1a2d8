import type { Question } from '#contract/questions.ts';
import { questionRules } from './kinds/question-kinds.ts';
import type { KeyProblem } from './kinds/rules.ts';
import { studentQuestion } from './student-question.ts';

/**
 * Everything of a question that its student saw, as text, including whether it is shuffled. Shuffled parts have
 * no order of their own, and a right column never has.
 */
function studentForm(question: Question): string {
  const shuffle = 'shuffle' in question && question.shuffle;
  const compared = questionRules(question).shuffleParts?.(question) ?? question;
  return JSON.stringify([studentQuestion(compared, (_, partId) => partId), shuffle]);
}

/** Whether only the key differs: text, parts, kind and points are those the student saw. */
export function differsInKeyAlone(old: Question, corrected: Question): boolean {
  return studentForm(old) === studentForm(corrected);
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
  ...questionRules(question).keyProblems(question),
];
