import { hasAreas } from '#domain/areas.ts';
import { formatCount } from '#domain/format.ts';
import type { StudentQuestionOf } from '#domain/kinds/rules.ts';
import { lazyPart } from '#app/ui/lazy/lazy-part.tsx';
import { spokenTextOf } from '#app/ui/spoken-text.ts';
import { ChoiceList, toggleChoice } from '#app/ui/taking/ChoiceList.tsx';
import { renderInline } from '#app/ui/rich-text/render-inline.tsx';
import type { AnswerFieldProps, AnswerInput } from '#app/questions/answer-field.ts';
import { OPENING } from '#app/questions/waiting.tsx';

const AreasField = lazyPart(
  () => import('#app/ui/taking/AreasField.tsx'),
  (module) => module.AreasField,
);

const isOnPicture = ({ text, options }: StudentQuestionOf<'variant'>) =>
  hasAreas(options) && text.trim() !== '';

const choiceOf = ({ options, multiple }: StudentQuestionOf<'variant'>) => ({
  options: options.map(({ optionId, ...option }) => ({ id: optionId, ...option })),
  multiple,
});

function AnswerField(props: AnswerFieldProps<'variant'>) {
  const { question, answer, store, locked, labelledBy } = props;
  const { questionId } = question;
  const list = {
    ...choiceOf(question),
    selected: answer?.optionIds ?? [],
    labelledBy,
    locked,
    renderText: renderInline,
    onChange: (optionIds: string[]) => store.choose({ questionId, kind: 'variant', optionIds }),
  };
  if (!isOnPicture(question)) return <ChoiceList {...list} />;
  return <AreasField waiting={OPENING} {...list} text={question.text} />;
}

/** The texts of the chosen options, as drawn. */
function describeChosen(labelledBy: string): string {
  const chosen = document.querySelectorAll(`[aria-labelledby="${labelledBy}"] :checked`);
  const labels = [...chosen].map((input) => spokenTextOf(input.closest('label')));
  return labels.length > 0 ? `Выбрано: ${labels.join('; ')}` : 'Ничего не выбрано';
}

const OPTIONS = ['вариант', 'варианта', 'вариантов'] as const;

export const variantInput: AnswerInput<'variant'> = {
  Field: AnswerField,
  preload: (question) => {
    if (isOnPicture(question)) AreasField.preload();
  },
  holdsText: isOnPicture,
  digits: ({ options }) => options.length,
  press(question, answer, digit) {
    const { questionId, options } = question;
    const option = options[digit - 1];
    if (!option) return null;
    const choice = { ...choiceOf(question), selected: answer?.optionIds ?? [] };
    return { questionId, kind: 'variant', optionIds: toggleChoice(choice, option.optionId) };
  },
  spoken: (_, labelledBy) => describeChosen(labelledBy),
  summary: ({ optionIds }) => `Выбрано: ${formatCount(optionIds.length, OPTIONS)}`,
};
