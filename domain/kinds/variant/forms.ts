import type { FormRules } from '#domain/kinds/rules.ts';
import { isBlank } from '#domain/kinds/texts.ts';

export const variantForms: FormRules<'variant', 'single' | 'several'> = {
  labels: { single: 'Один ответ', several: 'Несколько ответов' },
  formOf: ({ multiple }) => (multiple ? 'several' : 'single'),
  setAside({ options }, hasAnswers) {
    const missed = options.filter(({ isRight }) => !hasAnswers || !isRight);
    return missed.some(({ text }) => !isBlank(text)) ? 'Варианты ответа' : null;
  },
  rightAnswers: ({ options }) => options.filter(({ isRight, text }) => isRight && !isBlank(text)),
  takesAnswers: () => true,
  /** Empty wrong options follow the right ones. */
  create(fresh, _, answers, newId) {
    const right = answers.map((answer) => ({ optionId: newId(), ...answer, isRight: true }));
    return { ...fresh, options: [...right, ...fresh.options.slice(Math.min(right.length, 3))] };
  },
  switchForm: (question, form) => ({ ...question, multiple: form === 'several' }),
};
