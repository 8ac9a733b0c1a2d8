import * as v from 'valibot';
import { StatisticsOrder } from '#contract/orders.ts';
import { Id } from '#contract/primitives.ts';
import { AddressFlag, createListAddress, orNothing } from '#domain/address.ts';

export const statisticsAddress = createListAddress({
  groupId: orNothing(Id),
  attempts: orNothing(v.literal('counted')),
  /** Include trials. */
  trials: orNothing(AddressFlag),
  sortOrder: orNothing(v.pipe(StatisticsOrder, v.notValue('name'))),
  descending: orNothing(AddressFlag),
});
export const { read: statisticsSearch, change: changed } = statisticsAddress;
export type StatisticsSearch = ReturnType<typeof statisticsSearch>;

/** Filters of the attempts, for lists, figures and files. */
export const chosenOf = ({ groupId, attempts, trials }: StatisticsSearch) => ({
  ...(groupId && { groupId }),
  ...(attempts && { attempts }),
  ...(trials && { trials }),
});
