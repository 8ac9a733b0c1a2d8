import type { TestListItem, TestOrder } from '#contract/tests.ts';
import { difficultyLabel } from '#domain/labels.ts';
import { searchableText, searchTerms } from '#domain/search.ts';
import { inOrder } from '#domain/test-order.ts';
import { PAGE_SIZE, type ListSearch } from './list-search.ts';

const timeOf = (iso: string | null | undefined) => (iso ? Date.parse(iso) : null);

/** Sorts tests; `new` means the server's order. `now` in milliseconds. */
function sortTests<Item extends TestListItem>(
  items: readonly Item[],
  order: TestOrder,
  now: number,
): Item[] {
  const rows = items.map((item, index) => ({
    item,
    id: item.id,
    name: item.title,
    newness: -index,
    closes: timeOf(item.endDate),
    points: item.totalPoints,
    runsUntil: timeOf(item.running?.deadline),
  }));
  return inOrder(rows, order, now).map(({ item }) => item);
}

/**
 * Selects a page on the client from the whole list, so that it works offline. The default order is the
 * server's. `now` in milliseconds.
 */
export function selectPage<Item extends TestListItem>(
  items: readonly Item[],
  { searchQuery = '', subject, difficulty, status, sortOrder = 'new', page = 1 }: ListSearch,
  now: number,
): { items: Item[]; total: number } {
  const words = searchTerms(searchQuery);
  const fits = (item: Item) => {
    const text = searchableText(`${item.title} ${item.owner} ${item.subject}`);
    return (
      words.every((word) => text.includes(word)) &&
      (subject === undefined || item.theme === subject) &&
      (difficulty === undefined || item.difficulty === difficultyLabel(difficulty)) &&
      (status === undefined || item.status === status)
    );
  };
  const found = items.filter(fits);
  const from = (page - 1) * PAGE_SIZE;
  return {
    items: sortTests(found, sortOrder, now).slice(from, from + PAGE_SIZE),
    total: found.length,
  };
}
