import type { QuestionKind } from '#contract/bank.ts';
import { FORM_KINDS, formKindOf, type FormKind, type KindFields } from './change-kind.ts';

/** The only names of the kinds of questions: every screen, list, file and help page uses them. */
export const KIND_LABELS: Readonly<Record<FormKind, string>> = {
  single: 'Один ответ',
  several: 'Несколько ответов',
  line: 'Ввод ответа',
  essay: 'Развёрнутый ответ',
  matching: 'Соответствие',
  ordering: 'Порядок',
  gaps: 'Пропуски',
  file: 'Файл',
};

/** The kind on the wire that holds each kind of the editor. */
export const WIRE_KINDS: Readonly<Record<FormKind, QuestionKind>> = {
  single: 'variant',
  several: 'variant',
  line: 'open',
  essay: 'open',
  matching: 'compliance',
  ordering: 'ordering',
  gaps: 'gaps',
  file: 'file',
};

export const questionKindLabel = (question: KindFields): string =>
  KIND_LABELS[formKindOf(question)];

const startSmall = (label: string) => `${label.charAt(0).toLowerCase()}${label.slice(1)}`;

/** A kind on the wire, which may hold two of the editor: «Один ответ или несколько ответов». */
export function wireKindLabel(kind: QuestionKind): string {
  const [first = kind, ...others] = FORM_KINDS.filter((one) => WIRE_KINDS[one] === kind).map(
    (one) => KIND_LABELS[one],
  );
  return [first, ...others.map(startSmall)].join(' или ');
}
