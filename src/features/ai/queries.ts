import { queryOptions } from '@tanstack/react-query';
import { getAiStatus } from '#contract/ai.ts';
import { call } from '#app/api/call.ts';

/** Whether a provider is configured, and which. */
export const aiStatusQuery = queryOptions({
  queryKey: ['ai', 'status'],
  queryFn: ({ signal }) => call(getAiStatus, {}, { signal }),
  staleTime: 60_000,
});
