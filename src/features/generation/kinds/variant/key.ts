import * as v from 'valibot';
import { PARTS_PER_QUESTION } from '#contract/limits.ts';
import { NBSP } from '#domain/format.ts';
import type { QuestionOf } from '#domain/kinds/rules.ts';
import { shuffled } from '#domain/seeded-random.ts';
import { refuseRepeated, whole } from '#app/features/generation/kinds/compiled-parts.ts';
import { optionalText, type TemplateKeyRules } from '#app/features/generation/kinds/rules.ts';

const DistractorForm = v.object({ expression: v.string(), feedback: v.string() });
type DistractorForm = v.InferOutput<typeof DistractorForm>;

export const OptionsForm = v.object({
  answer: optionalText,
  unit: optionalText,
  distractors: v.optional(v.array(DistractorForm), []),
});
type OptionsForm = v.InferOutput<typeof OptionsForm>;

export const newDistractor = (): DistractorForm => ({ expression: '', feedback: '' });
export const NEW_OPTIONS: OptionsForm = { answer: '', unit: '', distractors: [newDistractor()] };

/** Degrees, minutes and seconds directly follow the number, other units after a non-breaking space. */
const withUnit = (number: string, unit: string) => {
  const plain = unit.trim();
  if (plain === '') return number;
  return /^[°'′"″]/.test(plain) ? `${number}${plain}` : `${number}${NBSP}${plain}`;
};

interface Distractor {
  readonly text: string;
  readonly feedback: string;
}

/** Shuffles the options of one draw. */
function optionsOf(
  answer: string,
  distractors: readonly Distractor[],
  seed: string,
  newId: () => string,
): QuestionOf<'variant'>['options'] {
  const wrong = distractors.map(({ text, feedback }) => ({
    text,
    isRight: false,
    ...(feedback.trim() === '' ? {} : { feedback }),
  }));
  return shuffled([{ text: answer, isRight: true }, ...wrong], seed).map((option) => ({
    optionId: newId(),
    ...option,
  }));
}

/** A computed number among wrong ones. */
export const variantKey: TemplateKeyRules<'variant', OptionsForm> = {
  fieldNames: { answer: 'Верный ответ', unit: 'Единица', distractors: 'Неверные варианты' },
  itemName: (_, index) => `Неверный вариант ${index + 1}`,
  typed: ({ answer, unit, distractors }) => ({ answer, unit, distractors }),
  read: ({ answer, unit, distractors }) => ({ kind: 'variant', answer, unit, distractors }),
  compile(reader, { answer, unit, distractors }) {
    const right = reader.number('answer', answer);
    if (distractors.length === 0) reader.note('distractors', 'Нужен хотя бы один неверный вариант');
    if (distractors.length >= PARTS_PER_QUESTION)
      reader.note('distractors', `Вариантов не больше ${PARTS_PER_QUESTION}`);
    const wrong = whole(
      distractors.map(({ expression, feedback }, index) => {
        const number = reader.number(`distractors.${index}.expression`, expression);
        const explanation = reader.text(`distractors.${index}.feedback`, feedback);
        return number && explanation && { number, explanation };
      }),
    );
    if (!right || !wrong) return null;
    return (values) => {
      const answered = withUnit(right(values), unit);
      const drawn = wrong.map(({ number, explanation }) => ({
        text: withUnit(number(values), unit),
        feedback: explanation.write(values),
      }));
      const texts = drawn.map(({ text }) => text);
      refuseRepeated('Варианты ответа', [answered, ...texts]);
      return {
        shown: [answered, ...[...texts].sort()],
        fields: (newId, seed) => ({
          kind: 'variant',
          multiple: false,
          shuffle: true,
          scoring: 'partial',
          options: optionsOf(answered, drawn, seed, newId),
        }),
      };
    };
  },
};
