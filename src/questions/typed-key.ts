import * as v from 'valibot';
import type { Question } from '#contract/questions.ts';
import { keyProblems } from '#domain/key-correction.ts';
import type { Kind } from '#domain/kinds/rules.ts';
import { issuePath } from '#app/lib/field-problems.ts';
import { ComplianceKey, complianceKey } from './compliance/typed-key.ts';
import { GapsKey, gapsKey } from './gaps/typed-key.ts';
import { OpenKey, openKey } from './open/typed-key.ts';
import { OrderingKey, orderingKey } from './ordering/typed-key.ts';
import { line, type TypedKeyPart } from './typed-key-part.ts';
import { VariantKey, variantKey } from './variant/typed-key.ts';

const REASON_MISSING = 'Напишите, что исправлено';

/** Form state of a key correction; parts of other kinds of question are absent. */
export const TypedKey = v.object({
  ...VariantKey.entries,
  ...OpenKey.entries,
  ...ComplianceKey.entries,
  ...OrderingKey.entries,
  ...GapsKey.entries,
  credit: v.optional(v.picklist(['key', 'everybody', 'nobody']), 'key'),
  explanation: line,
  reason: line,
});
export type TypedKey = v.InferInput<typeof TypedKey>;
type ReadKey = v.InferOutput<typeof TypedKey>;

/** Kinds without a part have no key: a person decides. */
const PARTS: { readonly [K in Kind]?: TypedKeyPart<K, ReadKey> } = {
  variant: variantKey,
  open: openKey,
  compliance: complianceKey,
  ordering: orderingKey,
  gaps: gapsKey,
};
const partOf = <K extends Kind>({
  kind,
}: {
  readonly kind: K;
}): TypedKeyPart<K, ReadKey> | undefined => PARTS[kind];

/** The form state of the current key. */
export const typedKey = (question: Question): TypedKey => ({
  ...partOf(question)?.typed(question),
  credit: question.credit ?? 'key',
  explanation: question.explanation ?? '',
  reason: '',
});

const readKey = (question: Question, typed: ReadKey, problems: Map<string, string>): Question =>
  partOf(question)?.read(question, typed, problems) ?? question;

/** The form field for a field of the question. */
function formField(question: Question, field: string): string {
  const name = field.replace(/^question\./, '');
  const [part = '', index] = name.split('.');
  return partOf(question)?.fieldOf?.(question, part, index) ?? name;
}

export interface Correction {
  readonly question: Question;
  readonly reason: string;
}

/** Converts the input to the corrected question and the reason; errors are at the fields of the form. */
export const keySchema = (question: Question) =>
  v.pipe(
    TypedKey,
    v.rawTransform(({ dataset: { value }, addIssue, NEVER }): Correction => {
      const problems = new Map<string, string>();
      if (value.reason.trim() === '') problems.set('reason', REASON_MISSING);
      const { explanation: _, credit: __, ...key } = readKey(question, value, problems);
      const { credit } = value;
      const rest: Question = credit === 'key' ? key : { ...key, credit };
      const explanation = value.explanation.trim();
      // An absent property stays absent.
      const hadOne = question.explanation !== undefined;
      const corrected: Question = explanation === '' && !hadOne ? rest : { ...rest, explanation };
      for (const { field, message } of keyProblems(corrected)) {
        const own = formField(question, field);
        if (!problems.has(own)) problems.set(own, message);
      }
      for (const [field, message] of problems) addIssue({ message, path: issuePath(field) });
      return problems.size > 0 ? NEVER : { question: corrected, reason: value.reason };
    }),
  );
