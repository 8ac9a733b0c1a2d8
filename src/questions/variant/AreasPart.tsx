import { Button, Text } from '@mantine/core';
import { IconPhotoSearch, IconPlus } from '@tabler/icons-react';
import { useContext, useEffect, useId, useRef, useState } from 'react';
import { Pictures } from '#app/ui/rich-text/pictures-context.ts';
import type { Area } from '#contract/questions.ts';
import { areasPicture, hasAreas } from '#domain/areas.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { PartHead } from '#app/questions/form/PartHead.tsx';
import type { PartProps } from '#app/questions/form/parts.ts';
import { AreaFields } from './AreaFields.tsx';
import { AreasBoard } from './AreasBoard.tsx';
import { addArea, areAreasFull, optionName, placeArea, removeArea } from './area-options.ts';
import type { Option } from './option-edits.ts';

/** Initial area, if it was not drawn. */
const MIDDLE = { left: 0.4, top: 0.4, width: 0.2, height: 0.2 };

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

/** Moves the focus from a removed area, whose controls are gone, to the next area, else to the button that adds one. */
function useFocusAfterRemoval() {
  const section = useRef<HTMLElement>(null);
  const isRemoved = useRef(false);
  useEffect(() => {
    if (!isRemoved.current) return;
    isRemoved.current = false;
    const next = section.current?.querySelector<HTMLElement>('[aria-pressed=true], [data-add]');
    next?.focus();
  });
  return {
    section,
    onRemoved: () => {
      isRemoved.current = true;
    },
  };
}

function PictureState({ hasPicture, isFailed }: { hasPicture: boolean; isFailed: boolean }) {
  return (
    <Text c="dimmed">
      {!hasPicture
        ? 'Картинки в тексте вопроса нет. Верните её или уберите области.'
        : isFailed
          ? 'Картинка не загрузилась. Проверьте сеть и откройте вопрос снова: области на месте.'
          : 'Картинка загружается'}
    </Text>
  );
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
  const [shape, setShape] = useState<Area['shape']>('rectangle');
  const { section, onRemoved } = useFocusAfterRemoval();
  const placed = options.filter(({ area }) => area !== undefined);
  const chosen = placed.find(({ optionId }) => optionId === chosenId) ?? placed[0];

  if (picture === null && placed.length === 0) return null;
  if (!isOpened && !hasAreas(options))
    return (
      <QuietButton icon={IconPhotoSearch} onClick={() => setOpened(true)}>
        Отвечать на картинке
      </QuietButton>
    );

  const isFull = areAreasFull(options);
  const change = (optionId: string, area: Area, field: string) =>
    onOptions(placeArea(options, optionId, area), field);
  const remove = (optionId: string) => {
    onRemoved();
    setOpened(true);
    onOptions(removeArea(options, optionId), `area-remove:${optionId}`);
  };
  const add = (area: Area) => {
    if (isFull) return;
    const added = addArea(options, area);
    setChosenId(added.optionId);
    onOptions(added.options, `area-add:${added.optionId}`);
  };

  return (
    <section ref={section} aria-labelledby={`${id}-name`}>
      <PartHead
        id={`${id}-name`}
        name="Области на картинке"
        hint="Проведите по картинке: выделенная область станет вариантом ответа. Ученик коснётся её на картинке или выберет в списке."
        problems={[]}
      />
      {url === null ? (
        <PictureState hasPicture={picture !== null} isFailed={isFailed} />
      ) : (
        <AreasBoard
          url={url}
          options={options}
          chosen={chosen}
          shape={shape}
          onChoose={setChosenId}
          onDraw={add}
          onChange={change}
          onRemove={remove}
        />
      )}
      {chosen?.area && (
        <AreaFields
          key={chosen.optionId}
          id={id}
          optionId={chosen.optionId}
          area={chosen.area}
          choices={placed.map((option) => ({
            value: option.optionId,
            label: optionName(options, option),
          }))}
          onChoose={setChosenId}
          onShape={(next) => {
            setShape(next);
            if (chosen.area)
              change(chosen.optionId, { ...chosen.area, shape: next }, `shape:${chosen.optionId}`);
          }}
          onChange={(area, field) => change(chosen.optionId, area, field)}
          onRemove={() => remove(chosen.optionId)}
        />
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
