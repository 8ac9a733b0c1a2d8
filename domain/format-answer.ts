import type { Answer } from '#contract/answers.ts';
import type { Question } from '#contract/questions.ts';
import { isAnswered } from './answered.ts';
import { questionRules } from './kinds/question-kinds.ts';

const NONE = 'Без ответа';

/**
 * An answer as text: chosen options, pairs, the text, or the files' names. Texts of options and items stay
 * Markdown. Without the question only ids are shown.
 */
export function formatAnswer(answer: Answer | null, question: Question | undefined): string {
  if (answer === null || !isAnswered(answer)) return NONE;
  const own = question?.kind === answer.kind ? question : undefined;
  return questionRules(answer).answerText(answer, own);
}

/** The right answer by the key, as text; null: a person decides. */
export const formatKey = (question: Question): string | null =>
  questionRules(question).keyText(question);
