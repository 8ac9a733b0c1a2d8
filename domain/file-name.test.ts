import { expect, test } from 'vitest';
import { extensionOf, safeFileName } from './file-name.ts';

test.each([
  ['отчёт.pdf', 'отчёт.pdf'],
  ['../../etc/passwd', 'passwd'],
  [String.raw`C:\docs\план.docx`, 'план.docx'],
  ['фото\u202Egpj.exe', 'фотоgpj.exe'],
  ['а\u0000б\r\n.pdf', 'аб.pdf'],
  ['..', 'файл'],
  ['', 'файл'],
  ['.pdf', 'pdf'],
  ['что: "это"?.pdf', 'что_ _это__.pdf'],
  ['мой   план.doc', 'мой план.doc'],
  [' . ..план.pdf', 'план.pdf'],
  ['план.pdf. ..', 'план.pdf'],
  ['план.стр 2.pdf', 'план.стр 2.pdf'],
  ['см. рис. 5', 'см. рис. 5'],
  ['план .pdf', 'план.pdf'],
  ['🚀.pdf', '🚀.pdf'],
])('%j becomes %j', (given, name) => {
  expect(safeFileName(given)).toBe(name);
});

test.each([300, 5_000])('a name of %i characters is cut before its extension', (length) => {
  const name = safeFileName(`${'ы'.repeat(length)}.docx`);
  expect(name).toHaveLength(300);
  expect(name.endsWith('ы.docx')).toBe(true);
});

test('a surrogate pair stays whole or is removed', () => {
  const name = safeFileName(`${'ы'.repeat(295)}🚀.pdf`);
  expect(name).toBe(`${'ы'.repeat(295)}.pdf`);
  expect(safeFileName(`${'ы'.repeat(294)}🚀.pdf`)).toBe(`${'ы'.repeat(294)}🚀.pdf`);
});

test('a blank where a long name is cut does not stay before the extension', () => {
  expect(safeFileName(`${'ы'.repeat(295)} план.pdf`)).toBe(`${'ы'.repeat(295)}.pdf`);
});

test('a long path, of which most is removed, leaves a whole name', () => {
  expect(safeFileName(`${'папка/'.repeat(500)}план.pdf`)).toBe('план.pdf');
  expect(safeFileName(`${'ы'.repeat(200)}${' '.repeat(900)}план.pdf`)).toBe(
    `${'ы'.repeat(200)} план.pdf`,
  );
});

test('the extension is returned in lower case', () => {
  expect(extensionOf('План.DOCX')).toBe('docx');
  expect(extensionOf('без')).toBe('');
  expect(extensionOf('план.docx.')).toBe('');
  expect(extensionOf('архив.tar.gz')).toBe('gz');
  expect(extensionOf('рис. 5')).toBe('');
});
