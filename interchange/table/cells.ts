const BACKSLASHED = /\\([\\;])/g;

/** A list within a cell, separated by semicolons. */
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

/** A number in either notation; null: none. */
export function numberOf(cell: string): number | null {
  const text = cell
    .replaceAll(/[\s\u00a0]/g, '')
    .replace('−', '-')
    .replace(',', '.');
  if (!/^-?\d+(?:\.\d+)?(?:e[+-]?\d{1,3})?$/i.test(text)) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}
