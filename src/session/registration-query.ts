import { queryOptions } from '@tanstack/react-query';
import { health } from '#contract/health.ts';
import { call } from '#app/api/call.ts';

/** How the school gives accounts. */
export const registrationQuery = queryOptions({
  queryKey: ['registration'],
  queryFn: ({ signal }) => call(health, {}, { signal }),
});
