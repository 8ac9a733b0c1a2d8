import * as v from 'valibot';
import type { TemplateBody } from '#contract/templates.ts';
import { GapsForm, gapsKey, NO_GAPS } from './gaps/key.ts';
import { NEW_NUMBER, NumberForm, openKey } from './open/key.ts';
import { ItemsForm, NEW_ITEMS, orderingKey } from './ordering/key.ts';
import type { TemplateKeyRules, TemplateKind } from './rules.ts';
import { NEW_OPTIONS, OptionsForm, variantKey } from './variant/key.ts';

const KINDS = ['open', 'variant', 'gaps', 'ordering'] as const satisfies readonly TemplateKind[];

/** Form state of the key; only the properties of the kind are used. */
export const TemplateKeyForm = v.object({
  kind: v.picklist(KINDS),
  ...NumberForm.entries,
  ...OptionsForm.entries,
  ...GapsForm.entries,
  ...ItemsForm.entries,
});
export type TemplateKeyForm = v.InferOutput<typeof TemplateKeyForm>;

export const NO_TEMPLATE_KEY: TemplateKeyForm = {
  kind: 'open',
  ...NEW_NUMBER,
  ...NEW_OPTIONS,
  ...NO_GAPS,
  ...NEW_ITEMS,
};

const RULES: { readonly [K in TemplateKind]: TemplateKeyRules<K, TemplateKeyForm> } = {
  open: openKey,
  variant: variantKey,
  gaps: gapsKey,
  ordering: orderingKey,
};

/** The rules of the key's own kind. */
export const templateKeyRules = <K extends TemplateKind>({
  kind,
}: {
  readonly kind: K;
}): TemplateKeyRules<K, TemplateKeyForm> => RULES[kind];

export const typedTemplateKey = (key: TemplateBody['key']): TemplateKeyForm => ({
  ...NO_TEMPLATE_KEY,
  ...templateKeyRules(key).typed(key),
  kind: key.kind,
});

/** The name of a field of the key, or of an item of its list; undefined: the key has no such field. */
export function keyFieldName(
  typed: TemplateKeyForm,
  part: string,
  index: string | undefined,
): string | undefined {
  const rules = templateKeyRules(typed);
  const name = rules.fieldNames[part];
  return name === undefined || index === undefined ? name : rules.itemName?.(typed, Number(index));
}
