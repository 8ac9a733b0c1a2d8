import { ReviewedOrder } from '#app/ui/taking/AnswerReview.tsx';
import { renderInline } from '#app/ui/rich-text/render-inline.tsx';
import type { AnswerReview, ReviewProps } from '#app/questions/review.ts';

const Review = ({ question, answer, isKeyShown, owner }: ReviewProps<'ordering'>) => (
  <ReviewedOrder
    items={question.items}
    order={answer?.itemIds ?? []}
    isKey={isKeyShown}
    owner={owner}
    renderText={renderInline}
  />
);

export const orderingReview: AnswerReview<'ordering'> = { Review };
