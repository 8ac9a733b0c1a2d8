import fc from 'fast-check';
import katex from 'katex';
import { expect, test } from 'vitest';
import { showTex } from '#domain/format-tex.ts';
import { parseXml } from '#interchange/xml.ts';
import { convertWordFormula, isTranslatable } from './omml.ts';

const r = (text: string, properties = '') =>
  `<m:r>${properties && `<m:rPr>${properties}</m:rPr>`}<m:t>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</m:t></m:r>`;
const e = (content: string) => `<m:e>${content}</m:e>`;
const val = (name: string, value: string) => `<m:${name} m:val="${value}"/>`;
const el = (name: string, properties: string, content: string) =>
  `<m:${name}><m:${name}Pr>${properties}</m:${name}Pr>${content}</m:${name}>`;

function read(xml: string): { tex: string | null; losses: string[] } {
  const losses: string[] = [];
  const root = parseXml(`<m:oMath xmlns:m="m" xmlns:w="w">${xml}</m:oMath>`);
  return { tex: convertWordFormula(root, (line) => losses.push(line)), losses };
}
const draw = (tex: string) =>
  katex.renderToString(tex, { throwOnError: true, strict: 'ignore', displayMode: true });

const system = (rows: readonly string[], begin = '{', end = '') =>
  el(
    'd',
    val('begChr', begin) + val('endChr', end),
    e(el('eqArr', '', rows.map((row) => e(r(row))).join(''))),
  );
const noBar = el('f', val('type', 'noBar'), `<m:num>${r('n')}</m:num><m:den>${r('k')}</m:den>`);
const matrix = (rows: readonly (readonly string[])[]) =>
  el('m', '', rows.map((row) => `<m:mr>${row.map((cell) => e(r(cell))).join('')}</m:mr>`).join(''));
const brackets = (begin: string, end: string, content: string) =>
  el('d', val('begChr', begin) + val('endChr', end), e(content));
const sub = (content: string) => `<m:sub>${content}</m:sub>`;
const sup = (content: string) => `<m:sup>${content}</m:sup>`;
const lim = (content: string) => `<m:lim>${content}</m:lim>`;

