import * as v from 'valibot';
import { TestOrder, TestStatus } from '#contract/tests.ts';
import { Difficulty, Theme } from '#contract/themes.ts';
import { AddressSearch, LaterPage, orNothing, readAddress } from '#domain/address.ts';

/** Tests on one page of a list. */
export const PAGE_SIZE = 20;

/** What of a list of tests stands in the URL; what is absent is as it is by default. */
export interface ListSearch {
  searchQuery?: string;
  subject?: Theme;
  difficulty?: Difficulty;
  status?: TestStatus;
  sortOrder?: TestOrder;
  page?: number;
}

const Given = v.object({
  searchQuery: orNothing(AddressSearch),
  subject: orNothing(Theme),
  difficulty: orNothing(Difficulty),
  status: orNothing(TestStatus),
  sortOrder: orNothing(v.pipe(TestOrder, v.notValue('new'))),
  page: orNothing(LaterPage),
});

/** The state of a list by its URL; a value that cannot be is as if it were not there. */
export function listSearch(given: Record<string, unknown>): ListSearch {
  return readAddress(Given, given);
}

/** The state after a change; everything but a turned page leads to the first one. */
export function changed(search: ListSearch, part: Record<string, unknown>): ListSearch {
  const { page: _, ...rest } = search;
  return listSearch({ ...rest, ...part });
}

/** Whether the list is narrowed down; an order or a page narrows nothing. */
export function isNarrowed({ searchQuery, subject, difficulty, status }: ListSearch): boolean {
  return [searchQuery, subject, difficulty, status].some((value) => value !== undefined);
}
