import fc from 'fast-check';
import { expect, test } from 'vitest';
import { convertPasted, convertPastedLines, convertPastedPlain } from './pasted.ts';

const CHROME =
  'color: rgb(0, 0, 0); font-family: Golos; font-size: 17px; font-style: normal; font-weight: 400; white-space: normal; background-color: rgb(255, 255, 255); text-decoration: none; display: inline !important;';
const chrome = (inside: string) =>
  `<meta charset='utf-8'><html><body>\n<!--StartFragment-->${inside}<!--EndFragment-->\n</body>\n</html>`;
const word = (inside: string) =>
  `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:m="http://schemas.microsoft.com/office/2004/12/omml"><head><meta name=Generator content="Microsoft Word 15"><style><!-- p.MsoNormal {margin:0cm} --></style><!--[if gte mso 9]><xml><w:WordDocument/></xml><![endif]--></head><body lang=RU style='tab-interval:35.4pt'><!--StartFragment-->${inside}<!--EndFragment--></body></html>`;
const listed = (sign: string, text: string, level = 1) =>
  `<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='mso-list:Ignore'>${sign}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span><![endif]>${text}<o:p></o:p></p>`;
const omml =
  `<!--[if gte msEquation 12]><m:oMath><m:f><m:fPr><span style='font-family:"Cambria Math",serif'><m:ctrlPr></m:ctrlPr></span></m:fPr><m:num><i style='mso-bidi-font-style:normal'><span lang=EN-US style='font-family:"Cambria Math",serif'><m:r>a</m:r></span></i></m:num><m:den><m:r><m:rPr><m:scr m:val=roman/></m:rPr>b</m:r></m:den></m:f></m:oMath><![endif]--><![if !msEquation]><span><img width=8 src="file:///C:/Temp/image001.png"></span><![endif]>`.replace(
    'm:val=roman',
    'm:val="roman"',
  );
const katex =
  '<span class="katex"><span class="katex-mathml"><math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><msqrt><mn>2</mn></msqrt></mrow><annotation encoding="application/x-tex">\\sqrt{2}</annotation></semantics></math></span><span class="katex-html" aria-hidden="true"><span class="base">2</span></span></span>';

const asText = (html: string) => convertPasted(html, { inline: false });

test.each<[name: string, html: string, text: string]>([
  [
    'powers and indices of a page in Chromium',
    chrome(
      `<span style="${CHROME}">5·10</span><sup style="${CHROME}">2</sup><span style="${CHROME}"><span>&nbsp;</span>и H</span><sub>2</sub><span>SO</span><sub>4</sub>`,
    ),
    '5·10² и H₂SO₄',
  ],
  [
    'powers by their style',
    chrome('<span>10</span><span style="vertical-align: super;">−3</span>'),
    '10⁻³',
  ],
  [
    'a copy of Google Docs',
    `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr" style="line-height:1.38;"><span style="font-size:11pt;white-space:pre-wrap;">x</span><span style="font-size:0.6em;vertical-align:super;white-space:pre-wrap;">2</span><span style="font-weight:700;"> жирно</span></p></b>`,
    'x² **жирно**',
  ],
  [
    'paragraphs and indices of Word',
    word(
      "<p class=MsoNormal style='margin-left:36pt'>Сила F<sub>1</sub> и <b>масса</b>\nтела<o:p></o:p></p><p class=MsoNormal>Второй</p>",
    ),
    'Сила F₁ и **масса** тела\n\nВторой',
  ],
  [
    'a list of Word',
    word(listed('·', 'один') + listed('·', '10<sup>2</sup>') + listed('o', 'внутри', 2)),
    '- один\n\n- 10²\n\n  - внутри',
  ],
  ['a numbered list of Word', word(listed('2.', 'два') + listed('3.', 'три')), '2. два\n3. три'],
  ['a lettered list of Word', word(listed('а)', 'да') + listed('б)', 'нет')), '- а) да\n- б) нет'],
  ['a formula of Word', word(`<p class=MsoNormal>Найдите ${omml}</p>`), 'Найдите $\\frac{a}{b}$'],
  ['a formula of a page', chrome(`<p>Корень ${katex} равен</p>`), 'Корень $\\sqrt{2}$ равен'],
  [
    'a formula of our pages',
    chrome(
      `Корень <span data-math="inline"><span data-spoken="" lang="ru">корень из двух</span><span aria-hidden="true">${katex}</span></span>`,
    ),
    'Корень $\\sqrt{2}$',
  ],
  [
    'a formula of Wikipedia',
    chrome(
      '<p>где <img class="mwe-math-fallback-image-inline" src="https://wikimedia.org/x.svg" alt="{\\displaystyle x^{2}}"></p>',
    ),
    'где ${\\displaystyle x^{2}}$',
  ],
  ['MathML', chrome('<math><msup><mi>x</mi><mn>2</mn></msup></math>'), '$x^{2}$'],
  ['formulas in brackets', chrome('<p><b>Найдите</b> \\(x\\)</p>'), '**Найдите** $x$'],
  [
    'a list of a page',
    chrome('<ul><li>10<sup>2</sup></li><li>10<sup>3</sup></li></ul>'),
    '- 10²\n- 10³',
  ],
  [
    'a table of Excel',
    '<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><style><!--td{mso-ignore:padding}--></style></head><body><table border=0><!--StartFragment--><col width=64><tr height=20><td class=xl65>м<font class="font5"><sup>2</sup></font></td><td>25%</td></tr><tr><td>1/2</td><td>007</td></tr><!--EndFragment--></table></body></html>',
    '| | |\n| - | - |\n| м² | 25% |\n| 1/2 | 007 |',
  ],
  [
    'a cell of Excel',
    '<html><body><table><!--StartFragment--><tr><td class=xl65>10<font class="font5"><sup>2</sup></font></td></tr><!--EndFragment--></table></body></html>',
    '10²',
  ],
  [
    'lines of a messenger',
    chrome('<span style="white-space: pre-wrap;">a\n10<sup>2</sup></span>'),
    'a\n10²',
  ],
  ['signs of Markdown', chrome('<p><i>2*3*4</i> и x_1_</p>'), '*2\\*3\\*4* и x_1\\_'],
])('%s: nothing is lost', (_, html, text) => {
  expect(asText(html)).toEqual({ text, losses: [], pictures: [] });
});

