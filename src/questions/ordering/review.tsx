import { ReviewedOrder } from '#app/ui/taking/AnswerReview.tsx';
import type { AnswerReview, ReviewProps } from '#app/questions/review.ts';

const Review = ({ question, answer, isKeyShown, whose, renderText }: ReviewProps<'ordering'>) => (
  <ReviewedOrder
    items={question.items}
    order={answer?.itemIds ?? []}
    isKey={isKeyShown}
    whose={whose}
    renderText={renderText}
  />
);

export const orderingReview: AnswerReview<'ordering'> = { Review };
