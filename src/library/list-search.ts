import * as v from 'valibot';
import { PositiveInteger } from '#contract/primitives.ts';
import { SearchQuery, TestOrder, TestStatus } from '#contract/tests.ts';
import { Difficulty, Theme } from '#contract/themes.ts';

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

// The router reads `?searchQuery=2` as a number and `true` as a boolean.
const Typed = v.pipe(
  v.union([v.string(), v.number(), v.boolean()]),
  v.transform(String),
  SearchQuery,
  v.nonEmpty(),
);
const Page = v.pipe(PositiveInteger, v.minValue(2));

const orNothing = <S extends v.BaseSchema<unknown, unknown, v.BaseIssue<unknown>>>(schema: S) =>
  v.fallback(v.optional(schema), undefined);

const Given = v.object({
  searchQuery: orNothing(Typed),
  subject: orNothing(Theme),
  difficulty: orNothing(Difficulty),
  status: orNothing(TestStatus),
  sortOrder: orNothing(v.pipe(TestOrder, v.notValue('new'))),
  page: orNothing(Page),
});

const withoutAbsent = (values: v.InferOutput<typeof Given>): ListSearch =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/** The state of a list by its URL; a value that cannot be is as if it were not there. */
export function listSearch(given: Record<string, unknown>): ListSearch {
  return withoutAbsent(v.parse(Given, given));
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
