import { ActionIcon } from '@mantine/core';
import type { Announcements } from '@dnd-kit/core';
import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { IconGripVertical } from '@tabler/icons-react';
import type { CSSProperties, ReactNode } from 'react';
import { Sorting } from '#app/ui/sorting/Sorting.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { cx } from '#app/ui/cx.ts';

export interface SortableListProps {
  readonly ids: readonly string[];
  /** «вариант 2». */
  readonly nameOf: (id: string) => string;
  readonly onMove: (from: number, to: number) => void;
  readonly children: ReactNode;
}

const INSTRUCTIONS =
  'Чтобы переставить, нажмите пробел, двигайте стрелками и снова нажмите пробел. Escape оставит как было.';

function spoken(ids: readonly string[], nameOf: (id: string) => string): Announcements {
  const place = (id: string | number | undefined) =>
    id === undefined ? '' : `, место ${ids.indexOf(String(id)) + 1} из ${ids.length}`;
  const name = (id: string | number) => nameOf(String(id));
  return {
    onDragStart: ({ active }) => `Взято: ${name(active.id)}${place(active.id)}.`,
    onDragOver: ({ active, over }) => (over ? `${name(active.id)}${place(over.id)}.` : undefined),
    onDragEnd: ({ active, over }) => `Поставлено: ${name(active.id)}${place(over?.id)}.`,
    onDragCancel: ({ active }) => `Осталось на месте: ${name(active.id)}.`,
  };
}

/** Rows that can be reordered by pointer or keyboard. */
export function SortableList({ ids, nameOf, onMove, children }: SortableListProps) {
  const onCarry = (id: string, over: string) => {
    const from = ids.indexOf(id);
    const to = ids.indexOf(over);
    if (from !== -1 && to !== -1) onMove(from, to);
  };
  return (
    <Sorting ids={ids} announcements={spoken(ids, nameOf)} help={INSTRUCTIONS} onCarry={onCarry}>
      {children}
    </Sorting>
  );
}

export interface SortableRowProps {
  readonly id: string;
  /** «Переставить вариант 2». */
  readonly handleLabel: string;
  readonly className?: string | undefined;
  readonly handleClassName?: string | undefined;
  /** Receives the drag handle to place in the row. */
  readonly children: (handle: ReactNode) => ReactNode;
}

/** One row of a `SortableList`. */
export function SortableRow({
  id,
  handleLabel,
  className,
  handleClassName,
  children,
}: SortableRowProps) {
  const {
    attributes,
    listeners,
    setNodeRef,
    setActivatorNodeRef,
    transform,
    transition,
    isDragging,
  } = useSortable({ id });
  const style: CSSProperties = {
    transform: CSS.Translate.toString(transform) ?? '',
    transition: transition ?? '',
  };
  return (
    <li
      ref={setNodeRef}
      className={className}
      style={style}
      data-dragging={isDragging || undefined}
    >
      {children(
        <ActionIcon
          ref={setActivatorNodeRef}
          flex="none"
          className={cx('drag-handle', handleClassName)}
          {...listeners}
          aria-label={handleLabel}
          aria-roledescription="перетаскивается"
          aria-describedby={attributes['aria-describedby']}
        >
          <Icon of={IconGripVertical} />
        </ActionIcon>,
      )}
    </li>
  );
}
