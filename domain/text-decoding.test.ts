import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeBytes } from './text-decoding.ts';

const MAX_BYTES = 1_000_000;
const bytesOf = (text: string) => new TextEncoder().encode(text);
const read = (bytes: ArrayLike<number>) => decodeBytes(Uint8Array.from(bytes), MAX_BYTES);

const ONE_BYTE = ['windows-1251', 'koi8-r', 'ibm866', 'windows-1252'] as const;

const EVERY_BYTE = Uint8Array.from({ length: 256 }, (_, byte) => byte);

/** A text in an encoding that browsers read but do not write. */
function written(text: string, encoding: (typeof ONE_BYTE)[number]): Uint8Array {
  const characters = Array.from(new TextDecoder(encoding).decode(EVERY_BYTE));
  const byteOf = new Map(characters.map((character, byte) => [character, byte]));
  return Uint8Array.from(text, (character) => {
    const byte = byteOf.get(character);
    if (byte === undefined) throw new Error(`${encoding} has no ${character}`);
    return byte;
  });
}

/** UTF-16, little-endian. */
const little = (text: string) =>
  Array.from(text).flatMap((character) => {
    const code = character.charCodeAt(0);
    return [code & 0xff, code >> 8];
  });
const big = (text: string) =>
  Array.from(text).flatMap((character) => {
    const code = character.charCodeAt(0);
    return [code >> 8, code & 0xff];
  });

const TABLE = 'Имя;почта\nАнна;a@b.ru\n';

describe('UTF-8', () => {
  test('with and without a BOM it reads the same, without a note', () => {
    const plain = { kind: 'text', text: TABLE, encoding: 'utf-8', note: null };
    expect(read(bytesOf(TABLE))).toEqual(plain);
    expect(read(bytesOf(`\ufeff${TABLE}`))).toEqual(plain);
    // As written by programs that add a second BOM.
    expect(read(bytesOf(`\ufeff\ufeff${TABLE}`))).toEqual(plain);
  });

  test('any text written in it comes back', () => {
    const text = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((given) => given.trim() !== '' && !given.startsWith('\ufeff'));
    fc.assert(
      fc.property(text, (given) => {
        const found = read(bytesOf(`Текст: ${given}`));
        expect(found).toMatchObject({ kind: 'text', encoding: 'utf-8' });
      }),
    );
  });

  test('one broken sequence among more than twenty letters is replaced, and counted', () => {
    const broken = (letters: number) => [...bytesOf('я'.repeat(letters)), 0xd0];
    expect(read(broken(21))).toEqual({
      kind: 'text',
      text: `${'я'.repeat(21)}\ufffd`,
      encoding: 'utf-8',
      note: 'Файл повреждён: знаки, которые не прочитались (1), заменены на «\ufffd»',
    });
    expect(read(broken(20))).not.toMatchObject({ encoding: 'utf-8' });
  });

  test('Latin letters beside it do not compensate for broken ones', () => {
    expect(read([...bytesOf(`${'a'.repeat(90)} я`), 0xd0])).not.toMatchObject({
      encoding: 'utf-8',
    });
    expect(read([...bytesOf('я'.repeat(41)), 0xd0, 0x20, 0xd0])).toMatchObject({
      encoding: 'utf-8',
      note: expect.stringContaining('(2)'),
    });
  });
});

