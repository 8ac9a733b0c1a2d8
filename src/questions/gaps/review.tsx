import { reviewedGaps } from '#domain/reviewed-gaps.ts';
import { ReviewedGaps } from '#app/ui/taking/ReviewedGaps.tsx';
import { renderInline } from '#app/ui/rich-text/render-inline.tsx';
import type { AnswerReview, ReviewProps } from '#app/questions/review.ts';

const Review = ({ question, answer, owner }: ReviewProps<'gaps'>) => (
  <ReviewedGaps
    gaps={reviewedGaps(question.gaps, answer?.gaps ?? [])}
    owner={owner}
    renderText={renderInline}
  />
);

export const gapsReview: AnswerReview<'gaps'> = { Review };
