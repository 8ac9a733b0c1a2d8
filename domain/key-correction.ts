import type { Question } from '#contract/questions.ts';
import { questionRules } from './kinds/question-kinds.ts';
import type { KeyProblem } from './kinds/rules.ts';
import { studentQuestion } from './student-question.ts';

/**
 * The student's view of a question, as text, including whether it is shuffled. The stored order of shuffled parts and
 * of a right column does not matter.
 */
function studentForm(question: Question): string {
  const shuffle = 'shuffle' in question && question.shuffle;
  const compared = questionRules(question).shuffleParts?.(question) ?? question;
  return JSON.stringify([studentQuestion(compared, (_, partId) => partId), shuffle]);
}

/** Whether only the key differs: text, parts, kind and points are those that the student saw. */
export function differsInKeyAlone(old: Question, corrected: Question): boolean {
  return studentForm(old) === studentForm(corrected);
}

/** Credit is not possible for alternatives: each attempt contains one of them, and all attempts have one maximum. */
const creditProblems = ({ credit, variantOf }: Question): KeyProblem[] =>
  credit === 'nobody' && variantOf !== undefined
    ? [{ field: 'question.credit', message: ALTERNATIVE_LEFT_OUT }]
    : [];

const ALTERNATIVE_LEFT_OUT =
  'Это один из равноценных вопросов: без него у учеников был бы разный максимум. Засчитайте его всем.';

/**
 * Problems of the key alone, by field of the question; empty: none. As strict as publishing: otherwise the test could
 * not be saved afterwards.
 */
export const keyProblems = (question: Question): KeyProblem[] => [
  ...creditProblems(question),
  ...questionRules(question).keyProblems(question),
];
