import { queryOptions } from '@tanstack/react-query';
import { getTestDetails, listMyTests } from '#contract/tests.ts';
import { callWithFacts } from '#app/api/call.ts';
import { aged } from '#app/offline/aged.ts';

/** Tests assigned to the signed-in person. */
export const myTestsQuery = queryOptions({
  queryKey: ['tests/my'],
  queryFn: async ({ signal }) => aged(await callWithFacts(listMyTests, {}, { signal })),
});

/** What the overview shows of one test. */
export const testDetailsQuery = (id: string) =>
  queryOptions({
    queryKey: ['tests/details', id],
    queryFn: async ({ signal }) =>
      aged(await callWithFacts(getTestDetails, { params: { id } }, { signal })),
  });
