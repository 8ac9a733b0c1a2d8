import { expect, test } from 'vitest';
import { ACCEPTED, acceptWords, fileProblem } from './accepted-file.ts';

const file = (name: string, type: string, size = 10) => ({ name, type, size });
const LOGO = { accept: ['image/png', 'image/jpeg'], maxBytes: 2 * 1024 * 1024 };

test('images, .doc, .docx and .pdf are taken unless told otherwise', () => {
  const accepted = { accept: ACCEPTED };
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
