import { Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import classes from './QuestionForm.module.css';
import { readNumber, writeNumber, type NumberBounds } from './typed-number.ts';

export interface NumberInputProps {
  readonly id: string;
  /** Label for screen readers; the visible one is elsewhere or is the unit. */
  readonly label?: string;
  readonly value: number;
  readonly bounds: NumberBounds;
  /** External error message; empty: none. */
  readonly error?: string;
  readonly unit?: ReactNode;
  readonly describedBy?: string | undefined;
  readonly onChange: (value: number) => void;
}

/** A number field with a decimal comma or point: the typed text stays, the parsed value is reported at once. */
export function NumberInput({
  id,
  label,
  value,
  bounds,
  error = '',
  unit,
  describedBy,
  onChange,
}: NumberInputProps) {
  const [typed, setTyped] = useState(() => writeNumber(value));
  const [known, setKnown] = useState(value);
  if (known !== value) {
    // Changed externally: by undo or another device.
    setKnown(value);
    if (readNumber(typed, bounds).value !== value) setTyped(writeNumber(value));
  }
  const shown = readNumber(typed, bounds).error || error;
  return (
    <div>
      <div className={classes.number} data-unit={unit !== undefined || undefined}>
        <input
          id={id}
          type="text"
          inputMode="decimal"
          autoComplete="off"
          aria-label={label}
          value={typed}
          aria-invalid={shown !== '' || undefined}
          aria-describedby={
            [describedBy, shown && `${id}-error`].filter(Boolean).join(' ') || undefined
          }
          onChange={(event) => {
            const text = event.currentTarget.value;
            setTyped(text);
            const { value: read } = readNumber(text, bounds);
            if (read === null || read === value) return;
            setKnown(read);
            onChange(read);
          }}
          onBlur={() => {
            if (typed.trim() !== '' && readNumber(typed, bounds).error === '')
              setTyped(writeNumber(value));
          }}
        />
        {unit !== undefined && (
          <Text span aria-hidden c="dimmed" fz={15}>
            {unit}
          </Text>
        )}
      </div>
      <FieldError id={`${id}-error`}>{shown}</FieldError>
    </div>
  );
}
