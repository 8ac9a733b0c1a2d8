import * as v from 'valibot';
import { PositiveInteger } from '#contract/primitives.ts';
import { SearchQuery } from '#contract/paging.ts';

/** A text parameter of a URL: the router reads `?tag=9` as a number and `?tag=true` as a boolean. */
export const AddressText = v.pipe(
  v.union([v.string(), v.number(), v.boolean()]),
  v.transform(String),
  v.trim(),
);

/** A search text; empty counts as absent. */
export const AddressSearch = v.pipe(AddressText, SearchQuery, v.nonEmpty());

/** A page beyond the first, which the URL omits. */
export const LaterPage = v.pipe(PositiveInteger, v.minValue(2));

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

/** Applies a change to the parameters of a list; anything but a change of the page returns to the first one. */
export const changeAddress = <S extends AddressSchema>(
  schema: S,
  address: Address<S>,
  part: Record<string, unknown>,
): Address<S> => readAddress(schema, { ...address, page: undefined, ...part });
