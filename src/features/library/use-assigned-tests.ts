import type { Aged } from '#app/lib/aged.ts';
import { useNow } from '#app/lib/use-now.ts';
import { usePageQuery, type PageData } from '#app/lib/use-page-query.ts';
import { overlayLocalAttempts, useLocalAttempts, type ListedTest } from './local-attempts.ts';
import type { ListSearch } from './list-search.ts';
import { myTestsQuery } from './queries.ts';
import { selectPage } from './select-page.ts';

const EVERY_MS = 15_000;

/** A page of the assigned tests, selected on the client from the whole list. */
export function useAssignedTests(
  owner: string,
  search: ListSearch,
): PageData<Aged<{ items: ListedTest[]; total: number }>> {
  const { data, ...query } = usePageQuery(myTestsQuery);
  const localAttempts = useLocalAttempts(owner);
  const now = useNow(EVERY_MS);
  return {
    ...query,
    data: data && {
      savedAt: data.savedAt,
      data: selectPage(overlayLocalAttempts(data.data.items, localAttempts, now), search, now),
    },
  };
}
