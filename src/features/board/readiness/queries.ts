import { queryOptions } from '@tanstack/react-query';
import { listReadiness } from '#contract/readiness.ts';
import { call } from '#app/api/call.ts';
import { queryKeys } from '#app/lib/query-keys.ts';

/** How often the reports are read. */
const EVERY_MS = 30_000;

/** The students of a test that begins without a network, with what their devices reported. */
export const readinessQuery = (testId: string) =>
  queryOptions({
    queryKey: [...queryKeys.tests, 'readiness', testId],
    queryFn: ({ signal }) => call(listReadiness, { params: { id: testId } }, { signal }),
    refetchInterval: EVERY_MS,
  });
