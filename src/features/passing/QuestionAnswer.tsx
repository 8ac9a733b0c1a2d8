import { ChoiceList } from '#app/ui/taking/ChoiceList.tsx';
import { lazyPart } from '#app/ui/lazy/lazy-part.tsx';
import { RichText } from '#app/ui/rich-text/RichText.tsx';
import { QuestionText } from '#app/ui/taking/TakingLayout.tsx';
import { TextAnswerField } from '#app/ui/taking/TextAnswerField.tsx';
import { preloadHashes } from '#app/outbox/files.ts';
import { hasAreas } from '#domain/areas.ts';
import { ANSWER_TEXT_CHARACTERS, GAP_TEXT_CHARACTERS } from '#contract/limits.ts';
import type { StudentQuestion } from '#contract/questions.ts';
import type { QuestionAnswerProps } from './answer-props.ts';

// Fields that not every test has, and that are heavy.
const MatchingField = lazyPart(
  () => import('#app/ui/taking/MatchingField.tsx'),
  (module) => module.MatchingField,
);
const OrderingField = lazyPart(
  () => import('#app/ui/taking/OrderingField.tsx'),
  (module) => module.OrderingField,
);
const GapsField = lazyPart(
  () => import('#app/ui/taking/GapsField.tsx'),
  (module) => module.GapsField,
);
const FileAnswer = lazyPart(
  () => import('./FileAnswer.tsx'),
  (module) => module.FileAnswer,
);
const AreasField = lazyPart(
  () => import('#app/ui/taking/AreasField.tsx'),
  (module) => module.AreasField,
);
const RARE: Readonly<Record<string, { preload: () => void }>> = {
  compliance: MatchingField,
  ordering: OrderingField,
  gaps: GapsField,
  file: FileAnswer,
  areas: AreasField,
};

const isOnPicture = (question: StudentQuestion) =>
  question.kind === 'variant' && hasAreas(question.options);

/** Loads ahead of time the fields that some questions need: when one of them is shown, the network may be gone. */
export function preloadFields(questions: readonly StudentQuestion[]): void {
  for (const question of questions) {
    const kind = isOnPicture(question) ? 'areas' : question.kind;
    RARE[kind]?.preload();
    if (kind === 'file') preloadHashes();
  }
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
        <AreasField waiting={OPENING} {...list} text={question.text} resolveImage={resolveImage} />
      );
    }
    case 'compliance':
      return (
        <MatchingField
          waiting={OPENING}
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
        <OrderingField
          waiting={OPENING}
          items={question.items}
          order={answer?.kind === 'ordering' ? answer.itemIds : []}
          labelledBy={labelledBy}
          locked={locked}
          renderText={renderText}
          onChange={(itemIds) => answering.choose({ questionId, kind: 'ordering', itemIds })}
        />
      );
    case 'gaps':
      return (
        <QuestionText id={labelledBy}>
          <GapsField
            waiting={<RichText text={question.text} resolveImage={resolveImage} />}
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
        </QuestionText>
      );
    case 'file':
      return <FileAnswer waiting={OPENING} {...props} question={question} />;
  }
}
