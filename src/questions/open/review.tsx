import { Stack } from '@mantine/core';
import { answerFeedback } from '#domain/matched-answers.ts';
import { ReviewedFeedback, ReviewedText } from '#app/ui/taking/AnswerReview.tsx';
import type { AnswerReview, ReviewProps } from '#app/questions/review.ts';
import { formatAccepted } from './accepted-lines.ts';

function Review({ question, answer, whose, renderText }: ReviewProps<'open'>) {
  if (!answer) return null;
  return (
    <Stack gap="xs">
      <ReviewedText text={answer.text} whose={whose} />
      {'accepted' in question && (
        <ReviewedFeedback text={answerFeedback(question, answer.text)} renderText={renderText} />
      )}
    </Stack>
  );
}

export const openReview: AnswerReview<'open'> = { Review, acceptedLines: formatAccepted };