test.each<[name: string, xml: string, tex: string]>([
  [
    'a system aligned at its signs',
    system(['x+y&=3', 'x-y&=1']),
    '\\begin{cases}x+y=3\\\\x-y=1\\end{cases}',
  ],
  ['a system without marks', system(['x=1', 'y=2']), '\\begin{cases}x=1\\\\y=2\\end{cases}'],
  [
    'a system of inequalities',
    system(['x&≤3', 'x&>1']),
    '\\begin{cases}x\\le 3\\\\x>1\\end{cases}',
  ],
  [
    'cases with conditions',
    system(['-x,&x<0', 'x,&x≥0']),
    '\\begin{cases}-x,&x<0\\\\x,&x\\ge 0\\end{cases}',
  ],
  [
    'a system with several columns',
    system(['2x&+3y&=1', 'x&-y&=2']),
    '\\left\\{\\begin{aligned}2x&+3y&=1\\\\x&-y&=2\\end{aligned}\\right.',
  ],
  [
    'alternatives',
    system(['x=1', 'x=2'], '['),
    '\\left[\\begin{gathered}x=1\\\\x=2\\end{gathered}\\right.',
  ],
  [
    'rows with a brace on the right',
    system(['a', 'b'], '', '}'),
    '\\left.\\begin{gathered}a\\\\b\\end{gathered}\\right\\}',
  ],
  [
    'rows alone',
    el('eqArr', '', e(r('a&=b')) + e(r('&=c'))),
    '\\begin{aligned}a&=b\\\\&=c\\end{aligned}',
  ],
  ['a sign outside of rows', r('A&B'), 'A\\&B'],
  [
    'rows aligned by a property',
    el('eqArr', '', e(r('a') + r('=b', '<m:aln/>')) + e(r('c') + r('=d', '<m:aln/>'))),
    '\\begin{aligned}a&=b\\\\c&=d\\end{aligned}',
  ],
  [
    'a system as a matrix',
    brackets('{', '', matrix([['x=1'], ['y=2']])),
    '\\begin{cases}x=1\\\\y=2\\end{cases}',
  ],
  ['a binomial coefficient', brackets('(', ')', noBar), '\\binom{n}{k}'],
  ['a binomial coefficient in a box', brackets('(', ')', el('box', '', e(noBar))), '\\binom{n}{k}'],
  ['a stack without a bar', noBar, '\\begin{matrix}n\\\\k\\end{matrix}'],
  [
    'a linear fraction',
    el('f', val('type', 'lin'), `<m:num>${r('a+b')}</m:num><m:den>${r('2')}</m:den>`),
    '(a+b)/2',
  ],
  [
    'a skewed fraction',
    el('f', val('type', 'skw'), `<m:num>${r('1')}</m:num><m:den>${r('2')}</m:den>`),
    '\\frac{1}{2}',
  ],
  [
    'a determinant',
    brackets(
      '|',
      '|',
      matrix([
        ['a', 'b'],
        ['c', 'd'],
      ]),
    ),
    '\\begin{vmatrix}a & b\\\\c & d\\end{vmatrix}',
  ],
  [
    'a matrix in round brackets',
    brackets('(', ')', matrix([['1'], ['2']])),
    '\\begin{pmatrix}1\\\\2\\end{pmatrix}',
  ],
  ['a matrix alone', matrix([['1', '2']]), '\\begin{matrix}1 & 2\\end{matrix}'],
  ['brackets without properties', `<m:d>${e(r('x'))}</m:d>`, '\\left(x\\right)'],
  [
    'several parts in brackets',
    el('d', val('sepChr', ';'), e(r('1')) + e(r('2'))),
    '\\left(1;2\\right)',
  ],
  ['a half-open interval', brackets('[', ')', r('0;1')), '\\left[0;1\\right)'],
  ['a scalar product', brackets('⟨', '⟩', r('a')), '\\left\\langle a\\right\\rangle'],
  ['an integer part', brackets('⌊', '⌋', r('x')), '\\left\\lfloor x\\right\\rfloor'],
  [
    'a sum',
    el('nary', val('chr', '∑'), sub(r('i=1')) + sup(r('n')) + e(r('i'))),
    '\\sum_{i=1}^{n} i',
  ],
  [
    'an integral with hidden limits',
    el('nary', val('subHide', '1') + val('supHide', 'on'), sub(r('a')) + sup('') + e(r('x'))),
    '\\int x',
  ],
  [
    'an integral with limits under it',
    el('nary', val('limLoc', 'undOvr'), sub(r('D')) + sup('') + e(r('x'))),
    '\\int\\limits_{D} x',
  ],
  [
    'a root without its degree',
    el('rad', val('degHide', '1'), `<m:deg>${r('2')}</m:deg>${e(r('x'))}`),
    '\\sqrt{x}',
  ],
  ['a cube root', el('rad', '', `<m:deg>${r('3')}</m:deg>${e(r('x'))}`), '\\sqrt[3]{x}'],
  ['scripts in front', el('sPre', '', sub(r('6')) + sup(r('14')) + e(r('C'))), '{}_{6}^{14}{C}'],
  ['a power and an index', el('sSubSup', '', e(r('x')) + sub(r('1')) + sup(r('2'))), '{x}_{1}^{2}'],
  ['an index', el('sSub', '', e(r('v')) + sub(r('max'))), '{v}_{\\max }'],
  [
    'a power of a function',
    el(
      'func',
      '',
      `<m:fName>${el('sSup', '', e(r('sin', val('sty', 'p'))) + sup(r('2')))}</m:fName>${e(r('x'))}`,
    ),
    '\\sin^{2}x',
  ],
  [
    'a limit',
    el(
      'func',
      '',
      `<m:fName>${el('limLow', '', e(r('lim')) + lim(r('x→0')))}</m:fName>${e(r('f'))}`,
    ),
    '\\lim_{x\\to 0}f',
  ],
  [
    'a function of our own',
    el('func', '', `<m:fName>${r('rang')}</m:fName>${e(r('A'))}`),
    '\\operatorname{rang}A',
  ],
  ['a tangent', el('func', '', `<m:fName>${r('tg')}</m:fName>${e(r('x'))}`), '\\tg x'],
  ['a mark above', el('limUpp', '', e(r('=')) + lim(r('?'))), '\\overset{?}{=}'],
  [
    'a labelled brace',
    el('limLow', '', e(el('groupChr', '', e(r('a+a')))) + lim(r('n'))),
    '\\underbrace{a+a}_{n}',
  ],
  [
    'a brace above',
    el('groupChr', val('chr', '⏞') + val('pos', 'top'), e(r('x'))),
    '\\overbrace{x}',
  ],
  [
    'a text above an arrow',
    el('groupChr', val('chr', '→') + val('vertJc', 'bot'), e(r('t'))),
    '\\xrightarrow{t}',
  ],
  [
    'a text below an arrow',
    el('groupChr', val('chr', '→') + val('pos', 'top'), e(r('t'))),
    '\\xrightarrow[t]{}',
  ],
  [
    'an arrow above letters',
    el('groupChr', val('chr', '→') + val('pos', 'top') + val('vertJc', 'bot'), e(r('AB'))),
    '\\overrightarrow{AB}',
  ],
  ['a line above', el('bar', val('pos', 'top'), e(r('x'))), '\\overline{x}'],
  ['a line below', el('bar', '', e(r('x'))), '\\underline{x}'],
  ['a vector of two letters', el('acc', val('chr', '\u20d7'), e(r('AB'))), '\\overrightarrow{AB}'],
  ['a hat', el('acc', '', e(r('x'))), '\\hat{x}'],
  ['a second derivative', el('acc', val('chr', '\u0308'), e(r('x'))), '\\ddot{x}'],
  ['a frame', el('borderBox', '', e(r('x'))), '\\boxed{x}'],
  [
    'crossed out',
    el(
      'borderBox',
      ['Top', 'Bot', 'Left', 'Right'].map((side) => val(`hide${side}`, '1')).join('') +
        val('strikeBLTR', '1'),
      e(r('x')),
    ),
    '\\cancel{x}',
  ],
  ['a hidden part', el('phant', val('show', '0'), e(r('x'))), '\\phantom{x}'],
  ['a part with another height', el('phant', val('zeroAsc', '1'), e(r('x'))), 'x'],
  ['words', r('если x=1', '<m:nor/>'), '\\text{если x=1}'],
  ['words with signs', r('100%', '<m:nor/>'), '\\text{100\\%}'],
  ['a set of numbers', r('R', val('scr', 'double-struck')), '\\mathbb{R}'],
  ['bold', r('a', val('sty', 'b')), '\\mathbf{a}'],
  ['letters of the mathematical block', r('𝑥+𝟐'), 'x+2'],
  ['an inserted and a deleted part', `<w:ins>${r('x')}</w:ins><w:del>${r('y')}</w:del>`, 'x'],
  ['marks of the document', `<w:bookmarkStart/>${r('x')}<w:bookmarkEnd/><w:proofErr/>`, 'x'],
])('%s is converted', (_, xml, tex) => {
  expect(read(xml)).toEqual({ tex, losses: [] });
  expect(() => draw(tex)).not.toThrow();
  expect(showTex(tex.replaceAll('\\&', ''))).not.toContain('&');
});

