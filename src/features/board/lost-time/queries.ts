import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { getLostTime, getSilence } from '#contract/lost-time.ts';
import { call } from '#app/api/call.ts';
import { queryKeys } from '#app/lib/query-keys.ts';

const EVERY_MS = 30_000;

/** What running attempts of a test lost and have not got back. */
export const lostTimeQuery = (testId: string) =>
  queryOptions({
    queryKey: [...queryKeys.tests, 'lost-time', testId],
    queryFn: ({ signal }) => call(getLostTime, { params: { id: testId } }, { signal }),
    refetchInterval: EVERY_MS,
  });

/** After minutes were given back. */
export const renewLostTime = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: [...queryKeys.tests, 'lost-time'] });

/** When the device of an attempt could not deliver. */
export const silenceQuery = (testId: string, attemptId: string) =>
  queryOptions({
    queryKey: [...queryKeys.tests, 'silence', testId, attemptId],
    queryFn: ({ signal }) =>
      call(getSilence, { params: { id: testId }, query: { attemptId } }, { signal }),
  });
