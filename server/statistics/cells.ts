import { stringify } from 'csv-stringify/sync';
import { setImmediate as turn } from 'node:timers/promises';

/** What stands in a cell; a Date carries the school's wall clock in its UTC fields. */
export type Cell = string | number | Date | null;

export interface Column {
  readonly head: string;
  /** Characters. */
  readonly width: number;
  /** Of numbers in Excel. */
  readonly format?: string;
}

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Excel takes no more in a cell than 32,767; nobody reads so much in one. */
const CHARACTERS = 2_000;
/** XML has no place for them, and a spreadsheet no use. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;

/**
 * A text that a spreadsheet never runs: what would begin a formula gets an apostrophe before it
 * (OWASP, «CSV Injection»).
 */
export function neutralised(text: string): string {
  const plain = text.replaceAll(CONTROLS, '').slice(0, CHARACTERS);
  return FORMULA.test(plain) ? `'${plain}` : plain;
}

const pad = (value: number) => String(value).padStart(2, '0');

/** «21.05.2026 10:42», which Russian Excel reads as a date. */
const dateText = (at: Date) =>
  `${pad(at.getUTCDate())}.${pad(at.getUTCMonth() + 1)}.${at.getUTCFullYear()} ` +
  `${pad(at.getUTCHours())}:${pad(at.getUTCMinutes())}`;

function csvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell).replace('.', ',');
  return cell instanceof Date ? dateText(cell) : neutralised(cell);
}

/** Rows written before the server turns to other calls. */
const ROWS_AT_ONCE = 200;

/** A table as Russian Excel opens it by a double click: UTF-8 with a BOM, semicolons, decimal commas. */
export async function csvOf({ columns, rows }: Table): Promise<Buffer> {
  const write = (part: readonly (readonly Cell[])[]) =>
    stringify(
      part.map((row) => row.map(csvCell)),
      { delimiter: ';', record_delimiter: 'windows' },
    );
  const parts = ['\ufeff', write([columns.map(({ head }) => head)])];
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await turn();
    parts.push(write(rows.slice(from, from + ROWS_AT_ONCE)));
  }
  return Buffer.from(parts.join(''), 'utf8');
}
