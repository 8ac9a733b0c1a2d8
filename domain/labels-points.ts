import type { StudentQuestion } from '#contract/questions.ts';
import { formatCount, formatPoints } from './format.ts';
import { answerRules } from './kinds/answer-kinds.ts';

/** «до 4 баллов» */
export const formatPointsUpTo = (points: number): string =>
  `до ${formatCount(points, ['балла', 'баллов', 'баллов'])}`;

/** «2 балла»; «до 4 баллов» for a question graded by hand: a file or a long text. */
export const questionPointsLabel = (question: StudentQuestion): string =>
  (answerRules(question).isGradedByHand?.(question) ? formatPointsUpTo : formatPoints)(
    question.points,
  );
