import type { GapAnswer } from '#contract/answers.ts';
import type { Gap, Question, StudentQuestion } from '#contract/questions.ts';
import { isFilledGap } from './kinds/gaps/answers.ts';
import { acceptedInGap, gapAnswerText, gapShare } from './gaps.ts';
import { answerFeedback } from './matched-answers.ts';

type ShownGap = Extract<Question | StudentQuestion, { kind: 'gaps' }>['gaps'][number];

/** One gap with the student's answer. */
export interface ReviewedGap {
  readonly gapId: string;
  /** Null: the gap is empty. */
  readonly answer: string | null;
  /** The share of its points that the answer earns, from 0 to 1; null: the key is not shown. */
  readonly share: number | null;
  /** What the key accepts; empty: the key is not shown. */
  readonly accepted: readonly string[];
  /** The teacher's feedback to this answer; empty: none. */
  readonly feedback: string;
}

const isKeyed = (gap: ShownGap): gap is Gap => 'weight' in gap;

function feedbackTo(gap: Gap, given: GapAnswer): string {
  if (gap.input === 'choice') {
    const chosen = 'optionId' in given ? given.optionId : null;
    return gap.options.find(({ optionId }) => optionId === chosen)?.feedback ?? '';
  }
  return 'text' in given ? answerFeedback(gap, given.text) : '';
}

/** The gaps of a question, with or without their keys, beside an answer. */
export function reviewedGaps(
  gaps: readonly ShownGap[],
  answered: readonly GapAnswer[],
): ReviewedGap[] {
  return gaps.map((gap) => {
    const given = answered.find((one) => one.gapId === gap.gapId && isFilledGap(one));
    return {
      gapId: gap.gapId,
      answer: given ? (gapAnswerText(gap, given) ?? '?') : null,
      share: isKeyed(gap) ? gapShare(gap, given) : null,
      accepted: isKeyed(gap) ? acceptedInGap(gap) : [],
      feedback: isKeyed(gap) && given ? feedbackTo(gap, given) : '',
    };
  });
}
