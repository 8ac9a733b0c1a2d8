import { VisuallyHidden } from '@mantine/core';
import {
  IconAlignLeft,
  IconArrowsLeftRight,
  IconCircleDot,
  IconCursorText,
  IconForms,
  IconListNumbers,
  IconPaperclip,
  IconSquareCheck,
} from '@tabler/icons-react';
import type { Question } from '#contract/questions.ts';
import { changeKind, FORM_KINDS, WIRE_KINDS, type FormKind } from '#domain/change-kind.ts';
import { KIND_LABELS } from '#domain/labels-kinds.ts';
import { newQuestion } from '#domain/new-question.ts';
import { newId } from '#app/lib/new-id.ts';
import { Icon, type IconType } from '#app/ui/Icon.tsx';

const ICONS: Readonly<Record<FormKind, IconType>> = {
  single: IconCircleDot,
  several: IconSquareCheck,
  line: IconCursorText,
  essay: IconAlignLeft,
  matching: IconArrowsLeftRight,
  ordering: IconListNumbers,
  gaps: IconForms,
  file: IconPaperclip,
};

/** Question kinds in the order of the menu. */
export const NEW_KINDS = FORM_KINDS.map((kind) => ({
  label: KIND_LABELS[kind],
  icon: ICONS[kind],
  make: (): Question => changeKind(newQuestion(WIRE_KINDS[kind], newId), kind, {}, newId).question,
}));

/** The icon of a kind, with its name for screen readers. */
export function KindIcon({ kind }: { kind: FormKind }) {
  return (
    <>
      <Icon of={ICONS[kind]} size={18} />
      <VisuallyHidden>{KIND_LABELS[kind]}:</VisuallyHidden>
    </>
  );
}
