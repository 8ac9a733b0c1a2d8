import type { Kind } from '#domain/kinds/rules.ts';
import type { Question } from '#contract/questions.ts';
import { KeyFields as ComplianceFields } from './compliance/KeyFields.tsx';
import { KeyFields as GapsFields } from './gaps/KeyFields.tsx';
import type { KeyFieldsOf, KeyFieldsProps } from './key-form.ts';
import { KeyFields as OpenFields } from './open/KeyFields.tsx';
import { KeyFields as OrderingFields } from './ordering/KeyFields.tsx';
import { KeyFields as VariantFields } from './variant/KeyFields.tsx';

/** Kinds without fields have no key: a person decides. */
const FIELDS: { readonly [K in Kind]?: { readonly Fields: KeyFieldsOf<K> } } = {
  open: { Fields: OpenFields },
  variant: { Fields: VariantFields },
  compliance: { Fields: ComplianceFields },
  ordering: { Fields: OrderingFields },
  gaps: { Fields: GapsFields },
};
const NONE = { Fields: () => null };
const fieldsOf = <K extends Kind>({
  kind,
}: {
  readonly kind: K;
}): { readonly Fields: KeyFieldsOf<K> } => FIELDS[kind] ?? NONE;

export const hasKeyFields = ({ kind }: Question): boolean => FIELDS[kind] !== undefined;

/** The fields of a question's key, by its kind. */
export function KeyFields({ of, question }: KeyFieldsProps) {
  const { Fields } = fieldsOf(question);
  return <Fields of={of} question={question} />;
}
