import type { Question } from '#contract/questions.ts';

export type Of<K extends Question['kind']> = Extract<Question, { kind: K }>;

/** What every part of the form gets, for a question of its kind. */
export interface PartProps<K extends Question['kind']> {
  readonly question: Of<K>;
  /** `field` names what was typed into: changes to the same one are one step of undo. */
  readonly onChange: (question: Question, field: string) => void;
  /** What is wrong with this part, in Russian; empty: nothing. */
  readonly problems: readonly string[];
  readonly resolve: (key: string) => Promise<string>;
}

/** An optional text: nothing where nothing is written. */
export const optional = <Name extends string>(name: Name, text: string) =>
  (text === '' ? {} : { [name]: text }) as { readonly [N in Name]?: string };

/** A list with one of its items at another place. */
export function moved<T>(items: readonly T[], from: number, to: number): T[] {
  const rest = items.filter((_, index) => index !== from);
  const item = items[from];
  return item === undefined ? [...items] : [...rest.slice(0, to), item, ...rest.slice(to)];
}
