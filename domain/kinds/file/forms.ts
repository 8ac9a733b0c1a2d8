import type { FormRules } from '#domain/kinds/rules.ts';

export const fileForms: FormRules<'file', 'file'> = {
  labels: { file: 'Файл' },
  formOf: () => 'file',
  setAside: () => null,
};
