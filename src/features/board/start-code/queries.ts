import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { getStartCode } from '#contract/offers.ts';
import { call } from '#app/api/call.ts';
import { queryKeys } from '#app/lib/query-keys.ts';

/** How often the number of prepared and begun attempts is read. */
const EVERY_MS = 15_000;

/** The start code of a test, and how many students have used it. */
export const startCodeQuery = (testId: string) =>
  queryOptions({
    queryKey: [...queryKeys.tests, 'start-code', testId],
    queryFn: ({ signal }) => call(getStartCode, { params: { id: testId } }, { signal }),
    refetchInterval: EVERY_MS,
  });

/** After a change of the code. */
export const renewStartCodes = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: [...queryKeys.tests, 'start-code'] });
