import type { Answer } from '#contract/answers.ts';
import { answerRules } from './kinds/answer-kinds.ts';

/** Whether an answer is not empty: cleared text, options, pairs, orders, gaps and a removed file count as unanswered. */
export const isAnswered = (answer: Answer | null | undefined): boolean =>
  answer ? answerRules(answer).isAnswered(answer) : false;
