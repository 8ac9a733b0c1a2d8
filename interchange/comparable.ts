import type { Question } from '#contract/questions.ts';
import type { ComparableQuestion } from './model.ts';

/**
 * What must survive an export and import: kinds, texts, keys, points, feedback, titles, themes. Ids are
 * replaced by positions; the origin of a question is left out.
 */
export function comparable(question: Question): ComparableQuestion {
  const { questionId: _, origin: __, variantOf: ___, passage, ...alone } = question;
  const rest = { ...alone, ...(passage && { passage: passage.text }) };
  switch (rest.kind) {
    case 'variant':
      return {
        ...rest,
        options: rest.options.map(({ optionId: _id, ...option }) => option),
      };
    case 'compliance': {
      const placeOf = (rightId: string) =>
        rest.right.findIndex((right) => right.rightId === rightId);
      return {
        ...rest,
        left: rest.left.map(({ leftId, text }) => ({
          text,
          right: placeOf(rest.pairs.find((pair) => pair.leftId === leftId)?.rightId ?? ''),
        })),
        right: rest.right.map(({ text }) => text),
        pairs: rest.pairs.length,
      };
    }
    case 'ordering':
      return { ...rest, items: rest.items.map(({ text }) => text) };
    default:
      return rest;
  }
}
