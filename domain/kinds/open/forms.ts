import type { FormRules } from '#domain/kinds/rules.ts';
import { isBlank } from '#domain/kinds/texts.ts';

export const openForms: FormRules<'open', 'line' | 'essay'> = {
  labels: { line: 'Ввод ответа', essay: 'Развёрнутый ответ' },
  formOf: ({ input }) => (input === 'text' ? 'essay' : 'line'),
  setAside: ({ accepted }, hasAnswers) =>
    !hasAnswers && accepted.some(({ text }) => !isBlank(text)) ? 'Верные ответы' : null,
  rightAnswers: ({ accepted }) => accepted.filter(({ text, share }) => !isBlank(text) && share > 0),
  takesAnswers: (form) => form === 'line',
  create(fresh, form, answers) {
    if (form === 'essay') return { ...fresh, input: 'text', accepted: [] };
    if (answers.length === 0) return fresh;
    return { ...fresh, accepted: answers.map((answer) => ({ ...answer, share: 1 })) };
  },
};
