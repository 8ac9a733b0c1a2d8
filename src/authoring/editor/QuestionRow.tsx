import { ActionIcon } from '@mantine/core';
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
import { MenuButton, type MenuEntry } from '#app/ui/MenuButton.tsx';
import { KindIcon } from './kinds.tsx';
import classes from './QuestionRow.module.css';
import type { Row } from './rows.ts';

const VARIANTS = ['вариант', 'варианта', 'вариантов'] as const;

/** What the rows of the list ask for; the same object for as long as the list stands. */
export interface RowActions {
  readonly choose: (id: string) => void;
  /** `range`: all rows from the one picked before. */
  readonly pick: (ids: readonly string[], isPicked: boolean, range: boolean) => void;
  /** By so many rows, or to an end; an alternative among its own. */
  readonly move: (rowKey: string, to: -1 | 1 | 'start' | 'end') => void;
  readonly duplicate: (ids: readonly string[]) => void;
  readonly remove: (ids: readonly string[]) => void;
  /** All that the row stands for. */
  readonly removeRow: (rowKey: string) => void;
  readonly send: (ids: readonly string[], how: 'move' | 'copy') => void;
}

export interface QuestionRowProps {
  readonly row: Row;
  /** Of the place, or of the alternative: unique in the list. */
  readonly rowKey: string;
  /** «7», of an alternative «7.2». */
  readonly number: string;
  /** Ids that the row stands for: its own, or all alternatives of a folded place. */
  readonly ids: readonly string[];
  readonly isChosen: boolean;
  /** Null: rows are not picked now. */
  readonly isPicked: boolean | null;
  /** Whether Tab stops here; arrows reach the other rows. */
  readonly isTabStop: boolean;
  /** Absent: the row does not fold. */
  readonly fold?: { readonly isOpen: boolean; readonly toggle: () => void } | undefined;
  readonly problem: string | null;
  /** By what the row is carried; absent for one of several alternatives. */
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

/** One line of the list: what the question is, what it brings, and what may be done with it. */
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
  const { id, kind, label, points } = row;
  const tabIndex = isTabStop ? 0 : -1;
  const isPicking = isPicked !== null;
  const isPlace = Boolean(handle);
  return (
    <div
      className={classes.row}
      data-chosen={isChosen || undefined}
      data-picking={isPicking || undefined}
    >
      {isPicking ? (
        <label className={classes.pick}>
          <input
            type="checkbox"
            checked={isPicked}
            aria-label={`Вопрос ${number}: ${label}`}
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
      <button
        type="button"
        className={classes.open}
        data-row={rowKey}
        aria-current={isChosen ? 'true' : undefined}
        tabIndex={tabIndex}
        title={label}
        onClick={() => actions.choose(id)}
      >
        <span className={classes.number}>{number}</span>
        <span className={classes.kind}>
          <KindIcon kind={kind} />
        </span>
        <span className={classes.words}>
          <span className={classes.label}>{label}</span>
          {fold && <span className={classes.more}>{formatCount(ids.length, VARIANTS)}</span>}
          {problem !== null && (
            <span className={classes.problem}>
              <IconAlertTriangle size={16} stroke={2} aria-hidden />
              <span>{problem}</span>
            </span>
          )}
        </span>
        <span className={classes.points}>
          {formatNumber(points)}
          <span className={classes.spoken}> {plural(points, POINTS)}</span>
        </span>
      </button>
      {fold && (
        <ActionIcon
          className={classes.fold}
          aria-expanded={fold.isOpen}
          aria-label={`Варианты вопроса ${number}`}
          tabIndex={tabIndex}
          onClick={fold.toggle}
        >
          {fold.isOpen ? (
            <IconChevronDown size={18} stroke={1.75} aria-hidden />
          ) : (
            <IconChevronRight size={18} stroke={1.75} aria-hidden />
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
