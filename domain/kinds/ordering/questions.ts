import { isDoubled } from '#domain/kinds/ids.ts';
import type { QuestionRules } from '#domain/kinds/rules.ts';
import { hasDoubles, isBlank, sortedBy, UNKNOWN } from '#domain/kinds/texts.ts';
import { orderShare } from '#domain/ordering.ts';

const numbered = (texts: readonly string[]): string =>
  texts.map((text, index) => `${index + 1}. ${text}`).join('; ');

/** Items to put into an order. They are stored in the right order. */
export const orderingQuestions: QuestionRules<'ordering'> = {
  empty: (newId) => ({
    kind: 'ordering',
    items: [1, 2, 3].map(() => ({ itemId: newId(), text: '' })),
  }),
  isOrderKey: true,
  arrange: (shown, _, rank) => ({
    ...shown,
    items: sortedBy(shown.items, ({ itemId }) => rank(itemId)),
  }),
  problems({ items }) {
    const texts = items.map(({ text }) => text);
    return [
      ...(items.length < 2 ? ['нужны хотя бы два пункта'] : []),
      ...(texts.some(isBlank) ? ['есть пункт без текста'] : []),
      ...(hasDoubles(texts) || isDoubled(items.map(({ itemId }) => itemId))
        ? ['пункты повторяются']
        : []),
    ];
  },
  // Any order of the same items is a key.
  keyProblems: () => [],
  withKeyOf(question, { items }) {
    const own = new Map(question.items.map((item) => [item.itemId, item]));
    return { ...question, items: items.flatMap(({ itemId }) => own.get(itemId) ?? []) };
  },
  isGradedByHand: () => false,
  share: ({ items }, { itemIds }) =>
    orderShare(
      itemIds,
      items.map(({ itemId }) => itemId),
    ),
  key: ({ items }) => items.map(({ itemId }) => itemId),
  hasMarkdownAnswers: true,
  answerText: ({ itemIds }, question) =>
    numbered(
      itemIds.map((id) =>
        question ? (question.items.find(({ itemId }) => itemId === id)?.text ?? UNKNOWN) : id,
      ),
    ),
  keyText: ({ items }) => numbered(items.map(({ text }) => text)),
};
