import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findFormulas } from './format-math.ts';
import { withDollarFormulas } from './tex-delimiters.ts';

test.each([
  [String.raw`Найдите \(x^2\) при \( x = 3 \).`, 'Найдите $x^2$ при $x = 3$.'],
  [String.raw`\[ \frac{1}{2} \]`, String.raw`$$\frac{1}{2}$$`],
  ['\\[\nx\n\\]', '$$x$$'],
  ['\\(a\n+ b\\)', '$a + b$'],
  [String.raw`\(x\)5`, '$x$\u200b5'],
  [String.raw`$a$ и \(b\)`, '$a$ и $b$'],
  ['\\[\\begin{matrix}a\\\\[2pt]b\\end{matrix}\\]', '$$\\begin{matrix}a\\\\[2pt]b\\end{matrix}$$'],
  [String.raw`\(\left(x\right)\)`, String.raw`$\left(x\right)$`],
  [String.raw`\begin{matrix}`, String.raw`\begin{matrix}`],
  [String.raw`Цена \(5 \$\)`, String.raw`Цена $5 \$$`],
])('%j becomes %j', (given, made) => {
  expect(withDollarFormulas(given)).toBe(made);
});

test.each([
  'Код `\\(x\\)` и текст',
  '```\n\\[x\\]\n```',
  String.raw`$\begin{matrix}a\\[2pt]b\end{matrix}$ и скобка \]`,
  String.raw`Обратная черта \\(x\\)`,
  String.raw`Скобка \( без пары`,
  String.raw`\(\)`,
  'Начало \\(x\n\nконец\\)',
  'Просто (x) и [y]',
])('%j stays', (given) => {
  expect(withDollarFormulas(given)).toBe(given);
});

test('any formula in delimiters is found between dollars, and twice changes nothing', () => {
  const tex = fc.stringMatching(/^[a-z0-9+=^_ {}]{1,12}$/).filter((text) => text.trim() !== '');
  const prose = fc.stringMatching(/^[а-я .,]{1,8}$/);
  fc.assert(
    fc.property(prose, tex, prose, fc.boolean(), (before, formula, after, isDisplay) => {
      const [open, close] = isDisplay ? ['\\[', '\\]'] : ['\\(', '\\)'];
      const made = withDollarFormulas(`${before}${open}${formula}${close}${after}`);
      expect(findFormulas(made)).toMatchObject([{ tex: formula.trim(), display: isDisplay }]);
      expect(withDollarFormulas(made)).toBe(made);
    }),
  );
});
