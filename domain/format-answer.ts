import type { Answer, GapAnswer } from '#contract/answers.ts';
import type { Question } from '#contract/questions.ts';
import { answerFiles } from './answer-files.ts';
import { isFilledGap } from './answered.ts';
import { acceptedInGap, gapAnswerText } from './gaps.ts';
import { isAnswered } from './answered.ts';

const NONE = 'Без ответа';
/** A part of the answer that is not in the question (any more). */
const UNKNOWN = '?';

/**
 * An answer as text: chosen options, pairs, the text, or the files' names. Texts of options and items stay
 * Markdown. Without the question only ids are shown.
 */
export function formatAnswer(answer: Answer | null, question: Question | undefined): string {
  if (answer === null || !isAnswered(answer)) return NONE;
  switch (answer.kind) {
    case 'open':
      return answer.text.trim();
    case 'file':
      return answerFiles(answer)
        .map(({ name }) => name)
        .join('; ');
    case 'variant':
      return answer.optionIds.map((id) => optionText(question, id)).join('; ');
    case 'compliance':
      return answer.pairs.map((pair) => formatPair(question, pair)).join('; ');
    case 'ordering':
      return answer.itemIds
        .map((id, index) => `${index + 1}. ${itemText(question, id)}`)
        .join('; ');
    case 'gaps':
      return answer.gaps
        .filter(isFilledGap)
        .map((given) => `(${given.gapId}) ${gapText(question, given)}`)
        .join('; ');
  }
}

function gapText(question: Question | undefined, given: GapAnswer): string {
  const gaps = question?.kind === 'gaps' ? question.gaps : [];
  return (
    gapAnswerText(
      gaps.find(({ gapId }) => gapId === given.gapId),
      given,
    ) ?? UNKNOWN
  );
}

function itemText(question: Question | undefined, itemId: string): string {
  if (question?.kind !== 'ordering') return itemId;
  return question.items.find((item) => item.itemId === itemId)?.text ?? UNKNOWN;
}

function optionText(question: Question | undefined, optionId: string): string {
  if (question?.kind !== 'variant') return optionId;
  return question.options.find((option) => option.optionId === optionId)?.text ?? UNKNOWN;
}

function formatPair(
  question: Question | undefined,
  { leftId, rightId }: { leftId: string; rightId: string },
): string {
  if (question?.kind !== 'compliance') return `${leftId} – ${rightId}`;
  const left = question.left.find((item) => item.leftId === leftId)?.text ?? UNKNOWN;
  const right = question.right.find((item) => item.rightId === rightId)?.text ?? UNKNOWN;
  return `${left} – ${right}`;
}

/** The right answer by the key, as text; null: a person decides. */
export function formatKey(question: Question): string | null {
  switch (question.kind) {
    case 'open':
      return question.accepted.length === 0
        ? null
        : question.accepted
            .filter(({ share }) => share > 0)
            .map(({ text }) => text)
            .join('; ');
    case 'variant':
      return question.options
        .filter((option) => option.isRight)
        .map((option) => option.text)
        .join('; ');
    case 'compliance':
      return question.pairs.map((pair) => formatPair(question, pair)).join('; ');
    case 'ordering':
      return question.items.map(({ text }, index) => `${index + 1}. ${text}`).join('; ');
    case 'gaps':
      return question.gaps
        .map((gap) => `(${gap.gapId}) ${acceptedInGap(gap).join(' | ')}`)
        .join('; ');
    case 'file':
      return null;
  }
}
