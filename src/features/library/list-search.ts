import * as v from 'valibot';
import { TestOrder, TestStatus } from '#contract/tests.ts';
import { Difficulty, Theme } from '#contract/themes.ts';
import { createListAddress, orNothing } from '#domain/address.ts';

/** Tests on one page of a list. */
export const PAGE_SIZE = 20;

export const listAddress = createListAddress({
  subject: orNothing(Theme),
  difficulty: orNothing(Difficulty),
  status: orNothing(TestStatus),
  sortOrder: orNothing(v.pipe(TestOrder, v.notValue('new'))),
});
export const { read: listSearch, change: changed } = listAddress;
export type ListSearch = ReturnType<typeof listSearch>;
