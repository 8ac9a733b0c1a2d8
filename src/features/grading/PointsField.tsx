import { ActionIcon, Group, Input, UnstyledButton, type InputProps } from '@mantine/core';
import { IconMinus, IconPlus } from '@tabler/icons-react';
import { formatNumber } from '#domain/format.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { stepPoints, usualPoints, writePoints } from './points.ts';

export interface PointsFieldProps extends Omit<InputProps, 'value' | 'onChange'> {
  value: string;
  max: number;
  onChange: (value: string) => void;
}

const NUMBER = { input: { textAlign: 'center', fontVariantNumeric: 'tabular-nums' } } as const;

/** Points field: typed input, stepper buttons and chips of common values. */
export function PointsField({ value, max, onChange, ...field }: PointsFieldProps) {
  const step = (direction: 1 | -1) => onChange(writePoints(stepPoints(value, max, direction)));
  return (
    <Input.Wrapper label={`Баллы, до ${formatNumber(max)}`} error={field.error}>
      <Group gap="0.5rem 1rem" align="stretch">
        <Group gap="xs" wrap="nowrap">
          <ActionIcon variant="default" aria-label="Меньше" tabIndex={-1} onClick={() => step(-1)}>
            <Icon of={IconMinus} />
          </ActionIcon>
          <Input
            {...field}
            styles={NUMBER}
            w={88}
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
              className="tap choice tabular"
              bg={value === writePoints(points) ? 'var(--app-primary-soft)' : 'var(--app-surface)'}
              miw="2.75rem"
              style={{ justifyContent: 'center' }}
              mih="var(--app-icon-button)"
              px="sm"
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
