import type { GapAnswer } from '#contract/answers.ts';
import { isDoubled } from '#domain/kinds/ids.ts';
import type { AnswerRules } from '#domain/kinds/rules.ts';

/** A gap with only blanks is not filled in. */
export const isFilledGap = (given: GapAnswer): boolean =>
  'optionId' in given || given.text.trim() !== '';

export const gapsAnswers: AnswerRules<'gaps'> = {
  isAnswered: ({ gaps }) => gaps.some(isFilledGap),
  /** Each gap at most once, typed or chosen according to the gap's input. */
  fits(answer, { gaps }) {
    const known = new Map(gaps.map((gap) => [gap.gapId, gap]));
    return (
      !isDoubled(answer.gaps.map(({ gapId }) => gapId)) &&
      answer.gaps.every((given) => {
        const gap = known.get(given.gapId);
        if (gap?.input !== 'choice') return gap !== undefined && 'text' in given;
        return (
          'optionId' in given && gap.options.some(({ optionId }) => optionId === given.optionId)
        );
      })
    );
  },
};
