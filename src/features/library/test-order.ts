import type { TestListItem } from '#contract/tests.ts';

/** Running tests first, by deadline; the others in server order. */
export function runningFirst<Item extends Pick<TestListItem, 'running'>>(
  items: readonly Item[],
): Item[] {
  const ends = ({ running }: Item) =>
    running ? Date.parse(running.deadline) : Number.POSITIVE_INFINITY;
  return items
    .map((item, index) => ({ item, index }))
    .sort((a, b) => compare(ends(a.item), ends(b.item)) || a.index - b.index)
    .map(({ item }) => item);
}

// Infinity minus Infinity is NaN.
const compare = (a: number, b: number) => (a === b ? 0 : a < b ? -1 : 1);
