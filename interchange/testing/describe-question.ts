import type { Question } from '#contract/questions.ts';

/** «вопрос: вариант, вариант+» or «вопрос: =ответ»: short enough to compare. */
export function describeQuestion(question: Question | undefined): string {
  if (!question) return '';
  const parts =
    question.kind === 'variant'
      ? question.options.map(({ text, isRight }) => `${text}${isRight ? '+' : ''}`)
      : question.kind === 'open'
        ? question.accepted.map(({ text }) => `=${text}`)
        : [question.kind];
  return `${question.text}: ${parts.join(', ')}`;
}
