import type { Aged } from '#app/offline/aged.ts';
import { useNow } from '#app/offline/use-now.ts';
import { usePageQuery, type PageQuery } from '#app/offline/use-page-query.ts';
import { overlayHeld, useHeldAttempts, type Listed } from './held-attempts.ts';
import type { ListSearch } from './list-search.ts';
import { myTestsQuery } from './queries.ts';
import { selectPage } from './select-page.ts';

const EVERY_MS = 15_000;

/** A page of the tests assigned to the signed-in person, chosen on the device out of all of them. */
export function useAssignedTests(
  owner: string,
  search: ListSearch,
): PageQuery<Aged<{ items: Listed[]; total: number }>> {
  const { data, ...query } = usePageQuery(myTestsQuery);
  const held = useHeldAttempts(owner);
  const now = useNow(EVERY_MS);
  return {
    ...query,
    data: data && {
      savedAt: data.savedAt,
      data: selectPage(overlayHeld(data.data.items, held, now), search, now),
    },
  };
}
