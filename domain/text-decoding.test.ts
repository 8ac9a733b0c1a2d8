import { expect, test } from 'vitest';
import { decodeBytes } from './text-decoding.ts';

const utf8 = new TextEncoder().encode('Имя;почта\nАнна;a@b.ru\n');

test('UTF-8 with and without a mark reads the same', () => {
  const marked = new Uint8Array([0xef, 0xbb, 0xbf, ...utf8]);
  expect(decodeBytes(marked, 1_000)).toEqual(decodeBytes(utf8, 1_000));
});

test('windows-1251, as Russian Excel saves a table, is told by its letters', () => {
  const bytes = Uint8Array.from([
    0xc8, 0xec, 0xff, 0x3b, 0xef, 0xee, 0xf7, 0xf2, 0xe0, 0x0a, 0xc0, 0xed, 0xed, 0xe0, 0x3b, 0x61,
    0x40, 0x62, 0x2e, 0x72, 0x75, 0x0a,
  ]);
  expect(decodeBytes(bytes, 1_000)).toMatchObject({
    kind: 'text',
    text: 'Имя;почта\nАнна;a@b.ru\n',
    encoding: 'windows-1251',
  });
});

test('a file larger than allowed is refused with the allowed size', () => {
  expect(decodeBytes(new Uint8Array(2_049).fill(65), 2_048)).toEqual({
    kind: 'none',
    problem: 'Файл слишком большой. Разделите его на части до 2\u00a0КБ',
  });
});
