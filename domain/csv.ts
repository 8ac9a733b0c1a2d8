const DELIMITERS = [';', ',', '\t'] as const;
/** Of the beginning, by which the delimiter is told. */
const SAMPLE_CHARACTERS = 20_000;

export interface CsvRow {
  /** Of the file, counted from 1, where the row begins. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** Rows parted by one delimiter; null: a quote is never closed. */
function rowsBy(text: string, delimiter: string): CsvRow[] | null {
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  let line = 1;
  let beganAt = 1;
  const endRow = () => {
    cells.push(cell);
    if (cells.some((one) => one.trim() !== '')) rows.push({ line: beganAt, cells });
    cells = [];
    cell = '';
  };
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (sign === '\n') line += 1;
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (sign === '"' && cell.trim() === '') {
      isQuoted = true;
      cell = '';
    } else if (sign === delimiter) {
      cells.push(cell);
      cell = '';
    } else if (sign === '\n') {
      endRow();
      beganAt = line;
    } else cell += sign;
  }
  if (isQuoted) return null;
  endRow();
  return rows;
}

/** Where quotes do not add up: each line by itself, its own quotes as they are. */
const rowsByLine = (text: string, delimiter: string): CsvRow[] =>
  text.split('\n').flatMap((one, index) => {
    const cells = rowsBy(one, delimiter)?.[0]?.cells ?? one.replaceAll('"', '').split(delimiter);
    return cells.some((cell) => cell.trim() !== '') ? [{ line: index + 1, cells }] : [];
  });

/** How well a delimiter parts the beginning: rows of the commonest width above one. */
function fit(sample: string, delimiter: string): number {
  const rows = rowsBy(sample, delimiter) ?? rowsByLine(sample, delimiter);
  const counts = new Map<number, number>();
  for (const { cells } of rows) {
    if (cells.length > 1) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
}

/** The sign that parts cells, told by the text: a semicolon, a comma or a tabulator. */
function delimiterOf(text: string): string {
  const cut = text.slice(0, SAMPLE_CHARACTERS);
  const sample = cut.length < text.length ? cut.slice(0, cut.lastIndexOf('\n') + 1) || cut : cut;
  const fits = DELIMITERS.map((delimiter) => ({ delimiter, fit: fit(sample, delimiter) }));
  return fits.reduce((best, one) => (one.fit > best.fit ? one : best)).delimiter;
}

/** The rows of a CSV file, empty ones left out; lines end with `\n`. Reads whatever it is given. */
export function readCsv(text: string): CsvRow[] {
  const delimiter = delimiterOf(text);
  return rowsBy(text, delimiter) ?? rowsByLine(text, delimiter);
}

const STARTS_FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;
const NEUTRALISED = /^'+[=+\-@＝＋－＠\t\r\n]/;

/** A text that no spreadsheet runs, see OWASP, «CSV Injection»; {@link typedText} gives it back. */
const neutralised = (text: string): string =>
  STARTS_FORMULA.test(text) || NEUTRALISED.test(text) ? `'${text}` : text;

/** What was typed into a cell, without the apostrophe that kept it from running. */
export function typedText(cell: string): string {
  const text = cell.trim();
  return NEUTRALISED.test(text) ? text.slice(1).trim() : text;
}

const cellOf = (text: string): string => {
  const safe = neutralised(text);
  return /[";\n\r\t,']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** By it Excel knows UTF-8; stands at the beginning of a file. */
export const CSV_MARK = '\ufeff';

/** Rows of a table as Russian Excel takes them: semicolons; nothing in them runs. */
export const csvLines = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(';')}\r\n`).join('');

/** A table as Russian Excel opens it by a double click. */
export const writeCsv = (rows: readonly (readonly string[])[]): string => CSV_MARK + csvLines(rows);
