import * as v from 'valibot';
import { TestLifecycle, TestOrder } from '#contract/tests.ts';
import { Theme } from '#contract/themes.ts';
import { AddressSearch, AddressText, LaterPage, orNothing, readAddress } from '#domain/address.ts';

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

const Given = v.object({
  searchQuery: orNothing(AddressSearch),
  subject: orNothing(Theme),
  status: orNothing(TestLifecycle),
  sortOrder: orNothing(v.pipe(TestOrder, v.notValue('new'))),
  everyones: orNothing(v.pipe(AddressText, v.literal('1'))),
  page: orNothing(LaterPage),
});

/** The state of the list by its URL; a value that cannot be is as if it were not there. */
export function createdSearch(given: Record<string, unknown>): CreatedSearch {
  return readAddress(Given, given);
}

/** The state after a change; everything but a turned page leads to the first one. */
export function changedSearch(search: CreatedSearch, part: Record<string, unknown>): CreatedSearch {
  const { page: _, ...rest } = search;
  return createdSearch({ ...rest, ...part });
}

/** Whether the list is narrowed down; an order or a page narrows nothing. */
export const isNarrowed = ({ searchQuery, subject, status, everyones }: CreatedSearch): boolean =>
  [searchQuery, subject, status, everyones].some((value) => value !== undefined);
