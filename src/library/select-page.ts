import type { TestListItem } from '#contract/tests.ts';
import { difficultyLabel } from '#domain/labels.ts';
import { plainWords, searchWords } from '#domain/search.ts';
import { inOrder } from '#domain/test-order.ts';
import { PAGE_SIZE, type ListSearch } from './list-search.ts';

const timeOf = (iso: string | null | undefined) => (iso ? Date.parse(iso) : null);

/**
 * The page that a search asks for of a list that is here as a whole: so it works without a network. By
 * default the order stays as the server gave it. `now` in milliseconds.
 */
export function selectPage<Item extends TestListItem>(
  items: readonly Item[],
  { searchQuery = '', subject, difficulty, status, sortOrder = 'new', page = 1 }: ListSearch,
  now: number,
): { items: Item[]; total: number } {
  const words = searchWords(searchQuery);
  const fits = (item: Item) => {
    const text = plainWords(`${item.title} ${item.owner} ${item.subject}`);
    return (
      words.every((word) => text.includes(word)) &&
      (subject === undefined || item.theme === subject) &&
      (difficulty === undefined || item.difficulty === difficultyLabel(difficulty)) &&
      (status === undefined || item.status === status)
    );
  };
  const found = items.filter(fits).map((item, index) => ({
    item,
    id: item.id,
    name: item.title,
    newness: -index,
    closes: timeOf(item.endDate),
    points: item.totalPoints,
    runsUntil: timeOf(item.running?.deadline),
  }));
  const from = (page - 1) * PAGE_SIZE;
  const ordered = inOrder(found, sortOrder, now).slice(from, from + PAGE_SIZE);
  return { items: ordered.map(({ item }) => item), total: found.length };
}
