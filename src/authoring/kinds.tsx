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
import { changeKind, FORM_KINDS, type FormKind } from '#domain/change-kind.ts';
import { newQuestion } from '#domain/new-question.ts';
import { newId } from '#app/lib/new-id.ts';
import { Icon, type IconType } from '#app/ui/Icon.tsx';

const SIGNS: Readonly<Record<FormKind, { label: string; icon: IconType }>> = {
  single: { label: 'Один ответ', icon: IconCircleDot },
  several: { label: 'Несколько ответов', icon: IconSquareCheck },
  line: { label: 'Ввод ответа', icon: IconCursorText },
  essay: { label: 'Развёрнутый ответ', icon: IconAlignLeft },
  matching: { label: 'Соответствие', icon: IconArrowsLeftRight },
  ordering: { label: 'Порядок', icon: IconListNumbers },
  gaps: { label: 'Пропуски', icon: IconForms },
  file: { label: 'Файл', icon: IconPaperclip },
};

const WIRE_KIND: Readonly<Record<FormKind, Question['kind']>> = {
  single: 'variant',
  several: 'variant',
  line: 'open',
  essay: 'open',
  matching: 'compliance',
  ordering: 'ordering',
  gaps: 'gaps',
  file: 'file',
};

/** Question kinds in the order of the menu. */
export const NEW_KINDS = FORM_KINDS.map((kind) => ({
  ...SIGNS[kind],
  make: (): Question => changeKind(newQuestion(WIRE_KIND[kind], newId), kind, {}, newId).question,
}));

/** The icon of a kind, with its name for screen readers. */
export function KindIcon({ kind }: { kind: FormKind }) {
  const { icon, label } = SIGNS[kind];
  return (
    <>
      <Icon of={icon} size={18} />
      <VisuallyHidden>{label}:</VisuallyHidden>
    </>
  );
}
