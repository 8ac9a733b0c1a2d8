import type { Credit } from '#contract/questions.ts';

/** Message about a question that does not count by its key. */
export const creditMessage = (credit: Credit): string =>
  credit === 'everybody'
    ? 'Этот вопрос засчитан всем полным баллом.'
    : 'Этот вопрос не учитывается в баллах.';
