import { Button, Group, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { Area } from '#contract/questions.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import { NumberInput } from '#app/questions/form/NumberInput.tsx';
import { MIN_AREA_SIZE, fittedArea } from './area-geometry.ts';

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

/** The chosen area's form: which area, its shape, position and size. */
export function AreaFields({
  id,
  optionId,
  area,
  choices,
  onChoose,
  onShape,
  onChange,
  onRemove,
}: {
  readonly id: string;
  readonly optionId: string;
  readonly area: Area;
  readonly choices: { value: string; label: string }[];
  readonly onChoose: (optionId: string) => void;
  readonly onShape: (shape: Shape) => void;
  readonly onChange: (area: Area, field: string) => void;
  readonly onRemove: () => void;
}) {
  return (
    <Group gap="xs" align="flex-end" mt="xs">
      <SelectField native label="Область" choices={choices} value={optionId} onChange={onChoose} />
      <SelectField native label="Форма" choices={SHAPES} value={area.shape} onChange={onShape} />
      {SIDES.map(([side, label]) => (
        <div key={side}>
          <Text component="label" fw={500} htmlFor={`${id}-${side}`}>
            {label}
          </Text>
          <NumberInput
            id={`${id}-${side}`}
            value={Math.round(area[side] * 1_000) / 10}
            bounds={{
              ...PERCENT,
              min: side in { width: 1, height: 1 } ? MIN_AREA_SIZE * 100 : 0,
            }}
            unit="%"
            onChange={(percent) =>
              onChange(fittedArea({ ...area, [side]: percent / 100 }), `area-${side}:${optionId}`)
            }
          />
        </div>
      ))}
      <Button variant="default" leftSection={<Icon of={IconTrash} />} onClick={onRemove}>
        Убрать область
      </Button>
    </Group>
  );
}
