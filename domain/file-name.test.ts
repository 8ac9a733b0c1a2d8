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
])('%j becomes %j', (given, name) => {
  expect(safeFileName(given)).toBe(name);
});

test.each([300, 5_000])('a name of %i characters is cut and keeps its extension', (length) => {
  const name = safeFileName(`${'ы'.repeat(length)}.docx`);
  expect(name).toHaveLength(300);
  expect(name.endsWith('ы.docx')).toBe(true);
});

test('the extension is told in lower case', () => {
  expect(extensionOf('План.DOCX')).toBe('docx');
  expect(extensionOf('без')).toBe('');
});
