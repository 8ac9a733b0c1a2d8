import type * as v from 'valibot';
import type { Kind, QuestionOf } from '#domain/kinds/rules.ts';

/** How a provider writes questions of one kind. */
export interface AiRules<K extends Kind> {
  /** The form, and what else it has to know, for the prompt. */
  readonly form: string;
  /** What is said of a field that cannot be read. */
  readonly unclear: Readonly<Record<string, string>>;
  /** Reads the own fields of the form leniently, as those of a question; the contract checks them afterwards. */
  read(newId: () => string): v.GenericSchema<unknown, object>;
  /** The own fields of a question in this form. */
  write(question: QuestionOf<K>): object;
}
