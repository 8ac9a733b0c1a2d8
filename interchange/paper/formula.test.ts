import { expect, test } from 'vitest';
import { convertWordFormula } from '#interchange/docx/omml.ts';
import { mathmlDrawer } from '#interchange/html/mathml.ts';
import { fragmentText } from '#interchange/xml-writer.ts';
import { parseXml } from '#interchange/xml.ts';
import { wordFormula } from './formula.ts';

const draw = await mathmlDrawer([
  { kind: 'file', questionId: '', text: '$x$', points: 1, maxBytes: 1, accept: [] },
]);

/** The formula as Word stores it. */
function inWord(tex: string, display = false): string {
  const [math] = draw(tex, display, (loss) => {
    throw new Error(loss);
  });
  if (typeof math !== 'object') throw new Error('no formula');
  return fragmentText([wordFormula(math, display)]);
}

const NAMESPACES = 'xmlns:m="m" xmlns:w="w"';
const readBack = (xml: string) =>
  convertWordFormula(
    parseXml(xml.replace(/^<m:\w+/, (head) => `${head} ${NAMESPACES}`)),
    (loss) => {
      throw new Error(loss);
    },
  );

test.each([
  ['x^2', '{x}^{2}'],
  ['a_1', '{a}_{1}'],
  ['x_i^2', '{x}_{i}^{2}'],
  ['\\frac{a+1}{b}', '\\frac{a+1}{b}'],
  ['\\sqrt{x+1}', '\\sqrt{x+1}'],
  ['\\sqrt[3]{27}', '\\sqrt[3]{27}'],
  ['\\sum_{i=1}^{n} a_i = 5', '\\sum_{i=1}^{n} {a}_{i}=5'],
  ['\\int_0^1 x', '\\int_{0}^{1} x'],
  ['\\left(\\frac{a}{b}\\right)^2', '{\\left(\\frac{a}{b}\\right)}^{2}'],
  ['\\left[x\\right)', '\\left[x\\right)'],
  [
    '\\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}',
    '\\begin{pmatrix}1 & 2\\\\3 & 4\\end{pmatrix}',
  ],
  ['\\overline{AB}', '\\overline{AB}'],
  ['\\vec{a}', '\\vec{a}'],
  ['\\hat{p}', '\\hat{p}'],
  ['\\lim_{x \\to 0} y', '\\lim_{x\\to 0}y'],
  ['\\bigl(x\\bigr) + 1', '(x)+1'],
])('%s is a formula that Word can edit, and reads back as %s', (tex, expected) => {
  expect(readBack(inWord(tex))).toBe(expected);
});

test('a display formula is a paragraph of its own', () => {
  expect(inWord('x', true)).toMatch(/^<m:oMathPara><m:oMath>/);
  expect(inWord('x')).toMatch(/^<m:oMath><m:r>/);
});

test('a brace without its pair has no closing bracket', () => {
  const cases = inWord('\\begin{cases} x \\\\ y \\end{cases}');
  expect(cases).toContain('<m:begChr m:val="{"/><m:endChr m:val=""/>');
});

test.each([
  ['x', '<m:rPr/>'],
  ['\\sin x', '<m:sty m:val="p"/>'],
  ['\\mathbf{F}', '<m:sty m:val="b"/>'],
  ['\\text{м/с}', '<m:nor/>'],
  ['\\mathbb{R}', 'ℝ'],
  ['\\mathbb{E}', '<m:scr m:val="double-struck"/>'],
  ['\\cancel{x}', '<m:strikeBLTR m:val="1"/>'],
  ['\\binom{n}{k}', '<m:type m:val="noBar"/>'],
  ['\\underbrace{a}', '<m:groupChr>'],
  ['\\overbrace{a}', '<m:chr m:val="⏞"/><m:pos m:val="top"/>'],
  ['\\underline{a}', '<m:pos m:val="bot"/>'],
])('%s is written with %s', (tex, xml) => {
  expect(inWord(tex)).toContain(xml);
});

test('frames of a box are shown, those of a strike are not', () => {
  expect(inWord('\\boxed{x}')).not.toContain('hideTop');
  expect(inWord('\\xcancel{x}')).toContain('hideTop');
});

test('invisible operators and phantoms leave nothing behind', () => {
  expect(inWord('\\sin x \\phantom{y}')).not.toMatch(/[\u2061-\u2064]|>y</);
});

test.each([
  ['\\overset{+5}{N}', 'limUpp'],
  ['\\stackrel{+7}{Mn}', 'limUpp'],
  ['\\overset{\\text{def}}{=}', 'limUpp'],
  ['\\underset{x}{=}', 'limLow'],
])('what stands above or below a sign stays there: %s', (tex, element) => {
  expect(inWord(tex)).toContain(`<m:${element}>`);
});

test('a formula as long as a text may be is written', () => {
  expect(inWord('x+'.repeat(5_000) + 'x')).toContain('<m:r>');
});
