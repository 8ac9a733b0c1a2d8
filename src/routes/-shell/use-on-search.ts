import { useCallback } from 'react';
import type { OnSearch } from '#app/lib/list-page.ts';

interface SearchNavigation<Search> {
  search: Search;
  replace: boolean;
  resetScroll: boolean;
}

/** Puts the parameters of a page into its URL; only a new history entry starts at the top again. */
export function useOnSearch<Search>(
  navigate: (to: SearchNavigation<Search>) => Promise<void>,
): OnSearch<Search> {
  return useCallback(
    (search, { replace }) => void navigate({ search, replace, resetScroll: !replace }),
    [navigate],
  );
}
