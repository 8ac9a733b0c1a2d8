import * as v from 'valibot';
import { TestLifecycle, TestOrder } from '#contract/tests.ts';
import { Theme } from '#contract/themes.ts';
import { AddressFlag, createListAddress, orNothing } from '#domain/address.ts';

/** Tests on one page of the list. */
export const PAGE_SIZE = 20;

export const createdAddress = createListAddress({
  subject: orNothing(Theme),
  status: orNothing(TestLifecycle),
  sortOrder: orNothing(v.pipe(TestOrder, v.notValue('new'))),
  everyones: orNothing(AddressFlag),
});
export const { read: createdSearch, change: changedSearch } = createdAddress;
export type CreatedSearch = ReturnType<typeof createdSearch>;
