import type { FormRules } from '#domain/kinds/rules.ts';
import { isBlank } from '#domain/kinds/texts.ts';

export const orderingForms: FormRules<'ordering', 'ordering'> = {
  labels: { ordering: 'Порядок' },
  formOf: () => 'ordering',
  setAside: ({ items }) => (items.some(({ text }) => !isBlank(text)) ? 'Пункты' : null),
};
