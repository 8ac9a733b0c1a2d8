import { isDoubled } from '#domain/kinds/ids.ts';
import type { QuestionOf, QuestionRules } from '#domain/kinds/rules.ts';
import { hasDoubles, isBlank, sortedBy, UNKNOWN } from '#domain/kinds/texts.ts';

/** «Нева – Финский залив»; without the question, its ids. */
function pairText(
  question: QuestionOf<'compliance'> | undefined,
  { leftId, rightId }: { readonly leftId: string; readonly rightId: string },
): string {
  if (!question) return `${leftId} – ${rightId}`;
  const left = question.left.find((item) => item.leftId === leftId)?.text ?? UNKNOWN;
  const right = question.right.find((item) => item.rightId === rightId)?.text ?? UNKNOWN;
  return `${left} – ${right}`;
}

function problems({ left, right, pairs, reuse }: QuestionOf<'compliance'>): string[] {
  const leftIds = left.map(({ leftId }) => leftId);
  const rightIds = right.map(({ rightId }) => rightId);
  const rightOf = new Map(
    pairs
      .filter(({ leftId, rightId }) => leftIds.includes(leftId) && rightIds.includes(rightId))
      .map(({ leftId, rightId }) => [leftId, rightId]),
  );
  const texts = [left.map(({ text }) => text), right.map(({ text }) => text)];
  return [
    ...(left.length < 2 ? ['нужны хотя бы две пары'] : []),
    ...(texts.flat().some(isBlank) ? ['в парах есть пустая сторона'] : []),
    ...(texts.some(hasDoubles) || isDoubled(leftIds) || isDoubled(rightIds)
      ? ['элементы пар повторяются']
      : []),
    ...(leftIds.some((leftId) => !rightOf.has(leftId)) ? ['не для всех элементов есть пара'] : []),
    ...(pairs.length > rightOf.size ? ['один элемент входит в две пары'] : []),
    ...(!reuse && isDoubled([...rightOf.values()])
      ? ['элемент справа входит в две пары: разрешите правым повторяться']
      : []),
  ];
}

function isWhole({ left, right, pairs }: QuestionOf<'compliance'>): boolean {
  const leftIds = new Set(left.map(({ leftId }) => leftId));
  const rightIds = new Set(right.map(({ rightId }) => rightId));
  const paired = new Set(pairs.map(({ leftId }) => leftId));
  return (
    paired.size === leftIds.size &&
    pairs.length === leftIds.size &&
    pairs.every(({ leftId, rightId }) => leftIds.has(leftId) && rightIds.has(rightId))
  );
}

/** Left items, each of which has one right item. */
export const complianceQuestions: QuestionRules<'compliance'> = {
  empty(newId) {
    const pairs = [1, 2, 3].map(() => ({ leftId: newId(), rightId: newId() }));
    return {
      kind: 'compliance',
      shuffle: true,
      left: pairs.map(({ leftId }) => ({ leftId, text: '' })),
      right: pairs.map(({ rightId }) => ({ rightId, text: '' })),
      pairs,
    };
  },
  arrange: ({ reuse, ...shown }, { shuffle }, rank) => ({
    ...shown,
    ...(reuse ? { reuse } : {}),
    right: shuffle ? sortedBy(shown.right, ({ rightId }) => rank(rightId)) : shown.right,
  }),
  problems,
  keyProblems: (question) =>
    isWhole(question) ? [] : [{ field: 'question.pairs', message: 'Подберите верные пары' }],
  withKeyOf: (question, { pairs }) => ({ ...question, pairs }),
  isGradedByHand: () => false,
  // Pairs are typed side by side.
  shuffleParts: (question) => ({ ...question, shuffle: true }),
  sortParts: (question, rank) => ({
    ...question,
    right: sortedBy(question.right, ({ rightId }) => rank(rightId)),
  }),
  orderLike: (question, { right }) => ({ ...question, right }),
  /**
   * The share of the left items that were matched correctly. A wrong pair costs nothing, and a right item may belong to
   * several left ones. Moodle scores in the same way (`qtype_match_question::grade_response`: correct stems by all
   * stems), and so does QTI's `map_response` with an equal value for each pair.
   */
  share(question, answer) {
    if (question.pairs.length === 0) return 0;
    const chosen = new Map(answer.pairs.map(({ leftId, rightId }) => [leftId, rightId]));
    const right = question.pairs.filter(({ leftId, rightId }) => chosen.get(leftId) === rightId);
    return right.length / question.pairs.length;
  },
  key: ({ pairs }) => pairs,
  hasMarkdownAnswers: true,
  answerText: ({ pairs }, question) => pairs.map((pair) => pairText(question, pair)).join('; '),
  keyText: (question) => question.pairs.map((pair) => pairText(question, pair)).join('; '),
};
