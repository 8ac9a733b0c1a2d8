import {
  create,
  parseDependencies,
  type ConstantNode,
  type FunctionNode,
  type MathNode,
  type OperatorNode,
  type ParenthesisNode,
  type SymbolNode,
} from 'mathjs/number';

/** Only the parser: its trees are never executed. */
const { parse } = create({ ...parseDependencies });

const MAX_CHARACTERS = 1_000;
const MAX_DEPTH = 60;

const isConstant = (node: MathNode): node is ConstantNode => node.type === 'ConstantNode';
const isParenthesis = (node: MathNode): node is ParenthesisNode => node.type === 'ParenthesisNode';
const isOperator = (node: MathNode): node is OperatorNode => node.type === 'OperatorNode';
const isCall = (node: MathNode): node is FunctionNode => node.type === 'FunctionNode';
const isSymbol = (node: MathNode): node is SymbolNode => node.type === 'SymbolNode';

/** Half away from zero, like PHP. */
function roundHalfUp(value: number, decimals = 0): number {
  const size = Number(`${Math.abs(value).toPrecision(15)}e${decimals}`);
  return Math.sign(value) * Number(`${Math.round(size)}e${-decimals}`);
}

/** The functions of Moodle's formulas that give numbers without chance, by their names in Moodle. */
const FUNCTIONS: Readonly<Record<string, (...numbers: number[]) => number>> = {
  abs: Math.abs,
  acos: Math.acos,
  acosh: Math.acosh,
  asin: Math.asin,
  asinh: Math.asinh,
  atan: Math.atan,
  atan2: Math.atan2,
  atanh: Math.atanh,
  ceil: Math.ceil,
  cos: Math.cos,
  cosh: Math.cosh,
  deg2rad: (degrees = NaN) => (degrees * Math.PI) / 180,
  exp: Math.exp,
  expm1: Math.expm1,
  floor: Math.floor,
  fmod: (a = NaN, b = NaN) => a % b,
  log: (x = NaN, base = Math.E) => Math.log(x) / Math.log(base),
  log10: Math.log10,
  log1p: Math.log1p,
  max: Math.max,
  min: Math.min,
  pi: () => Math.PI,
  pow: Math.pow,
  rad2deg: (radians = NaN) => (radians * 180) / Math.PI,
  round: roundHalfUp,
  sin: Math.sin,
  sinh: Math.sinh,
  sqrt: Math.sqrt,
  tan: Math.tan,
  tanh: Math.tanh,
};

const OPERATORS: Readonly<Record<string, (a: number, b: number) => number>> = {
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  multiply: (a, b) => a * b,
  divide: (a, b) => a / b,
  unaryMinus: (a) => -a,
  unaryPlus: (a) => a,
};

/** A formula with a part that is not supported. */
class FormulaProblem extends Error {
  override readonly name = 'FormulaProblem';
}

function evaluateNode(node: MathNode, depth: number): number {
  if (depth > MAX_DEPTH) throw new FormulaProblem();
  const inner = (child: MathNode) => evaluateNode(child, depth + 1);
  if (isConstant(node) && typeof node.value === 'number') return node.value;
  if (isParenthesis(node)) return inner(node.content);
  if (isOperator(node) && !node.implicit && Object.hasOwn(OPERATORS, node.fn)) {
    const [a = NaN, b = NaN] = node.args.map(inner);
    return OPERATORS[node.fn]?.(a, b) ?? NaN;
  }
  if (isCall(node) && isSymbol(node.fn) && Object.hasOwn(FUNCTIONS, node.fn.name.toLowerCase()))
    return FUNCTIONS[node.fn.name.toLowerCase()]?.(...node.args.map(inner)) ?? NaN;
  throw new FormulaProblem();
}

/** The value of a formula of Moodle after its variables are replaced with numbers; null: it is not supported. */
export function evaluateFormula(formula: string): number | null {
  if (formula.length > MAX_CHARACTERS) return null;
  try {
    const value = evaluateNode(parse(formula), 0);
    return Number.isFinite(value) ? value : null;
  } catch {
    return null;
  }
}
