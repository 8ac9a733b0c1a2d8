import { queryOptions } from '@tanstack/react-query';
import { getAiStatus } from '#contract/ai.ts';
import { call } from '#app/api/call.ts';

/** Whether drafts by a provider can be had here, and from whom. */
export const aiStatusQuery = queryOptions({
  queryKey: ['ai/status'],
  queryFn: ({ signal }) => call(getAiStatus, {}, { signal }),
  staleTime: 60_000,
});
