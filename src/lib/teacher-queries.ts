import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import { getTestSettings } from '#contract/authoring.ts';
import { getBankFacets } from '#contract/bank.ts';
import type { Theme } from '#contract/themes.ts';
import { call } from '#app/api/call.ts';
import { queryKeys } from './query-keys.ts';

/** The settings of a test, without its questions. */
export const settingsQuery = (id: string) =>
  queryOptions({
    queryKey: [...queryKeys.tests, 'settings', id],
    queryFn: ({ signal }) => call(getTestSettings, { params: { id } }, { signal }),
  });

/** The values in the bank, for one subject or for all; `bankOf`: a colleague's bank. */
export const bankFacetsQuery = (theme: Theme | undefined, bankOf?: string) =>
  queryOptions({
    queryKey: [...queryKeys.bank, 'facets', theme, bankOf],
    queryFn: ({ signal }) =>
      call(
        getBankFacets,
        {
          query: { ...(theme !== undefined && { theme }), ...(bankOf !== undefined && { bankOf }) },
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

/** Invalidates every query about a test, after a change of it. */
export function refreshTests(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: queryKeys.tests });
}
