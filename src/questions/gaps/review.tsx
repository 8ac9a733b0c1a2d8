import { reviewedGaps } from '#domain/reviewed-gaps.ts';
import { ReviewedGaps } from '#app/ui/taking/ReviewedGaps.tsx';
import type { AnswerReview, ReviewProps } from '#app/questions/review.ts';

const Review = ({ question, answer, whose, renderText }: ReviewProps<'gaps'>) => (
  <ReviewedGaps
    gaps={reviewedGaps(question.gaps, answer?.gaps ?? [])}
    whose={whose}
    renderText={renderText}
  />
);

export const gapsReview: AnswerReview<'gaps'> = { Review };
