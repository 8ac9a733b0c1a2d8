import { ActionIcon, Group, Input, UnstyledButton } from '@mantine/core';
import { IconMinus, IconPlus } from '@tabler/icons-react';
import type { Ref } from 'react';
import { formatNumber } from '#domain/format.ts';
import { Icon } from '#app/ui/Icon.tsx';
import classes from './grading.module.css';
import { stepPoints, usualPoints, writePoints } from './points.ts';

export interface PointsFieldProps {
  value: string;
  max: number;
  error: string | undefined;
  onChange: (value: string) => void;
  fieldRef: Ref<HTMLInputElement>;
}

const NUMBER = { input: classes.pointsInput ?? '' };

/** Points field: typed input, stepper buttons and chips of common values. */
export function PointsField({ value, max, error, onChange, fieldRef }: PointsFieldProps) {
  const step = (direction: 1 | -1) => onChange(writePoints(stepPoints(value, max, direction)));
  return (
    <Input.Wrapper label={`Баллы, до ${formatNumber(max)}`} error={error}>
      <Group gap="0.5rem 1rem" align="stretch">
        <Group gap="xs" wrap="nowrap">
          <ActionIcon variant="default" aria-label="Меньше" tabIndex={-1} onClick={() => step(-1)}>
            <Icon of={IconMinus} />
          </ActionIcon>
          <Input
            error={error}
            ref={fieldRef}
            classNames={NUMBER}
            value={value}
            inputMode="decimal"
            autoComplete="off"
            onChange={(event) => onChange(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
              event.preventDefault();
              step(event.key === 'ArrowUp' ? 1 : -1);
            }}
          />
          <ActionIcon variant="default" aria-label="Больше" tabIndex={-1} onClick={() => step(1)}>
            <Icon of={IconPlus} />
          </ActionIcon>
        </Group>
        <Group gap="xs" align="stretch" wrap="nowrap" role="group" aria-label="Обычные баллы">
          {usualPoints(max).map((points) => (
            <UnstyledButton
              key={points}
              className={classes.chip}
              aria-pressed={value === writePoints(points)}
              aria-label={`Поставить ${formatNumber(points)}`}
              onClick={() => onChange(writePoints(points))}
            >
              {formatNumber(points)}
            </UnstyledButton>
          ))}
        </Group>
      </Group>
    </Input.Wrapper>
  );
}
