import { stringify } from 'csv-stringify/browser/esm/sync';
import { fileNameOf } from '#interchange/exported.ts';
import type { Writer } from '#interchange/model.ts';
import { neutralised } from '#interchange/table/cells.ts';
import { tableOf } from '#interchange/table/write.ts';

/** Writes CSV as Russian Excel opens it by a double click: UTF-8 with a BOM, semicolons. */
export const writeCsv: Writer = async (test) => {
  const { heads, rows, losses } = tableOf(test);
  const text = stringify(
    [heads, ...rows.map((row) => row.map((cell) => neutralised(cell.trim())))].map((row) => [
      ...row,
    ]),
    { delimiter: ';', record_delimiter: 'windows', quoted_match: /[\r\n]/ },
  );
  return {
    fileName: fileNameOf(test.title, 'csv'),
    mimeType: 'text/csv;charset=utf-8',
    bytes: new TextEncoder().encode(`\ufeff${text}`),
    losses,
  };
};
