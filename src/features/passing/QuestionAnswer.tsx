import { lazy, Suspense } from 'react';
import { ChoiceList } from '#app/ui/taking/ChoiceList.tsx';
import { MatchingField } from '#app/ui/taking/MatchingField.tsx';
import { RichText } from '#app/ui/rich-text/RichText.tsx';
import { QuestionText } from '#app/ui/taking/TakingLayout.tsx';
import { TextAnswerField } from '#app/ui/taking/TextAnswerField.tsx';
import { ANSWER_TEXT_CHARACTERS, GAP_TEXT_CHARACTERS } from '#contract/limits.ts';
import type { StudentQuestion } from '#contract/questions.ts';
import type { QuestionAnswerProps } from './answer-props.ts';

/** Fields that few tests have, and that are heavy. */
const RARE = {
  ordering: async () => ({
    default: (await import('#app/ui/taking/OrderingField.tsx')).OrderingField,
  }),
  gaps: async () => ({ default: (await import('#app/ui/taking/GapsField.tsx')).GapsField }),
  file: async () => ({ default: (await import('./FileAnswer.tsx')).FileAnswer }),
};
const OrderingField = lazy(RARE.ordering);
const GapsField = lazy(RARE.gaps);
const FileAnswer = lazy(RARE.file);

/** Loads ahead of time the fields that some questions need: when one of them is shown, the network may be gone. */
export function preloadFields(questions: readonly StudentQuestion[]): void {
  const kinds = new Set(questions.map(({ kind }) => kind));
  for (const [kind, load] of Object.entries(RARE))
    if (kinds.has(kind as keyof typeof RARE)) load().catch(() => undefined);
}

const OPENING = <p role="status">Открываем вопрос</p>;

/** The answer field of a question, by its kind; of gaps its text, too, since they stand in it. */
export function QuestionAnswer(props: QuestionAnswerProps) {
  const { question, shown, answering, locked, labelledBy, renderText, resolveImage, onNext } =
    props;
  const { questionId } = question;
  const { answer } = shown;
  switch (question.kind) {
    case 'open':
      return (
        <TextAnswerField
          value={answer?.kind === 'open' ? answer.text : ''}
          input={question.input}
          describedBy={labelledBy}
          locked={locked}
          maxLength={ANSWER_TEXT_CHARACTERS}
          onChange={(text) => answering.type({ questionId, kind: 'open', text })}
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
        <Suspense fallback={OPENING}>
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
    case 'gaps':
      return (
        <QuestionText id={labelledBy}>
          <Suspense fallback={<RichText text={question.text} resolveImage={resolveImage} />}>
            <GapsField
              text={question.text}
              gaps={question.gaps}
              answered={answer?.kind === 'gaps' ? answer.gaps : []}
              locked={locked}
              maxLength={GAP_TEXT_CHARACTERS}
              resolveImage={resolveImage}
              onChange={(gaps, isWhole) => {
                answering.type({ questionId, kind: 'gaps', gaps });
                if (isWhole) void answering.commit();
              }}
              onBlur={() => void answering.commit()}
              onEnter={onNext}
            />
          </Suspense>
        </QuestionText>
      );
    case 'file':
      return (
        <Suspense fallback={OPENING}>
          <FileAnswer {...props} question={question} />
        </Suspense>
      );
  }
}
