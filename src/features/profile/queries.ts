import { queryOptions } from '@tanstack/react-query';
import { listSessions } from '#contract/profile.ts';
import { getSecondFactor } from '#contract/second-factor.ts';
import { call } from '#app/api/call.ts';

/** Own active sessions, the current one first. */
export const sessionsQuery = queryOptions({
  queryKey: ['profile', 'sessions'],
  queryFn: async ({ signal }) => (await call(listSessions, {}, { signal })).items,
});

export const secondFactorQuery = queryOptions({
  queryKey: ['profile', 'second-factor'],
  queryFn: ({ signal }) => call(getSecondFactor, {}, { signal }),
});
