import * as v from 'valibot';
import { StatisticsOrder } from '#contract/orders.ts';
import { Id, PositiveInteger } from '#contract/primitives.ts';
import { SearchQuery } from '#contract/tests.ts';

/** What of the statistics stands in the URL; what is absent is as it is by default. */
export interface StatisticsSearch {
  groupId?: string;
  attempts?: 'counted';
  searchQuery?: string;
  sortOrder?: StatisticsOrder;
  descending?: '1';
  page?: number;
}

// The router reads `?searchQuery=2` as a number and `true` as a boolean.
const Text = v.pipe(v.union([v.string(), v.number(), v.boolean()]), v.transform(String));

const orNothing = <S extends v.BaseSchema<unknown, unknown, v.BaseIssue<unknown>>>(schema: S) =>
  v.fallback(v.optional(schema), undefined);

const Given = v.object({
  groupId: orNothing(Id),
  attempts: orNothing(v.literal('counted')),
  searchQuery: orNothing(v.pipe(Text, SearchQuery, v.nonEmpty())),
  sortOrder: orNothing(v.pipe(StatisticsOrder, v.notValue('name'))),
  descending: orNothing(v.pipe(Text, v.literal('1'))),
  page: orNothing(v.pipe(PositiveInteger, v.minValue(2))),
});

const withoutAbsent = (given: v.InferOutput<typeof Given>): StatisticsSearch =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));

/** Reads the URL's search; what makes no sense is as if it were absent. */
export const statisticsSearch = (search: Record<string, unknown>): StatisticsSearch =>
  withoutAbsent(v.parse(Given, search));

/** A change of the URL: anything but a page leads to the first one. */
export function changed(
  search: StatisticsSearch,
  change: { [K in keyof StatisticsSearch]: StatisticsSearch[K] | undefined },
): StatisticsSearch {
  return statisticsSearch({ ...search, page: undefined, ...change });
}
