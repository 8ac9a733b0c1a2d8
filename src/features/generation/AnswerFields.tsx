import { Box } from '@mantine/core';
import { KIND_LABELS } from '#domain/labels-kinds.ts';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { SelectField, type Choice } from '#app/ui/forms/SelectField.tsx';
import { PAIRS } from '#app/ui/columns.ts';
import { GapsFields } from './kinds/gaps/GapsFields.tsx';
import type { TemplateKeyFields, TemplateKeyFieldsProps } from './kinds/key-fields.ts';
import { openFields } from './kinds/open/fields.tsx';
import { ItemsFields } from './kinds/ordering/ItemsFields.tsx';
import type { TemplateKind } from './kinds/rules.ts';
import { variantFields } from './kinds/variant/fields.tsx';
import { NUMBER } from './template-fields.ts';

/** In the order of the menu. */
const KINDS: Readonly<Record<TemplateKind, TemplateKeyFields>> = {
  open: openFields,
  variant: variantFields,
  gaps: { label: KIND_LABELS.gaps, Fields: GapsFields },
  ordering: { label: KIND_LABELS.ordering, Fields: ItemsFields },
};

const CHOICES = Object.entries(KINDS).map(([value, { label }]) => ({
  value,
  label,
})) as readonly Choice<TemplateKind>[];

/** The key fields: a number, options, gaps or an order. */
export function AnswerFields(fields: TemplateKeyFieldsProps) {
  const { of, typed } = fields;
  const { Fields, Precision, Below } = KINDS[typed.kind];
  return (
    <>
      <FormField
        of={of}
        name="kind"
        component={SelectField<TemplateKind>}
        native
        label="Как отвечают"
        choices={CHOICES}
      />
      <Fields {...fields} />
      <Box {...PAIRS}>
        <FormField
          of={of}
          name="decimals"
          {...NUMBER}
          label="Знаков после запятой"
          description="До них округляется всё, что вычислено"
        />
        {Precision && <Precision of={of} />}
      </Box>
      {Below && <Below of={of} />}
    </>
  );
}
