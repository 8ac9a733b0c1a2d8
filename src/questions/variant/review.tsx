import { reviewedChoices } from '#domain/reviewed-choices.ts';
import { ReviewedChoices } from '#app/ui/taking/AnswerReview.tsx';
import { renderInline } from '#app/ui/rich-text/render-inline.tsx';
import type { AnswerReview, ReviewProps } from '#app/questions/review.ts';

const Review = ({ question, answer, owner }: ReviewProps<'variant'>) => (
  <ReviewedChoices
    options={reviewedChoices(question)}
    chosen={answer?.optionIds ?? []}
    multiple={question.multiple}
    owner={owner}
    renderText={renderInline}
  />
);

export const variantReview: AnswerReview<'variant'> = {
  Review,
  areas: (question, answer) =>
    reviewedChoices(question).flatMap(({ id, isRight, area, mark = '' }) => {
      const isChosen = answer?.optionIds.includes(id) === true;
      const wrong = isChosen && isRight === false ? ('bad' as const) : undefined;
      return area ? [{ id, mark, area, isChosen, tone: isRight ? ('ok' as const) : wrong }] : [];
    }),
};
