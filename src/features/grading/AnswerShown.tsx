import { Text } from '@mantine/core';
import type { Answer } from '#contract/answers.ts';
import type { Question } from '#contract/questions.ts';
import { isAnswered } from '#domain/answered.ts';
import { formatKey } from '#domain/format-answer.ts';
import { reviewedChoices } from '#domain/reviewed-choices.ts';
import { reviewedGaps } from '#domain/reviewed-gaps.ts';
import {
  ReviewedChoices,
  ReviewedOrder,
  ReviewedPairs,
  ReviewedText,
} from '#app/ui/taking/AnswerReview.tsx';
import { ReviewedGaps } from '#app/ui/taking/ReviewedGaps.tsx';
import { RichText } from '#app/ui/rich-text/RichText.tsx';
import { ShownFiles } from './ShownFile.tsx';

export interface AnswerShownProps {
  question: Question;
  answer: Answer | null;
  resolveImage: (key: string) => Promise<string>;
}

/** The student's answer beside the correct one. */
export function AnswerShown({ question, answer, resolveImage }: AnswerShownProps) {
  const renderText = (text: string) => <RichText inline text={text} resolveImage={resolveImage} />;
  const isNone = !isAnswered(answer);
  const none = isNone && (
    <Text inherit c="dimmed">
      Без ответа
    </Text>
  );
  switch (question.kind) {
    case 'variant':
      return (
        <>
          {none}
          <ReviewedChoices
            options={reviewedChoices(question)}
            chosen={answer?.kind === 'variant' ? answer.optionIds : []}
            multiple={question.multiple}
            whose="student"
            renderText={renderText}
          />
        </>
      );
    case 'compliance':
      return (
        <>
          {none}
          <ReviewedPairs
            left={question.left}
            right={question.right}
            pairs={answer?.kind === 'compliance' ? answer.pairs : []}
            rightPairs={question.pairs}
            whose="student"
            renderText={renderText}
          />
        </>
      );
    case 'ordering':
      return (
        <>
          {none}
          <ReviewedOrder
            items={question.items}
            order={answer?.kind === 'ordering' ? answer.itemIds : []}
            isKey
            whose="student"
            renderText={renderText}
          />
        </>
      );
    case 'gaps':
      return (
        <>
          {none}
          <ReviewedGaps
            gaps={reviewedGaps(question.gaps, answer?.kind === 'gaps' ? answer.gaps : [])}
            whose="student"
            renderText={renderText}
          />
        </>
      );
    case 'open': {
      const key = formatKey(question);
      return (
        <>
          {none || (answer?.kind === 'open' && <ReviewedText text={answer.text} whose="student" />)}
          {key !== null && (
            <p>
              <Text span size="sm" c="dimmed">
                По ключу верно:
              </Text>{' '}
              {key}
            </p>
          )}
        </>
      );
    }
    case 'file':
      return none || (answer?.kind === 'file' ? <ShownFiles answer={answer} /> : null);
  }
}
