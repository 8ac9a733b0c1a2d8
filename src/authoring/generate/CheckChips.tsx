import { useState } from 'react';
import { FieldGroup } from '#app/ui/FieldFrame.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import classes from './generate.module.css';

export interface Chip {
  readonly value: string;
  readonly label: string;
  /** How many questions of the bank it stands for. */
  readonly count: number;
}

/** So many are shown before «Показать все». */
const SHOWN = 12;

/** Several of some values, each with its number of questions; none chosen: any. */
export function CheckChips({
  label,
  chips,
  chosen,
  onChange,
}: {
  label: string;
  chips: readonly Chip[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}) {
  const [isWhole, setWhole] = useState(false);
  // What was chosen once and is in the bank no more can still be taken back.
  const gone = chosen.filter((value) => !chips.some((chip) => chip.value === value));
  const all = [...gone.map((value) => ({ value, label: value, count: 0 })), ...chips];
  const shown = isWhole ? all : all.filter((chip, at) => at < SHOWN || chosen.includes(chip.value));
  if (all.length === 0) return null;
  return (
    <FieldGroup label={label}>
      <div className={classes.chips}>
        {shown.map((chip) => (
          <label key={chip.value} className={classes.chip}>
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
              {chip.label} <span className={classes.count}>{chip.count}</span>
            </span>
          </label>
        ))}
      </div>
      {shown.length < all.length && (
        <QuietButton tone="ink" onClick={() => setWhole(true)}>
          Показать все {all.length}
        </QuietButton>
      )}
    </FieldGroup>
  );
}
