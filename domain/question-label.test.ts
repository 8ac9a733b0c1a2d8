import fc from 'fast-check';
import { expect, test } from 'vitest';
import { questionLabel, spokenQuestionLabel } from './question-label.ts';

const label = (text: string) => questionLabel({ text });

test('a title names the question; without one the beginning of the text does', () => {
  expect(questionLabel({ title: ' Координата\nпо закону ', text: 'Тело движется' })).toBe(
    'Координата по закону',
  );
  expect(questionLabel({ title: '  ', text: 'Тело\n\nдвижется' })).toBe('Тело движется');
  expect(label('')).toBe('Без текста');
  expect(label(' \n ')).toBe('Без текста');
});

test('Markdown markup is left out, text is not', () => {
  expect(label('## Задача\n\n1. **Найдите** *массу* и _силу_')).toBe('Задача Найдите массу и силу');
  expect(label('> Смотрите [таблицу](https://example.org) и `код`')).toBe('Смотрите таблицу и код');
  expect(label('![Брусок на плоскости](file:0198c0de) Что верно?')).toBe(
    'Брусок на плоскости Что верно?',
  );
  expect(label('![](file:0198c0de)')).toBe('рисунок');
  expect(label('![](audio-file:0198c0de)')).toBe('запись');
  expect(label('| t, с | 0 |\n|---|---|\n| v | 4,9 |')).toBe('t, с 0 v 4,9');
  expect(label('snake_case_name и 2\\*3')).toBe('snake_case_name и 2*3');
});

test('an escaped sign is text, and no markup', () => {
  expect(label('Лёд \\_\\_\\_\\_\\_ воды')).toBe('Лёд _____ воды');
  expect(label('\\*\\*не жирно\\*\\* и \\[не ссылка\\](a)')).toBe('**не жирно** и [не ссылка](a)');
});

test('formulas are shown as a line of signs', () => {
  expect(label('Координата $x(t)=5+4t-3t^2\\ \\text{(м)}$')).toBe('Координата x(t) = 5+4t−3t² (м)');
  expect(label('Ускорение $$a = \\frac{F}{m} \\cdot 2$$ равно')).toBe(
    'Ускорение a = F/m · 2 равно',
  );
  expect(label(`Ряд $${'x+'.repeat(40)}x$`)).toMatch(/^Ряд x\+.{20,40}…$/);
  expect(label('Стоит 5$ или 6$')).toBe('Стоит 5$ или 6$');
});

test('a long text is cut between words', () => {
  const cut = label('слово '.repeat(60));
  expect(cut.length).toBeLessThanOrEqual(91);
  expect(cut).toMatch(/слово…$/);
});

test('a text of just 90 characters stays whole', () => {
  expect(label('ю'.repeat(90))).toBe('ю'.repeat(90));
  expect(label('ю'.repeat(91))).toBe(`${'ю'.repeat(90)}…`);
});

test('a word that fills half of the line is itself cut', () => {
  expect(label(`${'а'.repeat(46)} ${'б'.repeat(60)}`)).toBe(`${'а'.repeat(46)}…`);
  expect(label(`${'а'.repeat(45)} ${'б'.repeat(60)}`)).toBe(`${'а'.repeat(45)} ${'б'.repeat(44)}…`);
});

test('any number of blanks is one, in titles and formulas too', () => {
  expect(questionLabel({ title: 'Закон \n\t Ома', text: '' })).toBe('Закон Ома');
  expect(label(`$a${' '.repeat(20)}+${' '.repeat(20)}b$`)).toBe('a+b');
});

test.each([
  ['$\\dfrac{10}{25}$', '10/25'],
  ['$\\tfrac {a+b} {2c}$', '(a+b)/(2c)'],
  ['$\\sqrt{2gh}$', '√(2gh)'],
  ['$\\sqrt {x}$', '√x'],
  ['$\\text {м/с}$', 'м/с'],
  ['$\\vec{F} = m\\vec{a}$', 'F⃗ = ma⃗'],
  ['$\\left( x \\right)$', '(x)'],
  ['$\\displaystyle\\sum\\limits_{i} x$', '∑ᵢx'],
  ['$a \\leftarrow b$', 'a ← b'],
  ['$v \\le 3 \\cdot 10^8$', 'v ≤ 3 · 10⁸'],
])('%s reads %s', (tex, words) => {
  expect(label(`Ответ ${tex} верен`)).toBe(`Ответ ${words} верен`);
});

test('a dollar before a number is money', () => {
  expect(label('От $5 до 6$7 рублей')).toBe('От $5 до 6$7 рублей');
});

test.each([
  ['a | b\n--- | ---\n1 | 2', 'a b 1 2'],
  ['a | b\n:---: | ---:\n1 | 2', 'a b 1 2'],
  ['| a | b |\n  |  :-----  | --- |  \n| 1 | 2 |', 'a b 1 2'],
  ['| a | b |\n|---|---|\n| --- | нет |', 'a b --- нет'],
  ['Ответ | --- |', 'Ответ ---'],
  ['|---| и ---', '--- и ---'],
  ['Ответ|---|', 'Ответ ---'],
  ['|ответ---|', 'ответ---'],
  ['|---ответ|', '---ответ'],
  ['|---|ответ', '--- ответ'],
  ['|---|---ответ', '--- ---ответ'],
  ['|---|-', '--- -'],
])('the line under the head of a table is left out, dashes of a cell are not: %j', (text, line) => {
  expect(label(text)).toBe(line);
});

