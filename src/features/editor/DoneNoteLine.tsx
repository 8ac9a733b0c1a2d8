import { ActionIcon, Box } from '@mantine/core';
import { IconCheck, IconTrash, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Question } from '#contract/questions.ts';
import { formatCount, plural, QUESTIONS } from '#domain/format.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { NoteLine, NoteLink } from './NoteLink.tsx';
import type { DoneNote, EditingState } from './use-editing.ts';

function Words({ note }: { note: DoneNote }) {
  if (note.kind === 'removed') {
    const count = note.removed.length;
    return (
      <span>{count === 1 ? 'Вопрос удалён' : `Удалено: ${formatCount(count, QUESTIONS)}`}</span>
    );
  }
  const { how, count, testId, testName } = note;
  const done = plural(
    count,
    how === 'move'
      ? ['перенесён', 'перенесены', 'перенесены']
      : ['скопирован', 'скопированы', 'скопированы'],
  );
  return (
    <>
      {formatCount(count, QUESTIONS)} {done} в тест{' '}
      <Link to="/tests/manage/$testId/edit/custom" params={{ testId }}>
        «{testName}»
      </Link>
    </>
  );
}

/** In sight above the foot of the list on phones. */
const ABOVE_FOOT = {
  className: 'sticky',
  pos: { sm: 'static' },
  bottom: 'calc(var(--app-bottom-bar) + var(--app-safe-bottom) + 4.25rem)',
  style: { zIndex: 11 },
} as const;

/** The last action, with undo of a deletion; hidden once undone otherwise. */
export function DoneNoteLine({
  editing,
  questions,
}: {
  editing: EditingState;
  questions: readonly Question[];
}) {
  const { note } = editing;
  const isBack =
    note?.kind === 'removed' &&
    note.removed.some(({ question }) =>
      questions.some(({ questionId }) => questionId === question.questionId),
    );
  const isShown = note !== null && !isBack;
  return (
    <Box role="status" py={isShown ? 'xs' : 0} {...ABOVE_FOOT}>
      {isShown && (
        <InlineNote tone="ink" icon={note.kind === 'removed' ? IconTrash : IconCheck}>
          <NoteLine words={<Words note={note} />}>
            {note.kind === 'removed' && (
              <NoteLink onClick={() => editing.restore(note.removed)}>Вернуть</NoteLink>
            )}
            <ActionIcon aria-label="Скрыть сообщение" onClick={editing.dismissNote}>
              <Icon of={IconX} size={18} />
            </ActionIcon>
          </NoteLine>
        </InlineNote>
      )}
    </Box>
  );
}
