import { expect, test } from 'vitest';
import { formulaFault } from '#app/ui/rich-text/katex.ts';
import { PALETTE } from './formula-palette.ts';
import { formulaWords } from './formula-words.ts';

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
])('of %s it is said what to do', (tex, words) => {
  const fault = formulaFault(tex);
  expect(fault).not.toBeNull();
  expect(formulaWords(fault ?? '')).toContain(words);
});

test('a right formula has no fault, with Russian words in it too', () => {
  expect(formulaFault('v = \\frac{s}{t}\\ \\text{м/с}')).toBeNull();
});

test('what the palette puts in is right once its places are filled', () => {
  for (const { signs } of PALETTE)
    for (const { tex } of signs)
      expect(formulaFault(tex.replaceAll('|', '').replaceAll('{}', '{x}')), tex).toBeNull();
});
