import { ANSWER_TEXT_CHARACTERS } from '#contract/limits.ts';
import type { TemplateVariable } from '#contract/templates.ts';
import { parseExpression, type Expression, type Values } from './expression.ts';
import { CONSTANTS, FUNCTIONS, roundTo } from './functions.ts';
import { MAX_DECIMALS, plainNumber } from './numbers.ts';
import { TemplateError } from './template-error.ts';
import { parseText, type WrittenText } from './written-text.ts';

/** An error at a field: `text`, `variables.0.name`, `distractors.1.expression`. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** Reserved words that cannot be variable names. */
const RESERVED = new Set(['and', 'or', 'not', 'xor', 'mod', 'to', 'in', 'true', 'false', 'null']);
const isReserved = (name: string) =>
  FUNCTIONS.has(name) || CONSTANTS.has(name) || RESERVED.has(name);

/** Compiles every field of a template and collects errors. */
export class TemplateReader {
  readonly problems: FieldProblem[] = [];
  readonly #known = new Set<string>();
  readonly #given = new Set<string>();
  readonly #decimals: number;

  constructor(decimals: number) {
    this.#decimals = decimals;
  }

  note(field: string, message: string): void {
    this.problems.push({ field, message });
  }

  #noting<T>(field: string, read: () => T): T | null {
    try {
      return read();
    } catch (cause) {
      if (!(cause instanceof TemplateError)) throw cause;
      this.note(field, cause.message);
      return null;
    }
  }

  #checkNames(field: string, names: readonly string[]): void {
    const unknown = names.find((name) => !this.#known.has(name));
    if (unknown !== undefined) this.note(field, `Переменная ${unknown} не задана`);
  }

  expression(field: string, source: string): Expression | null {
    const expression = this.#noting(field, () => parseExpression(source));
    if (expression) this.#checkNames(field, expression.names);
    return expression;
  }

  /** Typed values are displayed exactly, computed ones are rounded. */
  readonly shown = (expression: Expression, values: Values): number => {
    const value = expression.evaluate(values);
    const isGiven = this.#given.has(expression.source.trim());
    return roundTo(value, isGiven ? MAX_DECIMALS : this.#decimals);
  };

  /** A number as draws display it. */
  number(field: string, source: string): ((values: Values) => string) | null {
    const expression = this.expression(field, source);
    return expression && ((values) => plainNumber(this.shown(expression, values)));
  }

  /** A text of at most `most` characters after its numbers are inserted. */
  text(field: string, source: string, most = ANSWER_TEXT_CHARACTERS): WrittenText | null {
    const text = this.#noting(field, () => parseText(source, this.shown));
    if (!text) return null;
    this.#checkNames(field, text.names);
    const write = (values: Values) => {
      const written = text.write(values);
      if (written.length > most) throw new TemplateError(`Текст длиннее ${most} символов`);
      return written;
    };
    return { ...text, write };
  }

  /** The same, but blank is an error. */
  filledText(field: string, source: string, missing: string, most?: number): WrittenText | null {
    if (source.trim() === '') this.note(field, missing);
    return this.text(field, source, most);
  }

  /** A variable may refer to those above it. */
  variable(variable: TemplateVariable, index: number): void {
    const at = (part: string) => `variables.${index}.${part}`;
    const { name } = variable;
    if (!/^[A-Za-z][A-Za-z0-9_]{0,19}$/.test(name))
      this.note(at('name'), 'Имя: латинская буква, потом буквы и цифры');
    else if (isReserved(name)) this.note(at('name'), `Имя ${name} занято: выберите другое`);
    else if (this.#known.has(name)) this.note(at('name'), `Имя ${name} уже есть выше`);
    if (variable.kind === 'range' && variable.step <= 0) this.note(at('step'), 'Шаг больше нуля');
    if (variable.kind === 'range' && variable.to < variable.from)
      this.note(at('to'), '«До» не меньше, чем «от»');
    if (variable.kind === 'list' && variable.values.length === 0)
      this.note(at('values'), 'Введите хотя бы одно число');
    if (variable.kind !== 'formula') this.#given.add(name);
  }

  know(name: string): void {
    this.#known.add(name);
  }
}
