import * as v from 'valibot';
import { PositiveInteger } from '#contract/primitives.ts';
import { SearchQuery } from '#contract/paging.ts';

/** A text parameter of a URL: the router reads `?tag=9` as a number and `?tag=true` as a boolean. */
export const AddressText = v.pipe(
  v.union([v.string(), v.number(), v.boolean()]),
  v.transform(String),
  v.trim(),
);

/** A switch that is on; the URL omits one that is off. */
export const AddressFlag = v.pipe(AddressText, v.literal('1'));

type AnySchema = v.BaseSchema<unknown, unknown, v.BaseIssue<unknown>>;

/** An invalid value counts as absent. */
export const orNothing = <S extends AnySchema>(schema: S) =>
  v.fallback(v.optional(schema), undefined);

type AddressSchema = v.ObjectSchema<v.ObjectEntries, undefined>;

/** The parameters of a URL, by a schema whose every part is `orNothing`; absent ones have their default. */
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

/** Reads and changes the parameters of a list: its search, its page and these. */
export function createListAddress<E extends v.ObjectEntries>(entries: E) {
  const schema = v.object({ searchQuery, ...entries, page });
  type Search = Address<typeof schema>;
  const read = (given: Record<string, unknown>): Search => readAddress(schema, given);
  /** Anything but a change of the page returns to the first one. */
  const change = (search: Search, part: Record<string, unknown>): Search =>
    read({ ...search, page: undefined, ...part });
  return { read, change };
}

const NOT_NARROWING: ReadonlySet<string> = new Set(['page', 'sort', 'sortOrder', 'view']);

/** Whether search or a filter narrows the list. */
export const isNarrowed = (search: object): boolean =>
  Object.entries(search).some(([key, value]) => value !== undefined && !NOT_NARROWING.has(key));
