import { inflateRawSync } from 'node:zlib';

const ENTRY = 0x02_01_4b_50;
const END = 0x06_05_4b_50;

/** The files of a zip archive, read by its central directory. */
function unzip(archive: Buffer): Map<string, string> {
  let end = archive.length - 22;
  while (archive.readUInt32LE(end) !== END) end -= 1;
  const files = new Map<string, string>();
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (archive.readUInt32LE(at) !== ENTRY) throw new Error('no entry of a zip archive');
    const method = archive.readUInt16LE(at + 10);
    const packed = archive.readUInt32LE(at + 20);
    const nameLength = archive.readUInt16LE(at + 28);
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    const local = archive.readUInt32LE(at + 42);
    const from = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const bytes = archive.subarray(from, from + packed);
    files.set(name, (method === 0 ? bytes : inflateRawSync(bytes)).toString('utf8'));
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return files;
}

const unescaped = (xml: string) =>
  xml
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

const textOf = (xml: string) =>
  unescaped([...xml.matchAll(/<t[^>]*>([^<]*)<\/t>/g)].map(([, text = '']) => text).join(''));

/** A cell of a workbook: text, number or nothing. */
export type ReadCell = string | number | null;

/** «A» is 0, «AA» 26. */
const columnOf = (letters: string) =>
  Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;

function cellOf(attributes: string, inner: string, shared: readonly string[]): ReadCell {
  if (inner.includes('<f')) throw new Error(`a formula: ${inner}`);
  const value = /<v>([^<]*)<\/v>/.exec(inner)?.[1];
  if (attributes.includes('t="s"')) return shared[Number(value)] ?? null;
  if (inner.includes('<t')) return textOf(inner);
  return value === undefined ? null : Number(value);
}

function rowsOf(sheet: string, shared: readonly string[]): ReadCell[][] {
  return [...sheet.matchAll(/<row [^>]*?(?:\/>|>(.*?)<\/row>)/gs)].map(([, row = '']) => {
    const cells: ReadCell[] = [];
    for (const [, attributes = '', inner = ''] of row.matchAll(
      /<c ([^>]*?)(?:\/>|>(.*?)<\/c>)/gs,
    )) {
      // Empty cells are left out of the file.
      const column = columnOf(/r="([A-Z]+)/.exec(attributes)?.[1] ?? '');
      while (cells.length < column) cells.push(null);
      cells[column] = cellOf(attributes, inner, shared);
    }
    return cells;
  });
}

/** Sheets of a workbook by name, read without the library that wrote it. Throws at a formula. */
export function readWorkbook(file: Buffer): Map<string, ReadCell[][]> {
  const files = unzip(file);
  const shared = [...(files.get('xl/sharedStrings.xml') ?? '').matchAll(/<si>(.*?)<\/si>/gs)].map(
    ([, item = '']) => textOf(item),
  );
  const names = [...(files.get('xl/workbook.xml') ?? '').matchAll(/<sheet [^>]*name="([^"]*)"/g)];
  return new Map(
    names.map(([, name = ''], i) => [
      unescaped(name),
      rowsOf(files.get(`xl/worksheets/sheet${i + 1}.xml`) ?? '', shared),
    ]),
  );
}
