import type { Question } from '#contract/questions.ts';

type Alternative = Pick<Question, 'questionId' | 'variantOf'>;

/** The id of a place in the test, shared by alternatives. */
export const placeId = ({ variantOf, questionId }: Alternative): string => variantOf ?? questionId;

/** The questions by their places, in the order of the test. */
export function byPlace<Q extends Alternative>(questions: readonly Q[]): Map<string, Q[]> {
  const places = new Map<string, Q[]>();
  for (const question of questions) {
    const alternatives = places.get(placeId(question));
    if (alternatives) alternatives.push(question);
    else places.set(placeId(question), [question]);
  }
  return places;
}

/** Number of questions of one attempt. */
export const countSelected = (questions: readonly Alternative[]): number => byPlace(questions).size;

/** The alternatives repeat after this number of draws; 1: there are none, and everybody gets the same. */
export function drawCount(questions: readonly Alternative[]): number {
  return Math.max(1, ...[...byPlace(questions).values()].map(({ length }) => length));
}

/** The questions of an attempt with this draw, from 0. Consecutive draws always differ. */
export function selectVariants<Q extends Alternative>(questions: readonly Q[], draw: number): Q[] {
  return [...byPlace(questions).values()].flatMap((alternatives) => {
    const chosen = alternatives[draw % alternatives.length];
    return chosen ? [chosen] : [];
  });
}
