import type { Question } from '#contract/questions.ts';
import type { Kind } from './rules.ts';

/**
 * A table of the kinds that a module supports, for questions or other values with a kind. Other kinds have no entry.
 */
export type KindTable<
  Result,
  Context extends readonly unknown[] = [],
  Of extends { readonly kind: Kind } = Question,
> = {
  readonly [K in Kind]?: (one: Extract<Of, { kind: K }>, ...context: Context) => Result;
};

/** The entry for a kind. Its argument must be of the same kind. */
export const entryOf = <
  K extends Kind,
  Result,
  Context extends readonly unknown[],
  Of extends { readonly kind: Kind },
>(
  table: KindTable<Result, Context, Of>,
  { kind }: { readonly kind: K },
): ((one: Extract<Of, { kind: K }>, ...context: Context) => Result) | undefined => table[kind];
