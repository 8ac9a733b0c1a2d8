import { expect, test } from 'vitest';
import { HOSTILE_TEXTS } from '#tests/hostile-texts.ts';
import {
  formatAcceptedTypes,
  choiceOf,
  fileProblem,
  takesAny,
  takesFile,
  typeEntry,
  acceptedTypeLabels,
} from './accepted-file.ts';

const file = (name: string, mimeType: string, size = 10) => ({ name, mimeType, size });
const LOGO = { accept: ['image/png', 'image/jpeg'], maxBytes: 2 * 1024 * 1024 };

test('images, .doc, .docx and .pdf are accepted where they are chosen', () => {
  const accepted = { accept: ['image/*', '.doc', '.docx', '.pdf'] };
  expect(fileProblem(file('a.png', 'image/png'), accepted)).toBeNull();
  expect(fileProblem(file('a.pdf', 'application/pdf'), accepted)).toBeNull();
  expect(fileProblem(file('A.DOC', 'application/msword'), accepted)).toBeNull();
  expect(fileProblem(file('a.docx', ''), accepted)).toBeNull();
  expect(fileProblem(file('a.zip', 'application/zip'), accepted)).toBe(
    'Такой файл не подойдёт. Выберите картинки, DOC, DOCX или PDF',
  );
});

test('a wrong type is named, whatever the extension is', () => {
  expect(fileProblem(file('logo.png', 'image/svg+xml'), LOGO)).toBe(
    'Такой файл не подойдёт. Выберите PNG или JPG',
  );
  expect(fileProblem(file('logo', 'image/png'), LOGO)).toBeNull();
});

test('a file of a type unknown to the system is judged by its name', () => {
  expect(fileProblem(file('logo.jpeg', ''), LOGO)).toBeNull();
  expect(fileProblem(file('logo', ''), LOGO)).not.toBeNull();
});

test('0 bytes and too many bytes are refused with a message', () => {
  expect(fileProblem(file('a.png', 'image/png', 0), LOGO)).toBe('Файл пустой. Выберите другой');
  expect(fileProblem(file('a.png', 'image/png', LOGO.maxBytes), LOGO)).toBeNull();
  expect(fileProblem(file('a.png', 'image/png', LOGO.maxBytes + 1), LOGO)).toMatch(
    /^Файл больше 2\u00a0МБ\. Выберите файл поменьше$/,
  );
});

test('types are listed as text, each once', () => {
  expect(formatAcceptedTypes(['.pdf'])).toBe('PDF');
  expect(formatAcceptedTypes(['image/png', 'image/jpeg', 'image/webp', 'image/gif'])).toBe(
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
  ['bytes as such for it', ['application/x-geo'], 'a.ggb', 'application/octet-stream', true],
  ['no known file for it', ['application/x-geo'], 'a.pdf', '', false],
  ['another way to write it, of which nothing is said', ['.jpg'], 'a.jpeg', '', true],
  ['the last extension of several', ['.jpg'], 'скан.стр.1.jpeg', '', true],
  ['a type with blanks around it', ['image/png'], 'a', ' image/png ; q=1', true],
  ['bytes by another of their names', ['.pdf'], 'a.pdf', 'binary/octet-stream', true],
  [
    'bytes as such beside a name of a kind',
    ['application/pdf'],
    'a.pdf',
    'X-App/Octet-Stream',
    true,
  ],
  [
    'a type that nobody knows, by its name',
    ['application/pdf'],
    'a.pdf',
    'application/x-doc',
    true,
  ],
  ['no group that begins alike', ['image/*'], 'a', 'inode/x-empty', false],
  ['anything without a choice', [], 'a.exe', 'application/x-msdownload', true],
  ['anything where any is chosen', ['.pdf', '*/*'], 'a.exe', '', true],
  ['anything where the choice names no type', ['картинки', ''], 'a.exe', '', true],
])('choices accept %s', (_, accept, name, mimeType, isAccepted) => {
  expect(takesFile(accept, { name, mimeType, size: 1 })).toBe(isAccepted);
});

test.each([
  ['.PDF', '.pdf'],
  [' .tar.gz ', '.tar.gz'],
  ['Image/*', 'image/*'],
  ['application/vnd.ms-excel', 'application/vnd.ms-excel'],
  ['image/svg+xml', 'image/svg+xml'],
  ['.7z', '.7z'],
])('%j names the type %s', (written, entry) => {
  expect(typeEntry(written)).toBe(entry);
});

test.each([
  '',
  '.',
  'pdf',
  '.pdf .doc',
  'тип .pdf',
  '.pdf/',
  'карта/png',
  'image/',
  'image/*+',
  '/png',
])('%j names no type', (written) => {
  expect(typeEntry(written)).toBeNull();
});

test('any file is accepted by a list that says so anywhere, whatever its case and blanks', () => {
  for (const any of ['*', '*.*', ' */* ', 'Application/Octet-Stream']) {
    expect(takesAny(['.pdf', any])).toBe(true);
    expect(choiceOf(['.pdf', any])).toEqual([]);
  }
  expect(takesAny([])).toBe(false);
  expect(takesAny(['.pdf', 'image/*'])).toBe(false);
});

test('an entry that names no type is no part of the choice', () => {
  expect(choiceOf(['картинки', ' .PDF', ''])).toEqual(['.pdf']);
  expect(choiceOf(['картинки'])).toEqual([]);
});

test('an unknown type is named by its extension or the end of the type', () => {
  expect(
    acceptedTypeLabels(['.tar.gz', 'application/vnd.geo', 'font/*', '.jpg', 'image/jpeg']),
  ).toEqual(['TAR.GZ', 'VND.GEO', 'FONT', 'JPG']);
});

test.each(HOSTILE_TEXTS)('no name, type or choice breaks the rule: %j', (text) => {
  const offered = { name: text, mimeType: text, size: 1 };
  expect(takesFile([text], offered)).toBeTypeOf('boolean');
  expect(takesFile([], offered)).toBe(true);
});
