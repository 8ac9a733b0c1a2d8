import type {
  ConditionalNode,
  ConstantNode,
  FunctionNode,
  MathNode,
  OperatorNode,
  ParenthesisNode,
  RelationalNode,
  SymbolNode,
} from 'mathjs/number';
import { CONSTANTS, factorial, FUNCTIONS, modulo, power } from './functions.ts';
import { parse } from './library.ts';
import { plainNumber } from './numbers.ts';
import { readableSource, unreadable } from './source.ts';
import { TemplateError } from './template-error.ts';

/** Values of the variables of one draw. */
export type Values = ReadonlyMap<string, number>;

/** A parsed expression. Comparisons give 1 and 0. */
export interface Expression {
  readonly source: string;
  /** Used variables, in order of occurrence. */
  readonly names: readonly string[];
  /** @throws {TemplateError} no result, or not a usable finite number */
  readonly evaluate: (values: Values) => number;
}

type Evaluate = (values: Values) => number;

const MAX_NODES = 250;
const MAX_DEPTH = 60;
/** Largest safe integer. */
const GREATEST = 1e15;

const isOperator = (node: MathNode): node is OperatorNode => node.type === 'OperatorNode';
const isConstant = (node: MathNode): node is ConstantNode => node.type === 'ConstantNode';
const isSymbol = (node: MathNode): node is SymbolNode => node.type === 'SymbolNode';
const isParenthesis = (node: MathNode): node is ParenthesisNode => node.type === 'ParenthesisNode';
const isConditional = (node: MathNode): node is ConditionalNode => node.type === 'ConditionalNode';
const isRelational = (node: MathNode): node is RelationalNode => node.type === 'RelationalNode';
const isCall = (node: MathNode): node is FunctionNode => node.type === 'FunctionNode';

/** Equality with floating-point tolerance: 0,1 + 0,2 is 0,3. */
export const isSame = (a: number, b: number) =>
  Math.abs(a - b) <= Math.max(1e-12 * Math.max(Math.abs(a), Math.abs(b)), 1e-15);

const COMPARISONS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  equal: isSame,
  unequal: (a, b) => !isSame(a, b),
  smaller: (a, b) => a < b && !isSame(a, b),
  larger: (a, b) => a > b && !isSame(a, b),
  smallerEq: (a, b) => a < b || isSame(a, b),
  largerEq: (a, b) => a > b || isSame(a, b),
};

function divide(a: number, b: number): number {
  if (b === 0) throw new TemplateError('деление на ноль');
  return a / b;
}

const BINARY: Readonly<Record<string, (a: number, b: number) => number>> = {
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  multiply: (a, b) => a * b,
  divide,
  pow: power,
  mod: modulo,
};
const UNARY: Readonly<Record<string, (a: number) => number>> = {
  unaryMinus: (a) => -a,
  unaryPlus: (a) => a,
  factorial,
  not: (a) => (a === 0 ? 1 : 0),
};

/** Compiles the parser's tree into functions; anything not on the allow-lists above is refused. */
class Compiler {
  readonly names = new Set<string>();
  readonly #source: string;
  #nodes = 0;

  constructor(source: string) {
    this.#source = source;
  }

  compile(node: MathNode, depth: number): Evaluate {
    this.#nodes += 1;
    if (this.#nodes > MAX_NODES || depth > MAX_DEPTH) this.#refuse('оно слишком сложное');
    const inner = (child: MathNode) => this.compile(child, depth + 1);
    if (isParenthesis(node)) return inner(node.content);
    if (isConstant(node)) return this.#constant(node);
    if (isSymbol(node)) return this.#symbol(node.name);
    if (isOperator(node)) return this.#operator(node, inner);
    if (isCall(node)) return this.#call(node, inner);
    if (isRelational(node)) return this.#relation(node.conditionals, node.params.map(inner));
    if (isConditional(node)) {
      const [when, then, otherwise] = [node.condition, node.trueExpr, node.falseExpr].map(inner);
      return (values) => (when?.(values) === 0 ? otherwise : then)?.(values) ?? NaN;
    }
    if (node.type === 'AssignmentNode' || node.type === 'FunctionAssignmentNode')
      return this.#refuse('знак «=» ничего не сравнивает, для сравнения пишите «==»');
    return this.#refuse('здесь бывают только числа, переменные, действия и функции');
  }

  #refuse(why: string): never {
    return unreadable(this.#source, why);
  }

  #constant({ value }: ConstantNode): Evaluate {
    if (typeof value === 'number' && Number.isFinite(value)) return () => value;
    if (typeof value === 'number') return this.#refuse('число слишком велико');
    return this.#refuse(value === undefined ? 'оно пустое' : `«${String(value)}» не число`);
  }

