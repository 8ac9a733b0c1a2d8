import { KIND_LABELS } from '#domain/labels-kinds.ts';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { AnswerField } from '#app/features/generation/kinds/AnswerField.tsx';
import type { TemplateKeyFields } from '#app/features/generation/kinds/key-fields.ts';
import { NUMBER, type TemplateFields } from '#app/features/generation/template-fields.ts';

const Precision = ({ of }: Pick<TemplateFields, 'of'>) => (
  <FormField
    of={of}
    name="tolerance"
    {...NUMBER}
    label="Допуск"
    description="На столько ответ может отличаться; 0: точно"
  />
);

export const openFields: TemplateKeyFields = {
  label: KIND_LABELS.line,
  Fields: AnswerField,
  Precision,
};
