import { readSheet } from 'read-excel-file/universal';
import { isArchive, readArchive, writeArchive } from '#interchange/archive.ts';
import { shifted } from '#interchange/html/formulas.ts';
import { UnreadableFile, type Reader } from '#interchange/model.ts';
import { readTable, type NumberedRow } from '#interchange/table/read.ts';
import { DATE_MARK, stylesOf, UNREAD_MARK, withShownNumbers } from './cell-formats.ts';
import { generalNumber } from './number-format.ts';

const UNREADABLE =
  'Файл не читается как таблица Excel. Откройте его в Excel и сохраните заново как «Книга Excel (.xlsx)»';
const MAX_COLUMNS = 1_000;
const MAX_CELLS = 5_000_000;
/** The first bytes of files of old Excel and of password-protected ones. */
const OLD_OFFICE = [0xd0, 0xcf, 0x11, 0xe0];

/** Position of a column by its letters, from 1. */
const columnOf = (letters: string) =>
  Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);

/**
 * A single distant cell makes a table with many empty ones.
 * @throws {UnreadableFile} more rows by columns than any test has
 */
function checkReach(xml: string): void {
  let rows = 0;
  let columns = 0;
  for (const [, letters = '', digits = ''] of xml.matchAll(/\br="([A-Z]{1,4})(\d{1,9})"/g)) {
    rows = Math.max(rows, Number(digits));
    columns = Math.max(columns, columnOf(letters));
  }
  if (columns > MAX_COLUMNS || rows * columns > MAX_CELLS) {
    throw new UnreadableFile(
      `Таблица слишком большая: ${rows} строк на ${columns} столбцов. Удалите лишние строки и столбцы`,
    );
  }
}

const RAISED = /<(?:\w+:)?vertAlign\s[^>]{0,40}val="(super|sub)script"/;
const RUN_TEXT = /(<(?:\w+:)?t(?:\s[^>]{0,40})?>)([^<]*)(<)/;

/** Raised and lowered letters of a cell as their own characters (x², H₂O). Letters without one stay unchanged. */
function withShifts(xml: string, losses: Set<string>): string {
  if (!xml.includes('vertAlign')) return xml;
  return xml
    .split('</r>')
    .map((run) => {
      const start = run.lastIndexOf('<r>');
      const place = RAISED.exec(run.slice(start))?.[1];
      if (start < 0 || !place) return run;
      const made = run
        .slice(start)
        .replace(RUN_TEXT, (whole, open: string, text: string, close: string) => {
          if (text.trim() === '') return whole;
          const piece = shifted(text, place === 'super' ? 'sup' : 'sub');
          if (piece.kind === 'text') return `${open}${piece.text}${close}`;
          losses.add(
            'Надстрочные и подстрочные буквы в ячейках стали обычными: проверьте степени и индексы',
          );
          return whole;
        });
      return run.slice(0, start) + made;
    })
    .join('</r>');
}

/**
 * The parts of a workbook that contain its cells, unpacked within limits and repacked, so that false sizes cannot
 * attack the library that reads them next.
 */
