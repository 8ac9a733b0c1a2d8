import * as v from 'valibot';
import { TestLifecycle, TestOrder } from '#contract/tests.ts';
import { Theme } from '#contract/themes.ts';
import {
  AddressSearch,
  AddressText,
  changeAddress,
  LaterPage,
  orNothing,
  readAddress,
  type Address,
} from '#domain/address.ts';

/** Tests on one page of the list. */
export const PAGE_SIZE = 20;

const Given = v.object({
  searchQuery: orNothing(AddressSearch),
  subject: orNothing(Theme),
  status: orNothing(TestLifecycle),
  sortOrder: orNothing(v.pipe(TestOrder, v.notValue('new'))),
  everyones: orNothing(v.pipe(AddressText, v.literal('1'))),
  page: orNothing(LaterPage),
});
export type CreatedSearch = Address<typeof Given>;

export const createdSearch = (given: Record<string, unknown>): CreatedSearch =>
  readAddress(Given, given);

export const changedSearch = (
  search: CreatedSearch,
  part: Record<string, unknown>,
): CreatedSearch => changeAddress(Given, search, part);

/** Whether search or a filter narrows the list. */
export const isNarrowed = ({ searchQuery, subject, status, everyones }: CreatedSearch): boolean =>
  [searchQuery, subject, status, everyones].some((value) => value !== undefined);
