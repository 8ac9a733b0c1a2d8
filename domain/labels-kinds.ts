import type { QuestionKind } from '#contract/bank.ts';
import { FORM_KINDS, formKindOf, WIRE_KINDS, type FormKind } from './change-kind.ts';
import { FORM_RULES } from './kinds/form-kinds.ts';
import type { KindFields } from './kinds/rules.ts';

/** The only names of the kinds of questions: every screen, list, file and help page uses them. */
export const KIND_LABELS = Object.assign(
  {},
  ...Object.values(FORM_RULES).map(({ labels }) => labels),
) as Readonly<Record<FormKind, string>>;

export const questionKindLabel = (question: KindFields): string =>
  KIND_LABELS[formKindOf(question)];

const startSmall = (label: string) => `${label.charAt(0).toLowerCase()}${label.slice(1)}`;

/** A kind on the wire, which may contain two of the editor: «Один ответ или несколько ответов». */
export function wireKindLabel(kind: QuestionKind): string {
  const [first = kind, ...others] = FORM_KINDS.filter((one) => WIRE_KINDS[one] === kind).map(
    (one) => KIND_LABELS[one],
  );
  return [first, ...others.map(startSmall)].join(' или ');
}
