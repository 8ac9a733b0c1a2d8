import { ActionIcon } from '@mantine/core';
import { IconMinus, IconPlus } from '@tabler/icons-react';
import type { Ref } from 'react';
import { formatNumber } from '#domain/format.ts';
import { FieldFrame } from '#app/ui/FieldFrame.tsx';
import classes from './grading.module.css';
import { stepPoints, usualPoints, writePoints } from './points.ts';

export interface PointsFieldProps {
  value: string;
  max: number;
  error: string | undefined;
  onChange: (value: string) => void;
  fieldRef: Ref<HTMLInputElement>;
}

/** Points: typed, stepped, or the usual ones by a tap. */
export function PointsField({ value, max, error, onChange, fieldRef }: PointsFieldProps) {
  const step = (direction: 1 | -1) => onChange(writePoints(stepPoints(value, max, direction)));
  return (
    <FieldFrame label={`Баллы, до ${formatNumber(max)}`} error={error}>
      {(parts) => (
        <div className={classes.points}>
          <div className={classes.stepper}>
            <ActionIcon
              variant="default"
              aria-label="Меньше"
              tabIndex={-1}
              onClick={() => step(-1)}
            >
              <IconMinus size={20} stroke={1.75} aria-hidden />
            </ActionIcon>
            <input
              {...parts}
              ref={fieldRef}
              className={classes.pointsInput}
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
              <IconPlus size={20} stroke={1.75} aria-hidden />
            </ActionIcon>
          </div>
          <div className={classes.chips} role="group" aria-label="Обычные баллы">
            {usualPoints(max).map((points) => (
              <button
                key={points}
                type="button"
                className={classes.chip}
                aria-pressed={value === writePoints(points)}
                aria-label={`Поставить ${formatNumber(points)}`}
                onClick={() => onChange(writePoints(points))}
              >
                {formatNumber(points)}
              </button>
            ))}
          </div>
        </div>
      )}
    </FieldFrame>
  );
}
