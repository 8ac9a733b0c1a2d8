import { ANSWER_TEXT_CHARACTERS } from '#contract/limits.ts';
import { TextAnswerField } from '#app/ui/taking/TextAnswerField.tsx';
import type { AnswerFieldProps, AnswerInput } from '#app/questions/answer-field.ts';

function AnswerField(props: AnswerFieldProps<'open'>) {
  const { question, answer, store, locked, labelledBy, onNext } = props;
  const { questionId } = question;
  return (
    <TextAnswerField
      value={answer?.text ?? ''}
      input={question.input}
      describedBy={labelledBy}
      locked={locked}
      maxLength={ANSWER_TEXT_CHARACTERS}
      onChange={(text) => store.type({ questionId, kind: 'open', text })}
      onBlur={() => void store.commit()}
      onEnter={onNext}
    />
  );
}

export const openInput: AnswerInput<'open'> = {
  Field: AnswerField,
  summary: ({ text }) => text,
};
