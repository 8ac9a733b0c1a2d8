import { Stack } from '@mantine/core';
import { answerFeedback } from '#domain/matched-answers.ts';
import { ReviewedFeedback, ReviewedText } from '#app/ui/taking/AnswerReview.tsx';
import { renderInline } from '#app/ui/rich-text/render-inline.tsx';
import type { AnswerReview, ReviewProps } from '#app/questions/review.ts';
import { formatAccepted } from './accepted-lines.ts';

function Review({ question, answer, owner }: ReviewProps<'open'>) {
  if (!answer) return null;
  return (
    <Stack gap="xs">
      <ReviewedText text={answer.text} owner={owner} />
      {'accepted' in question && (
        <ReviewedFeedback text={answerFeedback(question, answer.text)} renderText={renderInline} />
      )}
    </Stack>
  );
}

export const openReview: AnswerReview<'open'> = { Review, acceptedLines: formatAccepted };
