import { Box, Button, Group, Text } from '@mantine/core';
import { IconPhotoSearch, IconPlus, IconTrash } from '@tabler/icons-react';
import {
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
} from 'react';
import { Pictures } from '#app/ui/rich-text/pictures-context.ts';
import { PARTS_PER_QUESTION } from '#contract/limits.ts';
import type { Area } from '#contract/questions.ts';
import { areasPicture, hasAreas, nextAreaText } from '#domain/areas.ts';
import { newId } from '#app/lib/new-id.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import { placeOf } from '#app/ui/taking/AreasText.tsx';
import shown from '#app/ui/taking/AreasText.module.css';
import { cx } from '#app/ui/cx.ts';
import classes from './AreasPart.module.css';
import {
  MIN_AREA_SIZE,
  drawnArea,
  fittedArea,
  movedArea,
  resizedArea,
  type PicturePoint,
} from './area-geometry.ts';
import { NumberInput } from '#app/questions/form/NumberInput.tsx';
import { PartHead } from '#app/questions/form/PartHead.tsx';
import type { Of, PartProps } from '#app/questions/form/parts.ts';

const AREA = cx(shown.area, classes.area);

/** A finger draws here instead of scrolling; the margins beside and below still scroll. */
const DRAWING = { cursor: 'crosshair', touchAction: 'none', userSelect: 'none' } as const;

type Option = Of<'variant'>['options'][number];
type Shape = Area['shape'];

const SHAPES: { value: Shape; label: string }[] = [
  { value: 'rectangle', label: 'Прямоугольник' },
  { value: 'ellipse', label: 'Овал' },
];
const SIDES = [
  ['left', 'Слева'],
  ['top', 'Сверху'],
  ['width', 'Ширина'],
  ['height', 'Высота'],
] as const;
const PERCENT = { min: 0, max: 100, digits: 1, empty: 0 };
/** Initial area, if it was not drawn. */
const MIDDLE = { left: 0.4, top: 0.4, width: 0.2, height: 0.2 };
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

/** The picture with the areas: its address, null while it loads or if there is none. */
function usePicture(key: string | null) {
  const resolve = useContext(Pictures);
  const [shown, setShown] = useState<{ key: string; url: string | null } | null>(null);
  useEffect(() => {
    if (key === null || !resolve) return undefined;
    let isCurrent = true;
    resolve(key).then(
      (url) => isCurrent && setShown({ key, url }),
      () => isCurrent && setShown({ key, url: null }),
    );
    return () => {
      isCurrent = false;
    };
  }, [key, resolve]);
  const isSettled = shown !== null && shown.key === key;
  return { url: isSettled ? shown.url : null, isFailed: isSettled && shown.url === null };
}

