import * as v from 'valibot';
import { StatisticsOrder } from '#contract/orders.ts';
import { Id } from '#contract/primitives.ts';
import { AddressSearch, AddressText, LaterPage, orNothing, readAddress } from '#domain/address.ts';

/** What of the statistics stands in the URL; what is absent is as it is by default. */
export interface StatisticsSearch {
  groupId?: string;
  attempts?: 'counted';
  /** Trials, too. */
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

/** Reads the URL's search; what makes no sense is as if it were absent. */
export const statisticsSearch = (search: Record<string, unknown>): StatisticsSearch =>
  readAddress(Given, search);

/** Which attempts are looked at: by lists, figures and files alike. */
export const chosenOf = ({ groupId, attempts, trials }: StatisticsSearch) => ({
  ...(groupId && { groupId }),
  ...(attempts && { attempts }),
  ...(trials && { trials }),
});

/** A change of the URL: anything but a page leads to the first one. */
export function changed(
  search: StatisticsSearch,
  change: { [K in keyof StatisticsSearch]: StatisticsSearch[K] | undefined },
): StatisticsSearch {
  return statisticsSearch({ ...search, page: undefined, ...change });
}
