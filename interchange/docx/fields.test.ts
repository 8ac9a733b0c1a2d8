import fc from 'fast-check';
import katex from 'katex';
import { expect, test } from 'vitest';
import { writeArchive } from '#interchange/archive.ts';
import { newId } from '#interchange/testing/round-trip.ts';
import { convertEqField } from './eq-field.ts';
import { readDocx } from './read.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const run = (text: string) => `<w:r><w:t xml:space="preserve">${escape(text)}</w:t></w:r>`;
const mark = (kind: string) => `<w:r><w:fldChar w:fldCharType="${kind}"/></w:r>`;
const code = (text: string, properties = '') =>
  `<w:r><w:rPr>${properties}</w:rPr><w:instrText xml:space="preserve">${escape(text)}</w:instrText></w:r>`;
const field = (codes: string, result: string | null = null) =>
  mark('begin') + codes + (result === null ? '' : mark('separate') + result) + mark('end');
const p = (content: string) => `<w:p>${content}</w:p>`;

async function read(content: string, settings = '') {
  const body = p(run('1. Чему равно ') + content + run(' сегодня?')) + p(run('Ответ: 5'));
  const bytes = writeArchive(
    new Map([
      [
        'word/document.xml',
        encode(`<w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`),
      ],
      ['word/settings.xml', encode(`<w:settings xmlns:w="w">${settings}</w:settings>`)],
    ]),
  );
  const { items } = await readDocx({ name: 'т.docx', bytes }, { newId });
  const { question, losses } = items[0] ?? { question: undefined, losses: [] };
  return { text: question?.text.replace(/^Чему равно (.*) сегодня\?$/s, '$1'), losses };
}

const draw = (tex: string) =>
  katex.renderToString(tex, { throwOnError: true, strict: 'ignore', displayMode: true });

test.each<[code: string, tex: string]>([
  [String.raw`\f(1;2)`, String.raw`\frac{1}{2}`],
  [String.raw`\F(x + 1;\r(2))`, String.raw`\frac{x + 1}{\sqrt{2}}`],
  [String.raw`\f(1,5;2)`, String.raw`\frac{1,5}{2}`],
  [String.raw`\f(1,2)`, String.raw`\frac{1}{2}`],
  [String.raw`\f(f(x);2)`, String.raw`\frac{f(x)}{2}`],
  [String.raw`\r(x)`, String.raw`\sqrt{x}`],
  [String.raw`\r(3;27)`, String.raw`\sqrt[3]{27}`],
  [String.raw`\r(;27)`, String.raw`\sqrt{27}`],
  [String.raw`x\s\up8(2)`, 'x^{2}'],
  [String.raw`x \s \do 4 (1)`, 'x _{1}'],
  [String.raw`x\s(2;1)`, 'x^{2}_{1}'],
  [String.raw`x\o\al(\s\up5(2);\s\do5(1))`, 'x^{2}_{1}'],
  [String.raw`\i(0;1;x dx)`, String.raw`\int_{0}^{1} x dx`],
  [String.raw`\i\su(i=1;n;i)`, String.raw`\sum_{i=1}^{n} i`],
  [String.raw`\i \pr (;;x)`, String.raw`\prod x`],
  [String.raw`\i\fc\∮(;;x)`, String.raw`\oint x`],
  [String.raw`\b(\f(1;2))`, String.raw`\left(\frac{1}{2}\right)`],
  [String.raw`\b\bc\[(x)`, String.raw`\left[x\right]`],
  [String.raw`\b\bc\|(x)`, String.raw`\left|x\right|`],
  [String.raw`\b\lc\{(\a\al(x+y=3;x-y=1))`, String.raw`\begin{cases}x+y=3\\x-y=1\end{cases}`],
  [String.raw`\b\lc\[\rc\)(0;1)`, ''],
  [String.raw`\b\lc\[\rc\)(0\;1)`, String.raw`\left[0;1\right)`],
  [String.raw`\b(\a\co2(1;2;3;4))`, String.raw`\begin{pmatrix}1 & 2\\3 & 4\end{pmatrix}`],
  [String.raw`\a\ac\co2\vs3\hs3(1;2;3)`, String.raw`\begin{matrix}1 & 2\\3\end{matrix}`],
  [String.raw`\o(a;→)`, String.raw`\overrightarrow{a}`],
  [String.raw`\o(a;¯)`, String.raw`\overline{a}`],
  [String.raw`\o(=;/)`, String.raw`\ne`],
  [String.raw`\l(1;2;3)`, '1; 2; 3'],
  [String.raw`\x(5)`, String.raw`\boxed{5}`],
  [String.raw`\x\to(AB)`, String.raw`\overline{AB}`],
  [String.raw`\x\bo(AB)`, String.raw`\underline{AB}`],
  [String.raw`\f(путь;время)`, String.raw`\frac{\text{путь}}{\text{время}}`],
  [String.raw`\f(a\(b\);c) \* MERGEFORMAT`, String.raw`\frac{a(b)}{c}`],
  [String.raw`x = \d\fo10()\f(1;2)`, String.raw`x = \frac{1}{2}`],
])('EQ %s is converted', (eq, tex) => {
  const converted = convertEqField(eq, null);
  expect(converted).toBe(tex === '' ? null : tex);
  if (tex !== '') expect(() => draw(tex)).not.toThrow();
});

