import { ANSWER_TEXT_CHARACTERS, PARTS_PER_QUESTION } from '#contract/limits.ts';
import type { TemplateBody, TemplateVariable } from '#contract/templates.ts';
import { NBSP } from '#domain/format.ts';
import { normaliseText } from '#domain/normalise.ts';
import { parseExpression, type Expression, type Values } from './expression.ts';
import { CONSTANTS, FUNCTIONS, roundTo } from './functions.ts';
import { DECIMALS_MOST, plainNumber } from './numbers.ts';
import { TemplateError } from './template-error.ts';
import { parseText, type WrittenText } from './written-text.ts';

/** An error at a field: `text`, `variables.0.name`, `distractors.1.expression`. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** A drawn variable: number of values, and the value at an index. */
interface Quantity {
  readonly name: string;
  readonly size: number;
  readonly at: (index: number) => number;
}

interface Part {
  readonly expression: Expression;
  readonly feedback: WrittenText;
}

/** The texts of one drawn question. */
export interface DrawnContent {
  readonly text: string;
  readonly explanation: string;
  /** The correct answer as displayed, with its unit. */
  readonly answer: string;
  /** Distractors as displayed; none for a typed answer. */
  readonly distractors: readonly { readonly text: string; readonly feedback: string }[];
}

export interface Compiled {
  /** Number of value sets, ignoring conditions. */
  readonly size: number;
  /** Draws a set: `choose` returns the value index of each variable. */
  readonly pick: (choose: (size: number) => number) => Values;
  /** The question of a set; null: the condition is not satisfied. Throws `TemplateError`. */
  readonly make: (values: Values) => DrawnContent | null;
}

/** Reserved words that cannot be variable names. */
const RESERVED = new Set(['and', 'or', 'not', 'xor', 'mod', 'to', 'in', 'true', 'false', 'null']);
const isReserved = (name: string) =>
  FUNCTIONS.has(name) || CONSTANTS.has(name) || RESERVED.has(name);

/** Tolerance for floating-point steps: ten steps of 0,1 reach 1. */
const STEP_SLACK = 1e-9;

function quantityOf(variable: TemplateVariable): Quantity | null {
  const { name } = variable;
  if (variable.kind === 'formula') return null;
  if (variable.kind === 'list') {
    const values = [...new Set(variable.values)];
    return { name, size: values.length, at: (index) => values[index] ?? NaN };
  }
  const { from, to, step } = variable;
  const size = Math.floor((to - from) / step + STEP_SLACK) + 1;
  return { name, size, at: (index) => roundTo(from + index * step, DECIMALS_MOST) };
}

/** Degrees, minutes and seconds directly follow the number, other units after a non-breaking space. */
const withUnit = (number: string, unit: string) => {
  const plain = unit.trim();
  if (plain === '') return number;
  return /^[°'′"″]/.test(plain) ? `${number}${plain}` : `${number}${NBSP}${plain}`;
};

/** Compiles every field of a template and collects errors. */
class Reader {
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

  /** Given values are displayed exactly, computed ones are rounded. */
  readonly shown = (expression: Expression, values: Values): number => {
    const value = expression.evaluate(values);
    const isGiven = this.#given.has(expression.source.trim());
    return roundTo(value, isGiven ? DECIMALS_MOST : this.#decimals);
  };

  text(field: string, source: string): WrittenText | null {
    const text = this.#noting(field, () => parseText(source, this.shown));
    if (text) this.#checkNames(field, text.names);
    return text;
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

function readParts(reader: Reader, body: TemplateBody): Part[] {
  if (body.key.kind === 'open') return [];
  const { distractors } = body.key;
  if (distractors.length === 0) reader.note('distractors', 'Нужен хотя бы один неверный вариант');
  if (distractors.length >= PARTS_PER_QUESTION)
    reader.note('distractors', `Вариантов не больше ${PARTS_PER_QUESTION}`);
  return distractors.flatMap((distractor, index) => {
    const expression = reader.expression(`distractors.${index}.expression`, distractor.expression);
    const feedback = reader.text(`distractors.${index}.feedback`, distractor.feedback);
    return expression && feedback ? [{ expression, feedback }] : [];
  });
}

/**
 * Compiles a template for drawing. `compiled` is null if there are errors; `problems` lists them by field in
 * form order.
 */
export function compileTemplate(body: TemplateBody): {
  compiled: Compiled | null;
  problems: readonly FieldProblem[];
} {
  const reader = new Reader(body.decimals);
  const quantities: Quantity[] = [];
  const formulas: { name: string; expression: Expression }[] = [];
  if (body.title.trim() === '') reader.note('title', 'Введите название шаблона');
  if (body.points <= 0) reader.note('points', 'Баллы больше нуля');
  body.variables.forEach((variable, index) => {
    reader.variable(variable, index);
    if (variable.kind === 'formula') {
      const field = `variables.${index}.expression`;
      const expression = reader.expression(field, variable.expression);
      if (expression) formulas.push({ name: variable.name, expression });
    } else {
      const quantity = quantityOf(variable);
      if (quantity) quantities.push(quantity);
    }
    reader.know(variable.name);
  });
  const condition =
    body.condition.trim() === '' ? null : reader.expression('condition', body.condition);
  if (body.text.trim() === '') reader.note('text', 'Введите текст вопроса');
  const text = reader.text('text', body.text);
  const answer = reader.expression('answer', body.key.answer);
  const parts = readParts(reader, body);
  const explanation = reader.text('explanation', body.explanation);
  const { problems } = reader;
  if (problems.length > 0 || !text || !answer || !explanation) return { compiled: null, problems };

  const size = quantities.reduce((product, quantity) => product * quantity.size, 1);
  const pick: Compiled['pick'] = (choose) =>
    new Map(quantities.map((quantity) => [quantity.name, quantity.at(choose(quantity.size))]));
  const unit = body.key.kind === 'variant' ? body.key.unit : '';
  const written = (expression: Expression, values: Values) =>
    withUnit(plainNumber(reader.shown(expression, values)), unit);
  const make = (drawn: Values): DrawnContent | null => {
    const values = new Map(drawn);
    for (const { name, expression } of formulas) values.set(name, expression.evaluate(values));
    if (condition && condition.evaluate(values) === 0) return null;
    const right = written(answer, values);
    const taken = new Set([normaliseText(right)]);
    const distractors = parts.map(({ expression, feedback }) => {
      const wrong = written(expression, values);
      if (taken.has(normaliseText(wrong)))
        throw new TemplateError(`Варианты ответа повторяются: «${wrong}» встречается дважды`);
      taken.add(normaliseText(wrong));
      return { text: wrong, feedback: feedback.write(values) };
    });
    const content = {
      text: text.write(values),
      explanation: explanation.write(values),
      answer: right,
      distractors,
    };
    if (Math.max(content.text.length, content.explanation.length) > ANSWER_TEXT_CHARACTERS)
      throw new TemplateError(`Текст длиннее ${ANSWER_TEXT_CHARACTERS} символов`);
    return content;
  };
  return { compiled: { size, pick, make }, problems };
}
