import type { OtherKinds } from '#domain/change-kind.ts';

/** So many questions are remembered in their other kinds while the page is open. */
const MOST = 100;

const remembered = new Map<string, OtherKinds>();

/** What a question was in other kinds, however often its form was closed and opened meanwhile. */
export const otherKindsOf = (questionId: string): OtherKinds => remembered.get(questionId) ?? {};

export function rememberKinds(questionId: string, others: OtherKinds): void {
  remembered.delete(questionId);
  remembered.set(questionId, others);
  const [oldest] = remembered.keys();
  if (remembered.size > MOST && oldest !== undefined) remembered.delete(oldest);
}
