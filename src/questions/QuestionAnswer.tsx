import type { AnswerFieldProps } from './answer-field.ts';
import { answerInput, ownAnswer } from './answer-inputs.ts';

/** The answer field of a question, by its kind. Includes the question's text if the fields are inside it. */
export function QuestionAnswer(props: Omit<AnswerFieldProps, 'answer'>) {
  const { question, shown } = props;
  const { Field } = answerInput(question);
  return <Field {...props} answer={ownAnswer(question, shown.answer)} />;
}
