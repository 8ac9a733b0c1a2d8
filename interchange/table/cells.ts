const STARTS_FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;
const NEUTRALISED = /^'+[=+\-@＝＋－＠\t\r\n]/;
const NUMBER = /^[+-]?\d+(?:[.,]\d+)?$/;

/**
 * A text that no spreadsheet runs: what would begin a formula gets an apostrophe before it, and so
 * does what looks as if it had one already, so that {@link typed} gives the same text back.
 */
export const neutralised = (text: string): string =>
  (STARTS_FORMULA.test(text) && !NUMBER.test(text)) || NEUTRALISED.test(text) ? `'${text}` : text;

/** What was typed into a cell, without the apostrophe that kept it from running. */
export function typed(cell: string): string {
  const text = cell.trim();
  return NEUTRALISED.test(text) ? text.slice(1).trim() : text;
}

const BACKSLASHED = /\\([\\;])/g;

/** A list within a cell, parted by semicolons. */
export const listCell = (parts: readonly string[]): string =>
  parts.map((part) => part.replaceAll(/[\\;]/g, String.raw`\$&`)).join('; ');

export function listOf(cell: string, separators: ';' | ';,' = ';'): string[] {
  if (cell.trim() === '') return [];
  const hidden = cell.replaceAll(BACKSLASHED, (_, sign: string) =>
    sign === ';' ? '\ue110' : '\ue111',
  );
  const isListed = separators === ';' || hidden.includes(';');
  return hidden
    .split(isListed ? ';' : ',')
    .map((part) => part.trim().replaceAll('\ue110', ';').replaceAll('\ue111', '\\'));
}

export const numberCell = (value: number): string => String(value).replace('.', ',');

/** A number written either way; null: none. */
export function numberOf(cell: string): number | null {
  const text = cell
    .replaceAll(/[\s\u00a0]/g, '')
    .replace('−', '-')
    .replace(',', '.');
  if (!/^-?\d+(?:\.\d+)?(?:e[+-]?\d{1,3})?$/i.test(text)) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}
