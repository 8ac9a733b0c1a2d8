import { findFormulas } from '#domain/format-math.ts';
import { parseExpression, type Expression, type Values } from './expression.ts';
import { formulaNumber, plainNumber } from './numbers.ts';
import { TemplateError } from './template-error.ts';

/** A text with places for numbers, ready to be written for any draw. */
export interface WrittenText {
  readonly names: readonly string[];
  /** @throws {TemplateError} a number of it does not come out */
  readonly write: (values: Values) => string;
}

interface Place {
  readonly expression: Expression;
  /** Inside `$…$`: KaTeX wants a point-free comma and its own minus. */
  readonly isFormula: boolean;
}

const PLACE = /\{\{([^{}]*)\}\}/g;
const PLACES_MOST = 200;

/** Signs and commands of TeX after which a negative number needs parentheses. */
const TEX_OPERATOR =
  /(?:[+\-*/:·×÷\d)\]}]|\\(?:cdot|times|div|pm|mp|ast|sin|cos|tan|tg|ctg|cot|log|ln|lg|exp)|(?:^|[^\\A-Za-z])[A-Za-zА-яЁё])$/;
/** In running text only where a number or a parenthesis stands before the sign: else it may be a dash. */
const TEXT_OPERATOR = /[\d)]\s*[+\-−–*×·:÷/]$/;
const SCRIPT = /[\^_]$/;
const POWER_NEXT = /^\s*\^/;

function formulaPart(before: string, value: number, after: string): string {
  const tail = before.trimEnd();
  const number = formulaNumber(value);
  if (SCRIPT.test(tail)) return `{${number}}`;
  const isGuarded = value < 0 && (TEX_OPERATOR.test(tail) || POWER_NEXT.test(after));
  return isGuarded ? `(${number})` : number;
}

function textPart(before: string, value: number): string {
  const number = plainNumber(value);
  return value < 0 && TEXT_OPERATOR.test(before.trimEnd()) ? `(${number})` : number;
}

function piecesOf(source: string, isFormula: boolean): (string | Place)[] {
  const pieces: (string | Place)[] = [];
  let from = 0;
  for (const match of source.matchAll(PLACE)) {
    pieces.push(source.slice(from, match.index));
    pieces.push({ expression: parseExpression(match[1] ?? ''), isFormula });
    from = match.index + match[0].length;
  }
  return [...pieces, source.slice(from)];
}

/** Formulas and what stands between them, each by itself. */
function allPieces(source: string): (string | Place)[] {
  const pieces: (string | Place)[] = [];
  let from = 0;
  for (const { start, end } of findFormulas(source)) {
    pieces.push(...piecesOf(source.slice(from, start), false));
    pieces.push(...piecesOf(source.slice(start, end), true));
    from = end;
  }
  return [...pieces, ...piecesOf(source.slice(from), false)];
}

/**
 * Reads a text with `{{a}}` and `{{a * b}}` in it. Numbers are written with a decimal comma and a true
 * minus; inside formulas as TeX, where a negative one stands in parentheses after a sign, a factor or
 * before a power, and braces hold it in an index or an exponent. `shown` rounds what an expression gives.
 * @throws {TemplateError} an expression cannot be read
 */
export function parseText(
  source: string,
  shown: (expression: Expression, values: Values) => number,
): WrittenText {
  const pieces = allPieces(source);
  const places = pieces.filter((piece) => typeof piece !== 'string');
  if (places.length > PLACES_MOST)
    throw new TemplateError(`Мест для чисел в тексте больше ${PLACES_MOST}`);
  const write = (values: Values) => {
    let written = '';
    pieces.forEach((piece, at) => {
      if (typeof piece === 'string') {
        written += piece;
        return;
      }
      const value = shown(piece.expression, values);
      const next = pieces[at + 1];
      const after = typeof next === 'string' ? next : '';
      written += piece.isFormula ? formulaPart(written, value, after) : textPart(written, value);
    });
    return written;
  };
  return { names: [...new Set(places.flatMap(({ expression }) => expression.names))], write };
}
