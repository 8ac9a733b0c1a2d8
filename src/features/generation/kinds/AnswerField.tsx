import { FormField } from '#app/ui/forms/FormField.tsx';
import { EXPRESSION, type TemplateFields } from '#app/features/generation/template-fields.ts';

/** The expression of a computed answer. */
export const AnswerField = ({ of }: Pick<TemplateFields, 'of'>) => (
  <FormField
    of={of}
    name="answer"
    {...EXPRESSION}
    label="Верный ответ"
    description="Выражение из переменных: m * a или sqrt(a^2 + b^2)"
  />
);
