type Listed =
  | { readonly input: 'line' | 'number' }
  | { readonly input: 'choice'; readonly options: readonly { readonly text: string }[] };

/**
 * The words that all gaps with a choice have in common: students choose them from one bank. Empty where a gap has a
 * list of its own, and where only one has a list.
 */
export function sharedWords(gaps: readonly Listed[]): readonly string[] {
  const lists = gaps.flatMap((gap) =>
    gap.input === 'choice' ? [gap.options.map(({ text }) => text)] : [],
  );
  const [words = []] = lists;
  const isShared =
    lists.length > 1 &&
    lists.every(
      (list) => list.length === words.length && new Set([...words, ...list]).size === words.length,
    );
  return isShared ? words : [];
}
