import { lazy, Suspense } from 'react';
import { ChoiceList } from '#app/ui/taking/ChoiceList.tsx';
import { MatchingField } from '#app/ui/taking/MatchingField.tsx';
import { TextAnswerField } from '#app/ui/taking/TextAnswerField.tsx';
import { ANSWER_TEXT_CHARACTERS } from '#contract/limits.ts';
import type { QuestionAnswerProps } from './answer-props.ts';
import { FileAnswer } from './FileAnswer.tsx';

/** Rare, and dragging is heavy. */
const OrderingField = lazy(async () => ({
  default: (await import('#app/ui/taking/OrderingField.tsx')).OrderingField,
}));

/** The answer field of a question, by its kind. */
export function QuestionAnswer(props: QuestionAnswerProps) {
  const { question, shown, answering, locked, labelledBy, renderText, onNext } = props;
  const { questionId } = question;
  const { answer } = shown;
  switch (question.kind) {
    case 'open':
      return (
        <TextAnswerField
          value={answering.textOf(shown)}
          input={question.input}
          describedBy={labelledBy}
          locked={locked}
          maxLength={ANSWER_TEXT_CHARACTERS}
          onChange={(text) => answering.type(questionId, text)}
          onBlur={() => void answering.commit()}
          onEnter={onNext}
        />
      );
    case 'variant':
      return (
        <ChoiceList
          options={question.options.map(({ optionId, text }) => ({ id: optionId, text }))}
          selected={answer?.kind === 'variant' ? answer.optionIds : []}
          multiple={question.multiple}
          labelledBy={labelledBy}
          locked={locked}
          renderText={renderText}
          onChange={(optionIds) => answering.choose({ questionId, kind: 'variant', optionIds })}
        />
      );
    case 'compliance':
      return (
        <MatchingField
          left={question.left}
          right={question.right}
          pairs={answer?.kind === 'compliance' ? answer.pairs : []}
          reuse={question.reuse}
          labelledBy={labelledBy}
          locked={locked}
          renderText={renderText}
          onChange={(pairs) => answering.choose({ questionId, kind: 'compliance', pairs })}
        />
      );
    case 'ordering':
      return (
        <Suspense fallback={<p role="status">Открываем вопрос</p>}>
          <OrderingField
            items={question.items}
            order={answer?.kind === 'ordering' ? answer.itemIds : []}
            labelledBy={labelledBy}
            locked={locked}
            renderText={renderText}
            onChange={(itemIds) => answering.choose({ questionId, kind: 'ordering', itemIds })}
          />
        </Suspense>
      );
    case 'file':
      return <FileAnswer {...props} question={question} />;
  }
}