test.each([
  ['- сила\n  * масса\n+ путь', 'сила масса путь'],
  ['12. Найдите массу\n3) и силу', 'Найдите массу и силу'],
  ['###### Задача', 'Задача'],
  ['-    сила', 'сила'],
  ['Да\n-\nнет', 'Да нет'],
  ['слово- да', 'слово- да'],
  ['x> 5', 'x> 5'],
  ['-5 и 2.5', '-5 и 2.5'],
  ['в 1905. году', 'в 1905. году'],
])('marks of lists and headings are left out at the beginning of a line: %j', (text, line) => {
  expect(label(text)).toBe(line);
});

test.each([
  ['**x** и __y__', 'x и y'],
  ['**два слова** и ~~три\nслова~~', 'два слова и три слова'],
  ['``a`b``', 'a`b'],
  ['*сила* и _масса_', 'сила и масса'],
  ['*x* и (_y_)', 'x и (y)'],
  ['2*3*4 и a_b_c', '2*3*4 и a_b_c'],
  ['* * *', '* *'],
])('marks of emphasis go with what they mark: %j', (text, line) => {
  expect(label(text)).toBe(line);
});

test('any text gives a single line', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), (text) => {
      const line = label(text);
      expect(line).not.toBe('');
      expect(line).not.toContain('\n');
      expect(line.length).toBeLessThanOrEqual(91);
    }),
  );
});

test('for those who listen formulas are words, gaps have their numbers', () => {
  expect(spokenQuestionLabel({ text: 'Чему равен $\\sqrt{2}$?' })).toBe('Чему равен корень из 2?');
  expect(spokenQuestionLabel({ kind: 'gaps', text: '$x^2$ равно [[1]]' })).toBe(
    'x в квадрате равно пропуск 1',
  );
  expect(spokenQuestionLabel({ title: 'Корни', text: '$x$' })).toBe('Корни');
  expect(spokenQuestionLabel({ text: '' })).toBe('Без текста');
});

test('a text that is only cut is spoken as it is shown, in its own language', () => {
  const long =
    'Read the text about the two friends and say who was late, then explain why in a sentence. ';
  const after = `${long}${long}$x^2$`;
  for (const text of [long.repeat(3), after]) {
    expect(spokenQuestionLabel({ text })).toBe(questionLabel({ text }));
    expect(spokenQuestionLabel({ text }, 160)).toBe(questionLabel({ text }, 160));
  }
  expect(spokenQuestionLabel({ text: `$x^2$ ${long}` })).toContain('x в квадрате');
});

test('titles show formulas and code as texts do, and stay as they are otherwise', () => {
  const titled = (title: string) => questionLabel({ title, text: '' });
  expect(titled('Перевод $1011001_2$')).toBe('Перевод 1011001₂');
  expect(titled('$\\begin{cases}x=1\\\\y=2\\end{cases}$')).toBe('{x = 1; y = 2');
  expect(titled('Вывод `print(1)`')).toBe('Вывод print(1)');
  expect(titled('snake_case_name, 2*3*4 и # 1')).toBe('snake_case_name, 2*3*4 и # 1');
  expect(spokenQuestionLabel({ title: 'Корень $\\sqrt{2}$', text: '' })).not.toMatch(/[$\\]/);
});

test('code is shown without its quotes, its signs as they are', () => {
  expect(label('Что выведет ` a `?')).toBe('Что выведет a?');
  expect(label('```python\nprint(1)\n```')).toBe('print(1)');
  expect(label('Строка ``a`b`` и `*x* $y$`')).toBe('Строка a`b и *x* $y$');
  expect(label('Знак \\` и \\` сам')).toBe('Знак ` и ` сам');
});

test('a formula beyond what is read of a text is shown whole or not at all', () => {
  const system = '$\\begin{cases}x+y=3\\\\x-y=1\\end{cases}$';
  const links = `[да](https://a.ru/${'x'.repeat(960)}) `;
  expect(label(links + system)).toBe('да {x+y = 3; x−y = 1');
});

test('no label shows source of a formula, wherever it stands', () => {
  const tex = fc.constantFrom(
    '\\begin{cases}x=1\\\\y=2\\end{cases}',
    '1011001_2',
    '\\frac{1}{2}',
    'x^{10}',
  );
  const prose = fc.constantFrom('Решите ', '', '**Найдите** ', '`код` ', '- ', '1. ', '> ');
  fc.assert(
    fc.property(prose, tex, fc.boolean(), fc.boolean(), (before, formula, isDisplay, isTitle) => {
      const text = `${before}${isDisplay ? `$$${formula}$$` : `$${formula}$`}`;
      const shown = questionLabel(isTitle ? { title: text, text: '' } : { text });
      expect(shown).not.toMatch(/[\\$`]|begin|_2|\^/);
    }),
  );
});
