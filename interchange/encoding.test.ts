import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeText } from './encoding.ts';
import { UnreadableFile } from './model.ts';
import { encoded } from './testing/encoded.ts';

const TEXTS = [
  '1. Как называется график квадратичной функции?\nа) прямая\nб) парабола +\nв) гипербола\n',
  'Столица России\nA. Москва\nB. Тверь\nANSWER: A\n',
  'Мороз и солнце; день чудесный!\nЕщё ты дремлешь, друг прелестный\n',
  'ЗАДАНИЕ № 5. ВЫБЕРИТЕ ВЕРНЫЙ ОТВЕТ\n',
  'Он\n',
];
const ONE_BYTE = ['windows-1251', 'koi8-r', 'ibm866'];

describe.each([...ONE_BYTE, 'utf-8', 'utf-16le', 'utf-16be'])('%s', (encoding) => {
  test.each(TEXTS.filter((text) => text.length > 10 || !ONE_BYTE.includes(encoding)))(
    'is detected from the text itself: %j',
    (text) => {
      const readable = new TextDecoder(encoding).decode(encoded(text, encoding));
      expect(decodeText(encoded(text, encoding))).toMatchObject({ text: readable, encoding });
    },
  );
});

test('a few Russian letters among Latin ones are enough', () => {
  const text = 'What is a «кот»?\nA. cat\nB. dog\nANSWER: A\n';
  expect(decodeText(encoded(text, 'windows-1251')).text).toBe(text);
});

test('byte order marks are obeyed and removed', () => {
  for (const encoding of ['utf-8', 'utf-16le', 'utf-16be']) {
    expect(decodeText(encoded('\ufeffОтвет: 5', encoding))).toMatchObject({
      text: 'Ответ: 5',
      encoding,
    });
  }
});

test('accents within Latin words are no Russian', () => {
  const text = 'Où est le café ? Élève, forêt, très bien\n';
  expect(decodeText(encoded(text, 'windows-1252')).text).toBe(text);
});

test('line ends are normalized, and invisible characters removed with a note', () => {
  const { text, note } = decodeText(
    encoded('Раз\r\nдва\rтри\u0000 и\u0007 ещё одно слово', 'utf-8'),
  );
  expect(text).toBe('Раз\nдва\nтри и ещё одно слово');
  expect(note).toBe('Убраны управляющие знаки, которых не видно (2)');
});

test('a file truncated in the middle of a letter is read except for it', () => {
  const whole = encoded('Длинный вопрос с ответом в конце', 'utf-8');
  const { text, note } = decodeText(whole.subarray(0, -1));
  expect(text).toBe('Длинный вопрос с ответом в конц\ufffd');
  expect(note).toContain('Файл повреждён');
});

test('an odd last byte of UTF-16 does no harm', () => {
  const bytes = encoded('Вопрос и ответ', 'utf-16le');
  expect(decodeText(new Uint8Array([...bytes, 10])).text).toBe('Вопрос и ответ');
});

test.each([
  ['nothing', new Uint8Array()],
  ['only spaces', encoded(' \n\r\n', 'utf-8')],
  ['too much', new Uint8Array(20 * 1024 * 1024 + 1).fill(65)],
  ['a picture', Uint8Array.from({ length: 4000 }, (_, at) => (at * 7919 + at * at * 31) % 256)],
  ['zeros', new Uint8Array(1000)],
])('%s is refused in words', (_, bytes) => {
  expect(() => decodeText(bytes)).toThrow(UnreadableFile);
});

test('any bytes are read or refused, nothing else', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      try {
        expect(decodeText(bytes).text).not.toMatch(/\r/);
      } catch (error) {
        expect(error).toBeInstanceOf(UnreadableFile);
      }
    }),
  );
});
