import { ActionIcon } from '@mantine/core';
import { IconArrowsSplit2, IconUsers, IconX } from '@tabler/icons-react';
import { formatCount, QUESTIONS } from '#domain/format.ts';
import type { Draft } from '#app/authoring/draft/draft.ts';
import { InlineNote } from '#app/ui/InlineNote.tsx';
import classes from './editor.module.css';
import type { Place } from './rows.ts';

const IN_QUESTIONS = ['вопросе', 'вопросах', 'вопросах'] as const;
/** Links shown at once; the rest is in the list anyway. */
const LINKS = 5;

const isIn = (place: Place, id: string) => place.rows.some((row) => row.id === id);

function Links({
  ids,
  places,
  onOpen,
}: {
  ids: readonly string[];
  places: readonly Place[];
  onOpen: (id: string) => void;
}) {
  const there = ids.flatMap((id) => {
    const place = places.find((one) => isIn(one, id));
    return place ? [{ id, number: place.number }] : [];
  });
  return (
    <span className={classes.noteLinks}>
      {there.slice(0, LINKS).map(({ id, number }) => (
        <button key={id} type="button" onClick={() => onOpen(id)}>
          Вопрос {number}
        </button>
      ))}
    </span>
  );
}

/** What came from others with the last merge, and which questions wait for a decision. */
export function EditorNotes({
  draft,
  places,
  onOpen,
}: {
  draft: Draft;
  places: readonly Place[];
  onOpen: (id: string) => void;
}) {
  const { arrived, conflicts } = draft;
  return (
    <div className={classes.notes} role="status">
      {conflicts.length > 0 && (
        <InlineNote tone="warn" icon={IconArrowsSplit2}>
          <div className={classes.doneLine}>
            <span>
              Изменено и здесь, и в другом месте: {formatCount(conflicts.length, QUESTIONS)}. Ничего
              не потеряно, выберите версию.
            </span>
            <Links
              ids={conflicts.map(({ questionId }) => questionId)}
              places={places}
              onOpen={onOpen}
            />
          </div>
        </InlineNote>
      )}
      {arrived && (
        <InlineNote tone="ink" icon={IconUsers}>
          <div className={classes.doneLine}>
            <span>
              {arrived.by === null ? 'В другом месте' : arrived.by}: правки в{' '}
              {formatCount(arrived.questionIds.length, IN_QUESTIONS)}. Ваши правки на месте.
            </span>
            <Links ids={arrived.questionIds} places={places} onOpen={onOpen} />
            <ActionIcon aria-label="Скрыть сообщение" onClick={draft.dismissArrived}>
              <IconX size={18} stroke={1.75} aria-hidden />
            </ActionIcon>
          </div>
        </InlineNote>
      )}
    </div>
  );
}
