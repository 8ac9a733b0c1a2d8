import { VisuallyHidden } from '@mantine/core';
import type { Question } from '#contract/questions.ts';
import { changeKind, FORM_KINDS, WIRE_KINDS, type FormKind } from '#domain/change-kind.ts';
import { KIND_LABELS } from '#domain/labels-kinds.ts';
import { newQuestion } from '#domain/new-question.ts';
import { newId } from '#app/lib/new-id.ts';
import { KIND_ICONS } from './kind-icons.ts';
import { Icon } from '#app/ui/Icon.tsx';

/** Question kinds in the order of the menu. */
export const NEW_KINDS = FORM_KINDS.map((kind) => ({
  label: KIND_LABELS[kind],
  icon: KIND_ICONS[kind],
  make: (): Question => changeKind(newQuestion(WIRE_KINDS[kind], newId), kind, {}, newId).question,
}));

/** The icon of a kind, with its name for screen readers. */
export function KindIcon({ kind }: { kind: FormKind }) {
  return (
    <>
      <Icon of={KIND_ICONS[kind]} size={18} />
      <VisuallyHidden>{KIND_LABELS[kind]}:</VisuallyHidden>
    </>
  );
}
