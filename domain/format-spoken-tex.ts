import { speakChemistry } from './tex/chemistry.ts';
import { parseTex, rawWords } from './tex/parse.ts';
import { FUNCTIONS, SIGNS, spokenCharacter } from './tex/symbols.ts';
import { speakPer, speakSimpleFraction, speakUnit, speakWhole } from './tex/spoken-numbers.ts';
import {
  isDegrees,
  isFunction,
  isSimple,
  orEmpty,
  speakAccent,
  speakBrackets,
  speakScripts,
  speakStack,
  speakTable,
  type SpeakNode,
} from './tex/speak-parts.ts';
import type { TexNode } from './tex/tree.ts';

/** A longer formula is not spoken, and not drawn either. */
const MAX_CHARACTERS = 2_000;

const LETTER = /^\p{L}$/u;
const RELATION = /^[=<>+−–;,:-]$|^newline$/;

/** Letters that one formula has in both sizes: only then a capital one is announced as such. */
type Context = ReadonlySet<string>;

const isLetter = (node: TexNode | undefined): boolean =>
  node !== undefined &&
  ((node.kind === 'char' && LETTER.test(node.text)) ||
    (node.kind === 'sign' && LETTER.test(SIGNS.get(node.name)?.shown ?? '')));

const isNumber = (node: TexNode | undefined): boolean => node?.kind === 'number';

/** Whether a neighbour is multiplied by the fraction, so that the fraction's end must be spoken. */
function isFactor(node: TexNode | undefined): boolean {
  if (node === undefined || node.kind === 'words' || node.kind === 'table') return false;
  if (node.kind === 'char') return !RELATION.test(node.text);
  if (node.kind === 'sign') return isLetter(node) || isFunction(node) || !SIGNS.has(node.name);
  return true;
}

function isFlat(node: TexNode): boolean {
  return (
    isSimple(node) ||
    (node.kind === 'row' && node.items.every((item) => isNumber(item) || isLetter(item)))
  );
}

function speakFraction(
  { top, bottom }: { top: TexNode; bottom: TexNode },
  isAlone: boolean,
  speak: SpeakNode,
): string {
  const simple = speakSimpleFraction(top, bottom);
  if (simple !== null) return simple;
  if (isAlone && isFlat(top) && isSimple(bottom) && speak(top) && speak(bottom))
    return `${speak(top)} делить на ${speak(bottom)}`;
  return `дробь: числитель ${orEmpty(speak(top))}, знаменатель ${orEmpty(speak(bottom))}, конец дроби`;
}

const DEGREES: Readonly<Record<string, string>> = {
  2: 'второй',
  3: 'третьей',
  4: 'четвёртой',
  5: 'пятой',
  6: 'шестой',
  7: 'седьмой',
  8: 'восьмой',
  9: 'девятой',
  10: 'десятой',
};

function speakRoot(degree: TexNode | null, body: TexNode, speak: SpeakNode): string {
  const name = degree === null ? '' : speak(degree);
  const ordinal = DEGREES[name];
  const root =
    name === '' || name === '2'
      ? 'корень'
      : ordinal
        ? `корень ${ordinal} степени`
        : `корень степени ${name}`;
  return `${root} из ${orEmpty(speak(body))}${isSimple(body) ? '' : ', конец корня'}`;
}

const SETS: Readonly<Record<string, string>> = {
  N: 'натуральных',
  Z: 'целых',
  Q: 'рациональных',
  R: 'действительных',
  C: 'комплексных',
};

function speakSign(name: string): string {
  const known = SIGNS.get(name)?.spoken ?? FUNCTIONS.get(name);
  // A user-defined name, or a command without a Russian word.
  return known ?? rawWords(name.replace(/([a-z])([A-Z])/g, '$1 $2'));
}

/** The text of a unit at its place: «м», «м/с», «%», «Ω». */
function unitText(node: TexNode | undefined): string | null {
  if (node?.kind === 'words') return node.text;
  if (node?.kind === 'font' && node.name === 'mathrm') return unitText(node.body);
  if (node?.kind === 'char' && /^[%°₽\p{Script=Cyrillic}]$/u.test(node.text)) return node.text;
  return node?.kind === 'sign' && node.name === 'Omega' ? 'Ω' : null;
}

/** A number before a unit. With a power of ten the unit is in the plural. */
function countOf(node: TexNode | undefined): string | null {
  if (node?.kind === 'number') return node.text;
  return node?.kind === 'scripts' && isNumber(node.base) && node.sup !== null ? '5' : null;
}

function speakUnitAfter(before: TexNode | undefined, node: TexNode): string | null {
  const count = countOf(before);
  if (count === null) return null;
  const base = node.kind === 'scripts' ? node.base : node;
  const text = unitText(base);
  return text === null ? null : speakUnit(count, text);
}

const isUnitLike = (node: TexNode | undefined): boolean =>
  unitText(node?.kind === 'scripts' ? node.base : node) !== null;

