import { gcd, lcm, round } from './library.ts';
import { TemplateError } from './template-error.ts';

/** A function of expressions: its arity and implementation. */
export interface NamedFunction {
  readonly least: number;
  readonly most: number;
  readonly apply: (numbers: readonly number[]) => number;
}

/** Maximum number of arguments. */
const MANY = 20;
/** Below it a cosine is a right angle. */
const RIGHT_ANGLE = 1e-15;
/** 171! exceeds the range of a double. */
const MAX_FACTORIAL = 170;

const fail = (message: string): never => {
  throw new TemplateError(message);
};

const ofOne = (apply: (x: number) => number): NamedFunction => ({
  least: 1,
  most: 1,
  apply: ([x = NaN]) => apply(x),
});
const ofMany = (apply: (numbers: readonly number[]) => number): NamedFunction => ({
  least: 2,
  most: MANY,
  apply,
});
const radians = (degrees: number) => (degrees * Math.PI) / 180;
const inDegrees = (angle: number) => (angle * 180) / Math.PI;

function tangent(angle: number): number {
  return Math.abs(Math.cos(angle)) < RIGHT_ANGLE ? fail('тангенс не определён') : Math.tan(angle);
}

/** Checks the domain −1 to 1 of arcsine and arccosine. */
const cosineLike = (name: string, apply: (x: number) => number) => (x: number) =>
  x < -1 || x > 1 ? fail(`${name} определён от −1 до 1`) : apply(x);
const positive = (apply: (x: number) => number) => (x: number) =>
  x > 0 ? apply(x) : fail('логарифм определён только для чисел больше нуля');
const log = positive(Math.log);

function squareRoot(x: number): number {
  return x < 0 ? fail('корень из отрицательного числа') : Math.sqrt(x);
}

export function factorial(n: number): number {
  if (!Number.isInteger(n) || n < 0) return fail('факториал определён для целых чисел от нуля');
  if (n > MAX_FACTORIAL) return fail(`факториал слишком велик: не больше ${MAX_FACTORIAL}!`);
  let product = 1;
  for (let factor = 2; factor <= n; factor += 1) product *= factor;
  return product;
}

/** The remainder with the sign of the divisor. */
export function modulo(a: number, b: number): number {
  return b === 0 ? fail('деление на ноль') : a - b * Math.floor(a / b);
}

export function power(base: number, exponent: number): number {
  if (base === 0 && exponent < 0) return fail('деление на ноль');
  const result = base ** exponent;
  return Number.isNaN(result) ? fail('дробная степень отрицательного числа') : result;
}

const wholes = (name: string, apply: (a: number, b: number) => number) =>
  ofMany((numbers) => {
    if (!numbers.every(Number.isSafeInteger)) fail(`${name} считается только для целых чисел`);
    return numbers.reduce((a, b) => apply(a, b));
  });

/** Rounds half away from zero by the written digits: 1,005 to two decimals is 1,01. No negative zero. */
export function roundTo(value: number, decimals: number): number {
  // Beyond it a double has no decimals to round, and the library writes exponents.
  const rounded = Math.abs(value) >= 1e15 ? value : round(value, decimals);
  return rounded === 0 ? 0 : rounded;
}

function rounded([value = NaN, decimals = 0]: readonly number[]): number {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > 10)
    return fail('round округляет до 0–10 знаков');
  return roundTo(value, decimals);
}

function logarithm([x = NaN, base]: readonly number[]): number {
  if (base === undefined) return log(x);
  return base === 1 ? fail('основание логарифма не может быть единицей') : log(x) / log(base);
}

const arcsine = cosineLike('арксинус', Math.asin);
const arccosine = cosineLike('арккосинус', Math.acos);
const log10 = ofOne(positive(Math.log10));
const ln = ofOne(log);

/** Every function an expression may call; angles are in radians, with `d` at the end in degrees. */
export const FUNCTIONS: ReadonlyMap<string, NamedFunction> = new Map([
  ['sin', ofOne(Math.sin)],
  ['cos', ofOne(Math.cos)],
  ['tan', ofOne(tangent)],
  ['asin', ofOne(arcsine)],
  ['acos', ofOne(arccosine)],
  ['atan', ofOne(Math.atan)],
  ['sind', ofOne((x) => Math.sin(radians(x)))],
  ['cosd', ofOne((x) => Math.cos(radians(x)))],
  [
    'tand',
    ofOne((x) => (modulo(x, 180) === 90 ? fail('тангенс не определён') : tangent(radians(x)))),
  ],
  ['asind', ofOne((x) => inDegrees(arcsine(x)))],
  ['acosd', ofOne((x) => inDegrees(arccosine(x)))],
  ['atand', ofOne((x) => inDegrees(Math.atan(x)))],
  ['rad', ofOne(radians)],
  ['deg', ofOne(inDegrees)],
  ['sqrt', ofOne(squareRoot)],
  ['cbrt', ofOne(Math.cbrt)],
  ['abs', ofOne(Math.abs)],
  ['round', { least: 1, most: 2, apply: rounded }],
  ['floor', ofOne(Math.floor)],
  ['ceil', ofOne(Math.ceil)],
  ['exp', ofOne(Math.exp)],
  ['log', { least: 1, most: 2, apply: logarithm }],
  ['ln', ln],
  ['log10', log10],
  ['lg', log10],
  ['min', { ...ofMany((numbers) => Math.min(...numbers)), least: 1 }],
  ['max', { ...ofMany((numbers) => Math.max(...numbers)), least: 1 }],
  ['mod', { least: 2, most: 2, apply: ([a = NaN, b = NaN]) => modulo(a, b) }],
  ['gcd', wholes('НОД (gcd)', (a, b) => gcd(a, b))],
  ['lcm', wholes('НОК (lcm)', (a, b) => lcm(a, b))],
  ['factorial', ofOne(factorial)],
  ['sign', ofOne(Math.sign)],
]);

/** Named constants. */
export const CONSTANTS: ReadonlyMap<string, number> = new Map([
  ['pi', Math.PI],
  ['π', Math.PI],
  ['e', Math.E],
]);
