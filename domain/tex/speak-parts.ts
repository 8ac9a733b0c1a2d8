import { plural } from '#domain/format.ts';
import { FUNCTIONS } from './symbols.ts';
import type { TexBrackets, TexScripts, TexTable, TexNode } from './tree.ts';

/** Formats one part in spoken form. */
export type SpeakNode = (node: TexNode) => string;

export const orEmpty = (text: string) => (text === '' ? 'пусто' : text);

const isMinus = (node: TexNode | undefined) => node?.kind === 'char' && /^[-−–+]$/.test(node.text);

/** One letter, number or word: its end need not be spoken. */
export function isSimple(node: TexNode): boolean {
  switch (node.kind) {
    case 'char':
    case 'number':
    case 'sign':
    case 'words':
      return true;
    case 'font':
    case 'accent':
      return isSimple(node.body);
    case 'row': {
      const [first, second] = node.items;
      if (node.items.length > 2) return false;
      return second === undefined
        ? first === undefined || isSimple(first)
        : isMinus(first) && isSimple(second);
    }
    default:
      return false;
  }
}

const isSign = (node: TexNode | null, ...names: readonly string[]): boolean =>
  node?.kind === 'sign' && names.includes(node.name);

/** «30 градусов», which «Цельсия» may follow. */
export const isDegrees = (node: TexNode | undefined): boolean =>
  node?.kind === 'scripts' &&
  node.sub === null &&
  (isSign(node.sup, 'circ', 'degree') || (node.sup?.kind === 'char' && /[°∘]/.test(node.sup.text)));

/** After «от», «до» and «к». */
const inCase = (text: string) => text.replace(/бесконечность/g, 'бесконечности');

const INTEGRALS = new Set(['int', 'iint', 'iiint', 'oint']);
const SUMS: Readonly<Record<string, string>> = {
  sum: 'сумма',
  prod: 'произведение',
  bigcup: 'объединение',
  bigcap: 'пересечение',
};
const LIMITS = new Set(['lim', 'limsup', 'liminf', 'max', 'min', 'sup', 'inf', 'argmax', 'argmin']);

const range = (from: string, to: string | null) =>
  ` от ${inCase(from)}${to === null ? '' : ` до ${inCase(to)}`}`;

/** The parts before and after a sign of a row. */
function splitAt(node: TexNode, isThere: (item: TexNode) => boolean): [TexNode, TexNode] | null {
  if (node.kind !== 'row') return null;
  const at = node.items.findIndex(isThere);
  return at <= 0
    ? null
    : [
        { kind: 'row', items: node.items.slice(0, at) },
        { kind: 'row', items: node.items.slice(at + 1) },
      ];
}

const isEquals = (node: TexNode) => node.kind === 'char' && node.text === '=';
const isArrow = (node: TexNode) =>
  isSign(node, 'to', 'rightarrow', 'longrightarrow') || (node.kind === 'char' && node.text === '→');

function speakLarge(name: string, { sub, sup }: TexScripts, speak: SpeakNode): string | null {
  const upper = sup === null ? null : speak(sup);
  if (INTEGRALS.has(name)) {
    const integral = speak({ kind: 'sign', name });
    if (sub === null) return upper === null ? integral : `${integral} до ${inCase(upper)}`;
    return upper === null
      ? `${integral} по ${orEmpty(speak(sub))}`
      : integral + range(speak(sub), upper);
  }
  const sum = SUMS[name];
  if (sum !== undefined) {
    if (sub === null) return upper === null ? sum : `${sum} до ${inCase(upper)}`;
    const start = splitAt(sub, isEquals);
    if (start) return `${sum} по ${speak(start[0])}${range(speak(start[1]), upper)}`;
    return upper === null || upper === ''
      ? `${sum} по ${orEmpty(speak(sub))}`
      : sum + range(orEmpty(speak(sub)), upper);
  }
  if (LIMITS.has(name) && sub !== null) {
    const limit = speak({ kind: 'sign', name });
    const parts = splitAt(sub, isArrow);
    return parts
      ? `${limit} при ${speak(parts[0])}, стремящемся к ${inCase(speak(parts[1]))},`
      : `${limit} ${name.startsWith('lim') ? 'при' : 'по'} ${orEmpty(speak(sub))},`;
  }
  return null;
}

function speakDegrees(base: TexNode, speak: SpeakNode): string {
  const angle = speak(base);
  const count = base.kind === 'number' ? Number(base.text.replace(',', '.')) : 5;
  const degrees = plural(count, ['градус', 'градуса', 'градусов']);
  return angle === '' ? 'градус' : `${angle} ${degrees}`;
}

