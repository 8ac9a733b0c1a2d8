import { expect, test } from 'vitest';
import { formulaFault } from '#app/ui/rich-text/katex.ts';
import { PALETTE } from './formula-palette.ts';
import { formulaMessage } from './formula-messages.ts';

test.each([
  ['\\frak{1}{2}+\\foo', 'Команды \\foo нет'],
  ['\\frac{1}{2', 'Формула обрывается'],
  ['{x', 'Не хватает закрывающей скобки'],
  ['a & b', 'Знак & пишут с чертой: \\&'],
  ['x}', 'Закрывающая скобка } лишняя'],
  ['\\sqrt', 'Команде \\sqrt не хватает'],
  ['x^', 'После ^ ничего не стоит'],
  ['x^2^3', 'Две степени подряд'],
  ['x_1_2', 'Два индекса подряд'],
  ['\\left( x', 'У \\left нет пары'],
  ['\\begin{cases} x', 'Не закрыто \\begin'],
  ['\\begin{casus} x \\end{casus}', 'Окружения casus нет'],
  ['a $b$', 'Знаки $ внутри не нужны'],
  ['\\def\\a{\\a\\a}\\a', 'разворачивается без конца'],
  [`${'{'.repeat(20_000)}x`, 'Слишком много вложенных скобок'],
])('the error of %s says what to do', (tex, words) => {
  const fault = formulaFault(tex);
  expect(fault).not.toBeNull();
  expect(formulaMessage(fault ?? '')).toContain(words);
});

test('a valid formula has no error, also with Russian text', () => {
  expect(formulaFault('v = \\frac{s}{t}\\ \\text{м/с}')).toBeNull();
});

test('palette snippets are valid once their placeholders are filled', () => {
  for (const { signs } of PALETTE)
    for (const { tex } of signs)
      expect(formulaFault(tex.replaceAll('|', '').replaceAll('{}', '{x}')), tex).toBeNull();
});
