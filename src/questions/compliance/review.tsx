import { ReviewedPairs } from '#app/ui/taking/AnswerReview.tsx';
import type { AnswerReview, ReviewProps } from '#app/questions/review.ts';

const Review = ({ question, answer, whose, renderText }: ReviewProps<'compliance'>) => (
  <ReviewedPairs
    left={question.left}
    right={question.right}
    pairs={answer?.pairs ?? null}
    rightPairs={'pairs' in question ? question.pairs : null}
    whose={whose}
    renderText={renderText}
  />
);

export const complianceReview: AnswerReview<'compliance'> = { Review };
