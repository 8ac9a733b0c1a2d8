import { Group, Text } from '@mantine/core';
import { useState, type CSSProperties } from 'react';
import { FieldGroup } from '#app/ui/forms/FieldGroup.tsx';
import { ChoiceRow } from '#app/ui/forms/ChoiceRow.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';

export interface Chip {
  readonly value: string;
  readonly label: string;
  /** Number of bank questions with this value. */
  readonly count: number;
}

/** Number of chips before «Показать все». */
const SHOWN = 12;

const TICK = { '--tick': '1.125rem' } as CSSProperties;

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
          <ChoiceRow
            key={chip.value}
            type="checkbox"
            className="choice break-anywhere"
            gap="xs"
            px="sm"
            py={4}
            style={TICK}
            checked={chosen.includes(chip.value)}
            onChange={(checked) =>
              onChange(
                checked ? [...chosen, chip.value] : chosen.filter((value) => value !== chip.value),
              )
            }
          >
            {chip.label}{' '}
            <Text span size="sm" c="dimmed" className="tabular">
              {chip.count}
            </Text>
          </ChoiceRow>
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
