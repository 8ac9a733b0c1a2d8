import * as v from 'valibot';
import { PositiveInteger } from '#contract/primitives.ts';
import { SearchQuery } from '#contract/paging.ts';

/** A text parameter of a URL: the router reads `?tag=9` as a number and `?tag=true` as a boolean. */
export const AddressText = v.pipe(
  v.union([v.string(), v.number(), v.boolean()]),
  v.transform(String),
  v.trim(),
);

/** A switch that is on; the URL omits a switch that is off. */
export const AddressFlag = v.pipe(AddressText, v.literal('1'));

type AnySchema = v.BaseSchema<unknown, unknown, v.BaseIssue<unknown>>;

/** An invalid value counts as absent. */
export const orNothing = <S extends AnySchema>(schema: S) =>
  v.fallback(v.optional(schema), undefined);

type AddressSchema = v.ObjectSchema<v.ObjectEntries, undefined>;

/** The parameters of a URL, by a schema with `orNothing` in every field; absent ones have their default. */
export type Address<S extends AddressSchema> = {
  [K in keyof v.InferOutput<S>]?: Exclude<v.InferOutput<S>[K], undefined>;
};

/** Parses the parameters of a URL; invalid values are dropped. */
export function readAddress<S extends AddressSchema>(
  schema: S,
  given: Record<string, unknown>,
): Address<S> {
  const present = Object.entries(v.parse(schema, given)).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as Address<S>;
}

/** A search text; empty counts as absent. */
const searchQuery = orNothing(v.pipe(AddressText, SearchQuery, v.nonEmpty()));
/** A page beyond the first, which the URL omits. */
const page = orNothing(v.pipe(PositiveInteger, v.minValue(2)));

/** Parameters that hide nothing of a list: its page, its order, additional entries. */
const NOT_NARROWING: readonly string[] = [
  'page',
  'sort',
  'sortOrder',
  'descending',
  'trials',
  'view',
];

/** The parameters of a list: its search, its page and others. */
export interface ListAddress<Search extends object> {
  read: (given: Record<string, unknown>) => Search;
  /** Anything but a change of the page returns to the first one. */
  change: (search: Search, part: Record<string, unknown>) => Search;
  /** Without search, filters and page. */
  widen: (search: Search) => Search;
  /** Whether search or a filter narrows the list. */
  isNarrowed: (search: Search) => boolean;
}

/**
 * Reads and changes the parameters of a list.
 *
 * @param scope the parameters that choose the list; without filters it is still the chosen one
 */
export function createListAddress<E extends v.ObjectEntries>(
  entries: E,
  scope: readonly (keyof E & string)[] = [],
) {
  const schema = v.object({ searchQuery, ...entries, page });
  type Search = Address<typeof schema>;
  const isFilter = (key: string) => ![...NOT_NARROWING, ...scope].includes(key);
  const read = (given: Record<string, unknown>): Search => readAddress(schema, given);
  const change = (search: Search, part: Record<string, unknown>): Search =>
    read({ ...search, page: undefined, ...part });
  const address: ListAddress<Search> = {
    read,
    change,
    widen: (search) =>
      change(
        Object.fromEntries(Object.entries(search).filter(([key]) => !isFilter(key))) as Search,
        {},
      ),
    isNarrowed: (search) =>
      Object.entries(search).some(([key, value]) => value !== undefined && isFilter(key)),
  };
  return address;
}
