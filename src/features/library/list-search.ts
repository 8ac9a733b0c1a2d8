import * as v from 'valibot';
import { TestOrder, TestStatus } from '#contract/tests.ts';
import { Difficulty, Theme } from '#contract/themes.ts';
import { AddressSearch, LaterPage, orNothing, readAddress } from '#domain/address.ts';

/** Tests on one page of a list. */
export const PAGE_SIZE = 20;

/** Search parameters of a test list; absent ones have their default. */
export interface ListSearch {
  searchQuery?: string;
  subject?: Theme;
  difficulty?: Difficulty;
  status?: TestStatus;
  sortOrder?: TestOrder;
  page?: number;
}

const SearchParams = v.object({
  searchQuery: orNothing(AddressSearch),
  subject: orNothing(Theme),
  difficulty: orNothing(Difficulty),
  status: orNothing(TestStatus),
  sortOrder: orNothing(v.pipe(TestOrder, v.notValue('new'))),
  page: orNothing(LaterPage),
});

/** Parses the search parameters; invalid values are dropped. */
export function listSearch(search: Record<string, unknown>): ListSearch {
  return readAddress(SearchParams, search);
}

/** Applies a change; anything but a page change returns to the first page. */
export function changed(search: ListSearch, part: Record<string, unknown>): ListSearch {
  const { page: _, ...rest } = search;
  return listSearch({ ...rest, ...part });
}

/** Whether search or a filter narrows the list. */
export function isNarrowed({ searchQuery, subject, difficulty, status }: ListSearch): boolean {
  return [searchQuery, subject, difficulty, status].some((value) => value !== undefined);
}
