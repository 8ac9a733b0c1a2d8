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

/** A press that moves less is a press, not a carrying. */
const CARRY_FROM_PX = 6;
// New objects would draw every row again at each letter typed.
const POINTER = { activationConstraint: { distance: CARRY_FROM_PX } };
const KEYBOARD = { coordinateGetter: sortableKeyboardCoordinates };

export interface SortingProps {
  /** Of the rows, in their order; the same array for as long as the order stands spares drawing rows again. */
  readonly ids: readonly string[];
  /** What is spoken while a row is carried. */
  readonly announcements: Announcements;
  /** How to carry by keys, said at the handle. */
  readonly help: string;
  /** What bounds the way of a row; the same array each time. */
  readonly modifiers?: Modifier[];
  /** A row was carried to where another one stands. */
  readonly onCarry: (id: string, over: string) => void;
  readonly children: ReactNode;
}

/** A list whose rows are carried by pointer or keys; each row calls `useSortable`. */
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
