import { parse } from 'csv-parse/browser/esm/sync';
import { stringify } from 'csv-stringify/browser/esm/sync';

const DELIMITERS = [';', ',', '\t'] as const;
/** Characters at the beginning from which the delimiter is detected. */
const SAMPLE_CHARACTERS = 20_000;

export interface CsvRow {
  /** The line in the file where the row begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

interface Parsed {
  readonly record: string[];
  readonly info: { readonly lines: number };
}

/**
 * @throws {CsvError} for an unclosed quote
 */
function rowsBy(text: string, delimiter: string, most?: number): CsvRow[] {
  const parsed = parse(text, {
    delimiter,
    record_delimiter: '\n',
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    info: true,
    ...(most === undefined ? {} : { to: most }),
  }) as unknown as Parsed[];
  // A record and the line of its end.
  return parsed.map(({ record, info }) => ({
    line: info.lines - record.reduce((sum, cell) => sum + (cell.split('\n').length - 1), 0),
    cells: record,
  }));
}

/** With unbalanced quotes: each line separately, a broken one without its quotes. */
const rowsByLine = (text: string, delimiter: string, most?: number): CsvRow[] =>
  text
    .split('\n')
    .slice(0, most)
    .flatMap((one, index) => {
      let cells: readonly string[];
      try {
        cells = rowsBy(one, delimiter)[0]?.cells ?? [];
      } catch {
        cells = one.replaceAll('"', '').split(delimiter);
      }
      return cells.some((cell) => cell.trim() !== '') ? [{ line: index + 1, cells }] : [];
    });

/** The rows of a CSV file. */
export interface CsvTable {
  /** Without empty ones. */
  readonly rows: readonly CsvRow[];
  /** Whether a quote is unclosed, so that each line was read separately. */
  readonly isBroken: boolean;
}

function parseRows(text: string, delimiter: string, most?: number): CsvTable {
  try {
    return { rows: rowsBy(text, delimiter, most), isBroken: false };
  } catch {
    return { rows: rowsByLine(text, delimiter, most), isBroken: true };
  }
}

/** How well a delimiter splits the beginning: rows of the commonest width above one. */
function fit(sample: string, delimiter: string): number {
  const counts = new Map<number, number>();
  for (const { cells } of parseRows(sample, delimiter).rows) {
    if (cells.length > 1) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
}

/** Detects the delimiter: a semicolon, a comma or a tab. */
function delimiterOf(text: string): string {
  const cut = text.slice(0, SAMPLE_CHARACTERS);
  const sample = cut.length < text.length ? cut.slice(0, cut.lastIndexOf('\n') + 1) || cut : cut;
  const fits = DELIMITERS.map((delimiter) => ({ delimiter, fit: fit(sample, delimiter) }));
  return fits.reduce((best, one) => (one.fit > best.fit ? one : best)).delimiter;
}

/**
 * Reads the first line `sep=;`, by which Excel itself knows the delimiter; without it `delimiter` is null. The body has
 * an empty line instead, so that line numbers do not change.
 */
export function readNamedDelimiter(text: string): { delimiter: string | null; body: string } {
  const named = /^"?sep=(["']?)([^\n])\1"?[;,\t ]*(?:\n|$)/i.exec(text);
  return named
    ? { delimiter: named[2] ?? null, body: text.replace(/^[^\n]*/, '') }
    : { delimiter: null, body: text };
}

/**
 * Reads any text; lines end with `\n`.
 * @param options.delimiter as named by the first line, or detected; `most`: maximum rows, the rest is left out
 */
export function readCsv(
  text: string,
  { delimiter, most }: { delimiter?: string; most?: number } = {},
): CsvTable {
  if (delimiter !== undefined) return parseRows(text, delimiter, most);
  const named = readNamedDelimiter(text);
  return parseRows(named.body, named.delimiter ?? delimiterOf(named.body), most);
}

const STARTS_FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;
const ESCAPED = /^'+[=+\-@＝＋－＠\t\r\n]/;

/**
 * Neutralizes formulas: a text that would begin one gets an apostrophe before it (OWASP, «CSV Injection»), and
 * so does one that looks escaped, so that {@link unescapeFormula} is the inverse.
 */
export const escapeFormula = (text: string): string =>
  STARTS_FORMULA.test(text) || ESCAPED.test(text) ? `'${text}` : text;

const NUMBER = /^-?\d+(?:[.,]\d+)?(?:e[+-]?\d{1,3})?[ \u00a0]?%?$/i;

/** A text with formulas neutralized. A number stays a number: «-5» is no formula. */
export const escapeText = (text: string): string =>
  NUMBER.test(text) ? text : escapeFormula(text);

/** The original text of a cell, without the escaping apostrophe. */
export function unescapeFormula(cell: string): string {
  const text = cell.trim();
  return ESCAPED.test(text) ? text.slice(1).trim() : text;
}

/** At the beginning of a file it lets Excel recognize UTF-8. */
export const CSV_MARK = '\ufeff';

/**
 * Rows of a table in the CSV format of Russian Excel: semicolons.
 * @param toText of each cell; it escapes formulas, see {@link escapeFormula}
 */
export const formatCsv = <Cell>(
  rows: readonly (readonly Cell[])[],
  toText: (cell: Cell) => string,
): string =>
  stringify(
    rows.map((row) => row.map((cell) => toText(cell))),
    { delimiter: ';', record_delimiter: 'windows', quoted_match: /[\r\n]/ },
  );
