import * as v from 'valibot';
import { PositiveInteger } from '#contract/primitives.ts';
import { SearchQuery } from '#contract/tests.ts';

/** A word of an address: the router reads `?tag=9` as a number and `?tag=true` as a boolean. */
export const AddressText = v.pipe(
  v.union([v.string(), v.number(), v.boolean()]),
  v.transform(String),
  v.trim(),
);

/** What is searched for; an empty search is none. */
export const AddressSearch = v.pipe(AddressText, SearchQuery, v.nonEmpty());

/** A page beyond the first, which an address does not name. */
export const LaterPage = v.pipe(PositiveInteger, v.minValue(2));

type AnySchema = v.BaseSchema<unknown, unknown, v.BaseIssue<unknown>>;

/** A value that cannot be is as if it were not there. */
export const orNothing = <S extends AnySchema>(schema: S) =>
  v.fallback(v.optional(schema), undefined);

/** What of an address is there, by a schema whose every part is `orNothing`. */
export function readAddress<S extends v.ObjectSchema<v.ObjectEntries, undefined>>(
  schema: S,
  given: Record<string, unknown>,
): { [K in keyof v.InferOutput<S>]?: Exclude<v.InferOutput<S>[K], undefined> } {
  const there = Object.entries(v.parse(schema, given)).filter(([, value]) => value !== undefined);
  return Object.fromEntries(there) as ReturnType<typeof readAddress<S>>;
}
