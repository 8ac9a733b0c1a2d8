import type { Question, StudentQuestion } from '#contract/questions.ts';
import type { Kind } from '#domain/kinds/rules.ts';
import { complianceReview } from './compliance/review.tsx';
import { fileReview } from './file/review.tsx';
import { gapsReview } from './gaps/review.tsx';
import { openReview } from './open/review.tsx';
import { orderingReview } from './ordering/review.tsx';
import type { AnswerReview } from './review.ts';
import { variantReview } from './variant/review.tsx';

const REVIEWS: { readonly [K in Kind]: AnswerReview<K> } = {
  open: openReview,
  variant: variantReview,
  compliance: complianceReview,
  ordering: orderingReview,
  gaps: gapsReview,
  file: fileReview,
};

/** The review of an answer to a question of this kind. */
export const answerReview = <K extends Kind>({ kind }: { readonly kind: K }): AnswerReview<K> =>
  REVIEWS[kind];

/** Accepted answers of the key, which the review of the answer does not show. */
export const acceptedLines = (question: Question | StudentQuestion): string[] =>
  answerReview(question).acceptedLines?.(question) ?? [];
