import type { Question } from '#contract/questions.ts';
import type { Kind } from './rules.ts';

/** What a module does with the kinds that it knows, of questions or of what else has a kind. Others have no entry. */
export type KindTable<
  Result,
  Context extends readonly unknown[] = [],
  Of extends { readonly kind: Kind } = Question,
> = {
  readonly [K in Kind]?: (one: Extract<Of, { kind: K }>, ...context: Context) => Result;
};

/** The entry for a kind. It must be given something of the same kind. */
export const entryOf = <
  K extends Kind,
  Result,
  Context extends readonly unknown[],
  Of extends { readonly kind: Kind },
>(
  table: KindTable<Result, Context, Of>,
  { kind }: { readonly kind: K },
): ((one: Extract<Of, { kind: K }>, ...context: Context) => Result) | undefined => table[kind];
