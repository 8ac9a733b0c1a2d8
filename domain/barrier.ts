/**
 * Sequences below a finish that are unaccounted for (protocol, server rule 5).
 * @param finishSequence the finish's own sequence; null: sent without one, waits for nothing
 * @param accounted applied, refused, folded and set-aside sequences of the same stream
 * @param most maximum number of sequences returned
 */
export function missingSequences(
  finishSequence: number | null,
  accounted: ReadonlySet<number>,
  most: number,
): number[] {
  const missing: number[] = [];
  for (let n = 1; n < (finishSequence ?? 1) && missing.length < most; n += 1) {
    if (!accounted.has(n)) missing.push(n);
  }
  return missing;
}
