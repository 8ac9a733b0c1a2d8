import { Input, Text } from '@mantine/core';
import { useState } from 'react';
import { cx } from '#app/ui/cx.ts';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { formatNumber } from '#domain/format.ts';
import { parseNumber } from '#domain/normalise.ts';
import classes from './QuestionForm.module.css';

/** A parsed number, or the error message. */
type TypedNumber =
  | { readonly value: number; readonly error: '' }
  | { readonly value: null; readonly error: string };

interface NumberBounds {
  readonly min: number;
  readonly max: number;
  /** Decimals at most. */
  readonly digits: number;
  /** The value of an empty field. */
  readonly empty: number;
}

const wrong = (error: string): TypedNumber => ({ value: null, error });

/** Parses a number in Russian or English notation. */
function readNumber(text: string, { min, max, digits, empty }: NumberBounds): TypedNumber {
  if (text.trim() === '') return { value: empty, error: '' };
  const value = /^[\d\s.,+−-]+$/.test(text) ? parseNumber(text) : null;
  if (value === null) return wrong('Напишите число, например 2,5');
  if (value < min) return wrong(`Не меньше ${formatNumber(min)}`);
  if (value > max) return wrong(`Не больше ${formatNumber(max)}`);
  const scale = 10 ** digits;
  if (Math.abs(value * scale - Math.round(value * scale)) > 1e-6) {
    return wrong(digits === 0 ? 'Целое число' : `Не больше ${digits} знаков после запятой`);
  }
  return { value, error: '' };
}

/** Formats a number for the input field. */
const writeNumber = (value: number): string =>
  formatNumber(value, 10).replaceAll(/\s/g, '').replace('−', '-');

export interface NumberInputProps {
  readonly id: string;
  /** Label for screen readers; the visible one is elsewhere or is the unit. */
  readonly label?: string;
  readonly value: number;
  readonly bounds: NumberBounds;
  /** External error message; empty: none. */
  readonly error?: string;
  readonly unit?: string;
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
      <Input
        id={id}
        className={classes.number}
        error={shown !== ''}
        inputMode="decimal"
        autoComplete="off"
        rightSection={
          unit && (
            <Text span aria-hidden flex={1} ta="end" pe={12} c="dimmed" fz={15}>
              {unit}
            </Text>
          )
        }
        rightSectionWidth={unit && `calc(${unit.length}ch + 0.75rem)`}
        aria-label={label}
        value={typed}
        attributes={{
          input: { 'aria-describedby': cx(describedBy, shown && `${id}-error`) || undefined },
        }}
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
      <div role="status">
        <FieldError id={`${id}-error`}>{shown}</FieldError>
      </div>
    </div>
  );
}
