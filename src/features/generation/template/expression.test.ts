import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cpuMs } from '#tests/cpu.ts';
import { parseExpression } from './expression.ts';
import { FUNCTIONS } from './functions.ts';
import { TemplateError } from './template-error.ts';

const values = (given: Readonly<Record<string, number>>) => new Map(Object.entries(given));
const valueOf = (source: string, given: Readonly<Record<string, number>> = {}) =>
  parseExpression(source).evaluate(values(given));

test.each([
  ['2 + 2 * 2', 6],
  ['-3 ^ 2', -9],
  ['2 ^ -1', 0.5],
  ['2,5 * 4', 10],
  ['(1,5 + 0.5) × 3', 6],
  ['8 − 3', 5],
  ['max(1,5; 2)', 2],
  ['max(1,5)', 5],
  ['round(2.345; 2)', 2.35],
  ['round(-2.5)', -3],
  ['7 % 4', 3],
  ['mod(-1, 3)', 2],
  ['10%', 0.1],
  ['5!', 120],
  ['factorial(170) / factorial(169)', 170],
  ['gcd(12, 18) + lcm(4, 6)', 18],
  ['sind(30)', 0.5],
  ['cosd(60)', 0.5],
  ['tand(45)', 1],
  ['asind(1)', 90],
  ['deg(pi)', 180],
  ['rad(180) - π', 0],
  ['log(8, 2)', 3],
  ['lg(1000) + ln(e)', 4],
  ['cbrt(-27)', -3],
  ['sign(-4) + abs(-4)', 3],
  ['0,1 + 0,2 == 0,3', 1],
  ['1 < 2 < 3', 1],
  ['3 <= 2 or not (1 != 1)', 1],
  ['2 > 1 and 1 > 2', 0],
  ['1 > 2 ? 10 : 20', 20],
  ['0 * -1', 0],
])('%s is %d', (source, expected) => {
  expect(valueOf(source)).toBeCloseTo(expected, 12);
});

test('variables are read from the draw, in order of use', () => {
  const expression = parseExpression('b + a * b - round(c)');
  expect(expression.names).toEqual(['b', 'a', 'c']);
  expect(expression.evaluate(values({ a: 2, b: 3, c: 0.4 }))).toBe(9);
});

test.each([
  ['a */ b', 'Выражение «a */ b» не разобрать: «/» стоит не на месте (знак 4)'],
  ['3 + ', 'Выражение «3 +» не разобрать: в конце не хватает числа или переменной'],
  ['(a + 1', 'Выражение «(a + 1» не разобрать: не закрыта скобка (знак 1)'],
  ['a + 1)', 'Выражение «a + 1)» не разобрать: лишняя закрывающая скобка (знак 6)'],
  ['а + 1', 'Выражение «а + 1» не разобрать: буква «а» русская, а нужна латинская (знак 1)'],
  [
    'a = 3',
    'Выражение «a = 3» не разобрать: знак «=» ничего не сравнивает, для сравнения пишите «==»',
  ],
  ['2a', 'Выражение «2a» не разобрать: между «2» и «a» нужен знак действия, например *'],
  ['a(2)', 'Выражение «a(2)» не разобрать: функции «a» нет; умножение пишется знаком *'],
  [
    'sin + 1',
    'Выражение «sin + 1» не разобрать: sin это функция: после неё нужны скобки, например sin(2)',
  ],
  [
    'sqrt(2,5)',
    'Выражение «sqrt(2,5)» не разобрать: sqrt берёт одно число; дробь внутри функции пишите с точкой: sqrt(2.5)',
  ],
  ['1;2', 'Выражение «1;2» не разобрать: лишняя точка с запятой (знак 2)'],
  ['(a, b)', 'Выражение «(a, b)» не разобрать: лишняя запятая (знак 3)'],
  ['1e999', 'Выражение «1e999» не разобрать: число слишком велико'],
  ['true', 'Выражение «true» не разобрать: «true» не число'],
  ['', 'Введите выражение'],
])('%j is refused: %s', (source, message) => {
  expect(() => parseExpression(source)).toThrow(new TemplateError(message));
});

