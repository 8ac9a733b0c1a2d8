import type * as v from 'valibot';
import type { Kind, QuestionOf } from '#domain/kinds/rules.ts';

/** The provider's form of questions of one kind. */
export interface AiRules<K extends Kind> {
  /** The form, and further instructions for it, for the prompt. */
  readonly form: string;
  /** Messages about fields that cannot be read. */
  readonly unclear: Readonly<Record<string, string>>;
  /** Reads the own fields of the form leniently, as those of a question; the contract checks them afterwards. */
  read(newId: () => string): v.GenericSchema<unknown, object>;
  /** The own fields of a question in this form. */
  write(question: QuestionOf<K>): object;
}
