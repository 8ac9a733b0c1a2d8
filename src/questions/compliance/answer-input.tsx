import { formatCount } from '#domain/format.ts';
import { lazyPart } from '#app/ui/lazy/lazy-part.tsx';
import { renderInline } from '#app/ui/rich-text/render-inline.tsx';
import type { AnswerFieldProps, AnswerInput } from '#app/questions/answer-field.ts';
import { OPENING } from '#app/questions/waiting.tsx';

const MatchingField = lazyPart(
  () => import('#app/ui/taking/MatchingField.tsx'),
  (module) => module.MatchingField,
);

function AnswerField(props: AnswerFieldProps<'compliance'>) {
  const { question, answer, store, locked, labelledBy } = props;
  const { questionId, left, right, reuse } = question;
  return (
    <MatchingField
      waiting={OPENING}
      left={left}
      right={right}
      pairs={answer?.pairs ?? []}
      reuse={reuse}
      labelledBy={labelledBy}
      locked={locked}
      renderText={renderInline}
      onChange={(pairs) => store.choose({ questionId, kind: 'compliance', pairs })}
    />
  );
}

const PAIRS = ['пара', 'пары', 'пар'] as const;

export const complianceInput: AnswerInput<'compliance'> = {
  Field: AnswerField,
  preload: () => MatchingField.preload(),
  summary: ({ pairs }) => `Составлено: ${formatCount(pairs.length, PAIRS)}`,
};
