import { MAX_IMPORT_ROWS } from '#contract/limits.ts';
import { readCsv, type CsvRow } from '#domain/csv.ts';
import { formatCount, formatNumber, type Forms } from '#domain/format.ts';
import { findPeopleHeads, NO_COLUMNS, type PeopleHeads } from '#domain/people-columns.ts';
import { decodeBytes } from '#domain/text-decoding.ts';
import { createModuleLoader } from '#app/lazy/module-loader.ts';

/** One kilobyte for each of 5,000 rows; the rest of a larger file is not read. */
export const IMPORT_FILE_BYTES = 5 * 1024 * 1024;
const ROWS: Forms = ['строка', 'строки', 'строк'];

/** A parsed file of people. */
export interface ReadTable extends PeopleHeads {
  readonly kind: 'table';
  /** All rows, including titles and heads; `row` is the index of the heads, −1 without any. */
  readonly rows: readonly CsvRow[];
  /** Notes on how the file was read. */
  readonly notes: readonly string[];
}

export type ReadFile = ReadTable | { readonly kind: 'refused'; readonly problem: string };

const refused = (problem: string): ReadFile => ({ kind: 'refused', problem });

const starts = (bytes: Uint8Array, ...mark: number[]) =>
  mark.every((byte, index) => bytes[index] === byte);
/** XLSX files are ZIP archives; those of old Excel begin with D0CF. */
const isWorkbook = (bytes: Uint8Array) => starts(bytes, 0x50, 0x4b) || starts(bytes, 0xd0, 0xcf);

interface Rows {
  readonly rows: readonly CsvRow[];
  readonly notes: readonly string[];
}

// Only an administrator with an Excel file needs them.
const loadWorkbooks = createModuleLoader(() => import('#interchange/xlsx/read.ts'));
const loadModel = createModuleLoader(() => import('#interchange/model.ts'));

/** @returns a message instead of rows if the workbook cannot be read */
async function readWorkbookRows(bytes: Uint8Array): Promise<Rows | string> {
  if (bytes.length > IMPORT_FILE_BYTES)
    return 'Файл слишком большой. Разделите его на части до 5 МБ';
  const { readWorkbook } = await loadWorkbooks();
  const { UnreadableFile } = await loadModel();
  try {
    const { rows, notes } = await readWorkbook(bytes, 'люди');
    const filled = rows
      .map(({ number, values }) => ({ line: number, cells: values }))
      .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
    return { rows: filled, notes };
  } catch (error) {
    if (error instanceof UnreadableFile) return error.message;
    throw error;
  }
}

function readTextRows(bytes: Uint8Array): Rows | string {
  const decoded = decodeBytes(bytes, IMPORT_FILE_BYTES);
  if (decoded.kind === 'none') return decoded.problem;
  const { rows, isBroken } = readCsv(decoded.text);
  return {
    rows,
    notes: [
      ...(decoded.note === null ? [] : [decoded.note]),
      ...(isBroken ? ['Кавычки в файле не закрыты: строки прочитаны по одной, проверьте их'] : []),
    ],
  };
}

/** Reads a picked file, CSV or Excel; an unusable one is refused with a message. */
export async function readImportFile(bytes: Uint8Array): Promise<ReadFile> {
  const read = isWorkbook(bytes) ? await readWorkbookRows(bytes) : readTextRows(bytes);
  if (typeof read === 'string') return refused(read);
  const { rows, notes } = read;
  const { row, columns } = findPeopleHeads(rows.map(({ cells }) => cells)) ?? {
    row: -1,
    columns: NO_COLUMNS,
  };
  const people = rows.length - row - 1;
  if (people <= 0) return refused('В файле нет ни одного человека. Выберите другой');
  if (people > MAX_IMPORT_ROWS) {
    return refused(
      `В файле ${formatCount(people, ROWS)}, а за раз принимается не больше ${formatNumber(MAX_IMPORT_ROWS)}. Разделите файл`,
    );
  }
  return { kind: 'table', rows, row, columns, notes };
}
