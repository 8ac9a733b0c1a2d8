import * as v from 'valibot';
import type { TemplateBody } from '#contract/templates.ts';
import type { OwnFields } from '#domain/kinds/rules.ts';
import type { Values } from '#app/features/generation/template/expression.ts';
import type { TemplateReader } from '#app/features/generation/template/reader.ts';

export type TemplateKind = TemplateBody['key']['kind'];
export type TemplateKeyOf<K extends TemplateKind> = Extract<TemplateBody['key'], { kind: K }>;

/** The key of one drawn question. */
export interface DrawnKey<K extends TemplateKind = TemplateKind> {
  /** As displayed; equal as JSON if students see no difference. */
  readonly shown: unknown;
  /** @param seed decides the order of options */
  readonly fields: (newId: () => string, seed: string) => OwnFields<K>;
}

/** The key of a set of values and the question's text for it. Throws `TemplateError`. */
export type CompiledKey<K extends TemplateKind> = (values: Values, text: string) => DrawnKey<K>;

/** The rules of one kind of template key. `V`: its values in the form. */
export interface TemplateKeyRules<K extends TemplateKind, V extends object> {
  /** The names of its fields and lists. */
  readonly fieldNames: Readonly<Record<string, string>>;
  /** The name of one item of its list. */
  itemName?(typed: V, index: number): string;
  /** The form state of a key. */
  typed(key: TemplateKeyOf<K>): Partial<V>;
  /** The typed key; errors by field. */
  read(typed: V, problems: Map<string, string>): TemplateKeyOf<K>;
  /**
   * Compiles the key for drawing; null: the reader has noted errors.
   * @param text the template's text
   */
  compile(reader: TemplateReader, key: TemplateKeyOf<K>, text: string): CompiledKey<K> | null;
}

/** A text that older drafts of a form lack. */
export const optionalText = v.optional(v.string(), '');
