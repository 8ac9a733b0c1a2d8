import type { Answer } from '#contract/answers.ts';
import type { Question } from '#contract/questions.ts';
import { isAnswered } from './answered.ts';
import { gapsShare } from './gaps.ts';
import { matchedAnswers } from './matched-answers.ts';
import { orderShare } from './ordering.ts';
import { askedQuestions } from './variants.ts';

/** Points have at most two decimals. */
function roundPoints(points: number): number {
  return Math.round((points + Number.EPSILON) * 100) / 100;
}

function openShare(question: Extract<Question, { kind: 'open' }>, text: string): number {
  return matchedAnswers(question, text)[0]?.share ?? 0;
}

/**
 * Where one may be chosen, all for any right one; where several, the right ones chosen less the wrong ones, by all right
 * ones, and never less than 0. So does QTI's `map_response` with 1/n for a right choice, −1/n for another and a lower bound of 0.
 */
function variantShare(
  question: Extract<Question, { kind: 'variant' }>,
  optionIds: readonly string[],
): number {
  const right = new Set(question.options.filter((o) => o.isRight).map((o) => o.optionId));
  const chosen = new Set(optionIds);
  if (right.size === 0) return 0;
  const hits = [...chosen].filter((id) => right.has(id)).length;
  const wrong = chosen.size - hits;
  if (!question.multiple) return hits === 1 && wrong === 0 ? 1 : 0;
  if (question.scoring === 'allOrNothing') {
    return hits === right.size && wrong === 0 ? 1 : 0;
  }
  return Math.max(0, (hits - wrong) / right.size);
}

/**
 * The part of the left items that were matched rightly; a wrong pair costs nothing, and a right item may serve
 * several left ones. So does Moodle (`qtype_match_question::grade_response`: correct stems by all stems), and
 * QTI's `map_response` with an equal value for each pair.
 */
function complianceShare(
  question: Extract<Question, { kind: 'compliance' }>,
  pairs: readonly { leftId: string; rightId: string }[],
): number {
  if (question.pairs.length === 0) return 0;
  const chosen = new Map(pairs.map((pair) => [pair.leftId, pair.rightId]));
  const right = question.pairs.filter((pair) => chosen.get(pair.leftId) === pair.rightId).length;
  return right / question.pairs.length;
}

/** Whether only a person can grade answers to this question. */
export function isGradedByHand(question: Question): boolean {
  return question.kind === 'file' || (question.kind === 'open' && question.accepted.length === 0);
}

/** A question's part of the maximum: none where it is left out. */
export const countedPoints = ({ points, credit }: Pick<Question, 'points' | 'credit'>): number =>
  credit === 'nobody' ? 0 : points;

export type ItemScore =
  | { readonly kind: 'graded'; readonly points: number }
  /** A manual grade is missing. */
  | { readonly kind: 'pending' };

/**
 * Points of one question. Where everybody or nobody is credited, neither key nor grade counts; else a manual grade
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
  return { kind: 'graded', points: roundPoints(question.points * share(question, answer)) };
}

function share(question: Question, answer: Answer): number {
  switch (question.kind) {
    case 'open':
      return answer.kind === 'open' ? openShare(question, answer.text) : 0;
    case 'variant':
      return answer.kind === 'variant' ? variantShare(question, answer.optionIds) : 0;
    case 'compliance':
      return answer.kind === 'compliance' ? complianceShare(question, answer.pairs) : 0;
    case 'ordering': {
      const right = question.items.map(({ itemId }) => itemId);
      return answer.kind === 'ordering' ? orderShare(answer.itemIds, right) : 0;
    }
    case 'gaps':
      return answer.kind === 'gaps' ? gapsShare(question, answer.gaps) : 0;
    case 'file':
      return 0;
  }
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

/** Maximum points of one attempt: of alternatives one counts. */
export function maxPoints(questions: readonly Question[]): number {
  return roundPoints(
    askedQuestions(questions, 0).reduce((sum, question) => sum + countedPoints(question), 0),
  );
}
