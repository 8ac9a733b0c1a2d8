import { ReviewedPairs } from '#app/ui/taking/AnswerReview.tsx';
import { renderInline } from '#app/ui/rich-text/render-inline.tsx';
import type { AnswerReview, ReviewProps } from '#app/questions/review.ts';

const Review = ({ question, answer, owner }: ReviewProps<'compliance'>) => (
  <ReviewedPairs
    left={question.left}
    right={question.right}
    pairs={answer?.pairs ?? null}
    rightPairs={'pairs' in question ? question.pairs : null}
    owner={owner}
    renderText={renderInline}
  />
);

export const complianceReview: AnswerReview<'compliance'> = { Review };
