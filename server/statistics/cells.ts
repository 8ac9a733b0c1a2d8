import { setImmediate as turn } from 'node:timers/promises';
import { CSV_MARK, escapeText, formatCsv } from '#domain/csv.ts';

/** The value of a cell; a Date carries the school's wall clock in its UTC fields. */
export type Cell = string | number | Date | null;

export interface Column {
  readonly head: string;
  /** Characters. */
  readonly width: number;
  /** Number format in Excel. */
  readonly format?: string;
}

export interface CellTable {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Excel allows 32,767 in a cell; nobody reads that much in one. */
const CHARACTERS = 2_000;
/** Invalid in XML, useless in a spreadsheet. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** A text with formulas neutralized, numbers as they are, without characters invalid in XML. */
export const textCell = (text: string): string =>
  escapeText(text.replaceAll(CONTROLS, '').slice(0, CHARACTERS));

const pad = (value: number) => String(value).padStart(2, '0');

/** «21.05.2026 10:42», which Russian Excel reads as a date. */
const dateText = (at: Date) =>
  `${pad(at.getUTCDate())}.${pad(at.getUTCMonth() + 1)}.${at.getUTCFullYear()} ` +
  `${pad(at.getUTCHours())}:${pad(at.getUTCMinutes())}`;

function csvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell).replace('.', ',');
  return cell instanceof Date ? dateText(cell) : textCell(cell);
}

/** Rows written before yielding to other calls. */
const ROWS_AT_ONCE = 200;

/** A table as CSV for Russian Excel: UTF-8 with a BOM, semicolons, decimal commas. */
export async function csvOf({ columns, rows }: CellTable): Promise<Buffer> {
  const parts = [CSV_MARK, formatCsv([columns.map(({ head }) => head)], csvCell)];
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await turn();
    parts.push(formatCsv(rows.slice(from, from + ROWS_AT_ONCE), csvCell));
  }
  return Buffer.from(parts.join(''), 'utf8');
}
