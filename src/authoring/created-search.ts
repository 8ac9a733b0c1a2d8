import * as v from 'valibot';
import { TestLifecycle, TestOrder } from '#contract/tests.ts';
import { Theme } from '#contract/themes.ts';
import { AddressSearch, AddressText, LaterPage, orNothing, readAddress } from '#domain/address.ts';

/** Tests on one page of the list. */
export const PAGE_SIZE = 20;

/** Search parameters in the URL; absent ones have their default. */
export interface CreatedSearch {
  searchQuery?: string;
  subject?: Theme;
  status?: TestLifecycle;
  sortOrder?: TestOrder;
  everyones?: '1';
  page?: number;
}

const Given = v.object({
  searchQuery: orNothing(AddressSearch),
  subject: orNothing(Theme),
  status: orNothing(TestLifecycle),
  sortOrder: orNothing(v.pipe(TestOrder, v.notValue('new'))),
  everyones: orNothing(v.pipe(AddressText, v.literal('1'))),
  page: orNothing(LaterPage),
});

/** Parses the search parameters; invalid values are dropped. */
export function createdSearch(given: Record<string, unknown>): CreatedSearch {
  return readAddress(Given, given);
}

/** Applies a change; anything but a page change returns to the first page. */
export function changedSearch(search: CreatedSearch, part: Record<string, unknown>): CreatedSearch {
  const { page: _, ...rest } = search;
  return createdSearch({ ...rest, ...part });
}

/** Whether search or a filter narrows the list. */
export const isNarrowed = ({ searchQuery, subject, status, everyones }: CreatedSearch): boolean =>
  [searchQuery, subject, status, everyones].some((value) => value !== undefined);
