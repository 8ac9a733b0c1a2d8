interface Marked {
  readonly attemptId: string;
  readonly points: number;
}

/**
 * The attempts of a person that make the mark, by the teacher's choice; the first of equally good ones.
 * @param attempts ended ones with visible points, in order of their begin
 * @returns ids; empty when there is none
 */
export function countedAttempts(
  attempts: readonly Marked[],
  rule: 'best' | 'last' | 'average',
): string[] {
  if (rule === 'average') return attempts.map(({ attemptId }) => attemptId);
  const best = Math.max(...attempts.map(({ points }) => points));
  const counted =
    rule === 'last' ? attempts.at(-1) : attempts.find(({ points }) => points === best);
  return counted ? [counted.attemptId] : [];
}
