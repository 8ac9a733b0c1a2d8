import { ActionIcon, Box, Flex, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import {
  IconAlertTriangle,
  IconArrowDown,
  IconArrowBarToDown,
  IconArrowBarToUp,
  IconArrowsMove,
  IconArrowUp,
  IconChevronDown,
  IconChevronRight,
  IconCopy,
  IconDotsVertical,
  IconFileExport,
  IconTrash,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { formatCount, formatNumber, plural, POINTS } from '#domain/format.ts';
import { cx } from '#app/ui/cx.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { MenuButton, type MenuEntry } from '#app/ui/overlays/MenuButton.tsx';
import { InLanguage } from '#app/ui/rich-text/InLanguage.tsx';
import { SpokenText } from '#app/ui/SpokenText.tsx';
import { KindIcon } from '#app/questions/kinds.tsx';
import classes from './QuestionRow.module.css';
import type { Row } from './rows.ts';

const VARIANTS = ['вариант', 'варианта', 'вариантов'] as const;

/** Callbacks of the rows; a stable object. */
export interface RowActions {
  readonly choose: (id: string) => void;
  /** `range`: all rows from the previously selected one. */
  readonly pick: (ids: readonly string[], isPicked: boolean, range: boolean) => void;
  /** Moves by a number of rows or to an end; an alternative within its place. */
  readonly move: (rowKey: string, to: -1 | 1 | 'start' | 'end') => void;
  readonly duplicate: (ids: readonly string[]) => void;
  readonly remove: (ids: readonly string[]) => void;
  /** All questions of the row. */
  readonly removeRow: (rowKey: string) => void;
  readonly send: (ids: readonly string[], how: 'move' | 'copy') => void;
}

export interface QuestionRowProps {
  readonly row: Row;
  /** Id of the place or the alternative; unique in the list. */
  readonly rowKey: string;
  /** «7», of an alternative «7.2». */
  readonly number: string;
  /** Ids of the row: its own, or all alternatives of a collapsed place. */
  readonly ids: readonly string[];
  readonly isChosen: boolean;
  /** Null: not in selection mode. */
  readonly isPicked: boolean | null;
  /** Roving tabindex: Tab stops here, arrows reach the other rows. */
  readonly isTabStop: boolean;
  /** Absent: the row is not expandable. */
  readonly fold?: { readonly isOpen: boolean; readonly toggle: () => void } | undefined;
  readonly problem: string | null;
  /** Drag handle; absent for one of several alternatives. */
  readonly handle?: ReactNode;
  readonly actions: RowActions;
}

function menuOf(
  rowKey: string,
  ids: readonly string[],
  isPlace: boolean,
  actions: RowActions,
): (MenuEntry | 'line')[] {
  const move = (to: Parameters<RowActions['move']>[1]) => () => actions.move(rowKey, to);
  return [
    { icon: IconCopy, label: 'Дублировать', onClick: () => actions.duplicate(ids) },
    'line',
    { icon: IconArrowUp, label: 'Выше', keys: 'Alt + ↑', onClick: move(-1) },
    { icon: IconArrowDown, label: 'Ниже', keys: 'Alt + ↓', onClick: move(1) },
    ...(isPlace
      ? [
          { icon: IconArrowBarToUp, label: 'В начало', keys: 'Alt + Home', onClick: move('start') },
          { icon: IconArrowBarToDown, label: 'В конец', keys: 'Alt + End', onClick: move('end') },
        ]
      : []),
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
    { icon: IconTrash, label: 'Удалить', keys: 'Delete', onClick: () => actions.remove(ids) },
  ];
}

function RowText({
  row: { label, spoken },
  variants,
  problem,
}: Pick<QuestionRowProps, 'row' | 'problem'> & {
  /** Number of alternatives in the row; null: it is one question. */
  variants: number | null;
}) {
  return (
    <Box component="span" flex="1 1 5rem" miw={0}>
      <Text span inherit lineClamp={2} className={classes.label}>
        <InLanguage>
          <SpokenText shown={label} spoken={spoken} />
        </InLanguage>
      </Text>
      {variants !== null && (
        <Text span display="block" fz="sm" c="dimmed">
          {formatCount(variants, VARIANTS)}
        </Text>
      )}
      {problem !== null && (
        <Flex
          component="span"
          gap={4}
          align="flex-start"
          fz="sm"
          lh={1.25}
          c="var(--app-warn-text)"
          fw={400}
        >
          <Icon of={IconAlertTriangle} size={16} />
          <span>{problem}</span>
        </Flex>
      )}
    </Box>
  );
}

/** One row of the list: question, points and actions. */
export function QuestionRow({
  row,
  rowKey,
  number,
  ids,
  isChosen,
  isPicked,
  isTabStop,
  fold,
  problem,
  handle,
  actions,
}: QuestionRowProps) {
  const { id, kind, label, spoken, points } = row;
  const tabIndex = isTabStop ? 0 : -1;
  const isPicking = isPicked !== null;
  const isPlace = Boolean(handle);
  return (
    <div className={classes.row} data-chosen={isChosen || undefined}>
      {isPicking ? (
        <label className={classes.pick}>
          <input
            type="checkbox"
            checked={isPicked}
            aria-label={`Вопрос ${number}: ${spoken}`}
            onChange={(event) => {
              const { nativeEvent, currentTarget } = event;
              const isRange = nativeEvent instanceof MouseEvent && nativeEvent.shiftKey;
              actions.pick(ids, currentTarget.checked, isRange);
            }}
          />
        </label>
      ) : (
        handle
      )}
      <UnstyledButton
        className={cx('tap', classes.open)}
        data-row={rowKey}
        aria-current={isChosen ? 'true' : undefined}
        tabIndex={tabIndex}
        title={label}
        onClick={() => actions.choose(id)}
      >
        <span className={classes.number}>{number}</span>
        <Flex component="span" gap={0} c="dimmed" flex="none">
          <KindIcon kind={kind} />
        </Flex>
        <RowText row={row} variants={fold ? ids.length : null} problem={problem} />
        <span className={classes.points}>
          {formatNumber(points)}
          <VisuallyHidden component="span"> {plural(points, POINTS)}</VisuallyHidden>
        </span>
      </UnstyledButton>
      {fold && (
        <ActionIcon
          className={classes.fold}
          aria-expanded={fold.isOpen}
          aria-label={`Варианты вопроса ${number}`}
          tabIndex={tabIndex}
          onClick={fold.toggle}
        >
          {fold.isOpen ? (
            <Icon of={IconChevronDown} size={18} />
          ) : (
            <Icon of={IconChevronRight} size={18} />
          )}
        </ActionIcon>
      )}
      {!isPicking && (
        <MenuButton
          label={`Действия с вопросом ${number}`}
          entries={menuOf(rowKey, ids, isPlace, actions)}
          icon={IconDotsVertical}
          className={classes.menu}
          tabIndex={tabIndex}
        />
      )}
    </div>
  );
}