function bounded(bytes: Uint8Array, content: string): { book: ArrayBuffer; notes: string[] } {
  const parts = new Map<string, Uint8Array>();
  let sheets = 0;
  let hasPictures = false;
  const losses = new Set<string>();
  const archive = readArchive(bytes);
  const xmlOf = (path: string) => {
    const unpack = archive.files.get(path);
    return unpack ? new TextDecoder().decode(unpack()) : '';
  };
  const styles = stylesOf(xmlOf('xl/styles.xml'));
  const is1904 = /<(?:\w+:)?workbookPr\s[^>]*date1904="(?:1|true)"/.test(xmlOf('xl/workbook.xml'));
  for (const [path, unpack] of archive.files) {
    hasPictures ||= /(?:^|\/)media\//i.test(path);
    if (!/\.(?:xml|rels)$/i.test(path)) continue;
    const part = unpack();
    const xml = new TextDecoder().decode(part);
    if (/<!(?:DOCTYPE|ENTITY)/i.test(xml)) throw new UnreadableFile(UNREADABLE);
    if (/worksheets\/[^/]+\.xml$/i.test(path) && /<(?:\w+:)?c[\s>]/.test(xml)) sheets += 1;
    if (/worksheets\//i.test(path)) checkReach(xml);
    const isSheet = /worksheets\/[^/]+\.xml$/i.test(path);
    const numbers = isSheet ? withShownNumbers(xml, styles, is1904) : xml;
    const shown = withShifts(numbers, losses);
    parts.set(path, shown === xml ? part : new TextEncoder().encode(shown));
  }
  const notes = [
    ...(sheets > 1 ? [`Прочитан первый лист книги, а ${content} могут быть и на других`] : []),
    ...(hasPictures ? ['Картинки из книги не переносятся: вставьте их в редакторе'] : []),
    ...losses,
  ];
  return { book: new Uint8Array(writeArchive(parts)).buffer, notes };
}

type Value = string | number | boolean | Date | null;

const pad = (value: number) => String(value).padStart(2, '0');

/** The text of a cell without the mark of a doubt, which becomes a loss of its row. */
function textOf(value: string, losses: string[]): string {
  const text = value.replace(/^[\ue130\ue131]/, '');
  if (value.startsWith(DATE_MARK))
    losses.push(`Excel считает датой «${text}»: проверьте, что здесь стояло`);
  if (value.startsWith(UNREAD_MARK))
    losses.push(
      `Вид числа в ячейке не перенесён, осталось «${text}»: проверьте, что она показывает`,
    );
  return text;
}

/** The text of a cell. A date is Excel's reading of a text like «1/2». */
function wordOf(value: Value, losses: string[]): string {
  if (value === null) return '';
  if (typeof value === 'number') return generalNumber(value);
  if (typeof value === 'boolean') return value ? 'Верно' : 'Неверно';
  if (typeof value === 'string') return textOf(value.replaceAll(/\r\n?/g, '\n'), losses);
  const date = `${pad(value.getUTCDate())}.${pad(value.getUTCMonth() + 1)}.${value.getUTCFullYear()}`;
  losses.push(`Excel считает датой «${date}»: проверьте, что здесь стояло`);
  return date;
}

/** Rows of the first sheet of a workbook as texts. */
export interface Workbook {
  readonly rows: readonly NumberedRow[];
  /** Unread parts of the workbook, in Russian. */
  readonly notes: readonly string[];
}

/**
 * Reads the first sheet of an Excel workbook.
 * @param content what the rows are, in Russian, for the note about further sheets: «вопросы»
 * @throws {UnreadableFile}
 */
export async function readWorkbook(bytes: Uint8Array, content: string): Promise<Workbook> {
  if (OLD_OFFICE.every((byte, index) => bytes[index] === byte)) {
    throw new UnreadableFile(
      'Это старая книга Excel (.xls) или книга с паролем. Откройте её в Excel и сохраните как «Книга Excel (.xlsx)» без пароля',
    );
  }
  if (!isArchive(bytes)) throw new UnreadableFile(UNREADABLE);
  const { book, notes } = bounded(bytes, content);
  let sheet: readonly (readonly Value[])[];
  try {
    sheet = (await readSheet(book, { trim: false })) as unknown as Value[][];
  } catch {
    throw new UnreadableFile(UNREADABLE);
  }
  const rows = sheet.map((values, index): NumberedRow => {
    const losses: string[] = [];
    return { number: index + 1, values: values.map((value) => wordOf(value, losses)), losses };
  });
  return { rows, notes };
}

/** Reads a table of questions from the first sheet of an Excel workbook. */
export const readXlsx: Reader = async ({ bytes }, tools) => {
  const { rows, notes } = await readWorkbook(bytes, 'вопросы');
  return readTable('xlsx', rows, notes, tools);
};
