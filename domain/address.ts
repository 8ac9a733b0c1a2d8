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

/** The valid parameters of a URL, by a schema whose every part is `orNothing`. */
export function readAddress<S extends v.ObjectSchema<v.ObjectEntries, undefined>>(
  schema: S,
  given: Record<string, unknown>,
): { [K in keyof v.InferOutput<S>]?: Exclude<v.InferOutput<S>[K], undefined> } {
  const present = Object.entries(v.parse(schema, given)).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as ReturnType<typeof readAddress<S>>;
}
