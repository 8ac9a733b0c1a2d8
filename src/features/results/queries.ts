import { queryOptions } from '@tanstack/react-query';
import { getAttemptPreview, getResult, listResults } from '#contract/results.ts';
import { callWithFacts } from '#app/api/call.ts';
import { aged } from '#app/lib/aged.ts';
import { queryKeys } from '#app/lib/query-keys.ts';

/** The result of one attempt, for its student and for the test's teacher. */
export const resultQuery = (attemptId: string) =>
  queryOptions({
    queryKey: [...queryKeys.results, 'attempt', attemptId],
    queryFn: async ({ signal }) =>
      aged(await callWithFacts(getResult, { params: { attemptId } }, { signal })),
  });

/** Answers of one attempt as far as visible now; own ones are cached for offline use. */
export const previewQuery = (attemptId: string) =>
  queryOptions({
    queryKey: [...queryKeys.results, 'preview', attemptId],
    queryFn: async ({ signal }) =>
      aged(await callWithFacts(getAttemptPreview, { params: { attemptId } }, { signal })),
  });

/** The signed-in person's attempts on a test. */
export const attemptsQuery = (id: string) =>
  queryOptions({
    queryKey: [...queryKeys.results, 'test', id],
    queryFn: async ({ signal }) =>
      aged(await callWithFacts(listResults, { params: { id }, query: {} }, { signal })),
  });
