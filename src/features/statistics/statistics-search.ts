import * as v from 'valibot';
import { StatisticsOrder } from '#contract/orders.ts';
import { Id } from '#contract/primitives.ts';
import { AddressSearch, AddressText, LaterPage, orNothing, readAddress } from '#domain/address.ts';

/** Search parameters in the URL; absent ones have their default. */
export interface StatisticsSearch {
  groupId?: string;
  attempts?: 'counted';
  /** Include trials. */
  trials?: '1';
  searchQuery?: string;
  sortOrder?: StatisticsOrder;
  descending?: '1';
  page?: number;
}

const Given = v.object({
  groupId: orNothing(Id),
  attempts: orNothing(v.literal('counted')),
  trials: orNothing(v.pipe(AddressText, v.literal('1'))),
  searchQuery: orNothing(AddressSearch),
  sortOrder: orNothing(v.pipe(StatisticsOrder, v.notValue('name'))),
  descending: orNothing(v.pipe(AddressText, v.literal('1'))),
  page: orNothing(LaterPage),
});

/** Parses the search parameters; invalid values are dropped. */
export const statisticsSearch = (search: Record<string, unknown>): StatisticsSearch =>
  readAddress(Given, search);

/** Filters of the attempts, for lists, figures and files. */
export const chosenOf = ({ groupId, attempts, trials }: StatisticsSearch) => ({
  ...(groupId && { groupId }),
  ...(attempts && { attempts }),
  ...(trials && { trials }),
});

/** Applies a change; anything but a page change returns to the first page. */
export function changed(
  search: StatisticsSearch,
  change: { [K in keyof StatisticsSearch]: StatisticsSearch[K] | undefined },
): StatisticsSearch {
  return statisticsSearch({ ...search, page: undefined, ...change });
}
