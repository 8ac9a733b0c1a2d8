import { RichText } from '#app/ui/rich-text/RichText.tsx';
import { QuestionText } from '#app/ui/taking/TakingLayout.tsx';
import { Transcript } from '#app/ui/taking/Transcript.tsx';
import type { AnswerFieldProps } from './answer-field.ts';
import { holdsText } from './answer-inputs.ts';
import { QuestionAnswer } from './QuestionAnswer.tsx';

/** The text, transcript and answer field of a question, for an attempt and for the preview of a test. */
export function QuestionContent(props: Omit<AnswerFieldProps, 'answer'>) {
  const { question, labelledBy } = props;
  return (
    <>
      {!holdsText(question) && (
        <QuestionText id={labelledBy}>
          <RichText text={question.text} />
        </QuestionText>
      )}
      <Transcript of={question} />
      <QuestionAnswer key={question.questionId} {...props} />
    </>
  );
}
