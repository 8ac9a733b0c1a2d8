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
 * The state of a page in its URL, and what changes it. Reads the parameters again: beside the validated ones the
 * router gives those that the schema dropped.
 *
 * @param read the route's `validateSearch`, or that of a page whose parameters are no part of the main bundle
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
