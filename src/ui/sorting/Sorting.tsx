import {
  closestCenter,
  DndContext,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
  type Announcements,
  type DragEndEvent,
  type Modifier,
} from '@dnd-kit/core';
import {
  SortableContext,
  sortableKeyboardCoordinates,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { useMemo, type ReactNode } from 'react';

/** Pointer movement below this is a click, not a drag. */
const CARRY_FROM_PX = 6;
// New objects would re-render every row at each keystroke.
const POINTER = { activationConstraint: { distance: CARRY_FROM_PX } };
const KEYBOARD = { coordinateGetter: sortableKeyboardCoordinates };

export interface SortingProps {
  /** Ids of the rows in order; a stable array avoids re-rendering the rows. */
  readonly ids: readonly string[];
  /** Screen reader announcements during a drag. */
  readonly announcements: Announcements;
  /** Keyboard instructions, announced at the handle. */
  readonly help: string;
  /** Drag modifiers; a stable array. */
  readonly modifiers?: Modifier[];
  /** Called when a row was dropped on another one. */
  readonly onCarry: (id: string, over: string) => void;
  readonly children: ReactNode;
}

/** A sortable list by pointer or keyboard; each row calls `useSortable`. */
export function Sorting({ ids, announcements, help, modifiers, onCarry, children }: SortingProps) {
  const sensors = useSensors(
    useSensor(PointerSensor, POINTER),
    useSensor(KeyboardSensor, KEYBOARD),
  );
  const items = useMemo(() => [...ids], [ids]);
  const accessibility = useMemo(
    () => ({ announcements, screenReaderInstructions: { draggable: help } }),
    [announcements, help],
  );
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    if (over && active.id !== over.id) onCarry(String(active.id), String(over.id));
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      {...(modifiers && { modifiers })}
      accessibility={accessibility}
      onDragEnd={onDragEnd}
    >
      <SortableContext items={items} strategy={verticalListSortingStrategy}>
        {children}
      </SortableContext>
    </DndContext>
  );
}
