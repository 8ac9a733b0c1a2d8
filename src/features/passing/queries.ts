import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { NO_SAVED_ANSWERS } from '#contract/answers.ts';
import { HEADER } from '#contract/headers.ts';
import { getSavedAnswers } from '#contract/passing.ts';
import { getPassing } from '#contract/tests.ts';
import { call } from '#app/api/call.ts';
import { queryKeys } from '#app/lib/query-keys.ts';
import type { Outbox } from '#app/outbox/outbox.ts';

/** Refetch interval of a running attempt: its deadline may move, another device may take it over. */
const EVERY_MS = 60_000;

const whileRunning = { networkMode: 'offlineFirst', retry: false, staleTime: 0 } as const;

/** State and time left. A failed call gives the cached data, else null (specification, section 7). */
export const passingQuery = (outbox: Outbox, client: QueryClient, attemptId: string) => {
  const queryKey = queryKeys.passing(attemptId);
  return queryOptions({
    ...whileRunning,
    queryKey,
    refetchInterval: EVERY_MS,
    queryFn: async ({ signal }) => {
      try {
        const passing = await call(getPassing, { params: { attemptId } }, { signal });
        await outbox.adoptDeadline(attemptId, passing);
        return passing;
      } catch {
        return client.getQueryData<Awaited<ReturnType<typeof readPassing>>>(queryKey) ?? null;
      }
    },
  });
};

const readPassing = (attemptId: string) => call(getPassing, { params: { attemptId } });

/** Answers on the server. A failed call gives the cached data, else an empty list (section 8). */
export const savedAnswersQuery = (
  outbox: Outbox,
  client: QueryClient,
  attemptId: string,
  stream: string,
) => {
  const queryKey = queryKeys.savedAnswers(attemptId);
  return queryOptions({
    ...whileRunning,
    queryKey,
    queryFn: async ({ signal }) => {
      const headers = { [HEADER.stream]: stream };
      try {
        const saved = await call(
          getSavedAnswers,
          { params: { id: attemptId } },
          { signal, headers },
        );
        await outbox.adoptSaved(attemptId, saved);
        return saved;
      } catch {
        return client.getQueryData<typeof NO_SAVED_ANSWERS>(queryKey) ?? NO_SAVED_ANSWERS;
      }
    },
  });
};
