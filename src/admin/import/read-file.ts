import { IMPORT_ROWS_MOST } from '#contract/limits.ts';
import { readCsv, type CsvRow } from '#domain/csv.ts';
import { formatCount, formatNumber, type Forms } from '#domain/format.ts';
import { decodeBytes } from '#domain/text-decoding.ts';
import { isHead, namedColumns, type Columns } from './columns.ts';

/** A row of 5,000 has room for a kilobyte in it. Beyond it nothing of a file needs to be read. */
export const IMPORT_FILE_BYTES = 5 * 1024 * 1024;
const ROWS: Forms = ['строка', 'строки', 'строк'];

/** A file of people as it was read. */
export interface ReadTable {
  readonly kind: 'table';
  /** All rows, the one with names of columns included. */
  readonly rows: readonly CsvRow[];
  /** As the first row names them. */
  readonly columns: Columns;
  /** Whether the first row names columns. */
  readonly hasHead: boolean;
  /** What should be known of how it was read; null: nothing. */
  readonly note: string | null;
}

export type ReadFile = ReadTable | { readonly kind: 'refused'; readonly problem: string };

const refused = (problem: string): ReadFile => ({ kind: 'refused', problem });

/** A spreadsheet in its own format begins as an archive does. */
const isArchive = (bytes: Uint8Array) => bytes[0] === 0x50 && bytes[1] === 0x4b;

/** Reads a picked file; what cannot be taken is refused in words. */
export function readImportFile(bytes: Uint8Array): ReadFile {
  if (isArchive(bytes)) {
    return refused(
      'Это книга Excel или архив. Откройте её и сохраните лист как «CSV (разделители — запятые)»',
    );
  }
  const decoded = decodeBytes(bytes, IMPORT_FILE_BYTES);
  if (decoded.kind === 'none') return refused(decoded.problem);
  const rows = readCsv(decoded.text);
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
