import type { FormRules } from '#domain/kinds/rules.ts';

export const gapsForms: FormRules<'gaps', 'gaps'> = {
  labels: { gaps: 'Пропуски' },
  formOf: () => 'gaps',
  setAside: ({ gaps }) => (gaps.length > 0 ? 'Пропуски' : null),
};
