import * as v from 'valibot';
import { readTolerance, typed } from '#app/features/generation/number-reader.ts';
import { acceptedText } from '#app/features/generation/kinds/compiled-parts.ts';
import { optionalText, type TemplateKeyRules } from '#app/features/generation/kinds/rules.ts';

export const NumberForm = v.object({ answer: optionalText, tolerance: optionalText });
type NumberForm = v.InferOutput<typeof NumberForm>;

export const NEW_NUMBER: NumberForm = { answer: '', tolerance: '0' };

/** A computed number with a tolerance. */
export const openKey: TemplateKeyRules<'open', NumberForm> = {
  fieldNames: { answer: 'Верный ответ', tolerance: 'Допуск' },
  typed: ({ answer, tolerance }) => ({ answer, tolerance: typed(tolerance) }),
  read: ({ answer, tolerance }, problems) => ({
    kind: 'open',
    answer,
    tolerance: readTolerance('tolerance', tolerance, problems),
  }),
  compile(reader, { answer, tolerance }) {
    const number = reader.number('answer', answer);
    if (!number) return null;
    return (values) => {
      const shown = number(values);
      const accepted = [acceptedText(shown)];
      return { shown, fields: () => ({ kind: 'open', input: 'number', accepted, tolerance }) };
    };
  },
};
