import { parseTex } from './tex/parse.ts';
import { SIGNS, FUNCTIONS } from './tex/symbols.ts';
import type { TexBrackets, TexScripts, TexNode } from './tex/tree.ts';

const charMap = (from: string, to: string): ReadonlyMap<string, string> => {
  const characters = Array.from(to);
  return new Map(Array.from(from).map((character, index) => [character, characters[index] ?? '']));
};

const RAISED = charMap(
  '0123456789+-−=()niabcdefghjklmoprstuvwxyz',
  '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱᵃᵇᶜᵈᵉᶠᵍʰʲᵏˡᵐᵒᵖʳˢᵗᵘᵛʷˣʸᶻ',
);
const LOWERED = charMap('0123456789+-−=()aehijklmnoprstuvx', '₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ');
const SETS = charMap('CHNPQRZ', 'ℂℍℕℙℚℝℤ');
const ROOTS: Readonly<Record<string, string>> = { 3: '∛', 4: '∜' };
/** Combining marks after a letter. */
const MARKS: Readonly<Record<string, string>> = {
  vec: '\u20d7',
  overrightarrow: '\u20d7',
  bar: '\u0304',
  overline: '\u0305',
  hat: '\u0302',
  widehat: '\u0302',
  tilde: '\u0303',
  widetilde: '\u0303',
  dot: '\u0307',
  ddot: '\u0308',
  underline: '\u0332',
};
const SPACED = /^[=<>≤≥≠≈→←↔⇒⇐⇔⇄⇌·×∈∉⊂⊆∪∩±∼≡⊥∥∧∨↦∖]$/;

const FENCES: Readonly<Record<string, readonly [string, string]>> = {
  cases: ['{', ''],
  dcases: ['{', ''],
  pmatrix: ['(', ')'],
  bmatrix: ['[', ']'],
  vmatrix: ['|', '|'],
};

const inEach = (text: string, map: ReadonlyMap<string, string>): string | null => {
  const characters = Array.from(text.replace(/\s/g, ''), (character) => map.get(character));
  return characters.length > 0 && characters.every((character) => character !== undefined)
    ? characters.join('')
    : null;
};

const isOne = (text: string) => /^(?:[\p{L}\p{S}]\p{M}*[⁰¹²³⁴-₟ᵃ-ᵿ]*|[\d,]+|\p{L}+)$/u.test(text);

const grouped = (text: string) => (isOne(text) || /^\(.*\)$/.test(text) ? text : `(${text})`);

/** A power or an index that has no small characters. */
const tightly = (text: string) => (/^(?:\p{L}+|[\d,]+|\(.*\))$/u.test(text) ? text : `(${text})`);

function showScripts({ base, sub, sup, primes }: TexScripts): string {
  const isDegrees = sup?.kind === 'sign' && (sup.name === 'circ' || sup.name === 'degree');
  const lower = sub === null ? '' : show(sub);
  const upper = sup === null ? '' : show(sup);
  const index = lower === '' ? '' : (inEach(lower, LOWERED) ?? `_${tightly(lower)}`);
  const power =
    upper === '' ? '' : isDegrees ? '°' : (inEach(upper, RAISED) ?? `^${tightly(upper)}`);
  const isLarge = base.kind === 'sign' && base.name === 'lim';
  return isLarge
    ? `${show(base)}${lower === '' ? '' : ` (${lower})`}`
    : `${show(base)}${'′'.repeat(primes)}${index}${power}`;
}

function showBrackets({ open, close, items }: TexBrackets): string {
  return `${open}${showRow(items)}${close}`;
}

function showAccent(name: string, body: TexNode): string {
  const text = show(body);
  const mark = MARKS[name] ?? '';
  return name.startsWith('over') && mark === MARKS['overline']
    ? Array.from(text, (character) => character + mark).join('')
    : text + mark;
}

function show(node: TexNode): string {
  switch (node.kind) {
    case 'char':
      return node.text === '-' ? '−' : node.text;
    case 'number':
    case 'words':
      return node.text;
    case 'sign':
      return SIGNS.get(node.name)?.shown ?? node.name;
    case 'row':
      return showRow(node.items);
    case 'fraction':
      return `${grouped(show(node.top))}/${grouped(show(node.bottom))}`;
    case 'binomial':
      return `C(${show(node.top)}, ${show(node.bottom)})`;
    case 'root': {
      const degree = node.degree === null ? '' : show(node.degree);
      const sign = ROOTS[degree] ?? `${degree === '2' ? '' : (inEach(degree, RAISED) ?? degree)}√`;
      return sign + grouped(show(node.body));
    }
    case 'scripts':
      return showScripts(node);
    case 'accent':
      return showAccent(node.name, node.body);
    case 'stack': {
      const marks = [node.above, node.below].flatMap((mark) => (mark ? [show(mark)] : []));
      const shown = marks.filter((mark) => mark !== '').join(', ');
      return show(node.base) + (shown === '' ? '' : `(${shown})`);
    }
    case 'brackets':
      return showBrackets(node);
    case 'table': {
      const [open, close] = FENCES[node.environment] ?? ['', ''];
      return `${open}${node.rows.map((row) => row.map(show).join(' ')).join('; ')}${close}`;
    }
    case 'font': {
      const text = show(node.body);
      return node.name === 'mathbb' || node.name === 'Bbb' ? (SETS.get(text) ?? text) : text;
    }
    case 'not':
      return `${show(node.body)}\u0338`;
  }
}

const isFunction = (node: TexNode | undefined): boolean =>
  node?.kind === 'scripts'
    ? isFunction(node.base)
    : node?.kind === 'sign' && (FUNCTIONS.has(node.name) || !SIGNS.has(node.name));

const baseOf = (node: TexNode): TexNode => (node.kind === 'scripts' ? baseOf(node.base) : node);

const isLetter = (node: TexNode) => node.kind === 'char' && /^\p{L}$/u.test(node.text);

/** Whether two neighbours would look like one word or one number. */
function isApart(before: TexNode, node: TexNode): boolean {
  const [left, right] = [baseOf(before), baseOf(node)];
  if (isFunction(before)) return true;
  if (left.kind === 'words' || right.kind === 'words')
    return [left, right].every((side) => side.kind !== 'char' || isLetter(side));
  return (
    (isFunction(right) && left.kind !== 'char') ||
    (right.kind === 'fraction' && left.kind === 'number')
  );
}

const isMultiplied = (before: TexNode, node: TexNode) =>
  node.kind === 'fraction' &&
  (isLetter(baseOf(before)) || before.kind === 'fraction' || before.kind === 'brackets');

function showRow(items: readonly TexNode[]): string {
  return items
    .map((node, index) => {
      const text = show(node);
      const before = items[index - 1];
      if (node.kind === 'char' && /^[;,]$/.test(node.text)) return `${text} `;
      if (before === undefined) return text;
      if (SPACED.test(text)) return ` ${text} `;
      if (isMultiplied(before, node)) return `·${text}`;
      return isApart(before, node) ? ` ${text}` : text;
    })
    .join('');
}

/** A formula as one line of characters, as far as they exist: «√2», «x²», «1/2». Never throws. */
export function showTex(tex: string): string {
  return showRow(parseTex(tex)).replace(/[\\$]/g, '').replace(/\s+/g, ' ').trim();
}