test.each([
  '[1, 2]',
  '{a: 1}',
  '"text"',
  "a'",
  'a.b',
  'f(x) = x',
  '1:3',
  'a; b',
  '5 cm',
  '2 in',
  'a[1]',
  '#x',
  'a .* b',
  'a | b',
  'a ~ b',
  'import("x")',
  'constructor',
  '__proto__',
  'toString()',
  'evaluate("1")',
  'Infinity',
  'NaN',
  'null',
  'undefined',
  'random()',
  'x => x',
  `${'('.repeat(400)}1${')'.repeat(400)}`,
  '-'.repeat(499) + '1',
  Array.from({ length: 250 }, () => '1').join('^'),
  Array.from({ length: 124 }, () => '1?1').join(':') + ':1',
])('%s is no expression, or none without its variables', (source) => {
  expect(() => valueOf(source)).toThrow(TemplateError);
});

test.each([
  ['a / (a - b)', 'Деление на ноль при a = 3, b = 3'],
  ['a + x', 'Переменная x не задана при a = 3'],
  ['sqrt(-a)', 'Корень из отрицательного числа при a = 3'],
  ['(-a) ^ 0,5', 'Дробная степень отрицательного числа при a = 3'],
  ['ln(a - b)', 'Логарифм определён только для чисел больше нуля при a = 3, b = 3'],
  ['asin(a)', 'Арксинус определён от −1 до 1 при a = 3'],
  ['tand(30 * a)', 'Тангенс не определён при a = 3'],
  ['factorial(a * 60)', 'Факториал слишком велик: не больше 170! при a = 3'],
  ['10 ^ (a * 9)', 'Получается слишком большое число при a = 3'],
  ['gcd(a; 1,5)', 'НОД (gcd) считается только для целых чисел при a = 3'],
])('%s reports why it cannot be evaluated: %s', (source, message) => {
  const { evaluate } = parseExpression(source);
  expect(() => evaluate(values({ a: 3, b: 3 }))).toThrow(
    new TemplateError(message.charAt(0).toUpperCase() + message.slice(1)),
  );
});

test('unused branches are not evaluated: a condition guards its branch', () => {
  expect(valueOf('a == 0 ? 1 : 6 / a', { a: 0 })).toBe(1);
  expect(valueOf('a != 0 and 6 / a > 1', { a: 0 })).toBe(0);
});

describe('whatever is typed', () => {
  const signs = Array.from('abxyze0123456789.,;+-*/^%()<>=!?: ππ−×');
  const pieces = [
    ...signs,
    ...FUNCTIONS.keys(),
    'and',
    'or',
    'not',
    'mod',
    'to',
    'in',
    '[',
    '{',
    '"',
  ];
  const garbage = fc.oneof(
    fc.array(fc.constantFrom(...pieces), { maxLength: 120 }).map((all) => all.join('')),
    fc.string({ maxLength: 500 }),
    fc.string({ unit: 'binary', maxLength: 200 }),
  );

  test('gives a finite number or the engine’s own error, at once', () => {
    const started = cpuMs();
    fc.assert(
      fc.property(garbage, fc.double({ noNaN: true }), (source, a) => {
        const before = cpuMs();
        try {
          const value = valueOf(source, { a, b: 2, x: -1, y: 0.5, z: 0 });
          expect(Number.isFinite(value)).toBe(true);
        } catch (cause) {
          expect(cause).toBeInstanceOf(TemplateError);
        }
        expect(cpuMs() - before).toBeLessThan(5_000);
      }),
      { numRuns: 3_000 },
    );
    expect(cpuMs() - started).toBeLessThan(120_000);
  }, 120_000);

  test('sums and products agree with arithmetic', () => {
    const whole = fc.integer({ min: -1_000, max: 1_000 });
    fc.assert(
      fc.property(whole, whole, whole, (a, b, c) => {
        expect(valueOf('a + b * c - (a - c)', { a, b, c })).toBe(a + b * c - (a - c));
        expect(valueOf(`(${a}) * (${b}) + ${c}`)).toBe(a * b + c);
      }),
    );
  });
});
