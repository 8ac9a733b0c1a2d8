import * as v from 'valibot';
import { StatisticsOrder } from '#contract/orders.ts';
import { Id } from '#contract/primitives.ts';
import {
  AddressSearch,
  AddressText,
  changeAddress,
  LaterPage,
  orNothing,
  readAddress,
  type Address,
} from '#domain/address.ts';

const Given = v.object({
  groupId: orNothing(Id),
  attempts: orNothing(v.literal('counted')),
  /** Include trials. */
  trials: orNothing(v.pipe(AddressText, v.literal('1'))),
  searchQuery: orNothing(AddressSearch),
  sortOrder: orNothing(v.pipe(StatisticsOrder, v.notValue('name'))),
  descending: orNothing(v.pipe(AddressText, v.literal('1'))),
  page: orNothing(LaterPage),
});
export type StatisticsSearch = Address<typeof Given>;

export const statisticsSearch = (search: Record<string, unknown>): StatisticsSearch =>
  readAddress(Given, search);

/** Filters of the attempts, for lists, figures and files. */
export const chosenOf = ({ groupId, attempts, trials }: StatisticsSearch) => ({
  ...(groupId && { groupId }),
  ...(attempts && { attempts }),
  ...(trials && { trials }),
});

export const changed = (
  search: StatisticsSearch,
  part: { [K in keyof StatisticsSearch]: StatisticsSearch[K] | undefined },
): StatisticsSearch => changeAddress(Given, search, part);
