import { RichText } from '#app/ui/rich-text/RichText.tsx';
import { QuestionText } from '#app/ui/taking/TakingLayout.tsx';
import { Transcript } from '#app/ui/taking/Transcript.tsx';
import type { AnswerFieldProps } from './answer-field.ts';
import { holdsText } from './answer-inputs.ts';
import { QuestionAnswer } from './QuestionAnswer.tsx';

/** A question as it is taken, in an attempt and in the preview of a test: its text, transcript and answer field. */
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
