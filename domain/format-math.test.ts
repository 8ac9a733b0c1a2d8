import { expect, test } from 'vitest';
import { findFormulas, hasMath, liftMath, MARK } from './format-math.ts';

test.each(['`$x$`', '``a` $x$``', '`a``$x$``b`', '```\n$x$\n```'])(
  'in code a dollar is plain text: %s',
  (source) => {
    expect(liftMath(source)).toEqual({ text: source, formulas: [] });
  },
);

test.each(['a` $x$', '``a` $x$', '`a`` $x$'])('unclosed backticks are no code: %s', (source) => {
  expect(liftMath(source).formulas).toEqual([{ tex: 'x', display: false }]);
});

const inText = (tex: string, display: boolean) => ({ tex, display });

test('inline and block formulas are extracted in their order', () => {
  const { text, formulas } = liftMath('Сила $ F$ и $F=ma$, работа $$\n A = Fs \n$$ и $\\alpha$.');
  expect(formulas).toEqual([
    inText('F=ma', false),
    inText('A = Fs', true),
    inText('\\alpha', false),
  ]);
  const marks = [...text.matchAll(MARK)].map(([, number]) => Number(number));
  expect(marks).toEqual([0, 1, 2]);
  expect(text.replaceAll(MARK, '#')).toBe('Сила $ F$ и #, работа # и #.');
});

test.each([
  ['Стоит 5$ или 6$'],
  ['От $5 до $6'],
  ['Пусто: $$'],
  ['$ x$ с пробелом в начале'],
  ['$x $ с пробелом в конце'],
  ['$две\nстроки$'],
  ['Знак \\$x\\$ сам по себе'],
  ['Стоит \\$x$'],
  ['Без знаков'],
])('a dollar is a sign of its own in %j', (source) => {
  expect(liftMath(source)).toEqual({ text: source, formulas: [] });
  expect(findFormulas(source)).toEqual([]);
  expect(hasMath(source)).toBe(false);
});

test.each([
  ['$a b$', 'a b'],
  ['$x$', 'x'],
  ['$5\\$$', '5\\$'],
  ['$a\\\\$', 'a\\\\'],
  ['\\\\$x$', 'x'],
  ['($x$)', 'x'],
])('%s is the formula %s', (source, tex) => {
  expect(liftMath(source).formulas).toEqual([inText(tex, false)]);
  expect(hasMath(source)).toBe(true);
});

test('a block formula may have any number of lines', () => {
  expect(liftMath('$$a$$').formulas).toEqual([inText('a', true)]);
  expect(liftMath('$$a\n= b\n= c$$').formulas).toEqual([inText('a\n= b\n= c', true)]);
  // Trailing blanks are not part of it.
  expect(liftMath('$$ a $$ и $b$').formulas).toEqual([inText('a', true), inText('b', false)]);
});

test('a formula is found at its position', () => {
  const source = 'Сила $F = ma$, работа $$ A=Fs $$ и `$x$`';
  const found = findFormulas(source);
  expect(found.map(({ tex, display }) => ({ tex, display }))).toEqual([
    inText('F = ma', false),
    inText('A=Fs', true),
  ]);
  expect(found.map(({ start, end }) => source.slice(start, end))).toEqual([
    '$F = ma$',
    '$$ A=Fs $$',
  ]);
});

test('a text cannot contain placeholders of its own', () => {
  expect(liftMath('\ue0000\ue001 и $x$').text.replaceAll(MARK, '#')).toBe('0 и #');
});