describe('UTF-16', () => {
  const LITTLE = { kind: 'text', encoding: 'utf-16le', note: 'Кодировка файла: utf-16le' };
  const BIG = { kind: 'text', encoding: 'utf-16be', note: 'Кодировка файла: utf-16be' };

  test.each(['Анна', TABLE, 'Anna;a@b.ru', 'Привет,\u2009мир', 'Ы', '1'])(
    '%j is detected with a BOM and without one',
    (text) => {
      expect(read([0xff, 0xfe, ...little(text)])).toEqual({ ...LITTLE, text });
      expect(read([0xfe, 0xff, ...big(text)])).toEqual({ ...BIG, text });
      expect(read(little(text))).toEqual({ ...LITTLE, text });
      expect(read(big(text))).toEqual({ ...BIG, text });
    },
  );

  test('a BOM decides, whatever letters follow', () => {
    expect(read([0xff, 0xfe, ...little('数学')])).toEqual({ ...LITTLE, text: '数学' });
    expect(read([0xfe, 0xff, ...big('数学')])).toEqual({ ...BIG, text: '数学' });
  });

  test('half a BOM is none: letters of windows-1251 begin so, too', () => {
    expect(read(written('яблоко и ягода', 'windows-1251'))).toMatchObject({
      text: 'яблоко и ягода',
      encoding: 'windows-1251',
    });
    expect(read(written('юность и юла', 'windows-1251'))).toMatchObject({
      text: 'юность и юла',
      encoding: 'windows-1251',
    });
  });

  test('half a character at the end is left out', () => {
    expect(read([...little(TABLE), 0x41])).toEqual({ ...LITTLE, text: TABLE });
    expect(read([0xfe, 0xff, ...big(TABLE), 0x04])).toEqual({ ...BIG, text: TABLE });
  });

  test('characters of other blocks may be among the letters, though fewer than those', () => {
    expect(read(little('Сила→м·а≠0≈1'))).toMatchObject({ encoding: 'utf-16le' });
    expect(read(big('Сила→м·а≠0≈1'))).toMatchObject({ encoding: 'utf-16be' });
    // As many as there are letters: undecidable.
    expect(read(little('Ньютон—数学—数学'))).not.toMatchObject({ encoding: 'utf-16le' });
    expect(read(big('Ньютон—数学—数学'))).not.toMatchObject({ encoding: 'utf-16be' });
  });

  test('the beginning of a large file decides', () => {
    const text = 'Анна'.repeat(1_024);
    const rest = '数学'.repeat(4_096);
    expect(read(little(text + rest))).toEqual({ ...LITTLE, text: text + rest });
    expect(read(little(rest + text))).not.toMatchObject({ encoding: 'utf-16le' });
  });

  test('zero bytes in both places make no UTF-16', () => {
    const bytes = Array.from({ length: 20 }, () => [0x61, 0, 0, 0x62]).flat();
    expect(read(bytes).kind).toBe('none');
  });

  test('a few zero bytes make no UTF-16', () => {
    expect(read([...bytesOf('abcd'), 0, 0x65, 0])).toMatchObject({
      text: 'abcde',
      encoding: 'utf-8',
    });
  });
});

