import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { getBankFacets } from '#contract/bank.ts';
import { getGeneration, listTemplates } from '#contract/templates.ts';
import type { Theme } from '#contract/themes.ts';
import { call } from '#app/api/call.ts';

/** The teacher's own templates, the newest change first. */
export const templatesQuery = queryOptions({
  queryKey: ['tests/templates'],
  queryFn: ({ signal }) => call(listTemplates, {}, { signal }),
});

/** What the bank has, of one subject or of all. */
export const facetsQuery = (theme: Theme | '') =>
  queryOptions({
    queryKey: ['tests/bank-facets', theme],
    queryFn: ({ signal }) =>
      call(getBankFacets, { query: theme === '' ? {} : { theme } }, { signal }),
    placeholderData: keepPreviousData,
  });

/** How a test was assembled last. */
export const generationQuery = (testId: string) =>
  queryOptions({
    queryKey: ['tests/generation', testId],
    queryFn: ({ signal }) => call(getGeneration, { params: { id: testId } }, { signal }),
  });
