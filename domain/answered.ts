import type { Answer, GapAnswer } from '#contract/answers.ts';

/** A gap with blanks alone is not filled in. */
export const isFilledGap = (given: GapAnswer): boolean =>
  'optionId' in given || given.text.trim() !== '';

/** Whether an answer is not empty: cleared text, options, pairs, orders, gaps and a removed file count as unanswered. */
export function isAnswered(answer: Answer | null | undefined): boolean {
  switch (answer?.kind) {
    case 'open':
      return answer.text.trim() !== '';
    case 'variant':
      return answer.optionIds.length > 0;
    case 'compliance':
      return answer.pairs.length > 0;
    case 'ordering':
      return answer.itemIds.length > 0;
    case 'gaps':
      return answer.gaps.some(isFilledGap);
    case 'file':
      return answer.fileId !== null;
    case undefined:
      return false;
  }
}