test.each([
  ['an unknown element', '<m:unheardOf/>'],
  ['an unknown accent', el('acc', val('chr', '☂'), e(r('x')))],
  ['an unknown operator', el('nary', val('chr', '☂'), e(r('x')))],
  ['an unknown bracket', brackets('☂', '☂', r('x'))],
  ['a picture in a formula', '<m:r><w:drawing/></m:r>'],
])('%s makes a formula untranslatable', (_, xml) => {
  expect(read(xml + r('y')).tex).toBeNull();
});

test.each([
  ['a vertical line through it', el('borderBox', val('strikeV', '1'), e(r('x')))],
  ['a part of a frame', el('borderBox', val('hideTop', '1'), e(r('x')))],
  ['a line through letters', '<m:r><w:rPr><w:strike/></w:rPr><m:t>x</m:t></m:r>'],
])('%s is reported', (_, xml) => {
  const { tex, losses } = read(xml);
  expect(tex).toContain('x');
  expect(losses).toHaveLength(1);
});

/** All elements of ECMA-376, part 1, 22.1 (shared MLs: math). */
const ECMA_376 =
  'acc accPr aln alnScr argPr argSz bar barPr baseJc begChr borderBox borderBoxPr box boxPr brk brkBin brkBinSub cGp cGpRule chr count cSp ctrlPr d defJc deg degHide den diff dispDef dPr e endChr eqArr eqArrPr f fName fPr func funcPr groupChr groupChrPr grow hideBot hideLeft hideRight hideTop interSp intLim intraSp jc lim limLoc limLow limLowPr limUpp limUppPr lit lMargin m mathFont mathPr maxDist mc mcJc mcPr mcs mPr mr nary naryLim naryPr noBreak nor num objDist oMath oMathPara oMathParaPr opEmu phant phantPr plcHide pos postSp preSp r rad radPr rMargin rPr rSp rSpRule scr sepChr show shp smallFrac sPre sPrePr sSub sSubPr sSubSup sSubSupPr sSup sSupPr strikeBLTR strikeH strikeTLBR strikeV sty sub subHide sup supHide t transp type vertJc wrapIndent wrapRight zeroAsc zeroDesc zeroWid'.split(
    ' ',
  );
