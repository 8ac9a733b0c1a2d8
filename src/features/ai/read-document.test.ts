import { expect, test } from 'vitest';
import { writeArchive } from '#interchange/archive.ts';
import { readDocument } from './read-document.ts';

const file = (name: string, ...parts: BlobPart[]) => new File(parts, name);
const russian = 'Сила равна произведению массы на ускорение. Единица силы – ньютон.';

/** Text encoded in Windows-1251. */
const cp1251 = (text: string) =>
  Uint8Array.from(text, (sign) => {
    const code = sign.codePointAt(0) ?? 0;
    if (code < 0x80) return code;
    if (sign === '–') return 0x96;
    return code - 0x410 + 0xc0;
  });
const utf16 = (text: string) => {
  const bytes = new Uint8Array(2 + text.length * 2);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0xfeff, true);
  Array.from(text, (sign, at) => view.setUint16(2 + at * 2, sign.charCodeAt(0), true));
  return bytes;
};

test.each([
  ['UTF-8', file('текст.txt', russian)],
  ['windows-1251', file('текст.txt', cp1251(russian))],
  ['UTF-16', file('текст.md', utf16(russian))],
])('a text in %s is read', async (_, given) => {
  expect((await readDocument(given)).text).toBe(russian);
});

test('a longer text is truncated with a notice', async () => {
  const { text, notes } = await readDocument(file('а.txt', 'Сила. '.repeat(20_000)));
  expect(text).toHaveLength(60_000);
  expect(notes.join('')).toContain('Взято начало: 60\u00a0000 из 119\u00a0999 знаков');
});

const bomb = writeArchive(new Map([['word/document.xml', new Uint8Array(60 * 1024 * 1024)]]));

test.each([
  ['an old Word document', file('а.doc', 'x'), /\.docx/],
  ['an archive that swells', file('а.docx', bomb as Uint8Array<ArrayBuffer>), /не читается/],
  ['what is no archive', file('а.docx', 'PK'), /[а-я]/],
  ['an empty file', file('а.txt', ''), /пуст/i],
  ['spaces alone', file('а.txt', '  \n '), /нет текста/],
])('%s is refused with a message', async (_, given, words) => {
  await expect(readDocument(given)).rejects.toThrow(words);
});