/** «Области на картинке»: the parts of the text's first picture that represent options. */
export function AreasPart({
  question,
  onOptions,
}: Pick<PartProps<'variant'>, 'question'> & {
  onOptions: (options: readonly Option[], field: string) => void;
}) {
  const id = useId();
  const { options } = question;
  const picture = areasPicture(question.text)?.key ?? null;
  const { url, isFailed } = usePicture(picture);
  const [isOpened, setOpened] = useState(false);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [shape, setShape] = useState<Shape>('rectangle');
  const [drag, setDrag] = useState<Drag | null>(null);
  const board = useRef<HTMLDivElement>(null);
  const section = useRef<HTMLElement>(null);
  const isRemoved = useRef(false);
  const placed = options.filter(({ area }) => area !== undefined);
  const chosen = placed.find(({ optionId }) => optionId === chosenId) ?? placed[0];

  // The focused control disappeared with its area: the next area gets the focus, else the button that adds one.
  useEffect(() => {
    if (!isRemoved.current) return;
    isRemoved.current = false;
    const next = section.current?.querySelector<HTMLElement>('[aria-pressed=true], [data-add]');
    next?.focus();
  });

  if (picture === null && placed.length === 0) return null;
  if (!isOpened && !hasAreas(options))
    return (
      <QuietButton icon={IconPhotoSearch} onClick={() => setOpened(true)}>
        Отвечать на картинке
      </QuietButton>
    );

  const setArea = (optionId: string, area: Area, field: string) =>
    onOptions(
      options.map((option) => (option.optionId === optionId ? { ...option, area } : option)),
      field,
    );
  const removeArea = (optionId: string) => {
    isRemoved.current = true;
    setOpened(true);
    onOptions(
      options.map((option) => {
        if (option.optionId !== optionId) return option;
        const { area: _, ...rest } = option;
        return rest;
      }),
      `area-remove:${optionId}`,
    );
  };
  const bare = options.find(({ area }) => area === undefined);
  const isFull = bare === undefined && options.length >= PARTS_PER_QUESTION;
  /** For the first option without an area, else for a new one. */
  const add = (area: Area) => {
    if (isFull) return;
    const known: Option = bare ?? { optionId: newId(), text: '', isRight: false };
    const text =
      known.text.trim() === '' ? nextAreaText(options.map((one) => one.text)) : known.text;
    const option = { ...known, text, area };
    const rest = bare ? options.map((one) => (one === bare ? option : one)) : [...options, option];
    setChosenId(option.optionId);
    onOptions(rest, `area-add:${option.optionId}`);
  };

  const pointOf = ({ clientX, clientY }: PointerEvent): PicturePoint => {
    const box = board.current?.getBoundingClientRect();
    if (!box || box.width === 0 || box.height === 0) return { x: 0, y: 0 };
    return { x: (clientX - box.left) / box.width, y: (clientY - box.top) / box.height };
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0 || !(event.target instanceof HTMLElement)) return;
    const at = pointOf(event);
    const optionId = event.target.closest<HTMLElement>('[data-option]')?.dataset['option'];
    const area = options.find((option) => option.optionId === optionId)?.area;
    event.currentTarget.setPointerCapture(event.pointerId);
    const base = { from: at, to: at, id: newId() };
    if (optionId === undefined || !area) return setDrag({ ...base, kind: 'draw' });
    setChosenId(optionId);
    const kind = 'corner' in event.target.dataset ? 'resize' : 'move';
    setDrag({ ...base, kind, optionId, area });
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (!drag) return;
    const next = { ...drag, to: pointOf(event) };
    setDrag(next);
    if (next.kind !== 'draw') setArea(next.optionId, dragged(next), `area:${next.id}`);
  };
  const onPointerUp = (event: PointerEvent<HTMLDivElement>) => {
    if (drag?.kind === 'draw') {
      const area = drawnArea(drag.from, pointOf(event), shape);
      if (area) add(area);
    }
    setDrag(null);
  };
  const onKeyDown = (event: KeyboardEvent, { optionId, area }: Option) => {
    const by = STEPS[event.key];
    if (!area || (!by && event.key !== 'Delete')) return;
    event.preventDefault();
    // The focus moves to the next area, where the key may still be held.
    if (!by) {
      if (!event.repeat) removeArea(optionId);
    } else
      setArea(
        optionId,
        event.shiftKey ? resizedArea(area, by) : movedArea(area, by),
        `area-keys:${optionId}`,
      );
  };
  const sketch = drag?.kind === 'draw' ? drawnArea(drag.from, drag.to, shape) : null;
  const nameOf = ({ optionId, text }: Option) =>
    text.trim() || `Вариант ${options.findIndex((option) => option.optionId === optionId) + 1}`;

  return (
    <section ref={section} aria-labelledby={`${id}-name`}>
      <PartHead
        id={`${id}-name`}
        name="Области на картинке"
        hint="Проведите по картинке: выделенная область станет вариантом ответа. Ученик коснётся её на картинке или выберет в списке."
        problems={[]}
      />
      {url === null ? (
        <Text c="dimmed">
          {picture === null
            ? 'Картинки в тексте вопроса нет. Верните её или уберите области.'
            : isFailed
              ? 'Картинка не загрузилась. Проверьте сеть и откройте вопрос снова: области на месте.'
              : 'Картинка загружается'}
        </Text>
      ) : (
        <Box
          ref={board}
          pos="relative"
          w="fit-content"
          maw="100%"
          bd="1px solid var(--app-line)"
          bg="#fff"
          style={DRAWING}
          onPointerDown={onPointerDown}
          onPointerMove={onPointerMove}
          onPointerUp={onPointerUp}
          onPointerCancel={() => setDrag(null)}
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
          {placed.map((option) => (
            <button
              key={option.optionId}
              type="button"
              data-option={option.optionId}
              data-shape={option.area?.shape}
              className={AREA}
              aria-label={`Область «${nameOf(option)}»: стрелки двигают, с Shift меняют размер`}
              aria-pressed={option === chosen}
              style={option.area && placeOf(option.area)}
              onFocus={() => setChosenId(option.optionId)}
              onKeyDown={(event) => onKeyDown(event, option)}
            >
              <Text span inherit truncate maw="10rem" px={6} className={shown.mark}>
                {nameOf(option)}
              </Text>
              {option === chosen && (
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
              )}
            </button>
          ))}
          {sketch && (
            <span className={AREA} data-shape={shape} style={placeOf(sketch)} aria-hidden />
          )}
        </Box>
      )}
      {chosen?.area && (
        <Group gap="xs" align="flex-end" mt="xs" key={chosen.optionId}>
          <SelectField
            native
            label="Область"
            choices={placed.map((option) => ({ value: option.optionId, label: nameOf(option) }))}
            value={chosen.optionId}
            onChange={setChosenId}
          />
          <SelectField
            native
            label="Форма"
            choices={SHAPES}
            value={chosen.area.shape}
            onChange={(next) => {
              setShape(next);
              if (chosen.area)
                setArea(
                  chosen.optionId,
                  { ...chosen.area, shape: next },
                  `shape:${chosen.optionId}`,
                );
            }}
          />
          {SIDES.map(([side, label]) => (
            <div key={side}>
              <Text component="label" fw={500} htmlFor={`${id}-${side}`}>
                {label}
              </Text>
              <NumberInput
                id={`${id}-${side}`}
                value={Math.round((chosen.area?.[side] ?? 0) * 1_000) / 10}
                bounds={{
                  ...PERCENT,
                  min: side in { width: 1, height: 1 } ? MIN_AREA_SIZE * 100 : 0,
                }}
                unit="%"
                onChange={(percent) =>
                  chosen.area &&
                  setArea(
                    chosen.optionId,
                    fittedArea({ ...chosen.area, [side]: percent / 100 }),
                    `area-${side}:${chosen.optionId}`,
                  )
                }
              />
            </div>
          ))}
          <Button
            variant="default"
            leftSection={<Icon of={IconTrash} />}
            onClick={() => removeArea(chosen.optionId)}
          >
            Убрать область
          </Button>
        </Group>
      )}
      {url !== null && !isFull && (
        <Button
          data-add
          variant="subtle"
          size="sm"
          leftSection={<Icon of={IconPlus} />}
          onClick={() => add({ shape, ...MIDDLE })}
        >
          Добавить область
        </Button>
      )}
    </section>
  );
}