function speakPrimes(base: TexNode, primes: number): string {
  if (primes === 0) return '';
  // Minutes and seconds of an angle.
  if (base.kind === 'number') return primes === 1 ? ' минут' : ' секунд';
  const counted = plural(primes, ['штрих', 'штриха', 'штрихов']);
  return primes === 1 ? ` ${counted}` : ` ${primes === 2 ? 'два' : primes} ${counted}`;
}

function speakPower(sup: TexNode, speak: SpeakNode): string {
  const power = speak(sup);
  if (power === '') return ' в степени';
  if (sup.kind === 'number' && power === '2') return ' в квадрате';
  if (sup.kind === 'number' && power === '3') return ' в кубе';
  if (isSign(sup, 'prime')) return ' штрих';
  if (isSign(sup, 'ast', 'star') || (sup.kind === 'char' && sup.text === '*'))
    return ' со звёздочкой';
  if (isMinus(sup)) return ` с верхним индексом ${power}`;
  if (sup.kind === 'brackets' && sup.open === '(') {
    const order = sup.items.map(speak).join(' ');
    return `, производная порядка ${order}`;
  }
  return ` в степени ${power}${isSimple(sup) || !power.includes(' ') ? '' : ', конец степени'}`;
}

function speakIndex(sub: TexNode, speak: SpeakNode): string {
  // «1,2» in the index of a letter are two numbers.
  const index = sub.kind === 'number' ? sub.text.replace(',', ', ') : speak(sub);
  if (index === '') return ' с индексом';
  return ` с индексом ${index}${isSimple(sub) ? '' : ', конец индекса'}`;
}

/** A power or an index, the bounds of a sum, the base of a logarithm. */
export function speakScripts(node: TexScripts, speak: SpeakNode): string {
  const { base, sub, sup, primes } = node;
  if (base.kind === 'sign') {
    const large = speakLarge(base.name, node, speak);
    if (large !== null) return large;
  }
  if (isDegrees(node)) return speakDegrees(base, speak) + speakPrimes(base, primes);
  const spoken = speak(base);
  if (base.kind === 'sign' && base.name === 'log' && sub !== null)
    return `${spoken}${sup === null ? '' : speakPower(sup, speak)} по основанию ${orEmpty(speak(sub))}`;
  if (spoken === '') {
    // An isotope, or a power with a base that is not typed yet.
    const upper = sup === null ? '' : `верхний индекс ${orEmpty(speak(sup))}, `;
    return `${upper}${sub === null ? '' : `нижний индекс ${orEmpty(speak(sub))}, `}`;
  }
  const isCombination = base.kind === 'char' && /^[CAСА]$/.test(base.text);
  if (isCombination && sub !== null && sup !== null)
    return `${spoken} с нижним индексом ${speak(sub)} и верхним индексом ${speak(sup)}`;
  const index = sub === null ? '' : speakIndex(sub, speak);
  return `${spoken}${speakPrimes(base, primes)}${index}${sup === null ? '' : speakPower(sup, speak)}`;
}

const BRACKETS: Readonly<Record<string, string>> = {
  '(': 'скобка',
  ')': 'скобка',
  '[': 'квадратная скобка',
  ']': 'квадратная скобка',
  '{': 'фигурная скобка',
  '}': 'фигурная скобка',
  '⟨': 'угловая скобка',
  '⟩': 'угловая скобка',
};

function onlyTable(items: readonly TexNode[]): TexTable | null {
  const [only] = items;
  return items.length === 1 && only?.kind === 'table' ? only : null;
}

export function speakBrackets(
  { open, close, items }: TexBrackets,
  speak: SpeakNode,
  speakRow: (items: readonly TexNode[]) => string,
): string {
  const table = onlyTable(items);
  if (table && close === '' && (open === '{' || open === '['))
    return speakLines(table, open === '{' ? 'система' : 'совокупность', 'конец', speak);
  if (table && open === close && open === '|')
    return speakMatrix(table, 'определитель', 'конец определителя', speak);
  if (table && open !== '' && close !== '')
    return speakMatrix(table, 'матрица', 'конец матрицы', speak);
  const inside = speakRow(items);
  const isShort = items.every(isSimple) && items.length < 2;
  if (open === '|' && close === '|')
    return `модуль ${orEmpty(inside)}${isShort ? '' : ', конец модуля'}`;
  if (open === '‖' && close === '‖')
    return `норма ${orEmpty(inside)}${isShort ? '' : ', конец нормы'}`;
  if (open === '⌊' || open === '⌈')
    return `целая часть ${open === '⌈' ? 'с избытком ' : ''}${orEmpty(inside)}, конец целой части`;
  const named = (sign: string) => BRACKETS[sign] ?? (sign === '|' ? 'вертикальная черта' : '');
  const closing = named(close) && BRACKETS[close] ? `${named(close)} закрывается` : named(close);
  return [named(open), inside, closing].filter((text) => text !== '').join(' ');
}

