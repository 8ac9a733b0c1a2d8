import type { GapAnswer } from '#contract/answers.ts';
import { PARTS_PER_QUESTION } from '#contract/limits.ts';
import type { Gap, Question } from '#contract/questions.ts';
import { gapIdsIn } from './format-gaps.ts';
import { matchedAnswers } from './matched-answers.ts';

type Gaps = Extract<Question, { kind: 'gaps' }>;

/** The share of a gap's own points that an answer earns, from 0 to 1. */
export function gapShare(gap: Gap, given: GapAnswer | undefined): number {
  if (!given) return 0;
  if (gap.input === 'choice') {
    const chosen = 'optionId' in given ? given.optionId : null;
    return gap.options.some(({ optionId, isRight }) => isRight && optionId === chosen) ? 1 : 0;
  }
  return 'text' in given ? (matchedAnswers(gap, given.text)[0]?.share ?? 0) : 0;
}

/**
 * The total share that the gaps earn, by their weights. Moodle grades embedded answers in the same way
 * (`qtype_multianswer_question::grade_response`: each subquestion's fraction by its weight over the sum of weights),
 * and so does QTI's sum of `map_response` over the interactions. A wrong gap does not affect the others.
 */
export function gapsShare({ gaps }: Gaps, answered: readonly GapAnswer[]): number {
  const given = new Map(answered.map((one) => [one.gapId, one]));
  const whole = gaps.reduce((sum, { weight }) => sum + weight, 0);
  if (whole === 0) return 0;
  const earned = gaps.reduce(
    (sum, gap) => sum + gap.weight * gapShare(gap, given.get(gap.gapId)),
    0,
  );
  return earned / whole;
}

/** What the key accepts in a gap. Answers that earn nothing are only listed for their feedback. */
export const acceptedInGap = (gap: Gap): string[] =>
  gap.input === 'choice'
    ? gap.options.filter(({ isRight }) => isRight).map(({ text }) => text)
    : gap.accepted.filter(({ share }) => share > 0).map(({ text }) => text);

/** The typed or chosen answer as text; null: an option that the gap does not have. */
export function gapAnswerText(
  gap:
    | { readonly options: readonly { readonly optionId: string; readonly text: string }[] }
    | object
    | undefined,
  given: GapAnswer,
): string | null {
  if ('text' in given) return given.text.trim();
  const options = gap && 'options' in gap ? gap.options : [];
  return options.find(({ optionId }) => optionId === given.optionId)?.text ?? null;
}

const isUntouched = (gap: Gap): boolean =>
  (gap.input === 'choice' ? gap.options : gap.accepted).every(({ text }) => text.trim() === '');

/** A gap for a word, with the answer that it accepts. */
export const newGap = (gapId: string, accepted: string): Gap => ({
  gapId,
  weight: 1,
  input: 'line',
  accepted: [{ text: accepted, share: 1 }],
  tolerance: 0,
});

/** A number that neither a gap nor a mark in the text has. */
export const freeGapId = ({
  text,
  gaps,
}: {
  readonly text: string;
  readonly gaps: readonly { readonly gapId: string }[];
}): string =>
  String(Math.max(0, ...[...gapIdsIn(text), ...gaps.map(({ gapId }) => gapId)].map(Number)) + 1);

/** The remaining gaps, and a new one for each mark typed into the text, up to the maximum of a question. */
export function withPlacedGaps<G extends { readonly gapId: string }>(
  stay: readonly G[],
  text: string,
  newOne: (gapId: string) => G,
): G[] {
  const known = new Set(stay.map(({ gapId }) => gapId));
  const added = [...new Set(gapIdsIn(text))].filter((gapId) => !known.has(gapId)).map(newOne);
  return [...stay, ...added].slice(0, PARTS_PER_QUESTION);
}

/**
 * The question with another text. A typed mark gets its gap, and an untouched gap without a mark is removed. A gap with
 * answers always stays.
 */
export function withGapText(question: Gaps, text: string): Gaps {
  const places = new Set(gapIdsIn(text));
  const had = new Set(gapIdsIn(question.text));
  const stay = question.gaps.filter(
    (gap) => places.has(gap.gapId) || !had.has(gap.gapId) || !isUntouched(gap),
  );
  return { ...question, text, gaps: withPlacedGaps(stay, text, (gapId) => newGap(gapId, '')) };
}
