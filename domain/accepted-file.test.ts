import { expect, test } from 'vitest';
import { HOSTILE_TEXTS } from '#tests/hostile-texts.ts';
import { acceptWords, fileProblem, takesFile } from './accepted-file.ts';

const file = (name: string, mimeType: string, size = 10) => ({ name, mimeType, size });
const LOGO = { accept: ['image/png', 'image/jpeg'], maxBytes: 2 * 1024 * 1024 };

test('images, .doc, .docx and .pdf are taken where they are chosen', () => {
  const accepted = { accept: ['image/*', '.doc', '.docx', '.pdf'] };
  expect(fileProblem(file('a.png', 'image/png'), accepted)).toBeNull();
  expect(fileProblem(file('a.pdf', 'application/pdf'), accepted)).toBeNull();
  expect(fileProblem(file('A.DOC', 'application/msword'), accepted)).toBeNull();
  expect(fileProblem(file('a.docx', ''), accepted)).toBeNull();
  expect(fileProblem(file('a.zip', 'application/zip'), accepted)).toBe(
    'Такой файл не подойдёт. Выберите картинки, DOC, DOCX или PDF',
  );
});

test('a wrong type is named, whatever the extension says', () => {
  expect(fileProblem(file('logo.png', 'image/svg+xml'), LOGO)).toBe(
    'Такой файл не подойдёт. Выберите PNG или JPG',
  );
  expect(fileProblem(file('logo', 'image/png'), LOGO)).toBeNull();
});

test('a file whose type the system does not know is judged by its name', () => {
  expect(fileProblem(file('logo.jpeg', ''), LOGO)).toBeNull();
  expect(fileProblem(file('logo', ''), LOGO)).not.toBeNull();
});

test('0 bytes and too many bytes are refused in words', () => {
  expect(fileProblem(file('a.png', 'image/png', 0), LOGO)).toBe('Файл пустой. Выберите другой');
  expect(fileProblem(file('a.png', 'image/png', LOGO.maxBytes), LOGO)).toBeNull();
  expect(fileProblem(file('a.png', 'image/png', LOGO.maxBytes + 1), LOGO)).toMatch(
    /^Файл больше 2\u00a0МБ\. Выберите файл поменьше$/,
  );
});

test('types are listed in words, each once', () => {
  expect(acceptWords(['.pdf'])).toBe('PDF');
  expect(acceptWords(['image/png', 'image/jpeg', 'image/webp', 'image/gif'])).toBe(
    'PNG, JPG, WEBP или GIF',
  );
});

test.each([
  ['an extension, whatever its case and what is said', ['.py'], 'Решение.PY', 'text/plain', true],
  ['no other extension', ['.py'], 'a.pyc', '', false],
  ['an extension of two parts', ['.tar.gz'], 'a.tar.gz', 'application/gzip', true],
  ['another way to write an extension', ['.jpg'], 'a.jpeg', 'image/jpeg', true],
  ['not another type of a like name', ['.doc'], 'a.docx', '', false],
  ['a type without a name, as phones send it', ['.pdf'], 'документ', 'application/pdf', true],
  ['a type of which nothing is said, by its name', ['application/pdf'], 'a.pdf', '', true],
  ['bytes as such, by their name', ['image/*'], 'IMG.HEIC', 'application/octet-stream', true],
  ['a type with its charset', ['text/plain'], 'a', 'Text/Plain;charset=utf-8', true],
  [
    'what Windows calls an archive',
    ['application/zip'],
    'a.zip',
    'application/x-zip-compressed',
    true,
  ],
  ['what Windows calls a table of text', ['text/csv'], 'a.csv', 'application/vnd.ms-excel', true],
  ['a group by what is said', ['audio/*'], 'запись', 'audio/amr', true],
  ['a group by its name', ['image/*'], 'a.SVG', '', true],
  ['no other group', ['image/*'], 'a.mp4', 'video/mp4', false],
  ['nothing unknown for a group', ['image/*'], 'a', '', false],
  ['a known type against the name', ['image/*'], 'a.png', 'application/pdf', false],
  ['a type that nobody knows, where nothing is said', ['application/x-geo'], 'a.ggb', '', true],
  ['no known file for it', ['application/x-geo'], 'a.pdf', '', false],
  ['anything without a choice', [], 'a.exe', 'application/x-msdownload', true],
  ['anything where any is chosen', ['.pdf', '*/*'], 'a.exe', '', true],
  ['anything where the choice names no type', ['картинки', ''], 'a.exe', '', true],
])('a choice takes %s', (_, accept, name, mimeType, isTaken) => {
  expect(takesFile(accept, { name, mimeType, size: 1 })).toBe(isTaken);
});

test.each(HOSTILE_TEXTS)('no name, type or choice breaks the rule: %j', (text) => {
  const offered = { name: text, mimeType: text, size: 1 };
  expect(takesFile([text], offered)).toBeTypeOf('boolean');
  expect(takesFile([], offered)).toBe(true);
});