const ACCENTS: Readonly<Record<string, string>> = {
  bar: 'с чертой',
  overline: 'с чертой',
  hat: 'с крышкой',
  widehat: 'с крышкой',
  tilde: 'с тильдой',
  widetilde: 'с тильдой',
  dot: 'с точкой',
  ddot: 'с двумя точками',
  dddot: 'с тремя точками',
  underline: 'с чертой снизу',
  mathring: 'с кружком',
  acute: 'с ударением',
  grave: 'с грависом',
  check: 'с галочкой',
  breve: 'с дугой',
  overgroup: 'с дугой',
  overbrace: 'под фигурной скобкой',
  underbrace: 'над фигурной скобкой',
  boxed: 'в рамке',
  fbox: 'в рамке',
};

export function speakAccent(name: string, body: TexNode, speak: SpeakNode): string {
  const inside = speak(body);
  if (name === 'vec' || name === 'overrightarrow') return `вектор ${inside}`;
  if (name.startsWith('over') && name.endsWith('arrow')) return `стрелка над ${orEmpty(inside)}`;
  if (name === 'cancel' || name === 'bcancel' || name === 'xcancel' || name === 'sout')
    return `зачёркнуто ${orEmpty(inside)}`;
  const mark = ACCENTS[name] ?? 'со знаком';
  return isSimple(body) ? `${orEmpty(inside)} ${mark}` : `выражение ${inside}, всё ${mark}`;
}

export function speakStack(
  { base, above, below }: Extract<TexNode, { kind: 'stack' }>,
  speak: SpeakNode,
): string {
  const isArrowBase = base.kind === 'sign' && base.name.startsWith('x');
  const [over, under] = isArrowBase ? ['над ней', 'под ней'] : ['сверху', 'снизу'];
  const marks = [
    above && speak(above) ? `, ${over} ${speak(above)}` : '',
    below && speak(below) ? `, ${under} ${speak(below)}` : '',
  ].join('');
  return marks === '' ? speak(base) : `${speak(base)}${marks},`;
}

/** «запятая» between cells is a pause. */
const speakCells = (row: readonly TexNode[], speak: SpeakNode, between: string) =>
  orEmpty(
    row
      .map(speak)
      .filter((text) => text !== '')
      .join(between),
  );

function speakLines(table: TexTable, name: string, end: string, speak: SpeakNode): string {
  // Cells of aligned lines are parts of one statement, those of cases a value and its condition.
  const between = /aligned|align|split|eqnarray|array/.test(table.environment) ? ' ' : ', ';
  const rows = table.rows.map((row) => speakCells(row, speak, between));
  const ending = name === 'система' ? `${end} системы` : `${end} совокупности`;
  return `${name}: ${rows.join('; ')}; ${ending}`;
}

function speakMatrix({ rows }: TexTable, name: string, end: string, speak: SpeakNode): string {
  const columns = Math.max(...rows.map((row) => row.length));
  const lines = rows.map(
    (row, index) => `строка ${index + 1}: ${row.map((cell) => orEmpty(speak(cell))).join(', ')}`,
  );
  return `${name} ${rows.length} на ${columns}: ${lines.join('; ')}; ${end}`;
}

export function speakTable(table: TexTable, speak: SpeakNode): string {
  const { environment, rows } = table;
  if (/^[dr]?cases$/.test(environment)) return speakLines(table, 'система', 'конец', speak);
  if (environment === 'vmatrix')
    return speakMatrix(table, 'определитель', 'конец определителя', speak);
  if (environment.includes('matrix')) return speakMatrix(table, 'матрица', 'конец матрицы', speak);
  return rows.map((row) => speakCells(row, speak, ' ')).join('; ');
}

/** Whether a command is the name of a function. */
export const isFunction = (node: TexNode | undefined): boolean =>
  node?.kind === 'sign' && FUNCTIONS.has(node.name);