/** Read together with the element that they belong to, or values of its properties. */
const PARTS = new Set('deg den fName lim mr num sub sup t'.split(' '));
const CONTENTS =
  'acc bar borderBox box d e eqArr f func groupChr limLow limUpp m nary oMath oMathPara phant r rad sPre sSub sSubSup sSup'.split(
    ' ',
  );

test('every element of the standard is converted, or a property of one that is', () => {
  for (const name of CONTENTS) expect(isTranslatable(name), name).toBe(true);
  const rest = ECMA_376.filter((name) => !CONTENTS.includes(name) && !PARTS.has(name));
  // A property is only allowed inside of `…Pr`: elsewhere in a formula it is reported.
  for (const name of rest) {
    const isProperties = name.endsWith('Pr');
    expect(read(r('x') + `<m:${name} m:val="1"/>`).tex, name).toBe(isProperties ? 'x' : null);
    for (const owner of CONTENTS.filter((one) => ECMA_376.includes(`${one}Pr`)))
      expect(() => read(el(owner, val(name, '1'), e(r('x')))), `${name} of ${owner}`).not.toThrow();
  }
});

const leaf = fc
  .constantFrom('x', '2', 'a+b', 'x&=y', '%', 'если', '→', 'sin', '𝑥', '{', '\\', '$', '#')
  .map((text) => r(text));
const { tree } = fc.letrec<{ tree: string }>((tie) => {
  const part = tie('tree');
  const pair = fc.tuple(part, part);
  return {
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      pair.map(([a, b]) => a + b),
      pair.map(([a, b]) => el('f', val('type', 'noBar'), `<m:num>${a}</m:num><m:den>${b}</m:den>`)),
      pair.map(([a, b]) => el('f', '', `<m:num>${a}</m:num><m:den>${b}</m:den>`)),
      fc
        .tuple(fc.constantFrom('{', '(', '[', '|', ''), fc.constantFrom('', ')', '}', '|'), part)
        .map(([begin, end, a]) => brackets(begin, end, a)),
      pair.map(([a, b]) => el('eqArr', '', e(a) + e(b))),
      pair.map(([a, b]) => el('m', '', `<m:mr>${e(a)}${e(b)}</m:mr>`)),
      fc
        .tuple(fc.constantFrom('sSup', 'sSub', 'sSubSup', 'sPre'), part, part)
        .map(([name, a, b]) => el(name, '', e(a) + sub(b) + sup(b))),
      fc
        .tuple(fc.constantFrom('bar', 'acc', 'box', 'borderBox', 'groupChr', 'phant', 'nary'), part)
        .map(([name, a]) => el(name, '', sub('') + sup('') + e(a))),
      pair.map(([a, b]) => el('func', '', `<m:fName>${a}</m:fName>${e(b)}`)),
      pair.map(([a, b]) => el('limLow', '', e(a) + lim(b))),
      pair.map(([a, b]) => el('rad', '', `<m:deg>${a}</m:deg>${e(b)}`)),
    ),
  };
});

test('what a formula becomes can be drawn, or the formula is reported', () => {
  fc.assert(
    fc.property(tree, (xml) => {
      const { tex } = read(xml);
      if (tex === null) return;
      expect(tex).not.toMatch(/(?<!\\)\$/);
      expect(() => draw(tex)).not.toThrow();
    }),
    { numRuns: 1000 },
  );
});
