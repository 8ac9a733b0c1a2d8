/** Whether these are all items of a question, each once: an incomplete order cannot be scored. */
export function isWholeOrder(given: readonly string[], items: readonly string[]): boolean {
  const known = new Set(items);
  return (
    given.length === known.size &&
    new Set(given).size === given.length &&
    given.every((id) => known.has(id))
  );
}

/**
 * The share of the items, without the last, that are followed by the right item. Moodle scores in the same way
 * (`qtype_ordering_question::GRADING_RELATIVE_NEXT_EXCLUDE_LAST`): one misplaced item affects only its neighbours,
 * while by absolute positions it can affect everything after it.
 */
export function orderShare(given: readonly string[], right: readonly string[]): number {
  if (right.length < 2 || !isWholeOrder(given, right)) return 0;
  const followers = new Map(given.map((id, index) => [id, given[index + 1]]));
  const preserved = right
    .slice(1)
    .filter((id, index) => followers.get(right[index] as string) === id);
  return preserved.length / (right.length - 1);
}
