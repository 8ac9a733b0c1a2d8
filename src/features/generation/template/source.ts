import { TemplateError } from './template-error.ts';

/** Typed or pasted characters and their expression operators, each of the same length. */
const SAME: Readonly<Record<string, string>> = {
  '−': '-',
  '–': '-',
  '×': '*',
  '·': '*',
  '⋅': '*',
  '÷': '/',
  '\u00a0': ' ',
  '\n': ' ',
  '\t': ' ',
};

/** Cyrillic letters that look like the intended Latin ones. */
const LOOKALIKES = 'аАвВеЕкКмМнНоОрРсСтТуУхХ';
const ALLOWED = /[A-Za-z0-9_π.,;+\-*/^%()<>=!?: ]/;
/** Maximum depth of parentheses, which protects the parser's stack. */
const MAX_NESTING = 30;
const SHOWN_CHARACTERS = 60;

/** An expression as errors quote it. */
function quoted(source: string): string {
  const line = source.trim().replaceAll(/\s+/g, ' ');
  return line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line;
}

/** @throws {TemplateError} always, with the expression and the reason */
export function unreadable(source: string, why: string): never {
  throw new TemplateError(`Выражение «${quoted(source)}» не разобрать: ${why}`);
}

function checkSign(source: string, sign: string, place: number): void {
  if (ALLOWED.test(sign)) return;
  if (LOOKALIKES.includes(sign))
    unreadable(source, `буква «${sign}» русская, а нужна латинская (знак ${place})`);
  unreadable(source, `знак «${sign}» здесь не используется (знак ${place})`);
}

interface Parentheses {
  readonly place: number;
  /** Whether these parentheses contain function arguments. */
  readonly isCall: boolean;
  readonly commas: number[];
  readonly semicolons: number[];
}

const isBetweenDigits = (signs: readonly string[], at: number) =>
  /\d/.test(signs[at - 1] ?? '') && /\d/.test(signs[at + 1] ?? '');

/** Decides whether each comma within one level of parentheses is a decimal comma or a separator. */
function settle(
  source: string,
  signs: string[],
  { isCall, commas, semicolons }: Parentheses,
): void {
  const [stray] = semicolons;
  if (!isCall && stray !== undefined)
    unreadable(source, `лишняя точка с запятой (знак ${stray + 1})`);
  if (isCall && semicolons.length === 0) return;
  for (const comma of commas) {
    if (!isBetweenDigits(signs, comma)) unreadable(source, `лишняя запятая (знак ${comma + 1})`);
    signs[comma] = '.';
  }
  for (const semicolon of semicolons) signs[semicolon] = ',';
}

/**
 * Converts typed text to parser input, character by character, so that positions are preserved. A comma is
 * decimal outside of functions; inside them only if «;» separates the arguments: `max(1,5; a)`.
 * @throws {TemplateError} invalid characters, unbalanced parentheses
 */
export function readableSource(source: string): string {
  const signs = Array.from(source, (sign) => SAME[sign] ?? sign);
  const whole: Parentheses = { place: -1, isCall: false, commas: [], semicolons: [] };
  const open: Parentheses[] = [whole];
  signs.forEach((sign, at) => {
    checkSign(source, sign, at + 1);
    const inner = open.at(-1) ?? whole;
    if (sign === ',') inner.commas.push(at);
    if (sign === ';') inner.semicolons.push(at);
    if (sign === '(') {
      const isCall = /[A-Za-z_]\w*\s*$/.test(signs.slice(0, at).join('').slice(-40));
      open.push({ place: at, isCall, commas: [], semicolons: [] });
      if (open.length > MAX_NESTING) unreadable(source, 'слишком много вложенных скобок');
    }
    if (sign === ')') {
      if (open.length === 1) unreadable(source, `лишняя закрывающая скобка (знак ${at + 1})`);
      settle(source, signs, inner);
      open.pop();
    }
  });
  const unclosed = open.at(-1);
  if (unclosed && unclosed !== whole)
    unreadable(source, `не закрыта скобка (знак ${unclosed.place + 1})`);
  settle(source, signs, whole);
  return signs.join('');
}
