import type { Answer, FileAnswer, GapAnswer } from '#contract/answers.ts';
import type { Question } from '#contract/questions.ts';
import { answerFiles, maxFilesOf } from './answer-files.ts';
import { isWholeOrder } from './ordering.ts';

export type Misfit = 'UNKNOWN_QUESTION' | 'INVALID_ANSWER';

/** Checks that an answer can belong to this question: kind and ids agree. Null: it fits. */
export function answerMisfit(answer: Answer, question: Question | undefined): Misfit | null {
  if (!question) return 'UNKNOWN_QUESTION';
  return fits(answer, question) ? null : 'INVALID_ANSWER';
}

function fits(answer: Answer, question: Question): boolean {
  switch (answer.kind) {
    case 'open':
      return question.kind === 'open';
    case 'variant':
      return question.kind === 'variant' && fitsVariant(answer.optionIds, question);
    case 'compliance':
      return question.kind === 'compliance' && fitsCompliance(answer.pairs, question);
    case 'ordering':
      return question.kind === 'ordering' && fitsOrdering(answer.itemIds, question);
    case 'gaps':
      return question.kind === 'gaps' && fitsGaps(answer.gaps, question);
    case 'file':
      return question.kind === 'file' && fitsFiles(answer, question);
  }
}

/** Each file once, none after a null one. */
function fitsFiles(answer: FileAnswer, question: Extract<Question, { kind: 'file' }>): boolean {
  const files = answerFiles(answer);
  return (
    (answer.fileId !== null || (answer.more ?? []).length === 0) &&
    files.length <= maxFilesOf(question) &&
    new Set(files.map(({ fileId }) => fileId)).size === files.length &&
    files.every(({ size }) => size <= question.maxBytes)
  );
}

/** A part of an order says nothing; empty clears the answer. */
const fitsOrdering = (
  itemIds: readonly string[],
  { items }: Extract<Question, { kind: 'ordering' }>,
): boolean =>
  itemIds.length === 0 ||
  isWholeOrder(
    itemIds,
    items.map(({ itemId }) => itemId),
  );

/** Each gap once at most, typed into or chosen in as the gap asks. */
function fitsGaps(
  given: readonly GapAnswer[],
  { gaps }: Extract<Question, { kind: 'gaps' }>,
): boolean {
  const known = new Map(gaps.map((gap) => [gap.gapId, gap]));
  return (
    new Set(given.map(({ gapId }) => gapId)).size === given.length &&
    given.every((one) => {
      const gap = known.get(one.gapId);
      if (gap?.input !== 'choice') return gap !== undefined && 'text' in one;
      return 'optionId' in one && gap.options.some(({ optionId }) => optionId === one.optionId);
    })
  );
}

function fitsVariant(
  optionIds: readonly string[],
  question: Extract<Question, { kind: 'variant' }>,
): boolean {
  const known = new Set(question.options.map((option) => option.optionId));
  const distinct = new Set(optionIds).size === optionIds.length;
  return (
    distinct &&
    optionIds.every((id) => known.has(id)) &&
    (question.multiple || optionIds.length <= 1)
  );
}

function fitsCompliance(
  pairs: readonly { leftId: string; rightId: string }[],
  question: Extract<Question, { kind: 'compliance' }>,
): boolean {
  const left = new Set(question.left.map((item) => item.leftId));
  const right = new Set(question.right.map((item) => item.rightId));
  const distinct = new Set(pairs.map((pair) => pair.leftId)).size === pairs.length;
  return distinct && pairs.every((pair) => left.has(pair.leftId) && right.has(pair.rightId));
}
