import type { OtherKinds } from '#domain/change-kind.ts';

/** The number of questions whose other kinds are remembered while the page is open. */
const MOST = 100;

const remembered = new Map<string, OtherKinds>();

/** A question's properties in its previous kinds, across closing and reopening of its form. */
export const otherKindsOf = (questionId: string): OtherKinds => remembered.get(questionId) ?? {};

export function rememberKinds(questionId: string, others: OtherKinds): void {
  remembered.delete(questionId);
  remembered.set(questionId, others);
  const [oldest] = remembered.keys();
  if (remembered.size > MOST && oldest !== undefined) remembered.delete(oldest);
}
