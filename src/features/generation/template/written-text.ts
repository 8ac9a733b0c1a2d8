import { findFormulas } from '#domain/format-math.ts';
import { parseExpression, type Expression, type Values } from './expression.ts';
import { formulaNumber, plainNumber } from './numbers.ts';
import { TemplateError } from './template-error.ts';

/** A text with placeholders for numbers, compiled for rendering any draw. */
export interface WrittenText {
  readonly names: readonly string[];
  /** @throws {TemplateError} an expression cannot be evaluated */
  readonly write: (values: Values) => string;
}

interface Place {
  readonly expression: Expression;
  /** Inside `$…$`: KaTeX wants a point-free comma and its own minus. */
  readonly isFormula: boolean;
}

const PLACE = /\{\{([^{}]*)\}\}/g;
const MAX_PLACES = 200;

/** TeX operators and commands after which a negative number needs parentheses. */
const TEX_OPERATOR =
  /(?:[+\-*/:·×÷\d)\]}]|\\(?:cdot|times|div|pm|mp|ast|sin|cos|tan|tg|ctg|cot|log|ln|lg|exp)|(?:^|[^\\A-Za-z])[A-Za-zА-яЁё])$/;
/** In plain text only after a number or a parenthesis: otherwise it may be a dash. */
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

/** Splits a text into formulas and plain parts. */
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
 * Compiles a text with `{{a}}` and `{{a * b}}`. Numbers get a decimal comma and a minus sign. Inside formulas they are
 * TeX: a negative one gets parentheses after an operator or a factor and before a power, and braces in an index or an
 * exponent. `shown` rounds the value of an expression.
 * @throws {TemplateError} an expression cannot be read
 */
export function parseText(
  source: string,
  shown: (expression: Expression, values: Values) => number,
): WrittenText {
  const pieces = allPieces(source);
  const places = pieces.filter((piece) => typeof piece !== 'string');
  if (places.length > MAX_PLACES)
    throw new TemplateError(`Мест для чисел в тексте больше ${MAX_PLACES}`);
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
