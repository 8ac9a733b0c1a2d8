import * as v from 'valibot';
import { TestOrder, TestStatus } from '#contract/tests.ts';
import { Difficulty, Theme } from '#contract/themes.ts';
import {
  AddressSearch,
  changeAddress,
  LaterPage,
  orNothing,
  readAddress,
  type Address,
} from '#domain/address.ts';

/** Tests on one page of a list. */
export const PAGE_SIZE = 20;

const SearchParams = v.object({
  searchQuery: orNothing(AddressSearch),
  subject: orNothing(Theme),
  difficulty: orNothing(Difficulty),
  status: orNothing(TestStatus),
  sortOrder: orNothing(v.pipe(TestOrder, v.notValue('new'))),
  page: orNothing(LaterPage),
});
export type ListSearch = Address<typeof SearchParams>;

export const listSearch = (given: Record<string, unknown>): ListSearch =>
  readAddress(SearchParams, given);

export const changed = (search: ListSearch, part: Record<string, unknown>): ListSearch =>
  changeAddress(SearchParams, search, part);

/** Whether search or a filter narrows the list. */
export function isNarrowed({ searchQuery, subject, difficulty, status }: ListSearch): boolean {
  return [searchQuery, subject, difficulty, status].some((value) => value !== undefined);
}
