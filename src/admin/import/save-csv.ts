import { writeCsv } from '#domain/csv.ts';
import { saveFile } from '#app/offline/files.ts';

/** Offers a table as a CSV file to keep. */
export const saveCsv = (table: readonly (readonly string[])[], name: string): void =>
  saveFile(new Blob([writeCsv(table)], { type: 'text/csv;charset=utf-8' }), name);
