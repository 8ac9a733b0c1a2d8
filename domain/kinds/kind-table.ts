import type { Kind, QuestionOf } from './rules.ts';

/** What a module does with the kinds of questions that it knows. Of other kinds it has no entry. */
export type KindTable<Result, Context extends readonly unknown[] = []> = {
  readonly [K in Kind]?: (question: QuestionOf<K>, ...context: Context) => Result;
};

/** The entry for the question's own kind. */
export const entryFor = <K extends Kind, Result, Context extends readonly unknown[]>(
  table: KindTable<Result, Context>,
  { kind }: { readonly kind: K },
): ((question: QuestionOf<K>, ...context: Context) => Result) | undefined => table[kind];
