import { parse } from 'csv-parse/browser/esm/sync';
import { decodeText } from '#interchange/encoding.ts';
import { ITEMS_MOST } from '#interchange/limits.ts';
import { UnreadableFile, type Reader } from '#interchange/model.ts';
import { columnsOf } from '#interchange/table/columns.ts';
import { readTable, type NumberedRow } from '#interchange/table/read.ts';

const DELIMITERS = [';', ',', '\t'] as const;
/** Of the beginning, by which the delimiter is told. */
const SAMPLE_CHARACTERS = 20_000;
const CELLS_MOST = 500;

interface Parsed {
  readonly record: string[];
  readonly info: { readonly lines: number };
}

const OPTIONS = {
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  info: true,
  record_delimiter: '\n',
  to: ITEMS_MOST + 30,
};

function rowsBy(text: string, delimiter: string): NumberedRow[] {
  // With `info` each record comes with the line where it ended.
  const parsed = parse(text, { ...OPTIONS, delimiter }) as unknown as Parsed[];
  return parsed.map(({ record, info }) => ({
    number: info.lines - record.reduce((sum, cell) => sum + (cell.split('\n').length - 1), 0),
    values: record.slice(0, CELLS_MOST),
  }));
}

/** Rows of a file whose quotes do not add up: each line by itself, a broken one as one cell. */
function rowsByLine(text: string, delimiter: string): NumberedRow[] {
  return text
    .split('\n')
    .slice(0, ITEMS_MOST + 30)
    .map((line, index) => {
      try {
        return { number: index + 1, values: rowsBy(line, delimiter)[0]?.values ?? [] };
      } catch {
        return { number: index + 1, values: line.replaceAll('"', '').split(delimiter) };
      }
    });
}

/** The delimiter that makes heads of the first rows. */
function delimiterOf(text: string): string {
  const scored = DELIMITERS.map((delimiter) => {
    const sample = text.slice(0, SAMPLE_CHARACTERS).split('\n').slice(0, 20);
    const known = sample.map((line) => {
      const columns = columnsOf(line.split(delimiter).map((head) => head.replaceAll('"', '')));
      const numbered = Object.values(columns?.numbered ?? {}).flat().length;
      return (columns?.single.size ?? 0) + numbered;
    });
    return { delimiter, score: Math.max(...known) };
  });
  return scored.sort((a, b) => b.score - a.score)[0]?.delimiter ?? ';';
}

/** Reads a table of questions from CSV with semicolons, commas or tabulators. */
export const readCsv: Reader = async ({ bytes }, tools) => {
  const { text, note } = decodeText(bytes);
  // Excel's own line that names the delimiter.
  const named = /^"?sep=(.)"?\n/i.exec(text);
  const body = named ? text.replace(/^[^\n]*/, '') : text;
  const delimiter = named?.[1] ?? delimiterOf(body);
  try {
    return readTable('csv', rowsBy(body, delimiter), [note], tools);
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    const broken = 'Кавычки в файле не закрыты: строки прочитаны по одной, проверьте их';
    return readTable('csv', rowsByLine(body, delimiter), [note, broken], tools);
  }
};
