import { areasPicture, hasAreas, inReadingOrder } from '#domain/areas.ts';
import { hasRight, optionProblems, rightOptions, withRightOf } from '#domain/kinds/options.ts';
import type { QuestionOf, QuestionRules } from '#domain/kinds/rules.ts';
import { sortedBy, UNKNOWN } from '#domain/kinds/texts.ts';

/**
 * If one option may be chosen: all points for any right one. If several: the chosen right ones minus the wrong ones, by
 * all right ones, and at least 0. QTI's `map_response` gives the same with 1/n for a right choice, −1/n for another and
 * a lower bound of 0.
 */
function share(question: QuestionOf<'variant'>, optionIds: readonly string[]): number {
  const right = new Set(question.options.filter((o) => o.isRight).map((o) => o.optionId));
  const chosen = new Set(optionIds);
  if (right.size === 0) return 0;
  const hits = [...chosen].filter((id) => right.has(id)).length;
  const wrong = chosen.size - hits;
  if (!question.multiple) return hits === 1 && wrong === 0 ? 1 : 0;
  if (question.scoring === 'allOrNothing') {
    return hits === right.size && wrong === 0 ? 1 : 0;
  }
  return Math.max(0, (hits - wrong) / right.size);
}

/** Options, one or several of them right; some may be areas of a picture. */
export const variantQuestions: QuestionRules<'variant'> = {
  empty: (newId) => ({
    kind: 'variant',
    multiple: false,
    shuffle: false,
    scoring: 'partial',
    options: [1, 2, 3, 4].map(() => ({ optionId: newId(), text: '', isRight: false })),
  }),
  arrange(shown, { shuffle }, rank) {
    const options = shuffle
      ? sortedBy(shown.options, ({ optionId }) => rank(optionId))
      : shown.options;
    return { ...shown, options: hasAreas(options) ? inReadingOrder(options) : options };
  },
  problems: ({ text, options }) => [
    ...optionProblems(options),
    ...(hasAreas(options) && areasPicture(text) === null
      ? ['у вариантов есть области, а картинки в тексте нет']
      : []),
  ],
  keyProblems: ({ options }) =>
    hasRight(options)
      ? []
      : [{ field: 'question.options', message: 'Отметьте хотя бы один верный вариант' }],
  withKeyOf: (question, { scoring, options }) => ({
    ...question,
    scoring,
    options: withRightOf(question.options, options),
  }),
  isGradedByHand: () => false,
  share: (question, { optionIds }) => share(question, optionIds),
  hasMarkdownAnswers: true,
  key: ({ scoring, options }) => [scoring, rightOptions(options)],
  answerText: ({ optionIds }, question) =>
    optionIds
      .map((id) =>
        question ? (question.options.find(({ optionId }) => optionId === id)?.text ?? UNKNOWN) : id,
      )
      .join('; '),
  keyText: ({ options }) =>
    options
      .filter(({ isRight }) => isRight)
      .map(({ text }) => text)
      .join('; '),
};
