import type { Question } from '#contract/questions.ts';

export type Of<K extends Question['kind']> = Extract<Question, { kind: K }>;

/** Common props of the form sections. */
export interface PartProps<K extends Question['kind']> {
  readonly question: Of<K>;
  /** `field` names the edited field: consecutive changes to it form one undo step. */
  readonly onChange: (question: Question, field: string) => void;
  /** Russian error message of this section; empty: none. */
  readonly problems: readonly string[];
}

/** An optional text property: omitted if empty. */
export const optional = <Name extends string>(name: Name, text: string) =>
  (text === '' ? {} : { [name]: text }) as { readonly [N in Name]?: string };
