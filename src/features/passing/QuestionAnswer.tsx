import { lazy, Suspense } from 'react';
import { ChoiceList } from '#app/ui/taking/ChoiceList.tsx';
import { MatchingField } from '#app/ui/taking/MatchingField.tsx';
import { RichText } from '#app/ui/rich-text/RichText.tsx';
import { QuestionText } from '#app/ui/taking/TakingLayout.tsx';
import { TextAnswerField } from '#app/ui/taking/TextAnswerField.tsx';
import { hasAreas } from '#domain/areas.ts';
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
  areas: async () => ({ default: (await import('#app/ui/taking/AreasField.tsx')).AreasField }),
};
const OrderingField = lazy(RARE.ordering);
const GapsField = lazy(RARE.gaps);
const FileAnswer = lazy(RARE.file);
const AreasField = lazy(RARE.areas);

const isOnPicture = (question: StudentQuestion) =>
  question.kind === 'variant' && hasAreas(question.options);

/** Loads ahead of time the fields that some questions need: when one of them is shown, the network may be gone. */
export function preloadFields(questions: readonly StudentQuestion[]): void {
  const kinds = new Set<string>(
    questions.map((question) => (isOnPicture(question) ? 'areas' : question.kind)),
  );
  for (const [kind, load] of Object.entries(RARE))
    if (kinds.has(kind)) load().catch(() => undefined);
}

const OPENING = <p role="status">Открываем вопрос</p>;

/** The answer field of a question, by its kind; with its text where the field stands in it. */
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
    case 'variant': {
      const list = {
        options: question.options.map(({ optionId, ...option }) => ({ id: optionId, ...option })),
        selected: answer?.kind === 'variant' ? answer.optionIds : [],
        multiple: question.multiple,
        labelledBy,
        locked,
        renderText,
        onChange: (optionIds: string[]) =>
          answering.choose({ questionId, kind: 'variant', optionIds }),
      };
      if (!isOnPicture(question)) return <ChoiceList {...list} />;
      return (
        <Suspense fallback={OPENING}>
          <AreasField {...list} text={question.text} resolveImage={resolveImage} />
        </Suspense>
      );
    }
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
