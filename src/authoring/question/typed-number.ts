import { formatNumber } from '#domain/format.ts';
import { parseNumber } from '#domain/normalise.ts';

/** A parsed number, or the error message. */
export type TypedNumber =
  | { readonly value: number; readonly error: '' }
  | { readonly value: null; readonly error: string };

export interface NumberBounds {
  readonly min: number;
  readonly max: number;
  /** Decimals at most. */
  readonly digits: number;
  /** The value of an empty field. */
  readonly empty: number;
}

const wrong = (error: string): TypedNumber => ({ value: null, error });

/** Reads a number typed the Russian or the English way. */
export function readNumber(text: string, { min, max, digits, empty }: NumberBounds): TypedNumber {
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
export const writeNumber = (value: number): string =>
  formatNumber(value, 10).replaceAll(/\s/g, '').replace('−', '-');
