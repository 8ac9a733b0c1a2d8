import { Flex, Text } from '@mantine/core';
import {
  IconCopy,
  IconArrowsMove,
  IconBooks,
  IconDotsVertical,
  IconFileExport,
  IconFileImport,
  IconKeyboard,
  IconListCheck,
  IconPlus,
  IconPrinter,
  IconStar,
  IconTags,
  IconTrash,
} from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { formatCount, QUESTIONS } from '#domain/format.ts';
import { MenuButton, type MenuEntry } from '#app/ui/overlays/MenuButton.tsx';
import { cx } from '#app/ui/cx.ts';
import classes from './editor.module.css';
import { NEW_KINDS } from '#app/questions/kinds.tsx';
import type { EditingState } from './use-editing.ts';

/** Sources of existing questions. */
function sources(show: EditingState['show']): MenuEntry[] {
  return [
    { icon: IconBooks, label: 'Из банка…', onClick: () => show({ kind: 'bank' }) },
    {
      icon: IconFileImport,
      label: 'Импорт из файла…',
      onClick: () => show({ kind: 'import' }),
    },
  ];
}

/** «Добавить вопрос»: a menu of kinds and of places to take questions from. */
export function AddButton({
  editing,
  filled = false,
}: {
  editing: EditingState;
  filled?: boolean;
}) {
  const entries = [
    ...NEW_KINDS.map(({ icon, label, make }) => ({
      icon,
      label,
      onClick: () => editing.add([make()], 'Новый вопрос'),
    })),
    'line' as const,
    ...sources(editing.show),
  ];
  return (
    <MenuButton
      label="Добавить вопрос"
      entries={entries}
      icon={IconPlus}
      variant={filled ? 'filled' : 'default'}
      className={classes.add}
      align="start"
    >
      Добавить вопрос
    </MenuButton>
  );
}

function MoreButton({ editing: { show, setPicked } }: { editing: EditingState }) {
  const entries: (MenuEntry | 'line')[] = [
    { icon: IconListCheck, label: 'Выбрать несколько', onClick: () => setPicked(new Set()) },
    'line',
    { icon: IconFileImport, label: 'Импорт из файла…', onClick: () => show({ kind: 'import' }) },
    { icon: IconFileExport, label: 'Экспорт…', onClick: () => show({ kind: 'export' }) },
    { icon: IconPrinter, label: 'Для печати…', onClick: () => show({ kind: 'paper' }) },
    'line',
    { icon: IconKeyboard, label: 'Клавиши', onClick: () => show({ kind: 'keys' }) },
  ];
  return (
    <MenuButton
      label="Ещё"
      entries={entries}
      icon={IconDotsVertical}
      variant="default"
      className={classes.more}
    />
  );
}

function PickedButton({ editing, ids }: { editing: EditingState; ids: readonly string[] }) {
  const { actions, show } = editing;
  const entries: (MenuEntry | 'line')[] = [
    { icon: IconStar, label: 'Баллы…', onClick: () => show({ kind: 'points', ids }) },
    {
      icon: IconTags,
      label: 'Сложность, тема, метки…',
      onClick: () => show({ kind: 'properties', ids }),
    },
    { icon: IconCopy, label: 'Дублировать', onClick: () => actions.duplicate(ids) },
    'line',
    {
      icon: IconArrowsMove,
      label: 'Переместить в другой тест…',
      onClick: () => actions.send(ids, 'move'),
    },
    {
      icon: IconFileExport,
      label: 'Скопировать в другой тест…',
      onClick: () => actions.send(ids, 'copy'),
    },
    'line',
    { icon: IconTrash, label: 'Удалить', onClick: () => actions.remove(ids) },
  ];
  return (
    <MenuButton
      label="Действия с выбранными"
      entries={entries}
      variant="filled"
      className={classes.add}
      align="start"
    >
      Действия: {formatCount(ids.length, QUESTIONS)}
    </MenuButton>
  );
}

/** The end of its column. */
const FROM_TABLET = {
  pos: { sm: 'static' },
  m: { sm: 0 },
  p: { sm: '0.5rem 0 0' },
  bd: { sm: 'none' },
  bg: { sm: 'none' },
} as const;

/** Actions of the list, at its foot within reach of a thumb. */
export function ListFoot({ editing }: { editing: EditingState }) {
  const { picked } = editing;
  const foot = useRef<HTMLDivElement>(null);
  const wasPicking = useRef(false);
  useEffect(() => {
    // «Готово» has disappeared: the focus moves to the menu that began the selection.
    if (wasPicking.current && picked === null)
      [...(foot.current?.querySelectorAll<HTMLElement>('[aria-haspopup]') ?? [])].at(-1)?.focus();
    wasPicking.current = picked !== null;
  }, [picked]);
  return (
    <Flex ref={foot} className={cx('bottom-bar', classes.foot)} gap="xs" {...FROM_TABLET}>
      {picked === null ? (
        <>
          <AddButton editing={editing} />
          <MoreButton editing={editing} />
        </>
      ) : picked.size === 0 ? (
        <Text size="sm" c="dimmed" py="xs">
          Отметьте вопросы в списке
        </Text>
      ) : (
        <PickedButton editing={editing} ids={[...picked]} />
      )}
    </Flex>
  );
}
