type Listed =
  | { readonly input: 'line' | 'number' }
  | { readonly input: 'choice'; readonly options: readonly { readonly text: string }[] };

/**
 * The options that all choice gaps have in common: students choose them from one bank. Empty if a gap has a list of its
 * own, or if only one gap has a list.
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
