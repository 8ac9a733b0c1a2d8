import { plainNumber, typedNumber } from './template/numbers.ts';

/** Parses numbers and records errors; a placeholder lets the rest be validated. */
export function numberReader(problems: Map<string, string>) {
  return (field: string, text: string, instead: number): number => {
    const value = text.trim() === '' ? null : typedNumber(text);
    if (value === null) problems.set(field, text.trim() === '' ? 'Введите число' : 'Это не число');
    return value ?? instead;
  };
}

/** A number as a field shows it. */
export const typed = (value: number) => plainNumber(value).replace('−', '-');

/** A number that is not negative. */
export function readTolerance(field: string, text: string, problems: Map<string, string>): number {
  const value = numberReader(problems)(field, text, 0);
  if (value < 0) problems.set(field, 'Не меньше нуля');
  return Math.max(0, value);
}
