import type { Question, StudentQuestion } from '#contract/questions.ts';
import { formatAreaMark } from './format-areas.ts';

type Variant = Extract<Question | StudentQuestion, { kind: 'variant' }>;

/** One option in the view of a reviewed answer. */
export interface ReviewedChoice {
  readonly id: string;
  readonly text: string;
  /** Null: the key is not shown. */
  readonly isRight: boolean | null;
  /** The teacher's feedback to it; empty: none. */
  readonly feedback: string;
  readonly area?: Variant['options'][number]['area'];
  /** The label on its area. */
  readonly mark?: string;
}

/** The options of a choice in their order. */
export const reviewedChoices = ({ options }: Pick<Variant, 'options'>): ReviewedChoice[] =>
  options.map((option, index) => ({
    id: option.optionId,
    text: option.text,
    isRight: 'isRight' in option ? option.isRight : null,
    feedback: ('feedback' in option && option.feedback) || '',
    ...(option.area && { area: option.area, mark: formatAreaMark(option.text, index) }),
  }));
