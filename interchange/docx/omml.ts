import type { XmlElement } from '#interchange/xml.ts';
import { attributeOf, childOf, childrenOf, elementsOf, textInside } from './xml-nodes.ts';

const SIGNS: Readonly<Record<string, string>> = {
  '×': '\\times ',
  '·': '\\cdot ',
  '⋅': '\\cdot ',
  '÷': '\\div ',
  '±': '\\pm ',
  '∓': '\\mp ',
  '≤': '\\le ',
  '≥': '\\ge ',
  '≠': '\\ne ',
  '≈': '\\approx ',
  '≡': '\\equiv ',
  '∞': '\\infty ',
  '∈': '\\in ',
  '∉': '\\notin ',
  '⊂': '\\subset ',
  '∪': '\\cup ',
  '∩': '\\cap ',
  '∅': '\\varnothing ',
  '→': '\\to ',
  '⇒': '\\Rightarrow ',
  '⇔': '\\Leftrightarrow ',
  '∠': '\\angle ',
  '°': '^{\\circ}',
  '∆': '\\Delta ',
  '√': '\\surd ',
  '∫': '\\int ',
  '∑': '\\sum ',
  '∏': '\\prod ',
  '−': '-',
  '⟂': '\\perp ',
  '⊥': '\\perp ',
  '∥': '\\parallel ',
  '%': '\\%',
  '#': '\\#',
  '&': '\\&',
  $: '\\$',
  _: '\\_',
  '{': '\\{',
  '}': '\\}',
  '\\': '\\backslash ',
  '~': '\\sim ',
  '^': '\\hat{}',
  α: '\\alpha ',
  β: '\\beta ',
  γ: '\\gamma ',
  δ: '\\delta ',
  ε: '\\varepsilon ',
  ζ: '\\zeta ',
  η: '\\eta ',
  θ: '\\theta ',
  λ: '\\lambda ',
  μ: '\\mu ',
  ν: '\\nu ',
  ξ: '\\xi ',
  π: '\\pi ',
  ρ: '\\rho ',
  σ: '\\sigma ',
  τ: '\\tau ',
  φ: '\\varphi ',
  χ: '\\chi ',
  ψ: '\\psi ',
  ω: '\\omega ',
  Γ: '\\Gamma ',
  Δ: '\\Delta ',
  Θ: '\\Theta ',
  Λ: '\\Lambda ',
  Π: '\\Pi ',
  Σ: '\\Sigma ',
  Φ: '\\Phi ',
  Ψ: '\\Psi ',
  Ω: '\\Omega ',
};
const FUNCTIONS = /^(?:sin|cos|tg|ctg|tan|cot|log|ln|lg|lim|max|min|arcsin|arccos|arctan|exp)$/;

const RUSSIAN = /([а-яё]+(?:[ /][а-яё]+)*)/i;

/** The text of a formula: symbols as commands, Russian letters upright. */
const words = (text: string): string =>
  text
    .split(new RegExp(RUSSIAN, 'gi'))
    .map((part, index) =>
      index % 2 === 1
        ? `\\text{${part}}`
        : part.replaceAll(/[^\sa-z\d]/giu, (sign) => SIGNS[sign] ?? sign),
    )
    .join('');

/** A formula of Word with an element that TeX cannot express. */
class Untranslatable extends Error {
  override readonly name = 'Untranslatable';
}

const inner = (parent: XmlElement, name: string) => {
  const child = childOf(parent, name);
  return child ? texOfChildren(child) : '';
};

const valueOf = (parent: XmlElement, properties: string, name: string, otherwise: string) => {
  const property = childOf(childOf(parent, properties), name);
  return property ? attributeOf(property, 'val') : otherwise;
};

const BRACKETS: Readonly<Record<string, string>> = {
  '{': '\\{',
  '}': '\\}',
  '': '.',
  '|': '|',
  '‖': '\\|',
};
const bracket = (sign: string) => BRACKETS[sign] ?? sign;

const ACCENTS: Readonly<Record<string, string>> = {
  '\u20d7': '\\vec',
  '\u0305': '\\overline',
  '\u0302': '\\hat',
  '\u0303': '\\tilde',
  '\u0307': '\\dot',
};

function texOf(node: XmlElement): string {
  switch (node.name) {
    case 'r':
      return words(childrenOf(node, 't').map(textInside).join(''));
    case 'f':
      return valueOf(node, 'fPr', 'type', 'bar') === 'lin'
        ? `${inner(node, 'num')}/${inner(node, 'den')}`
        : `\\frac{${inner(node, 'num')}}{${inner(node, 'den')}}`;
    case 'sSup':
      return `{${inner(node, 'e')}}^{${inner(node, 'sup')}}`;
    case 'sSub':
      return `{${inner(node, 'e')}}_{${inner(node, 'sub')}}`;
    case 'sSubSup':
      return `{${inner(node, 'e')}}_{${inner(node, 'sub')}}^{${inner(node, 'sup')}}`;
    case 'rad': {
      const degree = inner(node, 'deg');
      return degree === ''
        ? `\\sqrt{${inner(node, 'e')}}`
        : `\\sqrt[${degree}]{${inner(node, 'e')}}`;
    }
    case 'd': {
      const [open, close] = [
        valueOf(node, 'dPr', 'begChr', '('),
        valueOf(node, 'dPr', 'endChr', ')'),
      ];
      const between = valueOf(node, 'dPr', 'sepChr', '|');
      return `\\left${bracket(open)}${childrenOf(node, 'e').map(texOfChildren).join(between)}\\right${bracket(close)}`;
    }
    case 'nary': {
      const sign = words(valueOf(node, 'naryPr', 'chr', '∫'));
      const [sub, sup] = [inner(node, 'sub'), inner(node, 'sup')];
      return `${sign.trim()}${sub && `_{${sub}}`}${sup && `^{${sup}}`} ${inner(node, 'e')}`;
    }
    case 'func': {
      const name = inner(node, 'fName').trim();
      const known = FUNCTIONS.test(name);
      return `${known ? `\\${name} ` : name}${inner(node, 'e')}`;
    }
    case 'limLow':
      return `${inner(node, 'e')}_{${inner(node, 'lim')}}`;
    case 'bar':
      return `\\overline{${inner(node, 'e')}}`;
    case 'acc': {
      const accent = ACCENTS[valueOf(node, 'accPr', 'chr', '\u0302')];
      if (accent === undefined) throw new Untranslatable();
      return `${accent}{${inner(node, 'e')}}`;
    }
    case 'eqArr':
      return `\\begin{cases}${childrenOf(node, 'e').map(texOfChildren).join('\\\\')}\\end{cases}`;
    case 'm':
      return `\\begin{matrix}${childrenOf(node, 'mr')
        .map((row) => childrenOf(row, 'e').map(texOfChildren).join(' & '))
        .join('\\\\')}\\end{matrix}`;
    case 'oMath':
    case 'oMathPara':
    case 'e':
    case 'box':
    case 'borderBox':
    case 'ins':
      return texOfChildren(node);
    default:
      if (node.name.endsWith('Pr') || node.name === 'del') return '';
      throw new Untranslatable();
  }
}

const texOfChildren = (parent: XmlElement): string => elementsOf(parent).map(texOf).join('');

/** A formula of Word as TeX; null: an element has no counterpart. */
export function convertWordFormula(formula: XmlElement): string | null {
  try {
    const tex = texOfChildren(formula).replaceAll(/\s+/g, ' ').trim();
    return tex === '' || tex.includes('$') ? null : tex;
  } catch (error) {
    if (error instanceof Untranslatable) return null;
    throw error;
  }
}
