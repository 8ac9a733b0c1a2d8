import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { getBankFacets } from '#contract/bank.ts';
import { getGeneration, listTemplates } from '#contract/templates.ts';
import type { Theme } from '#contract/themes.ts';
import { call } from '#app/api/call.ts';

/** The teacher's own templates, last changed first. */
export const templatesQuery = queryOptions({
  queryKey: ['tests/templates'],
  queryFn: ({ signal }) => call(listTemplates, {}, { signal }),
});

/** Contents of the bank, of one subject or of all. */
export const facetsQuery = (theme: Theme | '') =>
  queryOptions({
    queryKey: ['tests/bank-facets', theme],
    queryFn: ({ signal }) =>
      call(getBankFacets, { query: theme === '' ? {} : { theme } }, { signal }),
    placeholderData: keepPreviousData,
  });

/** Settings of the last assembly of a test. */
export const generationQuery = (testId: string) =>
  queryOptions({
    queryKey: ['tests/generation', testId],
    queryFn: ({ signal }) => call(getGeneration, { params: { id: testId } }, { signal }),
  });
