import { Group, Text } from '@mantine/core';
import { useState } from 'react';
import { FieldGroup } from '#app/ui/forms/FieldGroup.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { cx } from '#app/ui/cx.ts';
import classes from './generate.module.css';

export interface Chip {
  readonly value: string;
  readonly label: string;
  /** Number of bank questions with this value. */
  readonly count: number;
}

/** Number of chips before «Показать все». */
const SHOWN = 12;

/** Multiple choice of values with question counts; none selected: any. */
export function CheckChips({
  label,
  chips,
  value: chosen,
  onChange,
}: {
  label: string;
  chips: readonly Chip[];
  value: readonly string[];
  onChange: (chosen: string[]) => void;
}) {
  const [isWhole, setWhole] = useState(false);
  // A selected value that the bank no longer has can still be deselected.
  const gone = chosen.filter((value) => !chips.some((chip) => chip.value === value));
  const all = [...gone.map((value) => ({ value, label: value, count: 0 })), ...chips];
  const shown = isWhole ? all : all.filter((chip, at) => at < SHOWN || chosen.includes(chip.value));
  if (all.length === 0) return null;
  return (
    <FieldGroup label={label}>
      <Group gap="xs" align="stretch">
        {shown.map((chip) => (
          <label key={chip.value} className={cx('tap', classes.chip)}>
            <input
              type="checkbox"
              checked={chosen.includes(chip.value)}
              onChange={(event) =>
                onChange(
                  event.currentTarget.checked
                    ? [...chosen, chip.value]
                    : chosen.filter((value) => value !== chip.value),
                )
              }
            />
            <span>
              {chip.label}{' '}
              <Text span size="sm" c="dimmed" className="tabular">
                {chip.count}
              </Text>
            </span>
          </label>
        ))}
      </Group>
      {shown.length < all.length && (
        <QuietButton tone="ink" onClick={() => setWhole(true)}>
          Показать все {all.length}
        </QuietButton>
      )}
    </FieldGroup>
  );
}