  #symbol(name: string): Evaluate {
    if (FUNCTIONS.has(name))
      return this.#refuse(`${name} это функция: после неё нужны скобки, например ${name}(2)`);
    const constant = CONSTANTS.get(name);
    if (constant !== undefined) return () => constant;
    this.names.add(name);
    return (values) => {
      const value = values.get(name);
      if (value === undefined) throw new TemplateError(`переменная ${name} не задана`);
      return value;
    };
  }

  #operator(node: OperatorNode, inner: (child: MathNode) => Evaluate): Evaluate {
    if (node.implicit) {
      const [left, right] = node.args.map((child) => child.toString());
      this.#refuse(`между «${left}» и «${right}» нужен знак действия, например *`);
    }
    const [first, second] = node.args.map(inner);
    if (!first) return this.#refuse('действию нечего считать');
    if (!second) {
      const apply = UNARY[node.fn];
      return apply ? (values) => apply(first(values)) : this.#unknown(node.op);
    }
    if (node.fn === 'and') return (values) => (first(values) !== 0 && second(values) !== 0 ? 1 : 0);
    if (node.fn === 'or') return (values) => (first(values) !== 0 || second(values) !== 0 ? 1 : 0);
    if (node.fn in COMPARISONS) return this.#relation([node.fn], [first, second]);
    const apply = BINARY[node.fn];
    return apply ? (values) => apply(first(values), second(values)) : this.#unknown(node.op);
  }

  #unknown(operator: string): never {
    return this.#refuse(`действие «${operator}» здесь не используется`);
  }

  #relation(names: readonly string[], sides: readonly Evaluate[]): Evaluate {
    const compare = names.map((name) => COMPARISONS[name] ?? this.#unknown(name));
    return (values) => {
      const numbers = sides.map((side) => side(values));
      return compare.every((holds, at) => holds(numbers[at] ?? NaN, numbers[at + 1] ?? NaN))
        ? 1
        : 0;
    };
  }

  #call(node: FunctionNode, inner: (child: MathNode) => Evaluate): Evaluate {
    const name = isSymbol(node.fn) ? node.fn.name : String(node.fn);
    const called = FUNCTIONS.get(name);
    if (!called) return this.#refuse(`функции «${name}» нет; умножение пишется знаком *`);
    const count = node.args.length;
    if (count < called.least || count > called.most) {
      this.#refuse(
        called.most === 1
          ? `${name} берёт одно число; дробь внутри функции пишите с точкой: ${name}(2.5)`
          : `${name} берёт ${called.least === called.most ? called.most : `от ${called.least} до ${called.most}`} чисел`,
      );
    }
    const given = node.args.map(inner);
    return (values) => called.apply(given.map((argument) => argument(values)));
  }
}

function parsed(source: string): MathNode {
  const readable = readableSource(source);
  if (readable.trim() === '') throw new TemplateError('Введите выражение');
  try {
    return parse(readable);
  } catch (cause) {
    const place =
      typeof cause === 'object' &&
      cause !== null &&
      'char' in cause &&
      typeof cause.char === 'number'
        ? cause.char
        : null;
    if (place === null) return unreadable(source, 'оно слишком сложное');
    const rest = readable.slice(place - 1).trim();
    if (rest === '') return unreadable(source, 'в конце не хватает числа или переменной');
    return unreadable(source, `«${rest.charAt(0)}» стоит не на месте (знак ${place})`);
  }
}

/** «при a = 3, b = 0»; empty: no variables. */
function circumstances(names: readonly string[], values: Values): string {
  const known = names.flatMap((name) => {
    const value = values.get(name);
    return value === undefined ? [] : [`${name} = ${plainNumber(value)}`];
  });
  return known.length === 0 ? '' : ` при ${known.join(', ')}`;
}

const capitalised = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/**
 * Parses an expression of numbers, variables, operators, comparisons, conditions and the functions of
 * `FUNCTIONS`. It is never executed as code.
 * @throws {TemplateError} a syntax error and its position
 */
export function parseExpression(source: string): Expression {
  const compiler = new Compiler(source);
  const run = compiler.compile(parsed(source), 0);
  const names = [...compiler.names];
  const evaluate = (values: Values): number => {
    const fail = (words: string): never => {
      throw new TemplateError(`${capitalised(words)}${circumstances(names, values)}`);
    };
    let value: number;
    try {
      value = run(values);
    } catch (cause) {
      if (cause instanceof TemplateError) return fail(cause.message);
      throw cause;
    }
    if (!Number.isFinite(value) || Math.abs(value) >= GREATEST)
      return fail('Получается слишком большое число');
    return value === 0 ? 0 : value;
  };
  return { source, names, evaluate };
}
