import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import { getBankFacets, listBank } from '#contract/bank.ts';
import type { Theme } from '#contract/themes.ts';
import { call } from '#app/api/call.ts';
import type { BankSearch } from './bank-search.ts';

/** Page size of the bank. */
export const PAGE_SIZE = 20;

const LIST = 'tests/bank';
const FACETS = 'tests/bankFacets';

/** A page of the teacher's bank; `notIn`: excludes the questions of this test. */
export const bankQuery = ({ sort, ...search }: BankSearch, notIn?: string) =>
  queryOptions({
    queryKey: [LIST, search, sort ?? 'new', notIn ?? null],
    queryFn: ({ signal }) =>
      call(
        listBank,
        {
          query: {
            ...search,
            sortOrder: sort ?? 'new',
            pageSize: PAGE_SIZE,
            ...(notIn !== undefined && { notIn }),
          },
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

/** Filter options of the bank. */
export const facetsQuery = (theme: Theme | undefined) =>
  queryOptions({
    queryKey: [FACETS, theme ?? null],
    queryFn: ({ signal }) =>
      call(getBankFacets, { query: theme === undefined ? {} : { theme } }, { signal }),
    placeholderData: keepPreviousData,
  });

/** Invalidates the bank, after a change of it. */
export async function renewBank(client: QueryClient): Promise<void> {
  await Promise.all([LIST, FACETS].map((key) => client.invalidateQueries({ queryKey: [key] })));
}