test.each([
  String.raw`\q(1;2)`,
  String.raw`\f(1)`,
  String.raw`\f(1;2`,
  String.raw`\f 1`,
  String.raw`\r(2,5)`,
  String.raw`\o(a;b)`,
  String.raw`\x\le(a)`,
  String.raw`\i(1;2)`,
  '\\',
  '',
])('EQ %s is not converted', (eq) => {
  expect(convertEqField(eq, null)).toBeNull();
});

test('random codes become what can be drawn, or nothing', () => {
  const part = fc.constantFrom(
    ...'\\f \\r \\s\\up8 \\i \\b \\b\\lc\\{ \\a\\co2 \\o \\l \\x ( ) ; , x 2 & % { } \\( \\; ^ _ $ если → \\d\\fo2()'.split(
      ' ',
    ),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 14 }), (parts) => {
      const tex = convertEqField(parts.join(''), ';');
      if (tex !== null) expect(() => draw(tex)).not.toThrow();
    }),
    { numRuns: 3_000 },
  );
});

test('the separator of the document decides where commas are both', async () => {
  const settings = (sign: string) => `<w:listSeparator w:val="${sign}"/>`;
  const eq = field(code(String.raw` EQ \r(2,5) `));
  expect(await read(eq, settings(';'))).toEqual({ text: String.raw`$\sqrt{2,5}$`, losses: [] });
  expect(await read(eq, settings(','))).toEqual({ text: String.raw`$\sqrt[2]{5}$`, losses: [] });
  const { losses } = await read(eq);
  expect(losses).toEqual([String.raw`Формула (поле EQ) не перенесена: «EQ \r(2,5)»`]);
});

const half = String.raw`$\frac{1}{2}$`;
test.each([
  ['without a result', field(code(String.raw` EQ \f(1;2) `)), half],
  ['with a result that stays away', field(code(String.raw` EQ \f(1;2)`), run('картинка')), half],
  ['in several runs', field(code(' EQ ') + code(String.raw`\f(1`) + code(';2)')), half],
  ['as a simple field', `<w:fldSimple w:instr=" EQ \\f(1;2) "/>`, half],
  [
    'with a raised letter in its code',
    field(code(String.raw`EQ \r(x`) + code('2', '<w:vertAlign w:val="superscript"/>') + code(')')),
    String.raw`$\sqrt{x^{2}}$`,
  ],
  ['inside of another field', field(code('IF 1 = 1 '), field(code(String.raw`EQ \f(1;2)`))), half],
  [
    'with another field in its code',
    field(code(String.raw`EQ \f(1;`) + field(code('REF n'), run('2')) + code(')')),
    half,
  ],
  [
    'beside another one',
    field(code(String.raw`EQ \f(1;2)`)) + field(code(String.raw`EQ \f(1;2)`)),
    half + half,
  ],
  ['before a digit', field(code(String.raw`EQ \f(1;2)`)) + run('5'), `${half} 5`],
])('an EQ field %s becomes a formula', async (_, content, text) => {
  const found = await read(content);
  expect(found.losses).toEqual([]);
  expect(found.text?.replaceAll('\u200b', ' ')).toBe(text);
});

test.each([
  ['a reference', field(code(' REF _Ref1 '), run('рис. 1')), 'рис. 1'],
  ['a number of a page', `<w:fldSimple w:instr="PAGE">${run('3')}</w:fldSimple>`, '3'],
  ['a link', field(code(' HYPERLINK "http://a.ru" '), run('сайте')), 'сайте'],
  ['a field that Word computes', field(code(' = 2+2 '), run('4')), '4'],
  ['an index entry beside a word', run('силе') + field(code(' XE "сила" ')), 'силе'],
  ['a character by its code', field(code(' SYMBOL 177 \\u ')), '±'],
])('of %s what is shown comes in', async (_, content, text) => {
  expect(await read(content)).toEqual({ text, losses: [] });
});

test.each([
  ['an EQ that Word could not read either', field(code(' EQ \\q(1) '))],
  ['a list to choose from', field(code(' FORMDROPDOWN '))],
  ['a simple field without a result', '<w:fldSimple w:instr=" DOCPROPERTY x "/>'],
  ['a character of a special font', field(code(' SYMBOL 97 \\f "Symbol" '))],
  ['a field that is not ended', mark('begin') + code(' REF x ')],
  ['a code outside of a field', code(' REF x ')],
])('%s is reported', async (_, content) => {
  const { losses } = await read(content);
  expect(losses).toHaveLength(1);
  expect(losses[0]).toMatch(/не перенесен/);
});
