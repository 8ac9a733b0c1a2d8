import { Box, Text } from '@mantine/core';
import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import type { Area } from '#contract/questions.ts';
import { newId } from '#app/lib/new-id.ts';
import { cx } from '#app/ui/cx.ts';
import { placeOf } from '#app/ui/taking/AreasText.tsx';
import shown from '#app/ui/taking/AreasText.module.css';
import classes from './AreasPart.module.css';
import { drawnArea, movedArea, resizedArea, type PicturePoint } from './area-geometry.ts';
import { optionName } from './area-options.ts';
import type { Option } from './option-edits.ts';

const AREA = cx(shown.area, classes.area);

/** A finger draws here instead of scrolling; the margins beside and below still scroll. */
const DRAWING = { cursor: 'crosshair', touchAction: 'none', userSelect: 'none' } as const;

const STEP = 0.01;
const STEPS: Readonly<Record<string, PicturePoint>> = {
  ArrowLeft: { x: -STEP, y: 0 },
  ArrowRight: { x: STEP, y: 0 },
  ArrowUp: { x: 0, y: -STEP },
  ArrowDown: { x: 0, y: STEP },
};

/** The action of the pointer: draws a new area, or moves or resizes the one under its start. */
type Drag = { readonly from: PicturePoint; readonly to: PicturePoint; readonly id: string } & (
  | { readonly kind: 'draw' }
  | { readonly kind: 'move' | 'resize'; readonly optionId: string; readonly area: Area }
);

const byOf = ({ from, to }: Drag): PicturePoint => ({ x: to.x - from.x, y: to.y - from.y });

const dragged = (drag: Exclude<Drag, { kind: 'draw' }>): Area =>
  drag.kind === 'move' ? movedArea(drag.area, byOf(drag)) : resizedArea(drag.area, byOf(drag));

interface AreaChanges {
  /** The shape of a drawn area. */
  readonly shape: Area['shape'];
  readonly onChoose: (optionId: string) => void;
  readonly onDraw: (area: Area) => void;
  /** `field` names the action: its consecutive changes form one undo step. */
  readonly onChange: (optionId: string, area: Area, field: string) => void;
}

/** Drawing, moving and resizing areas by the pointer. */
function useAreaDrag(
  options: readonly Option[],
  { shape, onChoose, onDraw, onChange }: AreaChanges,
) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const board = useRef<HTMLDivElement>(null);
  const pointOf = ({ clientX, clientY }: PointerEvent): PicturePoint => {
    const box = board.current?.getBoundingClientRect();
    if (!box || box.width === 0 || box.height === 0) return { x: 0, y: 0 };
    return { x: (clientX - box.left) / box.width, y: (clientY - box.top) / box.height };
  };
  return {
    /** The area that is being drawn. */
    sketch: drag?.kind === 'draw' ? drawnArea(drag.from, drag.to, shape) : null,
    board,
    onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
      if (event.button !== 0 || !(event.target instanceof HTMLElement)) return;
      const at = pointOf(event);
      const optionId = event.target.closest<HTMLElement>('[data-option]')?.dataset['option'];
      const area = options.find((option) => option.optionId === optionId)?.area;
      event.currentTarget.setPointerCapture(event.pointerId);
      const base = { from: at, to: at, id: newId() };
      if (optionId === undefined || !area) return setDrag({ ...base, kind: 'draw' });
      onChoose(optionId);
      const kind = 'corner' in event.target.dataset ? 'resize' : 'move';
      setDrag({ ...base, kind, optionId, area });
    },
    onPointerMove: (event: PointerEvent<HTMLDivElement>) => {
      if (!drag) return;
      const next = { ...drag, to: pointOf(event) };
      setDrag(next);
      if (next.kind !== 'draw') onChange(next.optionId, dragged(next), `area:${next.id}`);
    },
    onPointerUp: (event: PointerEvent<HTMLDivElement>) => {
      if (drag?.kind === 'draw') {
        const area = drawnArea(drag.from, pointOf(event), shape);
        if (area) onDraw(area);
      }
      setDrag(null);
    },
    onPointerCancel: () => setDrag(null),
  };
}

/** The picture with its areas, edited by the pointer or by keys. */
export function AreasBoard({
  url,
  options,
  chosen,
  onRemove,
  ...changes
}: AreaChanges & {
  readonly url: string;
  readonly options: readonly Option[];
  readonly chosen: Option | undefined;
  readonly onRemove: (optionId: string) => void;
}) {
  const { shape, onChoose, onChange } = changes;
  const { sketch, board, onPointerDown, onPointerMove, onPointerUp, onPointerCancel } = useAreaDrag(
    options,
    changes,
  );
  const onKeyDown = (event: KeyboardEvent, { optionId, area }: Option) => {
    const by = STEPS[event.key];
    if (!area || (!by && event.key !== 'Delete')) return;
    event.preventDefault();
    // The focus moves to the next area, where the key may still be held.
    if (!by) {
      if (!event.repeat) onRemove(optionId);
    } else
      onChange(
        optionId,
        event.shiftKey ? resizedArea(area, by) : movedArea(area, by),
        `area-keys:${optionId}`,
      );
  };
  return (
    <Box
      ref={board}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerCancel}
      pos="relative"
      w="fit-content"
      maw="100%"
      bd="1px solid var(--app-line)"
      bg="#fff"
      style={DRAWING}
    >
      <Box
        component="img"
        src={url}
        alt=""
        draggable={false}
        display="block"
        maw="100%"
        mah="50vh"
      />
      {options.map(
        (option) =>
          option.area && (
            <button
              key={option.optionId}
              type="button"
              data-option={option.optionId}
              data-shape={option.area.shape}
              className={AREA}
              aria-label={`Область «${optionName(options, option)}»: стрелки двигают, с Shift меняют размер`}
              aria-pressed={option === chosen}
              style={placeOf(option.area)}
              onFocus={() => onChoose(option.optionId)}
              onKeyDown={(event) => onKeyDown(event, option)}
            >
              <Text span inherit truncate maw="10rem" px={6} className={shown.mark}>
                {optionName(options, option)}
              </Text>
              {option === chosen && <Corner />}
            </button>
          ),
      )}
      {sketch && <span className={AREA} data-shape={shape} style={placeOf(sketch)} aria-hidden />}
    </Box>
  );
}

/** The chosen area's handle to resize it. */
function Corner() {
  return (
    <Box
      component="span"
      data-corner
      pos="absolute"
      right="-0.75rem"
      bottom="-0.75rem"
      w="1.5rem"
      h="1.5rem"
      bd="2px solid #fff"
      bdrs="50%"
      bg="var(--app-primary)"
      style={{ zIndex: 1, cursor: 'nwse-resize' }}
    />
  );
}
