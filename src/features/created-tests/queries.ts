import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { listCreatedTests } from '#contract/authoring.ts';
import { MAX_PAGE_SIZE } from '#contract/limits.ts';
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
