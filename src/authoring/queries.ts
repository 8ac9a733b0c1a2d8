import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import * as v from 'valibot';
import { getTestSettings, listCreatedTests } from '#contract/authoring.ts';
import { getBankFacets } from '#contract/bank.ts';
import { MAX_PAGE_SIZE } from '#contract/limits.ts';
import { Question } from '#contract/questions.ts';
import { getTest } from '#contract/tests.ts';
import type { Theme } from '#contract/themes.ts';
import { call } from '#app/api/call.ts';
import { queryKeys } from '#app/lib/query-keys.ts';
import { PAGE_SIZE, type CreatedSearch } from './created-search.ts';

/** Tests that the signed-in teacher made. */
export const createdTestsQuery = (search: CreatedSearch) =>
  queryOptions({
    queryKey: [...queryKeys.createdTests, search],
    queryFn: ({ signal }) =>
      call(listCreatedTests, { query: { ...search, pageSize: PAGE_SIZE } }, { signal }),
    placeholderData: keepPreviousData,
  });

/** The newest own tests with ungraded or held answers. */
export const waitingTestsQuery = queryOptions({
  queryKey: [...queryKeys.createdTests, 'waiting'],
  queryFn: async ({ signal }) => {
    const { items } = await call(
      listCreatedTests,
      { query: { pageSize: MAX_PAGE_SIZE } },
      { signal },
    );
    return items.filter(({ pendingGrades, heldAnswers }) => pendingGrades + heldAnswers > 0);
  },
});

/** The settings of a test, without its questions. */
export const settingsQuery = (id: string) =>
  queryOptions({
    queryKey: [...queryKeys.tests, 'settings', id],
    queryFn: ({ signal }) => call(getTestSettings, { params: { id } }, { signal }),
  });

const Questions = v.array(Question);

/** The newest questions with their keys. */
export const contentQuery = (id: string) =>
  queryOptions({
    queryKey: [...queryKeys.tests, 'content', id],
    queryFn: async ({ signal }) => {
      const test = await call(getTest, { params: { id } }, { signal });
      return { ...test, questions: v.parse(Questions, test.questions) };
    },
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
