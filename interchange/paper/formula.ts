import type { XhtmlPiece } from '#interchange/html/to-xhtml.ts';
import { tag, type Written } from '#interchange/xml-writer.ts';

/**
 * MathML from KaTeX in Word's own form (Office Math, ECMA-376 part 1, section 22.1), which Word can edit. An element
 * without a counterpart is replaced with its content.
 */
export function wordFormula(math: Written, display: boolean): Written {
  const formula = m('oMath', ...row(math.children));
  return display ? m('oMathPara', formula) : formula;
}

const m = (name: string, ...children: readonly (Written | null)[]) =>
  tag(`m:${name}`, {}, ...children);
const value = (name: string, val: string) => tag(`m:${name}`, { 'm:val': val });
const inside = (name: string, node: XhtmlPiece | undefined) =>
  m(name, ...(node === undefined ? [] : row([node])));

const wordsOf = (node: XhtmlPiece): string =>
  typeof node === 'string' ? node : node.children.map(wordsOf).join('');
const childrenOf = ({ children }: Written): readonly XhtmlPiece[] =>
  children.filter((child) => typeof child !== 'string' || child.trim() !== '');

const MATH_FONT = tag(
  'w:rPr',
  {},
  tag('w:rFonts', { 'w:ascii': 'Cambria Math', 'w:hAnsi': 'Cambria Math' }),
);

/** `style`: `p` upright, `b` bold, null italic like variables. */
function letters(text: string, style: 'p' | 'b' | null, script?: string): Written[] {
  if (text === '') return [];
  const properties = [
    script === undefined ? null : value('scr', script),
    style === null ? null : value('sty', style),
  ];
  return [
    m('r', m('rPr', ...properties), MATH_FONT, tag('m:t', { 'xml:space': 'preserve' }, text)),
  ];
}

const plainText = (text: string) =>
  m('r', m('rPr', m('nor')), MATH_FONT, tag('m:t', { 'xml:space': 'preserve' }, text));

const NARY = /^[∑∏∐∫∬∭∮⋃⋂⨁⨂⋁⋀]$/;
const SCRIPTS = ['double-struck', 'script', 'fraktur'];
/** Number sets have special characters. Programs that support no script styles show them, too. */
const SETS: Readonly<Record<string, string>> = {
  C: 'ℂ',
  N: 'ℕ',
  P: 'ℙ',
  Q: 'ℚ',
  R: 'ℝ',
  Z: 'ℤ',
};
/** Accents in MathML as the combining characters that Office Math requires. */
const ACCENTS: Readonly<Record<string, string>> = {
  '^': '\u0302',
  ˆ: '\u0302',
  '~': '\u0303',
  '˙': '\u0307',
  '¨': '\u0308',
  ˇ: '\u030c',
  '´': '\u0301',
  '`': '\u0300',
  '˘': '\u0306',
  '→': '\u20d7',
  '\u20d7': '\u20d7',
};
/** Functions with their index below; U+2061 is the invisible function sign. */
const LIMIT = /^(?:lim|max|min|sup|inf)\u2061?$/;
const OVERLINE = /^[‾¯―_]$/;

/** A bracket of `\left` and `\right`, which has its own row; brackets of `\big` have a size. */
const isFence = (node: XhtmlPiece | undefined): node is Written =>
  typeof node === 'object' &&
  node.name === 'mo' &&
  node.attributes['fence'] === 'true' &&
  node.attributes['minsize'] === undefined;

/** Sum, product or integral without its scripts. */
const isNary = (node: XhtmlPiece | undefined): boolean =>
  node !== undefined && NARY.test(wordsOf(node).trim());

const isLimit = (node: XhtmlPiece | undefined): boolean =>
  node !== undefined && LIMIT.test(wordsOf(node));

/**
 * The elements of a row. The elements after a sum or an integral are its operand. Without recursion, so that rows may
 * be long.
 */
function row(nodes: readonly XhtmlPiece[]): Written[] {
  const rest = [...nodes].reverse();
  const made: Written[] = [];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (typeof next === 'string') {
      made.push(...letters(next.trim(), 'p'));
      continue;
    }
    if (isTransparent(next)) {
      rest.push(...[...childrenOf(next)].reverse());
      continue;
    }
    const base = childrenOf(next)[0];
    const operated = SCRIPTED.has(next.name) && isNary(base) ? nary : null;
    const limited = UNDER.has(next.name) && isLimit(base) ? limit : null;
    const withOperand = operated ?? limited;
    const operand = withOperand ? rest.pop() : undefined;
    made.push(...(withOperand && operand !== undefined ? [withOperand(next, operand)] : one(next)));
  }
  return made;
}

/** A wrapper that only groups; one with fences is a pair of brackets. */
function isTransparent(node: Written): boolean {
  return GROUPS.has(node.name) && !isFence(childrenOf(node)[0]);
}

const TOKENS = new Set(['mi', 'mo', 'mn']);
const GROUPS = new Set(['mrow', 'mstyle', 'mpadded', 'semantics', 'math']);
const UNDER = new Set(['msub', 'munder']);
const SCRIPTED = new Set(['msub', 'msup', 'msubsup', 'munder', 'mover', 'munderover']);

/** The base, the script below or the index, the script above or the power. */
function scripts(
  node: Written,
): [XhtmlPiece | undefined, XhtmlPiece | undefined, XhtmlPiece | undefined] {
  const [base, first, second] = childrenOf(node);
  if (node.name === 'msup' || node.name === 'mover') return [base, undefined, first];
  return [base, first, second];
}

/** A function with its index below the name, with its argument. */
function limit(node: Written, operand: XhtmlPiece): Written {
  const [base, low] = scripts(node);
  const name = m('limLow', inside('e', base), inside('lim', low));
  return m('func', m('fName', name), inside('e', operand));
}

