import { ActionIcon } from '@mantine/core';
import { IconCheck, IconTrash, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Question } from '#contract/questions.ts';
import { formatCount, plural, QUESTIONS } from '#domain/format.ts';
import { InlineNote } from '#app/ui/InlineNote.tsx';
import classes from './editor.module.css';
import type { DoneNote, Editing } from './use-editing.ts';

function Words({ note }: { note: DoneNote }) {
  if (note.kind === 'removed') {
    const count = note.removed.length;
    return count === 1 ? 'Вопрос удалён' : `Удалено: ${formatCount(count, QUESTIONS)}`;
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

/** What was just done, and the way back from a deletion; gone once it was taken back otherwise. */
export function DoneNoteLine({
  editing,
  questions,
}: {
  editing: Editing;
  questions: readonly Question[];
}) {
  const { note } = editing;
  const isBack =
    note?.kind === 'removed' &&
    note.removed.some(({ question }) =>
      questions.some(({ questionId }) => questionId === question.questionId),
    );
  return (
    <div role="status" className={classes.done}>
      {note && !isBack && (
        <InlineNote tone="ink" icon={note.kind === 'removed' ? IconTrash : IconCheck}>
          <div className={classes.doneLine}>
            <span>
              <Words note={note} />
            </span>
            {note.kind === 'removed' && (
              <span className={classes.noteLinks}>
                <button type="button" onClick={() => editing.restore(note.removed)}>
                  Вернуть
                </button>
              </span>
            )}
            <ActionIcon aria-label="Скрыть сообщение" onClick={editing.dismissNote}>
              <IconX size={18} stroke={1.75} aria-hidden />
            </ActionIcon>
          </div>
        </InlineNote>
      )}
    </div>
  );
}
