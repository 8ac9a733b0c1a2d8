import type { TestDetails } from '#contract/tests.ts';
import type { Aged } from '#app/lib/aged.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { usePageQuery, type PageData } from '#app/lib/use-page-query.ts';
import { testDetailsQuery } from './queries.ts';
import { msUntilChange } from './start-terms.ts';

/** Details of one test, read again at its opening and at its end. */
export function useTestDetails(testId: string): PageData<Aged<TestDetails>> {
  const { serverNow } = useDevice();
  return usePageQuery({
    ...testDetailsQuery(testId),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && msUntilChange(data.data, serverNow()),
  });
}
