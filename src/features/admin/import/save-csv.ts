import { CSV_MARK, escapeFormula, formatCsv } from '#domain/csv.ts';
import { saveFile } from '#app/lib/files.ts';

/** Downloads a table as a CSV file. */
export const saveCsv = (table: readonly (readonly string[])[], name: string): void =>
  saveFile(
    new Blob([CSV_MARK, formatCsv(table, escapeFormula)], { type: 'text/csv;charset=utf-8' }),
    name,
  );
