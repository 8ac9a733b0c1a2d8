import type { AnswerRules } from '#domain/kinds/rules.ts';

export const openAnswers: AnswerRules<'open'> = {
  isAnswered: ({ text }) => text.trim() !== '',
  fits: () => true,
  isGradedByHand: ({ input }) => input === 'text',
};
