import type { Question } from '#contract/questions.ts';

type Matching = Extract<Question, { kind: 'compliance' }>;

/** Whether the key matches one right item with several left ones. */
export const sharesRight = ({ pairs }: Pick<Matching, 'pairs'>): boolean =>
  new Set(pairs.map(({ rightId }) => rightId)).size < pairs.length;

/**
 * A matching question in the form of other systems and providers, where a right text is repeated for each of its left
 * items: here one right item for each text, which may then be used more than once. Case counts, as in мВт and МВт.
 */
export function withSharedRight<Q extends Pick<Matching, 'right' | 'pairs'>>(question: Q): Q {
  const byText = new Map<string, string>();
  const idOf = new Map<string, string>();
  for (const { rightId, text } of question.right) {
    const words = text.replaceAll(/\s+/g, ' ').trim();
    const known = words === '' ? rightId : (byText.get(words) ?? rightId);
    byText.set(words, known);
    idOf.set(rightId, known);
  }
  const shared = {
    ...question,
    right: question.right.filter(({ rightId }) => idOf.get(rightId) === rightId),
    pairs: question.pairs.map(({ leftId, rightId }) => ({
      leftId,
      rightId: idOf.get(rightId) ?? rightId,
    })),
  };
  return sharesRight(shared) ? { ...shared, reuse: true } : shared;
}
