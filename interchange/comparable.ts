import type { Question } from '#contract/questions.ts';
import type { ComparableQuestion } from './model.ts';

/**
 * What must be the same after a way out and back: kinds, texts, keys, points, feedback, titles, themes.
 * Ids are replaced by places; where a question came from is left out.
 */
export function comparable(question: Question): ComparableQuestion {
  const { questionId: _, origin: __, variantOf: ___, ...rest } = question;
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
    default:
      return rest;
  }
}
