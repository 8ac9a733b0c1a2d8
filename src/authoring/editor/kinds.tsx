import {
  IconAlignLeft,
  IconArrowsLeftRight,
  IconCircleDot,
  IconCursorText,
  IconPaperclip,
  IconSquareCheck,
} from '@tabler/icons-react';
import type { Question } from '#contract/questions.ts';
import { changeKind, FORM_KINDS, type FormKind } from '#domain/change-kind.ts';
import { newQuestion } from '#domain/new-question.ts';
import { newId } from '#app/offline/new-id.ts';
import type { IconType } from '#app/ui/icon-type.ts';
import classes from './QuestionRow.module.css';

const SIGNS: Readonly<Record<FormKind, { label: string; icon: IconType }>> = {
  single: { label: 'Один ответ', icon: IconCircleDot },
  several: { label: 'Несколько ответов', icon: IconSquareCheck },
  line: { label: 'Ввод ответа', icon: IconCursorText },
  essay: { label: 'Развёрнутый ответ', icon: IconAlignLeft },
  matching: { label: 'Соответствие', icon: IconArrowsLeftRight },
  file: { label: 'Файл', icon: IconPaperclip },
};

const WIRE_KIND: Readonly<Record<FormKind, Question['kind']>> = {
  single: 'variant',
  several: 'variant',
  line: 'open',
  essay: 'open',
  matching: 'compliance',
  file: 'file',
};

/** What a teacher may add by hand, in the order of the menu. */
export const NEW_KINDS = FORM_KINDS.map((kind) => ({
  ...SIGNS[kind],
  make: (): Question => changeKind(newQuestion(WIRE_KIND[kind], newId), kind, {}, newId).question,
}));

/** The sign of a kind, with its name for those who hear the page. */
export function KindIcon({ kind }: { kind: FormKind }) {
  const { icon: Icon, label } = SIGNS[kind];
  return (
    <>
      <Icon size={18} stroke={1.75} aria-hidden />
      <span className={classes.spoken}>{label}:</span>
    </>
  );
}
