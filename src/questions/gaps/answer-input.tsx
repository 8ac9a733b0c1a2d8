import { GAP_TEXT_CHARACTERS } from '#contract/limits.ts';
import { formatCount } from '#domain/format.ts';
import { isFilledGap } from '#domain/kinds/gaps/answers.ts';
import { lazyPart } from '#app/ui/lazy/lazy-part.tsx';
import { RichText } from '#app/ui/rich-text/RichText.tsx';
import { QuestionText } from '#app/ui/taking/TakingLayout.tsx';
import type { AnswerFieldProps, AnswerInput } from '#app/questions/answer-field.ts';

const GapsField = lazyPart(
  () => import('#app/ui/taking/GapsField.tsx'),
  (module) => module.GapsField,
);

function AnswerField(props: AnswerFieldProps<'gaps'>) {
  const { question, answer, store, locked, labelledBy, onNext } = props;
  const { questionId, text } = question;
  return (
    <QuestionText id={labelledBy}>
      <GapsField
        waiting={<RichText text={text} />}
        text={text}
        gaps={question.gaps}
        answered={answer?.gaps ?? []}
        locked={locked}
        maxLength={GAP_TEXT_CHARACTERS}
        onChange={(gaps, isWhole) => {
          store.type({ questionId, kind: 'gaps', gaps });
          if (isWhole) void store.commit();
        }}
        onBlur={() => void store.commit()}
        onEnter={onNext}
      />
    </QuestionText>
  );
}

const GAPS = ['пропуск', 'пропуска', 'пропусков'] as const;

export const gapsInput: AnswerInput<'gaps'> = {
  Field: AnswerField,
  preload: () => GapsField.preload(),
  holdsText: () => true,
  summary: ({ gaps }) => `Заполнено: ${formatCount(gaps.filter(isFilledGap).length, GAPS)}`,
};
