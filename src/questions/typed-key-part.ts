import * as v from 'valibot';
import { formatNumber } from '#domain/format.ts';
import type { Kind, QuestionOf } from '#domain/kinds/rules.ts';

/** Part of the form of a key correction that questions of one kind have; `V`: its values. */
export interface TypedKeyPart<K extends Kind, V extends object> {
  /** The form state of the current key. */
  typed(question: QuestionOf<K>): Partial<V>;
  /** The question with the typed key; errors by the fields of the form. */
  read(question: QuestionOf<K>, typed: V, problems: Map<string, string>): QuestionOf<K>;
  /** The form field for a field of the question; absent: it has the same name. */
  fieldOf?(question: QuestionOf<K>, part: string, index: string | undefined): string | undefined;
}

export const line = v.optional(v.string(), '');
export const ids = v.optional(v.array(v.string()), []);

/** A number as typed. */
export const plain = (value: number): string => formatNumber(value, 10).replace(/\s/g, '');

export const rightIds = (
  options: readonly { readonly optionId: string; readonly isRight: boolean }[],
): string[] => options.filter(({ isRight }) => isRight).map(({ optionId }) => optionId);