test('pictures that the HTML holds come in, others are reported', () => {
  const src = 'data:image/png;base64,iVBORw0KGgo=';
  expect(asText(chrome(`<p>Схема <img src="${src}" alt="цепи"></p>`))).toEqual({
    text: 'Схема ![цепи](file:pasted-0)',
    losses: [],
    pictures: [src],
  });
  const foreign = asText(word('<p>Схема <img src="file:///C:/x.png" alt="цепи"></p>'));
  expect(foreign?.text).toBe('Схема цепи');
  expect(foreign?.losses).toEqual([expect.stringContaining('Картинка не вставлена')]);
});

test.each([
  ['links', '<a href="https://ru.wikipedia.org/wiki/X">кислота</a>', 'Ссылки'],
  ['underlining', '<u>подчёркнуто</u>', 'подчёркивание'],
  ['a video', 'видео <video src="x"></video>', 'видео'],
  ['an embedded page', 'карта <iframe src="x"></iframe>', 'вставленная страница'],
])('%s are reported', (_, html, said) => {
  expect(asText(chrome(`<p>${html}</p>`))?.losses.join()).toContain(said);
});

test.each<[name: string, html: string, lines: string[]]>([
  ['a list', '<ul><li>10<sup>2</sup></li><li>H<sub>2</sub>O</li></ul>', ['10²', 'H₂O']],
  ['paragraphs with letters', '<p>а) 10<sup>2</sup></p><p>б) 10<sup>3</sup></p>', ['10²', '10³']],
  ['broken lines', '1) 10<sup>2</sup><br>2) 10<sup>3</sup>', ['10²', '10³']],
  [
    'a column',
    '<table><tr><td>x<sup>2</sup></td></tr><tr><td>x<sup>3</sup></td></tr></table>',
    ['x²', 'x³'],
  ],
  [
    'a table',
    '<table><tr><td>a</td><td>1</td></tr><tr><td>b</td><td>2</td></tr></table>',
    ['a 1', 'b 2'],
  ],
])('%s becomes lines without their marks', (_, html, lines) => {
  expect(convertPastedLines(chrome(html))?.lines).toEqual(lines);
});

test.each<[html: string, plain: string]>([
  ['5·10<sup>2</sup>', '5·10²'],
  ['H<sub>2</sub>SO<sub>4</sub>', 'H₂SO₄'],
  ['x<sup>max</sup>', 'xᵐᵃˣ'],
  ['x<sup>я+1</sup>', 'x^(я+1)'],
  [katex, '√2'],
  ['<b>2*3</b> | 4', '2*3 | 4'],
  ['<p>1. Ответ</p>', '1. Ответ'],
  ['вид <img src="https://a.ru/x.png" alt="цепи">', 'вид цепи'],
  ['вид <img src="https://a.ru/x.png">', 'вид рисунок'],
])('%s in a plain field is %s', (html, plain) => {
  expect(convertPastedPlain(chrome(html), false)).toBe(plain);
});

test('lines of a plain text stay lines', () => {
  expect(convertPastedPlain(chrome('<p>10<sup>2</sup></p><p>да</p>'), true)).toBe('10²\n\nда');
});

test('every digit of a power stays separate from its base in any markup', () => {
  const wrap = fc.constantFrom('span', 'b', 'i', 'p', 'li', 'td', 'div', 'font', 'code');
  const level = fc.constantFrom(
    ['<sup>', '</sup>'],
    ['<sup style="font-size:10px"><span>', '</span></sup>'],
    ['<span style="vertical-align: super;">', '</span>'],
    ['<sub>', '</sub>'],
    ['<span style="color:red;vertical-align:sub">', '</span>'],
  );
  fc.assert(
    fc.property(wrap, level, fc.nat(99), fc.nat(99), (tag, [open, close], base, power) => {
      const html = chrome(`<${tag}>${base}${open}${power}${close}</${tag}>`);
      for (const text of [asText(html)?.text, convertPastedPlain(html, false)])
        expect(text).not.toContain(`${base}${power}`);
    }),
  );
});

test('hostile HTML ends in a text or in nothing', () => {
  expect(asText('<b>'.repeat(50_000))).toBeNull();
  expect(asText('<!--[if gte msEquation 12]>'.repeat(20_000))).not.toBeUndefined();
  expect(asText(`<p style='mso-list:l0 level9'>${'<p>'.repeat(80)}x`)?.text).toContain('x');
  expect(asText('<script>alert(1)</script><img src=x onerror=alert(1)><b>a</b>')?.text).toBe(
    '**a**',
  );
});