describe('encodings of one byte', () => {
  const TEXTS = [
    TABLE,
    'Какая сила удерживает тело на орбите?',
    'Иванова Мария',
    'ФИО;ПОЧТА\nИванова Мария;ученик',
    'Съешь же ещё этих мягких французских булок, да выпей чаю',
    'Задача 5. Найдите ускорение (в м/с) тела массой 2 кг',
    'Хан Эля',
    'Эмма',
    'Дарья',
    'Файл',
    'КОНТРОЛЬНАЯ РАБОТА',
    'The answer: сила тяготения, see Newton',
  ];

  test.each(
    (['windows-1251', 'koi8-r', 'ibm866'] as const).flatMap((encoding) =>
      TEXTS.map((text) => [encoding, text] as const),
    ),
  )('%s is detected by letters of %j and named', (encoding, text) => {
    expect(read(written(text, encoding))).toEqual({
      kind: 'text',
      text,
      encoding,
      note: `Кодировка файла: ${encoding}`,
    });
  });

  test.each([
    ['«Война и мир» — роман', 'windows-1251'],
    ['Задание № 5: 20 °C ± 2…', 'windows-1251'],
    ['— «Да» — „нет“', 'windows-1251'],
    ['Температура 20° · влажность', 'koi8-r'],
    ['Задание № 5', 'ibm866'],
  ] as const)('signs of Russian typography are at home in %j (%s)', (text, encoding) => {
    expect(read(written(text, encoding))).toMatchObject({ text, encoding });
  });

  test.each([
    'élève, à côté, forêt',
    'Müller & Söhne, Straße',
    'Ünal;Özge',
    'señor',
    'café, thé; 1 cliché',
    'Á éA;zÉ',
  ])('Western European text is not read as Russian: %j', (text) => {
    expect(read(written(text, 'windows-1252'))).toMatchObject({
      text,
      encoding: 'windows-1252',
    });
  });

  test('bytes that make no Russian are not a text', () => {
    const noText = {
      kind: 'none',
      problem:
        'Файл не похож на текст. Выберите текстовый файл или сохраните его в кодировке UTF-8',
    };
    expect(read(Array.from({ length: 200 }, (_, n) => 0xb0 + ((n * 7) % 16)))).toEqual(noText);
  });

  test('letters of neighbouring alphabets are allowed, if there are fewer than a quarter', () => {
    expect(read(written('Киев, їм', 'windows-1251'))).toMatchObject({ text: 'Киев, їм' });
    expect(read(written('Київ', 'windows-1251')).kind).toBe('none');
  });

  test('Russian that begins late in a large file is detected all the same', () => {
    const text = `${'id;mail@school.ru\n'.repeat(5_000)}Иванова Мария;ученик\n`;
    expect(read(written(text, 'windows-1251'))).toMatchObject({ text, encoding: 'windows-1251' });
  });
});

describe('the decoded text', () => {
  const textOf = (text: string) => {
    const found = read(bytesOf(text));
    return found.kind === 'text' ? found.text : found.problem;
  };

  test('lines end with \\n, however the system ended them', () => {
    expect(textOf('а\r\nб\rв\nг\n\rд')).toBe('а\nб\nв\nг\n\nд');
    expect(textOf('а\vб\fв\u0085г\u2028д\u2029е Vv')).toBe('а\nб\nв\nг\nд\nе Vv');
  });

  test('a BOM within a text is left alone, tabs too', () => {
    expect(textOf('а\ufeffб\tв')).toBe('а\ufeffб\tв');
  });

  test('control characters are removed, with a note', () => {
    expect(read(bytesOf('Си\u0000ла\u001f и\u007f масса, ускорение и путь'))).toEqual({
      kind: 'text',
      text: 'Сила и масса, ускорение и путь',
      encoding: 'utf-8',
      note: 'Убраны управляющие знаки, которых не видно (3)',
    });
    expect(read(written('Си\u0001ла и масса', 'koi8-r'))).toMatchObject({
      note: 'Кодировка файла: koi8-r. Убраны управляющие знаки, которых не видно (1)',
    });
  });

  test('more than two of them and a twentieth of the text are not a text', () => {
    const withControls = (all: number, controls: number) =>
      read(bytesOf('a'.repeat(all - controls) + '\u0001'.repeat(controls))).kind;
    expect(withControls(20, 3)).toBe('text');
    expect(withControls(20, 4)).toBe('none');
    expect(withControls(200, 12)).toBe('text');
    expect(withControls(200, 13)).toBe('none');
  });
});

describe('refused files', () => {
  test('an empty file, and one with nothing to read', () => {
    expect(read([])).toEqual({ kind: 'none', problem: 'Файл пуст. Выберите другой' });
    for (const text of [' \r\n\t', '\ufeff', '\u0001\u0002'])
      expect(read(bytesOf(text))).toEqual({
        kind: 'none',
        problem: 'В файле нет текста. Выберите другой',
      });
  });

  test('a file larger than allowed, with the allowed size', () => {
    expect(decodeBytes(new Uint8Array(2_049).fill(65), 2_048)).toEqual({
      kind: 'none',
      problem: 'Файл слишком большой. Разделите его на части до 2\u00a0КБ',
    });
    expect(decodeBytes(new Uint8Array(2_048).fill(65), 2_048).kind).toBe('text');
  });
});
