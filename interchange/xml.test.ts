import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UnreadableFile } from './model.ts';
import { encoded } from './testing/encoded.ts';
import { element, everyElement, parseXml, readXml, textOf } from './xml.ts';
import { tag, xmlBytes, type Written } from './xml-writer.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

test('elements, attributes, texts and CDATA become a small tree with lines', () => {
  const { root } = readXml(
    utf8('<?xml version="1.0"?>\n<q:a b="1&amp;2">\n<c>x<![CDATA[<y>]]>&#x44F;</c></q:a>'),
  );
  expect([root.name, root.attributes.get('b'), root.line]).toEqual(['a', '1&2', 2]);
  const c = element(root, 'c');
  expect([c?.line, c?.children]).toEqual([3, ['x<y>я']]);
  expect(textOf(root).trim()).toBe('x<y>я');
  expect([...everyElement(root)].map(({ name }) => name)).toEqual(['a', 'c']);
});

test('space before the declaration is forgiven', () => {
  const text = ' \n<?xml version="1.0" encoding="windows-1251"?><a>Сила</a>';
  expect(textOf(readXml(encoded(text, 'windows-1251')).root)).toBe('Сила');
  expect(readXml(utf8(`\ufeff ${text}`)).root.name).toBe('a');
});

test.each(['windows-1251', 'koi8-r', 'utf-16le', 'utf-16be', 'utf-8'])(
  'the declared encoding is read: %s',
  (encoding) => {
    const label = encoding.startsWith('utf-16') ? 'utf-16' : encoding;
    const text = `<?xml version="1.0" encoding="${label}"?><a>Сила трения</a>`;
    const mark = encoding.startsWith('utf-16') ? '\ufeff' : '';
    expect(textOf(readXml(encoded(mark + text, encoding)).root)).toBe('Сила трения');
  },
);

test('an undeclared encoding is detected and reported', () => {
  const { root, note } = readXml(
    encoded('<a>Чему равно ускорение свободного падения на поверхности Земли</a>', 'windows-1251'),
  );
  expect(textOf(root)).toMatch(/^Чему равно/);
  expect(note).toMatch(/windows-1251/);
});

const laughs = `<!DOCTYPE a [<!ENTITY x "ha">${Array.from({ length: 20 }, (_, i) => `<!ENTITY x${i} "${'&x;'.repeat(10)}">`).join('')}]><a>&x19;</a>`;

test.each([
  ['a billion laughs', laughs],
  ['an external entity', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'],
  ['a parameter entity', '<!DOCTYPE a [<!ENTITY % x SYSTEM "http://example.org/x.dtd"> %x;]><a/>'],
])('entities of a file’s own are refused in words: %s', (_, text) => {
  expect(() => readXml(utf8(text))).toThrow(/DOCTYPE/);
});

test('a plain DOCTYPE is accepted and nothing of it is loaded', () => {
  const text = '<!DOCTYPE a PUBLIC "-//x" "http://example.org/x.dtd"><a>1</a>';
  expect(textOf(readXml(utf8(text)).root)).toBe('1');
  const declared =
    '<!DOCTYPE a SYSTEM "a.dtd" [<!-- > --><!ELEMENT a (b+)><!ATTLIST a c CDATA "]">]><a>1</a>';
  expect(textOf(readXml(utf8(declared)).root)).toBe('1');
});

test('names of characters from HTML are read, those of an object are none', () => {
  expect(textOf(readXml(utf8('<a>x&nbsp;&uarr;&lt;&apos;</a>')).root)).toBe("x\u00a0↑<'");
  expect(() => readXml(utf8('<a>&constructor;</a>'))).toThrow(UnreadableFile);
});

test('the error of an invalid file names its line', () => {
  expect(() => readXml(utf8('<a>\n<b>\n</a>'))).toThrow(/^Строка 3: XML записан с ошибкой/);
  expect(() => readXml(utf8('<a>\n&arrow;</a>'))).toThrow(/^Строка 2: .*имя знака/);
  expect(() => readXml(utf8('<a>'))).toThrow(UnreadableFile);
  expect(() => readXml(utf8('просто текст без XML'))).toThrow(UnreadableFile);
});

test('depth and number have bounds', () => {
  expect(() => readXml(utf8('<a>'.repeat(200_000)))).toThrow(/глубже 100/);
  expect(() => readXml(utf8(`<a>${'<b/>'.repeat(1_000_001)}</a>`))).toThrow(/слишком много/);
  expect(() => readXml(new Uint8Array(60 * 1024 * 1024))).toThrow(/больше 50 МБ/);
}, 60_000);

test('any bytes are refused with a message, never another error', () => {
  const read = (bytes: Uint8Array) => {
    try {
      readXml(bytes);
    } catch (error) {
      expect(error).toBeInstanceOf(UnreadableFile);
    }
  };
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), read));
  const piece = fc.constantFrom(
    '<a',
    '>',
    '</a>',
    '<!DOCTYPE',
    '[',
    ']>',
    '&',
    ';',
    '<![CDATA[',
    ']]>',
    '"',
    ' x=',
    '<?xml ',
    '?>',
    'я',
    '\u0000',
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => read(utf8(pieces.join('')))),
    { numRuns: 500 },
  );
});

test('written XML can be read, including special characters and line breaks', () => {
  const text = fc
    .string({ unit: 'grapheme' })
    .filter((value) => !/[\p{Cc}\p{Cs}\p{Cn}]/u.test(value));
  fc.assert(
    fc.property(text, text, (value, inner) => {
      const root = parseXml(
        new TextDecoder().decode(xmlBytes(tag('a', { b: value }, tag('c', {}, inner), tag('d')))),
      );
      expect(root.attributes.get('b')).toBe(value);
      expect(textOf(element(root, 'c'))).toBe(inner);
    }),
  );
  const written: Written = tag('a', {}, tag('b', {}, tag('c')), {
    ...tag('p', {}, tag('i')),
    isExact: true,
  });
  expect(new TextDecoder().decode(xmlBytes(written))).toBe(
    '<?xml version="1.0" encoding="UTF-8"?>\n<a>\n  <b>\n    <c/>\n  </b>\n  <p><i/></p>\n</a>\n',
  );
});
