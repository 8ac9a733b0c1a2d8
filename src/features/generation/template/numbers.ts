import { parseNumber } from '#domain/normalise.ts';
import { roundTo } from './functions.ts';

/** Maximum number of decimals. */
export const MAX_DECIMALS = 10;

/** Digits of a finite number below 1e15, without an exponent: «−0,25» in Russian writing. */
export function plainNumber(value: number): string {
  return `${value < 0 ? '−' : ''}${digitsOf(value).replace('.', ',')}`;
}

/** The same in KaTeX's syntax: `-0{,}25`. */
export function formulaNumber(value: number): string {
  return `${value < 0 ? '-' : ''}${digitsOf(value).replace('.', '{,}')}`;
}

function digitsOf(value: number): string {
  const size = Math.abs(roundTo(value, MAX_DECIMALS));
  const text = String(size);
  return text.includes('e') ? size.toFixed(MAX_DECIMALS).replace(/\.?0+$/, '') : text;
}

/** Parses a typed number with a comma or a point; null: invalid. */
export const typedNumber = (text: string): number | null => parseNumber(text);

/**
 * Parses a list of numbers, separated by «;», a new line or, if no comma is decimal, spaces. Null: not all are numbers.
 */
export function typedNumbers(text: string): number[] | null {
  const parts = text
    .split(/[;\n\s]+/)
    .map((part) => part.replace(/,$/, ''))
    .filter((part) => part !== '');
  const numbers = parts.map(typedNumber);
  return numbers.every((number) => number !== null) ? numbers : null;
}
