import writeXlsxFile from 'write-excel-file/universal';
import { fileNameOf } from '#interchange/exported.ts';
import type { Exported, Writer } from '#interchange/model.ts';
import { escapeText } from '#domain/csv.ts';
import { tableOf, type WrittenTable } from '#interchange/table/write.ts';

const MIME_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Excel reads `_x0041_` as a letter; the escape before it prevents that. */
const literal = (text: string) => text.replaceAll(/_(?=x[\da-f]{4}_)/gi, '_x005F_');

const widthOf = (head: string) =>
  /^(?:Вопрос|Пояснение)$/.test(head) ? 50 : /\d$/.test(head) ? 24 : 16;

/** A table as the bytes of an Excel workbook of one sheet. */
export async function bookOf(
  { heads, rows }: Pick<WrittenTable, 'heads' | 'rows'>,
  sheet: string,
): Promise<Uint8Array> {
  const cell = (text: string) => ({
    value: literal(escapeText(text.trim())),
    type: String,
    format: '@',
    wrap: true,
    alignVertical: 'top' as const,
  });
  const head = heads.map((name) => ({ value: name, type: String, fontWeight: 'bold' as const }));
  const blob = await writeXlsxFile(
    [head, ...rows.map((row) => row.map((text) => (text.trim() === '' ? null : cell(text))))],
    { sheet, columns: heads.map((name) => ({ width: widthOf(name) })), stickyRowsCount: 1 },
  ).toBlob();
  return new Uint8Array(await blob.arrayBuffer());
}

/** Writes an Excel workbook with a question a row. */
export const writeXlsx: Writer = async (test): Promise<Exported> => {
  const table = tableOf(test);
  return {
    fileName: fileNameOf(test.title, 'xlsx'),
    mimeType: MIME_TYPE,
    bytes: await bookOf(table, 'Вопросы'),
    losses: table.losses,
  };
};
