import * as v from 'valibot';
import { PositiveInteger } from '#contract/primitives.ts';
import { SearchQuery } from '#contract/tests.ts';

/** What of the list of classes stands in the URL. */
export interface GroupSearch {
  searchQuery?: string;
  page?: number;
}

// The router reads `?searchQuery=9` as a number.
const Typed = v.pipe(
  v.union([v.string(), v.number(), v.boolean()]),
  v.transform(String),
  SearchQuery,
  v.nonEmpty(),
);
const Page = v.pipe(PositiveInteger, v.minValue(2));

/** The state of the list by its URL; a value that cannot be is as if it were not there. */
export function groupSearch(given: Record<string, unknown>): GroupSearch {
  const searchQuery = v.safeParse(Typed, given['searchQuery']);
  const page = v.safeParse(Page, given['page']);
  return {
    ...(searchQuery.success && { searchQuery: searchQuery.output }),
    ...(page.success && { page: page.output }),
  };
}
