import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { getTestDetails, listMyTests, listPassedTests, listTests } from '#contract/tests.ts';
import { callWithFacts } from '#app/api/call.ts';
import { aged } from '#app/lib/aged.ts';
import { queryKeys } from '#app/lib/query-keys.ts';
import { PAGE_SIZE, type ListSearch } from './list-search.ts';

/** One page of the tests open to everyone; the previous page stays visible while it loads. */
export const testBaseQuery = (search: ListSearch) =>
  queryOptions({
    queryKey: [...queryKeys.tests, 'base', search],
    queryFn: async ({ signal }) =>
      aged(
        await callWithFacts(listTests, { query: { ...search, pageSize: PAGE_SIZE } }, { signal }),
      ),
    placeholderData: keepPreviousData,
  });

/** One page of the tests with a finished attempt of the signed-in person. */
export const passedTestsQuery = (search: ListSearch) =>
  queryOptions({
    queryKey: [...queryKeys.tests, 'passed', search],
    queryFn: async ({ signal }) =>
      aged(
        await callWithFacts(
          listPassedTests,
          { query: { ...search, pageSize: PAGE_SIZE } },
          { signal },
        ),
      ),
    placeholderData: keepPreviousData,
  });

/** Tests assigned to the signed-in person. */
export const myTestsQuery = queryOptions({
  queryKey: queryKeys.myTests,
  queryFn: async ({ signal }) => aged(await callWithFacts(listMyTests, {}, { signal })),
});

/** Details of one test for its overview. */
export const testDetailsQuery = (id: string) =>
  queryOptions({
    queryKey: [...queryKeys.tests, 'details', id],
    queryFn: async ({ signal }) =>
      aged(await callWithFacts(getTestDetails, { params: { id } }, { signal })),
  });
