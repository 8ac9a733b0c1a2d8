import * as v from 'valibot';
import { PositiveInteger } from '#contract/primitives.ts';
import { SearchQuery, TestLifecycle, TestOrder } from '#contract/tests.ts';
import { Theme } from '#contract/themes.ts';

/** Tests on one page of the list. */
export const PAGE_SIZE = 20;

/** What of the list stands in the URL; what is absent is as it is by default. */
export interface CreatedSearch {
  searchQuery?: string;
  subject?: Theme;
  status?: TestLifecycle;
  sortOrder?: TestOrder;
  everyones?: '1';
  page?: number;
}

// The router reads `?searchQuery=2` as a number and `true` as a boolean.
const asText = v.pipe(v.union([v.string(), v.number(), v.boolean()]), v.transform(String));

const orNothing = <S extends v.BaseSchema<unknown, unknown, v.BaseIssue<unknown>>>(schema: S) =>
  v.fallback(v.optional(schema), undefined);

const Given = v.object({
  searchQuery: orNothing(v.pipe(asText, SearchQuery, v.nonEmpty())),
  subject: orNothing(Theme),
  status: orNothing(TestLifecycle),
  sortOrder: orNothing(v.pipe(TestOrder, v.notValue('new'))),
  everyones: orNothing(v.pipe(asText, v.literal('1'))),
  page: orNothing(v.pipe(PositiveInteger, v.minValue(2))),
});

/** The state of the list by its URL; a value that cannot be is as if it were not there. */
export function createdSearch(given: Record<string, unknown>): CreatedSearch {
  const known = Object.entries(v.parse(Given, given)).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known);
}

/** The state after a change; everything but a turned page leads to the first one. */
export function changedSearch(search: CreatedSearch, part: Record<string, unknown>): CreatedSearch {
  const { page: _, ...rest } = search;
  return createdSearch({ ...rest, ...part });
}

/** Whether the list is narrowed down; an order or a page narrows nothing. */
export const isNarrowed = ({ searchQuery, subject, status, everyones }: CreatedSearch): boolean =>
  [searchQuery, subject, status, everyones].some((value) => value !== undefined);
