import { ActionIcon, Flex, Stack } from '@mantine/core';
import { IconArrowsSplit2, IconUsers, IconX } from '@tabler/icons-react';
import { formatCount, QUESTIONS } from '#domain/format.ts';
import type { DraftEditor } from '#app/drafts/draft.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import classes from './editor.module.css';
import { NoteLine, NoteLink } from './NoteLink.tsx';
import type { QuestionPlace } from './rows.ts';

const IN_QUESTIONS = ['вопросе', 'вопросах', 'вопросах'] as const;
/** Maximum number of links; the rest is in the list anyway. */
const LINKS = 5;

const isIn = (place: QuestionPlace, id: string) => place.rows.some((row) => row.id === id);

function Links({
  ids,
  places,
  onOpen,
}: {
  ids: readonly string[];
  places: readonly QuestionPlace[];
  onOpen: (id: string) => void;
}) {
  const there = ids.flatMap((id) => {
    const place = places.find((one) => isIn(one, id));
    return place ? [{ id, number: place.number }] : [];
  });
  return (
    <Flex component="span" wrap="wrap" gap="0 0.75rem">
      {there.slice(0, LINKS).map(({ id, number }) => (
        <NoteLink key={id} onClick={() => onOpen(id)}>
          Вопрос {number}
        </NoteLink>
      ))}
    </Flex>
  );
}

/** Foreign changes of the last merge, and unresolved conflicts. */
export function EditorNotes({
  draft,
  places,
  onOpen,
}: {
  draft: DraftEditor;
  places: readonly QuestionPlace[];
  onOpen: (id: string) => void;
}) {
  const { arrived, conflicts } = draft;
  return (
    <Stack gap="xs" className={classes.notes} role="status">
      {conflicts.length > 0 && (
        <InlineNote tone="warn" icon={IconArrowsSplit2}>
          <NoteLine
            words={`Изменено и здесь, и в другом месте: ${formatCount(conflicts.length, QUESTIONS)}. Ничего не потеряно, выберите версию.`}
          >
            <Links
              ids={conflicts.map(({ questionId }) => questionId)}
              places={places}
              onOpen={onOpen}
            />
          </NoteLine>
        </InlineNote>
      )}
      {arrived && (
        <InlineNote tone="ink" icon={IconUsers}>
          <NoteLine
            words={`${arrived.by ?? 'В другом месте'}: правки в ${formatCount(arrived.questionIds.length, IN_QUESTIONS)}. Ваши правки на месте.`}
          >
            <Links ids={arrived.questionIds} places={places} onOpen={onOpen} />
            <ActionIcon aria-label="Скрыть сообщение" onClick={draft.dismissArrived}>
              <Icon of={IconX} size={18} />
            </ActionIcon>
          </NoteLine>
        </InlineNote>
      )}
    </Stack>
  );
}
