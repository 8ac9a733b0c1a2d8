import { CSV_MARK, formatCsv } from '#domain/csv.ts';
import { fileNameOf } from '#interchange/exported.ts';
import type { Writer } from '#interchange/model.ts';
import { escapeText } from '#domain/csv.ts';
import { tableOf } from '#interchange/table/write.ts';

/** Writes CSV for Russian Excel: UTF-8 with a BOM, semicolons. */
export const writeCsv: Writer = async (test) => {
  const { heads, rows, losses } = tableOf(test);
  const text = formatCsv([heads, ...rows], (cell) => escapeText(cell.trim()));
  return {
    fileName: fileNameOf(test.title, 'csv'),
    mimeType: 'text/csv;charset=utf-8',
    bytes: new TextEncoder().encode(CSV_MARK + text),
    losses,
  };
};
