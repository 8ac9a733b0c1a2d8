import { Box, UnstyledButton } from '@mantine/core';
import type { Modifier, Announcements, UniqueIdentifier } from '@dnd-kit/core';
import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { IconGripVertical } from '@tabler/icons-react';
import { memo, useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { Sorting } from '#app/ui/sorting/Sorting.tsx';
import { cx } from '#app/ui/cx.ts';
import { Icon } from '#app/ui/Icon.tsx';
import classes from './QuestionList.module.css';
import rowClasses from './QuestionRow.module.css';
import { QuestionRow, type RowActions } from './QuestionRow.tsx';
import type { QuestionPlace } from './rows.ts';

const DRAG_HELP =
  'Чтобы перенести вопрос, нажмите пробел, двигайте его стрелками вверх и вниз и нажмите пробел ещё раз. Escape оставит его на месте.';

/** Screen reader announcements while a question is dragged. */
function dragAnnouncements(places: readonly QuestionPlace[]): Announcements {
  const at = (id: UniqueIdentifier) => places.findIndex((place) => place.id === id);
  const label = (id: UniqueIdentifier) => {
    const place = places[at(id)];
    return place ? `Вопрос ${place.number}, ${place.rows[0].spoken}` : 'Вопрос';
  };
  const spot = (id: UniqueIdentifier) => `${at(id) + 1} из ${places.length}`;
  return {
    onDragStart: ({ active }) => `${label(active.id)}: взят. Место ${spot(active.id)}`,
    onDragOver: ({ over }) => (over ? `Место ${spot(over.id)}` : 'Вне списка'),
    onDragEnd: ({ over }) =>
      over ? `Оставлен на месте ${spot(over.id)}` : 'Остался на своём месте',
    onDragCancel: ({ active }) => `Перенос отменён. Вопрос остался на месте ${spot(active.id)}`,
  };
}

interface PlaceItemProps {
  place: QuestionPlace;
  /** Id of the current row of this place; null: none. */
  chosenId: string | null;
  isTabStop: boolean;
  /** Joined ids of this place's selected rows; null: not in selection mode. */
  picked: string | null;
  actions: RowActions;
}

const samePlace = (a: QuestionPlace, b: QuestionPlace) =>
  a.id === b.id &&
  a.number === b.number &&
  a.rows.length === b.rows.length &&
  a.rows.every((row, index) => row === b.rows[index]);

/** First problem of a collapsed place's alternatives. */
function foldedProblem({ rows }: QuestionPlace): string | null {
  if (rows.some(({ points }) => points !== rows[0].points)) return 'у вариантов разные баллы';
  const at = rows.findIndex(({ problem }) => problem !== null);
  const problem = rows[at]?.problem ?? null;
  return problem === null || rows.length === 1 ? problem : `вариант ${at + 1}: ${problem}`;
}

const PlaceItem = memo(
  function PlaceItem({ place, chosenId, isTabStop, picked, actions }: PlaceItemProps) {
    const { rows } = place;
    const [first] = rows;
    const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
    const [isUnfolded, setUnfolded] = useState(false);
    const isOpen = isUnfolded || (chosenId !== null && chosenId !== first.id);
    const isFolding = rows.length > 1;
    const {
      attributes,
      listeners,
      setNodeRef,
      setActivatorNodeRef: hold,
      transform,
      transition,
      isDragging,
    } = useSortable({
      id: place.id,
      disabled: picked !== null,
      attributes: { roleDescription: 'переносимый вопрос' },
    });
    const pickedIds = picked?.split(' ') ?? [];
    const isPicked = (id: string) => (picked === null ? null : pickedIds.includes(id));
    return (
      <li
        ref={setNodeRef}
        className={classes.place}
        data-dragging={isDragging || undefined}
        style={{ transform: CSS.Translate.toString(transform), transition }}
      >
        <QuestionRow
          row={first}
          rowKey={place.id}
          number={String(place.number)}
          ids={ids}
          isChosen={chosenId === first.id && !(isFolding && isOpen)}
          isPicked={picked === null ? null : pickedIds.length === ids.length && picked !== ''}
          isTabStop={isTabStop && (chosenId === null || chosenId === first.id)}
          fold={isFolding ? { isOpen, toggle: () => setUnfolded(!isOpen) } : undefined}
          problem={foldedProblem(place)}
          handle={
            <UnstyledButton
              ref={hold}
              className={cx('drag-handle', rowClasses.handle)}
              {...attributes}
              {...listeners}
              aria-label={`Перенести вопрос ${place.number}`}
              tabIndex={isTabStop ? 0 : -1}
            >
              <Icon of={IconGripVertical} size={18} />
            </UnstyledButton>
          }
          actions={actions}
        />
        {isFolding && isOpen && (
          <Box component="ol" ms="md" aria-label={`Варианты вопроса ${place.number}`}>
            {rows.map((row, index) => (
              <li key={row.id}>
                <QuestionRow
                  row={row}
                  rowKey={row.id}
                  number={`${place.number}.${index + 1}`}
                  ids={[row.id]}
                  isChosen={chosenId === row.id}
                  isPicked={isPicked(row.id)}
                  isTabStop={isTabStop && chosenId === row.id}
                  problem={row.problem}
                  actions={actions}
                />
              </li>
            ))}
          </Box>
        )}
      </li>
    );
  },
  (before, after) =>
    samePlace(before.place, after.place) &&
    before.chosenId === after.chosenId &&
    before.isTabStop === after.isTabStop &&
    before.picked === after.picked &&
    before.actions === after.actions,
);

const alongTheList: Modifier = ({ transform }) => ({ ...transform, x: 0 });
const MODIFIERS = [alongTheList];

export interface QuestionListProps {
  places: readonly QuestionPlace[];
  chosenId: string | null;
  /** Null: not in selection mode. */
  picked: ReadonlySet<string> | null;
  actions: RowActions;
  /** Called when a place was dropped on another one. */
  onCarry: (place: string, over: string) => void;
  /** Row to focus, such as one moved by keys; a new object focuses again. */
  focus: { readonly rowKey: string } | null;
}

const ALT_KEYS: Readonly<Record<string, Parameters<RowActions['move']>[1]>> = {
  ArrowUp: -1,
  ArrowDown: 1,
  Home: 'start',
  End: 'end',
};

/** The ordered list of questions: selection and reordering by pointer or keys. */
export const QuestionList = memo(function QuestionList({
  places,
  chosenId,
  picked,
  actions,
  onCarry,
  focus,
}: QuestionListProps) {
  const list = useRef<HTMLOListElement>(null);
  const key = places.map(({ id }) => id).join(' ');
  const ids = useMemo(() => key.split(' '), [key]);
  const announcements = useMemo(() => dragAnnouncements(places), [places]);

  useEffect(() => {
    if (focus === null) return;
    list.current?.querySelector<HTMLElement>(`[data-row="${focus.rowKey}"]`)?.focus();
  }, [focus]);
  useEffect(() => {
    if (chosenId === null) return;
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [chosenId]);

  const isPicking = picked !== null;
  useEffect(() => {
    // The menu that began the selection has disappeared.
    if (isPicking) list.current?.querySelector<HTMLElement>('[type="checkbox"]')?.focus();
  }, [isPicking]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.target instanceof HTMLElement)) return;
    const rowKey = event.target.dataset['row'];
    if (rowKey === undefined || event.ctrlKey || event.metaKey) return;
    const to = ALT_KEYS[event.key];
    if (event.altKey) {
      if (to === undefined) return;
      actions.move(rowKey, to);
    } else if (event.key === 'Delete') {
      // Moves the focus to the next row. A held key does not remove one row after the other.
      if (!event.repeat) actions.removeRow(rowKey);
    } else if (to === undefined) {
      return;
    } else {
      const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
      const from = rows.indexOf(event.target);
      const at = to === 'start' ? 0 : to === 'end' ? rows.length - 1 : from + to;
      rows[at]?.focus();
    }
    event.preventDefault();
  };

  const placeOfChosen =
    places.find(({ rows }) => rows.some(({ id }) => id === chosenId))?.id ?? places[0]?.id;
  return (
    <Sorting
      ids={ids}
      announcements={announcements}
      help={DRAG_HELP}
      modifiers={MODIFIERS}
      onCarry={onCarry}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the rows inside */}
      <Box
        component="ol"
        ref={list}
        display="block"
        aria-label="Вопросы теста"
        onKeyDown={onKeyDown}
      >
        {places.map((place) => (
          <PlaceItem
            key={place.id}
            place={place}
            chosenId={place.rows.some(({ id }) => id === chosenId) ? chosenId : null}
            isTabStop={place.id === placeOfChosen}
            picked={
              picked &&
              place.rows
                .map(({ id }) => id)
                .filter((id) => picked.has(id))
                .join(' ')
            }
            actions={actions}
          />
        ))}
      </Box>
    </Sorting>
  );
});
