import { useCallback } from 'react';
import type { OnSearch } from '#app/lib/list/use-list.ts';

interface SearchNavigation<Search> {
  search: Search;
  replace: boolean;
  resetScroll: boolean;
}

export interface SearchState<Search> {
  search: Search;
  onSearch: OnSearch<Search>;
}

/**
 * The state of a page in its URL, and a function that changes it. Parses the parameters again, since the router adds
 * those that the schema dropped to the validated ones.
 *
 * @param read the route's `validateSearch`, or that of a page with parameters outside the main bundle
 * @param keepsScroll by default a new history entry starts at the top
 */
export function useSearchState<Search>(
  read: (given: Record<string, unknown>) => Search,
  given: object,
  navigate: (to: SearchNavigation<NoInfer<Search>>) => Promise<void>,
  { keepsScroll = false } = {},
): SearchState<Search> {
  const onSearch = useCallback<OnSearch<Search>>(
    (search, { replace }) =>
      void navigate({ search, replace, resetScroll: !keepsScroll && !replace }),
    [navigate, keepsScroll],
  );
  return { search: read({ ...given }), onSearch };
}
