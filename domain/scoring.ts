import type { Answer } from '#contract/answers.ts';
import type { Question } from '#contract/questions.ts';
import { isAnswered } from './answered.ts';
import { questionRules } from './kinds/question-kinds.ts';
import { selectVariants } from './variants.ts';

/** Points have at most two decimals. */
function roundPoints(points: number): number {
  return Math.round((points + Number.EPSILON) * 100) / 100;
}

/** Whether only a person can grade answers to this question. */
export const isGradedByHand = (question: Question): boolean =>
  questionRules(question).isGradedByHand(question);

/** A question's share of the maximum: none if it is left out. */
export const countedPoints = ({ points, credit }: Pick<Question, 'points' | 'credit'>): number =>
  credit === 'nobody' ? 0 : points;

export type ItemScore =
  | { readonly kind: 'graded'; readonly points: number }
  /** A manual grade is missing. */
  | { readonly kind: 'pending' };

/**
 * Points of one question. If everybody or nobody is credited, neither key nor grade counts. Otherwise a manual grade
 * overrides the automatic one, and unanswered is 0.
 */
export function scoreItem(
  question: Question,
  answer: Answer | undefined,
  grade: number | undefined,
): ItemScore {
  if (question.credit !== undefined) return { kind: 'graded', points: countedPoints(question) };
  if (grade !== undefined)
    return { kind: 'graded', points: roundPoints(Math.min(grade, question.points)) };
  if (!answer || !isAnswered(answer) || answer.kind !== question.kind)
    return { kind: 'graded', points: 0 };
  if (isGradedByHand(question)) return { kind: 'pending' };
  const share = questionRules(question).share(question, answer);
  return { kind: 'graded', points: roundPoints(question.points * share) };
}

export interface AttemptScore {
  /** Points of the graded questions. */
  readonly points: number;
  /** Sum of points of the graded questions; below the maximum while a grade is missing. */
  readonly gradedMax: number;
  readonly max: number;
  readonly pendingQuestionIds: readonly string[];
  readonly items: ReadonlyMap<string, ItemScore>;
}

/** Score of an attempt from the answers that count: pure, so the same journal always gives the same mark. */
export function scoreAttempt(
  questions: readonly Question[],
  answers: ReadonlyMap<string, Answer>,
  grades: ReadonlyMap<string, number>,
): AttemptScore {
  const items = new Map<string, ItemScore>();
  let points = 0;
  let gradedMax = 0;
  for (const question of questions) {
    const item = scoreItem(
      question,
      answers.get(question.questionId),
      grades.get(question.questionId),
    );
    items.set(question.questionId, item);
    if (item.kind === 'pending') continue;
    points += item.points;
    gradedMax += countedPoints(question);
  }
  return {
    points: roundPoints(points),
    gradedMax: roundPoints(gradedMax),
    max: maxPoints(questions),
    pendingQuestionIds: questions
      .map((q) => q.questionId)
      .filter((id) => items.get(id)?.kind === 'pending'),
    items,
  };
}

/** Maximum points of one attempt: one of several alternatives counts. */
export function maxPoints(questions: readonly Question[]): number {
  return roundPoints(
    selectVariants(questions, 0).reduce((sum, question) => sum + countedPoints(question), 0),
  );
}
