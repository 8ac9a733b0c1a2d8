import type { FormRules } from '#domain/kinds/rules.ts';
import { isBlank } from '#domain/kinds/texts.ts';

export const complianceForms: FormRules<'compliance', 'matching'> = {
  labels: { matching: 'Соответствие' },
  formOf: () => 'matching',
  setAside: ({ left, right }) =>
    [...left, ...right].some(({ text }) => !isBlank(text)) ? 'Пары' : null,
};
