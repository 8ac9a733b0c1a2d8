import type { TemplateBody, TemplateVariable } from '#contract/templates.ts';
import type { DrawnKey } from '#app/features/generation/kinds/rules.ts';
import { templateKeyRules } from '#app/features/generation/kinds/template-keys.ts';
import type { Expression, Values } from './expression.ts';
import { roundTo } from './functions.ts';
import { MAX_DECIMALS } from './numbers.ts';
import { TemplateReader, type FieldProblem } from './reader.ts';

/** A drawn variable: number of values, and the value at an index. */
interface Quantity {
  readonly name: string;
  readonly size: number;
  readonly at: (index: number) => number;
}

/** The texts of one drawn question. */
export interface DrawnContent {
  readonly text: string;
  readonly explanation: string;
  readonly key: DrawnKey;
}

export interface Compiled {
  /** Number of value sets, ignoring conditions. */
  readonly size: number;
  /** Draws a set: `choose` returns the value index of each variable. */
  readonly pick: (choose: (size: number) => number) => Values;
  /** The question of a set; null: the condition is not satisfied. Throws `TemplateError`. */
  readonly make: (values: Values) => DrawnContent | null;
}

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
  return { name, size, at: (index) => roundTo(from + index * step, MAX_DECIMALS) };
}

/**
 * Compiles a template for drawing. `compiled` is null if there are errors; `problems` lists them by field in
 * form order.
 */
export function compileTemplate(body: TemplateBody): {
  compiled: Compiled | null;
  problems: readonly FieldProblem[];
} {
  const reader = new TemplateReader(body.decimals);
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
  const text = reader.filledText('text', body.text, 'Введите текст вопроса');
  const key = templateKeyRules(body.key).compile(reader, body.key, body.text);
  const explanation = reader.text('explanation', body.explanation);
  const { problems } = reader;
  if (problems.length > 0 || !text || !key || !explanation) return { compiled: null, problems };

  const size = quantities.reduce((product, quantity) => product * quantity.size, 1);
  const pick: Compiled['pick'] = (choose) =>
    new Map(quantities.map((quantity) => [quantity.name, quantity.at(choose(quantity.size))]));
  const make = (drawn: Values): DrawnContent | null => {
    const values = new Map(drawn);
    for (const { name, expression } of formulas) values.set(name, expression.evaluate(values));
    if (condition && condition.evaluate(values) === 0) return null;
    const written = text.write(values);
    return {
      text: written,
      explanation: explanation.write(values),
      key: key(values, written),
    };
  };
  return { compiled: { size, pick, make }, problems };
}
