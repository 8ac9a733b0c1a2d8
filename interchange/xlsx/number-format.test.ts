import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeArchive, readArchive } from '#interchange/archive.ts';
import { newId } from '#interchange/testing/round-trip.ts';
import { generalNumber, showCell } from './number-format.ts';
import { readXlsx } from './read.ts';
import { bookOf } from './write.ts';

test.each<[value: number, code: string, shown: string]>([
  [0.25, '0%', '25%'],
  [0.125, '0.0%', '12,5%'],
  [0.125, '0%', '13%'],
  [0.1, '0.00\\ %', '10,00 %'],
  [0.5, '# ?/?', '1/2'],
  [1.5, '# ?/?', '1 1/2'],
  [0.75, '??/??', '3/4'],
  [1.5, '?/?', '3/2'],
  [0.25, '# ?/8', '2/8'],
  [2, '# ?/?', '2'],
  [-0.5, '# ?/?', '-1/2'],
  [0.333333333333, '# ??/??', '1/3'],
  [7, '000', '007'],
  [7, '00000', '00007'],
  [1234567, '#,##0', '1\u00a0234\u00a0567'],
  [1234.5, '#,##0.00', '1\u00a0234,50'],
  [1.005, '0.00', '1,01'],
  [2.5, '0.0##', '2,5'],
  [2, '0.###', '2'],
  [0.3, 'General', '0,3'],
  [12.5, 'General', '12,5'],
  [7, '@', '7'],
  [1500, '0.00E+00', '1,50E+03'],
  [0.0015, '0.0E+00', '1,5E-03'],
  [1500, '#,##0" ₽"', '1\u00a0500 ₽'],
  [1500, '#,##0\\ [$₽-419]', '1\u00a0500 ₽'],
  [5, '0" кг"', '5 кг'],
  [-5, '0;[Red]\\(0\\)', '(5)'],
  [-5, '0.0', '-5,0'],
  [0, '0;-0;"нет"', 'нет'],
  [-0.001, '0.0', '0,0'],
  [44927, 'dd.mm.yyyy', '01.01.2023'],
  [44928, 'd-mmm', '2-янв'],
  [44928, '[$-419]d mmmm yyyy', '2 январь 2023'],
  [44928.75, 'dd/mm/yy h:mm', '02/01/23 18:00'],
  [0.5, 'h:mm AM/PM', '12:00 PM'],
  [1.25, '[h]:mm', '30:00'],
  [0.0034722222, 'mm:ss', '05:00'],
  [1, 'dd.mm.yyyy', '01.01.1900'],
])('%d as %s shows %s', (value, code, shown) => {
  expect(showCell(value, code)?.text).toBe(shown);
});

test.each([
  [5, '[>3]0;0.0'],
  [5000000, '#,##0,'],
  [79001112233, '0 (000) 000-00-00'],
  [12345, '##0.0E+0'],
  [-1, 'dd.mm.yyyy'],
])('%d as %s is not read', (value, code) => {
  expect(showCell(value, code)).toBeNull();
});

test('a number of up to 15 digits is shown as it was typed', () => {
  expect(generalNumber(0.1 + 0.2)).toBe('0,3');
  expect(generalNumber(1.1 * 3)).toBe('3,3');
  fc.assert(
    fc.property(fc.integer({ min: -1e9, max: 1e9 }), fc.nat(5), (digits, decimals) => {
      const value = digits / 10 ** decimals;
      expect(Number(generalNumber(value).replace(',', '.'))).toBe(value);
      expect(showCell(value, 'General')?.text).toBe(generalNumber(value));
    }),
  );
});

test('any format gives a text, or is not read', () => {
  const sign = fc.constantFrom(
    ...'0 # ? , . % / E+ ; - " \\ [ ] @ d m y h s General [Red] _ *'.split(' '),
    ' ',
  );
  fc.assert(
    fc.property(
      fc.array(sign, { maxLength: 10 }),
      fc.double({ noNaN: true, min: -1e6, max: 1e6 }),
      (signs, value) => {
        expect(typeof (showCell(value, signs.join(''))?.text ?? '')).toBe('string');
      },
    ),
    { numRuns: 2_000 },
  );
});

async function read(cell: string, codes: readonly string[]) {
  const book = await bookOf({ heads: ['Вопрос', 'Верные'], rows: [['Сколько?', 'тут']] }, 'Лист');
  const escaped = codes.map((code) => code.replaceAll('"', '&quot;'));
  const styles = `<styleSheet><numFmts>${escaped.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code}"/>`).join('')}</numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="9"/>${codes.map((_, at) => `<xf numFmtId="${164 + at}"/>`).join('')}</cellXfs></styleSheet>`;
  const files = [...readArchive(book).files].map(([path, unpack]): [string, Uint8Array] => {
    const xml = new TextDecoder().decode(unpack());
    if (path === 'xl/styles.xml') return [path, new TextEncoder().encode(styles)];
    if (!path.includes('worksheets/sheet')) return [path, unpack()];
    return [
      path,
      new TextEncoder().encode(
        xml
          .replace(/<c r="B2"[^>]*>.*?<\/c>/, cell)
          .replaceAll(/ s="\d+"(?=[^>]*t="(?:s|inlineStr)")/g, ''),
      ),
    ];
  });
  const { items } = await readXlsx(
    { name: 'т.xlsx', bytes: writeArchive(new Map(files)) },
    { newId },
  );
  const [item] = items;
  const { question } = item ?? {};
  return {
    shown: question?.kind === 'open' ? question.accepted[0]?.text : null,
    losses: item?.losses,
  };
}

test.each<[name: string, cell: string, shown: string]>([
  ['percent of Excel itself', '<c r="B2" s="1"><v>0.25</v></c>', '25%'],
  ['leading zeros', '<c r="B2" s="2"><v>7</v></c>', '007'],
  ['a fraction that is computed', '<c r="B2" s="3" t="n"><f>A1/2</f><v>0.5</v></c>', '1/2'],
  ['a sum of decimals', '<c r="B2"><f>0.1+0.2</f><v>0.30000000000000004</v></c>', '0,3'],
])('%s comes in as the cell shows it', async (_, cell, shown) => {
  const found = await read(cell, ['000', '# ?/?']);
  expect(found.shown).toBe(shown);
  expect(found.losses).toEqual([]);
});

test('a date is what its cell shows, with a doubt; a format that is not read is reported', async () => {
  const date = await read('<c r="B2" s="2"><v>44928</v></c>', ['d-mmm']);
  expect(date.shown).toBe('2-янв');
  expect(date.losses).toEqual([expect.stringContaining('Excel считает датой «2-янв»')]);
  const other = await read('<c r="B2" s="2"><v>5</v></c>', ['[>3]0;0.0']);
  expect(other.shown).toBe('5');
  expect(other.losses).toEqual([expect.stringContaining('Вид числа в ячейке не перенесён')]);
});