function speakItem(items: readonly TexNode[], index: number, context: Context): string {
  const node = items[index];
  if (!node) return '';
  const before = items[index - 1];
  const after = items[index + 1];
  const speak: SpeakNode = (child) => speakNode(child, context);
  const unit = speakUnitAfter(before, node);
  if (unit !== null)
    return node.kind === 'scripts'
      ? speakScripts({ ...node, base: { kind: 'words', text: unit } }, speak)
      : unit;
  if (node.kind === 'fraction') {
    const simple = speakSimpleFraction(node.top, node.bottom);
    if (simple !== null && before?.kind === 'number') return simple;
    return speakFraction(node, !isFactor(before) && !isFactor(after), speak);
  }
  if (node.kind === 'number' && after?.kind === 'fraction' && /^\d+$/.test(node.text))
    return speakSimpleFraction(after.top, after.bottom) === null
      ? node.text
      : speakWhole(node.text);
  if (node.kind === 'char' && node.text === '/') {
    const isPer = isUnitLike(before) && isUnitLike(after);
    return isPer ? '' : 'делить на';
  }
  if (before?.kind === 'char' && before.text === '/' && isUnitLike(items[index - 2])) {
    const per = speakPer(unitText(node.kind === 'scripts' ? node.base : node) ?? '');
    if (per !== null)
      return node.kind === 'scripts'
        ? speakScripts({ ...node, base: { kind: 'words', text: per } }, speak)
        : per;
  }
  if (node.kind === 'char' && node.text === ':' && isNumber(before) && isNumber(after))
    return 'делить на';
  const argument = isFunctionLetter(before) ? argumentOf(node) : null;
  if (argument) return `от ${speak(argument)}`;
  if (isDegrees(before) && /^[CСF]$/.test(rawText(node)))
    return rawText(node) === 'F' ? 'Фаренгейта' : 'Цельсия';
  if (isLogarithm(node) && after) return `${speak(node)} от`;
  return speak(node);
}

/** «f», «f′» and «f₁»: followed by brackets with one item they are functions. */
const isFunctionLetter = (node: TexNode | undefined): boolean =>
  isLetter(node) || (node?.kind === 'scripts' && node.sup === null && isLetter(node.base));

function argumentOf(node: TexNode): TexNode | null {
  if (node.kind !== 'brackets' || node.open !== '(' || node.items.length !== 1) return null;
  const [only] = node.items;
  return only && (isSimple(only) || (only.kind === 'scripts' && isSimple(only.base))) ? only : null;
}

const rawText = (node: TexNode): string =>
  node.kind === 'char' || node.kind === 'words'
    ? node.text
    : node.kind === 'font'
      ? rawText(node.body)
      : '';

const isLogarithm = (node: TexNode) =>
  node.kind === 'scripts' &&
  node.base.kind === 'sign' &&
  node.base.name === 'log' &&
  node.sub !== null;

const speakRow = (items: readonly TexNode[], context: Context): string =>
  items
    .map((_, index) => speakItem(items, index, context))
    .filter((text) => text !== '')
    .join(' ');

function speakNode(node: TexNode, context: Context): string {
  const speak: SpeakNode = (child) => speakNode(child, context);
  switch (node.kind) {
    case 'char':
      return context.has(node.text) ? `${node.text} большое` : spokenCharacter(node.text);
    case 'number':
    case 'words':
      return node.text;
    case 'sign':
      return speakSign(node.name);
    case 'row':
      return speakRow(node.items, context);
    case 'fraction':
      return speakFraction(node, true, speak);
    case 'binomial':
      return `число сочетаний из ${orEmpty(speak(node.top))} по ${orEmpty(speak(node.bottom))}`;
    case 'root':
      return speakRoot(node.degree, node.body, speak);
    case 'scripts':
      return speakScripts(node, speak);
    case 'accent':
      return speakAccent(node.name, node.body, speak);
    case 'stack':
      return speakStack(node, speak);
    case 'brackets':
      return speakBrackets(node, speak, (items) => speakRow(items, context));
    case 'table':
      return speakTable(node, speak);
    case 'font': {
      const set = node.name === 'mathbb' || node.name === 'Bbb' ? SETS[rawText(node.body)] : null;
      return set ? `множество ${set} чисел` : speak(node.body);
    }
    case 'not':
      return `не ${speak(node.body)}`;
  }
}

/** Small letters and numbers of gaps within a formula, as marked while a text is drawn or read. */
const GAPS = /\ue0f0(\d+)\ue0f1|\((\d+)\)(?:\\_){5}/g;

function capitals(source: string): Context {
  const letters = new Set(source.replace(/\\(?:[a-zA-Z]+|[\s\S])/g, ' '));
  return new Set(
    [...letters].filter((letter) => /[A-Z]/.test(letter) && letters.has(letter.toLowerCase())),
  );
}

/** A formula in Russian words, for screen readers. Never empty and never TeX, for any input. */
export function speakTex(source: string): string {
  if (source.length > MAX_CHARACTERS) return 'длинная формула';
  const tex = source.replace(
    GAPS,
    (_, marked?: string, blank?: string) => `\\text{ пропуск ${marked ?? blank ?? ''} }`,
  );
  const spoken = speakChemistry(tex, speakTex) ?? speakRow(parseTex(tex), capitals(tex));
  const tidy = spoken
    .replace(/[\\{}^$_\ue0f0\ue0f1]/g, ' ')
    .replace(/\s+/g, ' ')
    .replaceAll('принадлежит множество', 'принадлежит множеству')
    .replaceAll('подмножеством множество', 'подмножеством множества')
    .replace(/ (?=[,;:.])/g, '')
    .replace(/([,;:])(?:\s*[,;:])+/g, '$1')
    .replace(/^[\s,;:]+|[\s,]+$/g, '')
    .trim();
  return tidy === '' ? 'пустая формула' : tidy;
}
