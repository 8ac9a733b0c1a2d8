import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import { listBank } from '#contract/bank.ts';
import { call } from '#app/api/call.ts';
import { queryKeys } from '#app/lib/query-keys.ts';
import type { BankSearch } from './bank-search.ts';

/** Page size of the bank. */
export const PAGE_SIZE = 20;

/** A page of the teacher's bank; `notIn`: excludes the questions of this test. */
export const bankQuery = ({ sort, ...search }: BankSearch, notIn?: string) =>
  queryOptions({
    queryKey: [...queryKeys.bank, 'list', search, sort ?? 'new', notIn ?? null],
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

/** Invalidates the bank, after a change of it. */
export async function renewBank(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: queryKeys.bank });
}
