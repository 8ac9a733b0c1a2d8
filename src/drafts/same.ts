import * as v from 'valibot';
import { Question } from '#contract/questions.ts';
import { questionRules } from '#domain/kinds/question-kinds.ts';

const known = new WeakMap<Question, string>();

/** Sorts keys; absent and undefined are equal. */
const sorted = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** Sorts the parts that the server reorders. */
const withoutPartOrder = (question: Question): Question =>
  questionRules(question).sortParts?.(question, (partId) => partId) ?? question;

/** Canonical text of a question: equal for the typed and the server's form. */
function fingerprint(question: Question): string {
  const found = known.get(question);
  if (found !== undefined) return found;
  const parsed = v.safeParse(Question, question);
  const said = withoutPartOrder(parsed.success ? parsed.output : question);
  const text = JSON.stringify(said, sorted);
  known.set(question, text);
  return text;
}

/** Whether two questions are equal; undefined: absent. */
export function sameQuestion(a: Question | undefined, b: Question | undefined): boolean {
  if (a === b) return true;
  return a !== undefined && b !== undefined && fingerprint(a) === fingerprint(b);
}

/** Whether two lists are equal, including order. */
export const sameList = (a: readonly Question[], b: readonly Question[]): boolean =>
  a === b ||
  (a.length === b.length && a.every((question, index) => sameQuestion(question, b[index])));

export const byId = (questions: readonly Question[]): Map<string, Question> =>
  new Map(questions.map((question) => [question.questionId, question]));

export const idsOf = (questions: readonly Question[]): string[] =>
  questions.map(({ questionId }) => questionId);
