import type { XmlElement } from '#interchange/xml.ts';
import {
  ACCENTS,
  ARROWS,
  delimiterOf,
  FUNCTIONS,
  formulaText,
  LARGE_OPERATORS,
} from './formula-signs.ts';
import { attributeOf, childOf, childrenOf, elementsOf, textInside } from './xml-nodes.ts';

/** A formula of Word with an element that TeX cannot express. */
class Untranslatable extends Error {
  override readonly name = 'Untranslatable';
}

interface Context {
  /** Reports what a formula loses in the conversion. */
  readonly loss: (line: string) => void;
  /** Inside the name of a function. */
  readonly isName: boolean;
  /** Inside rows that are aligned at their `&`. */
  readonly isAligned: boolean;
}

type ElementReader = (node: XmlElement, context: Context) => string;

const OFF = /^(?:0|false|off)$/;
/** An argument in square brackets, wrapped: KaTeX would read a group at its beginning as the whole argument. */
const option = (tex: string) => (/^\{|[[\]]/.test(tex) ? `{${tex}}` : tex);

const isOn = (properties: XmlElement | undefined, name: string, otherwise = false): boolean => {
  const property = childOf(properties, name);
  return property ? !OFF.test(attributeOf(property, 'val')) : otherwise;
};

const valueOf = (parent: XmlElement, name: string, otherwise: string): string => {
  const property = childOf(childOf(parent, `${parent.name}Pr`), name);
  return property ? attributeOf(property, 'val') : otherwise;
};

const inner = (parent: XmlElement, name: string, context: Context): string => {
  const child = childOf(parent, name);
  return child ? readChildren(child, plain(context)) : '';
};

const plain = (context: Context): Context => ({ ...context, isAligned: false });

const SCRIPTS: Readonly<Record<string, string>> = {
  'double-struck': '\\mathbb',
  script: '\\mathcal',
  fraktur: '\\mathfrak',
  'sans-serif': '\\mathsf',
  monospace: '\\mathtt',
};
const STYLES: Readonly<Record<string, string>> = {
  p: '\\mathrm',
  b: '\\mathbf',
  bi: '\\boldsymbol',
};
/** Read as function names anywhere. Shorter ones may be products. */
const COMMON_FUNCTION = /^(?:arc)?(?:sin|cos|tan|cot|tg|ctg)$|^(?:log|ln|lg|exp|lim|max|min)$/;
/** Invisible elements in a run. */
const SILENT_IN_RUN = /^(?:rPr|lastRenderedPageBreak|softHyphen|annotationRef)$/;

function textOfRun(node: XmlElement): string {
  return elementsOf(node)
    .map((child) => {
      if (child.name === 't' || child.name === 'delText') return textInside(child);
      if (child.name === 'br' || child.name === 'tab') return ' ';
      if (child.name === 'noBreakHyphen') return '-';
      if (SILENT_IN_RUN.test(child.name)) return '';
      throw new Untranslatable();
    })
    .join('');
}

/** Text of a formula. Characters that text mode lacks are moved outside of it. */
const textCommand = (text: string): string =>
  text
    .split(/([\\^~$]+)/)
    .map((part, index) => {
      if (index % 2 === 1) return formulaText(part);
      return part === '' ? '' : `\\text{${part.replaceAll(/[{}&#_%]/g, String.raw`\$&`)}}`;
    })
    .join('');

function readWords(text: string, properties: readonly XmlElement[], { isName }: Context): string {
  const own = properties.find(
    (one) => childOf(one, 'nor') ?? childOf(one, 'sty') ?? childOf(one, 'scr'),
  );
  if (isOn(own, 'nor')) return textCommand(text);
  const tex = formulaText(text);
  const name = text.trim();
  if (isName ? FUNCTIONS.has(name) : COMMON_FUNCTION.test(name)) return `\\${name} `;
  if (isName && /^[a-z]{2,}$/i.test(name)) return `\\operatorname{${name}}`;
  const style =
    SCRIPTS[attributeOf(childOf(own, 'scr'), 'val')] ??
    STYLES[attributeOf(childOf(own, 'sty'), 'val')];
  // Digits and symbols are always upright.
  const isStyled = style === '\\mathrm' ? /^[a-z]+$/i.test(name) : /[a-z\d]/i.test(name);
  return style !== undefined && isStyled ? `${style}{${tex.trim()}}` : tex;
}

function readRun(node: XmlElement, context: Context): string {
  const properties = childrenOf(node, 'rPr');
  if (properties.some((one) => isOn(one, 'vanish'))) return '';
  if (properties.some((one) => isOn(one, 'strike') || isOn(one, 'dstrike')))
    context.loss('Зачёркивание в формуле не переносится');
  const text = textOfRun(node).replaceAll(MARK, '');
  if (!context.isAligned) return readWords(text, properties, context);
  const mark = properties.some((one) => childOf(one, 'aln')) ? MARK : '';
  const parts = text.split('&').map((part) => readWords(part, properties, context));
  return mark + parts.join(MARK);
}

function readFraction(node: XmlElement, context: Context): string {
  const [top, bottom] = [inner(node, 'num', context), inner(node, 'den', context)];
  switch (valueOf(node, 'type', 'bar')) {
    case 'lin':
      return `${group(top)}/${group(bottom)}`;
    case 'noBar':
      return `\\begin{matrix}${top}\\\\${bottom}\\end{matrix}`;
    default:
      return `\\frac{${top}}{${bottom}}`;
  }
}

/** Wraps a sum, so that it stays on one side of a slash. */
const group = (tex: string): string => (/[+\-=<>]/.test(tex) ? `(${tex})` : tex);

/** The only element inside, through any number of boxes around it. */
function onlyInside(parent: XmlElement | undefined): XmlElement | undefined {
  const [child, another] = elementsOf(parent).filter(({ name }) => !name.endsWith('Pr'));
  if (!child || another) return undefined;
  return child.name === 'box' ? onlyInside(childOf(child, 'e')) : child;
}

/** Marks where a row is aligned, until it is written as `&`. */
const MARK = '\ue003';
const marksIn = (row: string) => row.split(MARK).length - 1;

const RELATION = /^\s*(?:[=<>]|\\(?:le|ge|ne|approx|equiv|to|in|sim|Rightarrow|Leftrightarrow)\b)/;

const rowsOf = (node: XmlElement, context: Context): string[] =>
  childrenOf(node, 'e').map((row) => readChildren(row, { ...context, isAligned: true }));

/** Rows below each other, aligned at their marks if there are any. */
function readArray(node: XmlElement, context: Context): string {
  const rows = rowsOf(node, context);
  const name = rows.some((row) => marksIn(row) > 0) ? 'aligned' : 'gathered';
  return `\\begin{${name}}${rows.join('\\\\').replaceAll(MARK, '&')}\\end{${name}}`;
}

/** A system. A mark that only aligns relation signs is left out, since `cases` has columns of its own. */
function readCases(node: XmlElement, context: Context): string | null {
  const rows = rowsOf(node, context);
  if (rows.some((row) => marksIn(row) > 1)) return null;
  const cells = rows.map((row) => {
    const [left = '', right] = row.split(MARK);
    if (right === undefined || RELATION.test(right)) return left + (right ?? '');
    return `${left}&${right}`;
  });
  return `\\begin{cases}${cells.join('\\\\')}\\end{cases}`;
}

const cellsOf = (node: XmlElement, context: Context): string[][] =>
  childrenOf(node, 'mr').map((row) =>
    childrenOf(row, 'e').map((cell) => readChildren(cell, plain(context))),
  );
const joinCells = (rows: readonly (readonly string[])[]) =>
  rows.map((row) => row.join(' & ')).join('\\\\');

const readMatrix: ElementReader = (node, context) =>
  `\\begin{matrix}${joinCells(cellsOf(node, context))}\\end{matrix}`;

const MATRICES: Readonly<Record<string, string>> = {
  '()': 'pmatrix',
  '[]': 'bmatrix',
  '{}': 'Bmatrix',
  '||': 'vmatrix',
  '‖‖': 'Vmatrix',
};

/** Structures that TeX writes by one command together with their brackets: systems, matrices, binomial coefficients. */
function readBracketed(node: XmlElement, brackets: string, context: Context): string | null {
  const only = onlyInside(childOf(node, 'e'));
  if (childrenOf(node, 'e').length !== 1 || !only) return null;
  if (only.name === 'eqArr' && brackets === '{') return readCases(only, context);
  if (only.name === 'f' && brackets === '()' && valueOf(only, 'type', 'bar') === 'noBar')
    return `\\binom{${inner(only, 'num', context)}}{${inner(only, 'den', context)}}`;
  if (only.name !== 'm') return null;
  const cells = cellsOf(only, context);
  if (brackets === '{' && cells.every((row) => row.length <= 2))
    return `\\begin{cases}${joinCells(cells)}\\end{cases}`;
  const name = MATRICES[brackets];
  return name === undefined ? null : `\\begin{${name}}${joinCells(cells)}\\end{${name}}`;
}

function readDelimiters(node: XmlElement, given: Context): string {
  const context = plain(given);
  const [begin, end] = [valueOf(node, 'begChr', '('), valueOf(node, 'endChr', ')')];
  const known = readBracketed(node, begin + end, context);
  if (known !== null) return known;
  const [open, close] = [delimiterOf(begin), delimiterOf(end)];
  if (open === undefined || close === undefined) throw new Untranslatable();
  const separator = valueOf(node, 'sepChr', '|');
  const between = separator === '|' || separator === '∣' ? '\\middle|' : formulaText(separator);
  const parts = childrenOf(node, 'e').map((part) => readChildren(part, context));
  return `\\left${open}${parts.join(between)}\\right${close}`;
}

function readLargeOperator(node: XmlElement, context: Context): string {
  const properties = childOf(node, 'naryPr');
  const sign = LARGE_OPERATORS[valueOf(node, 'chr', '∫')];
  if (sign === undefined) throw new Untranslatable();
  const isIntegral = sign.endsWith('int');
  const limits = isIntegral && valueOf(node, 'limLoc', 'subSup') === 'undOvr' ? '\\limits' : '';
  const sub = isOn(properties, 'subHide') ? '' : inner(node, 'sub', context);
  const sup = isOn(properties, 'supHide') ? '' : inner(node, 'sup', context);
  return `${sign}${limits}${sub && `_{${sub}}`}${sup && `^{${sup}}`} ${inner(node, 'e', context)}`;
}

function readGroupSign(node: XmlElement, context: Context): string {
  const body = inner(node, 'e', context);
  const sign = valueOf(node, 'chr', '⏟');
  const isAbove = valueOf(node, 'pos', 'bot') === 'top';
  const arrow = ARROWS[sign];
  if (arrow) {
    // Without `vertJc` the text line is at the top. It is the arrow's line if the arrow is above.
    const isLong = (valueOf(node, 'vertJc', 'top') === 'top') === isAbove;
    if (isLong) return isAbove ? `${arrow.long}[${option(body)}]{}` : `${arrow.long}{${body}}`;
    const drawn = isAbove ? arrow.over : arrow.under;
    if (drawn !== undefined) return `${drawn}{${body}}`;
  }
  if (sign === '⏞' && isAbove) return `\\overbrace{${body}}`;
  if (sign === '⏟' && !isAbove) return `\\underbrace{${body}}`;
  if (sign === '⏜' && isAbove) return `\\overgroup{${body}}`;
  if (sign === '⏝' && !isAbove) return `\\undergroup{${body}}`;
  if (sign === '') return body;
  return `\\${isAbove ? 'overset' : 'underset'}{${formulaText(sign)}}{${body}}`;
}

const LIMITS = /^\\(?:lim|liminf|limsup|max|min|sup|inf|det|gcd|Pr|sum|prod|int|oint) ?$/;

/** Limits of an operator under or over it, or the label of a brace. */
const readLimit =
  (command: 'underset' | 'overset', mark: '_' | '^'): ElementReader =>
  (node, context) => {
    const body = inner(node, 'e', { ...context, isName: true });
    const limit = inner(node, 'lim', { ...context, isName: false });
    const brace = mark === '_' ? '\\underbrace{' : '\\overbrace{';
    if (LIMITS.test(body)) return `${body.trim()}${mark}{${limit}}`;
    if (body.startsWith(brace)) return `${body}${mark}{${limit}}`;
    return `\\${command}{${limit}}{${body}}`;
  };

function readAccent(node: XmlElement, context: Context): string {
  const sign = valueOf(node, 'chr', '\u0302');
  const body = inner(node, 'e', context);
  if (sign === '') return body;
  const accent = ACCENTS[sign];
  if (accent === undefined) throw new Untranslatable();
  // An accent of one letter would shrink over several.
  const wide = accent === '\\vec' && onlyInside(childOf(node, 'e'))?.name === 'r';
  return wide && /^[a-z]{2,}$/i.test(body.trim())
    ? `\\overrightarrow{${body}}`
    : `${accent}{${body}}`;
}

function readFrame(node: XmlElement, context: Context): string {
  const properties = childOf(node, 'borderBoxPr');
  const body = inner(node, 'e', context);
  const [rising, falling] = [isOn(properties, 'strikeBLTR'), isOn(properties, 'strikeTLBR')];
  const strike = rising && falling ? '\\xcancel' : rising ? '\\cancel' : falling ? '\\bcancel' : '';
  const struck = strike === '' ? body : `${strike}{${body}}`;
  const crossed = isOn(properties, 'strikeH') ? `\\sout{${struck}}` : struck;
  if (isOn(properties, 'strikeV')) context.loss('Вертикальная черта через формулу не переносится');
  const hidden = ['hideTop', 'hideBot', 'hideLeft', 'hideRight'].filter((side) =>
    isOn(properties, side),
  );
  if (hidden.length === 4) return crossed;
  if (hidden.length > 0) {
    context.loss('Линии рамки вокруг части формулы не переносятся');
    return crossed;
  }
  return `\\boxed{${crossed}}`;
}

function readPhantom(node: XmlElement, context: Context): string {
  const properties = childOf(node, 'phantPr');
  const body = inner(node, 'e', context);
  if (isOn(properties, 'show', true)) return body;
  if (isOn(properties, 'zeroWid')) return `\\vphantom{${body}}`;
  const isFlat = isOn(properties, 'zeroAsc') && isOn(properties, 'zeroDesc');
  return `\\${isFlat ? 'hphantom' : 'phantom'}{${body}}`;
}

function readRoot(node: XmlElement, context: Context): string {
  const degree = isOn(childOf(node, 'radPr'), 'degHide') ? '' : inner(node, 'deg', context);
  const body = inner(node, 'e', context);
  return degree === '' ? `\\sqrt{${body}}` : `\\sqrt[${option(degree)}]{${body}}`;
}

function readFunction(node: XmlElement, context: Context): string {
  const name = inner(node, 'fName', { ...context, isName: true }).trimEnd();
  const body = inner(node, 'e', context);
  return name.endsWith('}') ? `${name}${body}` : `${name} ${body}`;
}

/** A letter with its scripts. The name of a function remains one. */
const readScripts =
  (...marks: readonly (readonly [mark: string, name: string])[]): ElementReader =>
  (node, context) => {
    const body = inner(node, 'e', context);
    const base = FUNCTIONS.has(body.trim().slice(1)) ? body.trim() : `{${body}}`;
    const argument = { ...context, isName: false };
    return base + marks.map(([mark, name]) => `${mark}{${inner(node, name, argument)}}`).join('');
  };

const readContents: ElementReader = (node, context) => readChildren(node, context);
const readNothing: ElementReader = () => '';

/** The elements of ECMA-376, part 1, 22.1 that have contents, and those of Word that may occur among them. */
const READERS: Readonly<Record<string, ElementReader>> = {
  acc: readAccent,
  bar: (node, context) =>
    `\\${valueOf(node, 'pos', 'bot') === 'top' ? 'overline' : 'underline'}{${inner(node, 'e', context)}}`,
  borderBox: readFrame,
  box: readContents,
  d: readDelimiters,
  e: readContents,
  eqArr: (node, context) => readArray(node, plain(context)),
  f: (node, context) => readFraction(node, plain(context)),
  func: readFunction,
  groupChr: readGroupSign,
  limLow: readLimit('underset', '_'),
  limUpp: readLimit('overset', '^'),
  m: readMatrix,
  nary: (node, context) => readLargeOperator(node, context),
  oMath: readContents,
  oMathPara: readContents,
  phant: readPhantom,
  r: readRun,
  rad: readRoot,
  sPre: (node, context) =>
    `{}_{${inner(node, 'sub', context)}}^{${inner(node, 'sup', context)}}{${inner(node, 'e', context)}}`,
  sSub: readScripts(['_', 'sub']),
  sSubSup: readScripts(['_', 'sub'], ['^', 'sup']),
  sSup: readScripts(['^', 'sup']),
  ins: readContents,
  moveTo: readContents,
  smartTag: readContents,
  customXml: readContents,
  sdt: readContents,
  sdtContent: readContents,
  hyperlink: readContents,
  del: readNothing,
  moveFrom: readNothing,
};

/** Place marks and properties: never visible themselves. */
const SILENT =
  /(?:Pr|RangeStart|RangeEnd)$|^(?:argPr|bookmarkStart|bookmarkEnd|proofErr|permStart|permEnd)$/;

/** Whether an element of Word is converted, is a property of another one, or makes its formula untranslatable. */
export function isTranslatable(name: string): boolean {
  return Object.hasOwn(READERS, name) || SILENT.test(name);
}

function readElement(node: XmlElement, context: Context): string {
  if (Object.hasOwn(READERS, node.name)) return READERS[node.name]?.(node, context) ?? '';
  if (SILENT.test(node.name)) return '';
  throw new Untranslatable();
}

const readChildren = (parent: XmlElement, context: Context): string =>
  elementsOf(parent)
    .map((child) => readElement(child, context))
    .join('');

/**
 * A formula of Word as TeX; null: an element has no counterpart.
 * @param loss reports what a converted formula loses
 */
export function convertWordFormula(
  formula: XmlElement,
  loss: (line: string) => void,
): string | null {
  try {
    const tex = readChildren(formula, { loss, isName: false, isAligned: false })
      .replaceAll(/\s+/g, ' ')
      .trim();
    return tex === '' || /(?<!\\)(?:\\\\)*\$/.test(tex) ? null : tex;
  } catch (error) {
    if (error instanceof Untranslatable) return null;
    throw error;
  }
}
