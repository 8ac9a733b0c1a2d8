import { IMPORT_ROWS_MOST } from '#contract/limits.ts';
import { readCsv, type CsvRow } from '#domain/csv.ts';
import { formatCount, formatNumber, type Forms } from '#domain/format.ts';
import { decodeBytes } from '#domain/text-decoding.ts';
import { isHead, namedColumns, type ColumnMapping } from './columns.ts';

/** One kilobyte for each of 5,000 rows; the rest of a larger file is not read. */
export const IMPORT_FILE_BYTES = 5 * 1024 * 1024;
const ROWS: Forms = ['строка', 'строки', 'строк'];

/** A parsed file of people. */
export interface ReadTable {
  readonly kind: 'table';
  /** All rows, including the header. */
  readonly rows: readonly CsvRow[];
  /** Columns by the first row. */
  readonly columns: ColumnMapping;
  /** Whether the first row is a header. */
  readonly hasHead: boolean;
  /** Note on how the file was read; null: none. */
  readonly note: string | null;
}

export type ReadFile = ReadTable | { readonly kind: 'refused'; readonly problem: string };

const refused = (problem: string): ReadFile => ({ kind: 'refused', problem });

/** XLSX files start with the ZIP signature. */
const isArchive = (bytes: Uint8Array) => bytes[0] === 0x50 && bytes[1] === 0x4b;

/** Reads a picked file; an unusable one is refused with a message. */
export function readImportFile(bytes: Uint8Array): ReadFile {
  if (isArchive(bytes)) {
    return refused(
      'Это книга Excel или архив. Откройте её и сохраните лист как «CSV (разделители — запятые)»',
    );
  }
  const decoded = decodeBytes(bytes, IMPORT_FILE_BYTES);
  if (decoded.kind === 'none') return refused(decoded.problem);
  const { rows } = readCsv(decoded.text);
  const columns = namedColumns(rows[0]);
  const hasHead = isHead(columns);
  const people = rows.length - (hasHead ? 1 : 0);
  if (people <= 0) return refused('В файле нет ни одного человека. Выберите другой');
  if (people > IMPORT_ROWS_MOST) {
    return refused(
      `В файле ${formatCount(people, ROWS)}, а за раз принимается не больше ${formatNumber(IMPORT_ROWS_MOST)}. Разделите файл`,
    );
  }
  return { kind: 'table', rows, columns, hasHead, note: decoded.note };
}