function nary(node: Written, operand: XhtmlPiece): Written {
  const [base, low, high] = scripts(node);
  const isAtSide = node.name.startsWith('ms');
  return m(
    'nary',
    m(
      'naryPr',
      value('chr', base === undefined ? '∑' : wordsOf(base).trim()),
      value('limLoc', isAtSide ? 'subSup' : 'undOvr'),
      low === undefined ? value('subHide', '1') : null,
      high === undefined ? value('supHide', '1') : null,
    ),
    inside('sub', low),
    inside('sup', high),
    inside('e', operand),
  );
}

function brackets(node: Written): Written {
  const parts = childrenOf(node);
  const [open, close] = [parts[0], parts.at(-1)];
  const isClosed = parts.length > 1 && isFence(close);
  return m(
    'd',
    m(
      'dPr',
      value('begChr', open === undefined ? '' : wordsOf(open)),
      value('endChr', isClosed && close !== undefined ? wordsOf(close) : ''),
    ),
    m('e', ...row(parts.slice(1, isClosed ? -1 : undefined))),
  );
}

function over(node: Written): Written {
  const [base, low, high] = scripts(node);
  const mark = high === undefined ? '' : wordsOf(high).trim();
  if (low === undefined && OVERLINE.test(mark)) {
    return m('bar', m('barPr', value('pos', 'top')), inside('e', base));
  }
  const accent = ACCENTS[mark];
  if (low === undefined && accent !== undefined)
    return m('acc', m('accPr', value('chr', accent)), inside('e', base));
  if (low === undefined && mark === '⏞') {
    return m(
      'groupChr',
      m('groupChrPr', value('chr', '⏞'), value('pos', 'top')),
      inside('e', base),
    );
  }
  const lower = low === undefined ? '' : wordsOf(low).trim();
  if (high === undefined && OVERLINE.test(lower)) {
    return m('bar', m('barPr', value('pos', 'bot')), inside('e', base));
  }
  if (high === undefined && lower === '⏟') return m('groupChr', inside('e', base));
  const lowered = low === undefined ? null : m('limLow', inside('e', base), inside('lim', low));
  if (high === undefined) return lowered ?? inside('e', base);
  return m('limUpp', lowered === null ? inside('e', base) : m('e', lowered), inside('lim', high));
}

/** Struck out or framed. */
function enclosed(node: Written): Written {
  const notation = node.attributes['notation'] ?? '';
  const strikes = [
    notation.includes('horizontalstrike') ? value('strikeH', '1') : null,
    notation.includes('updiagonalstrike') ? value('strikeBLTR', '1') : null,
    notation.includes('downdiagonalstrike') ? value('strikeTLBR', '1') : null,
  ];
  const sides = strikes.every((strike) => strike === null)
    ? []
    : ['hideTop', 'hideBot', 'hideLeft', 'hideRight'].map((side) => value(side, '1'));
  return m('borderBox', m('borderBoxPr', ...sides, ...strikes), m('e', ...row(childrenOf(node))));
}

function identifier(node: Written): Written[] {
  const text = wordsOf(node).trim();
  const variant = node.attributes['mathvariant'] ?? '';
  const set = variant === 'double-struck' ? SETS[text] : undefined;
  if (set !== undefined) return letters(set, 'p');
  if (SCRIPTS.includes(variant)) return letters(text, 'p', variant);
  if (variant.startsWith('bold')) return letters(text, 'b');
  // The names of functions are upright.
  return letters(text, variant === 'normal' || Array.from(text).length > 1 ? 'p' : null);
}

function one(node: Written): Written[] {
  const parts = childrenOf(node);
  const [first, second] = parts;
  // An operator made of others, such as an arrow with a text above it.
  if (TOKENS.has(node.name) && parts.some((part) => typeof part !== 'string')) return row(parts);
  switch (node.name) {
    case 'mi':
      return identifier(node);
    case 'mn':
      return letters(wordsOf(node).trim(), 'p');
    case 'mo':
      // U+2061 to U+2064 are invisible operators.
      return letters(
        wordsOf(node)
          .replaceAll(/[\u2061-\u2064]/g, '')
          .trim(),
        'p',
      );
    case 'mtext':
    case 'ms':
      return [plainText(wordsOf(node))];
    case 'mspace':
      return [plainText(' ')];
    case 'msup':
      return [m('sSup', inside('e', first), inside('sup', second))];
    case 'msub':
      return [m('sSub', inside('e', first), inside('sub', second))];
    case 'msubsup':
      return [m('sSubSup', inside('e', first), inside('sub', second), inside('sup', parts[2]))];
    case 'mfrac': {
      const isBare = (node.attributes['linethickness'] ?? '').startsWith('0');
      const properties = isBare ? m('fPr', value('type', 'noBar')) : null;
      return [m('f', properties, inside('num', first), inside('den', second))];
    }
    case 'msqrt':
      return [m('rad', m('radPr', value('degHide', '1')), m('deg'), m('e', ...row(parts)))];
    case 'mroot':
      return [m('rad', inside('deg', second), inside('e', first))];
    case 'mover':
    case 'munder':
    case 'munderover':
      return [over(node)];
    case 'mtable':
      return [
        m(
          'm',
          ...parts.flatMap((line) =>
            typeof line === 'string'
              ? []
              : [m('mr', ...childrenOf(line).map((cell) => inside('e', cell)))],
          ),
        ),
      ];
    case 'menclose':
      return [enclosed(node)];
    case 'mphantom':
    case 'annotation':
      return [];
    default:
      return isFence(first) ? [brackets(node)] : row(parts);
  }
}
