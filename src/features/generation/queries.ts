import { queryOptions } from '@tanstack/react-query';
import { getGeneration, listTemplates } from '#contract/templates.ts';
import { call } from '#app/api/call.ts';
import { queryKeys } from '#app/lib/query-keys.ts';

/** The teacher's own templates, last changed first. */
export const templatesQuery = queryOptions({
  queryKey: [...queryKeys.tests, 'templates'],
  queryFn: ({ signal }) => call(listTemplates, {}, { signal }),
});

/** Settings of the last assembly of a test. */
export const generationQuery = (testId: string) =>
  queryOptions({
    queryKey: [...queryKeys.tests, 'generation', testId],
    queryFn: ({ signal }) => call(getGeneration, { params: { id: testId } }, { signal }),
  });
