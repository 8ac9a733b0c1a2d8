import type { Question } from '#contract/questions.ts';
import { withGapPlaces } from './format-gaps.ts';

/** Characters of a label; lists cut it further by their width. */
const LABEL_MOST = 90;
/** A longer formula is not readable in a line of a list. */
const FORMULA_MOST = 32;
/** Only the beginning of a longer text is read; more than the label's length, since markup and URLs are removed. */
const READ_MOST = 1_000;
const NOTHING = 'Без текста';

const SIGNS: Readonly<Record<string, string>> = {
  cdot: '·',
  times: '×',
  le: '≤',
  leq: '≤',
  ge: '≥',
  geq: '≥',
  ne: '≠',
  neq: '≠',
  approx: '≈',
  pm: '±',
  to: '→',
  infty: '∞',
  alpha: 'α',
  beta: 'β',
  gamma: 'γ',
  varphi: 'φ',
  phi: 'φ',
  pi: 'π',
  omega: 'ω',
  mu: 'μ',
  lambda: 'λ',
  rho: 'ρ',
  Delta: 'Δ',
  degree: '°',
};

const cut = (text: string, most: number) => {
  if (text.length <= most) return text;
  const start = text.slice(0, most);
  const space = start.lastIndexOf(' ');
  return `${space > most / 2 ? start.slice(0, space) : start}…`;
};

/** TeX in readable form: signs in place of their names, fractions with a stroke, no braces. */
function shortTex(tex: string): string {
  const plain = tex
    .replace(/\\(?:text|mathrm|mathbf|operatorname|vec|overrightarrow)\s*\{([^{}]*)\}/g, '$1')
    .replace(/\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}/g, '$1/$2')
    .replace(/\\sqrt\s*\{([^{}]*)\}/g, '√($1)')
    .replace(/\\(?:left|right|displaystyle|limits)(?![a-z])/gi, '')
    .replace(/\\(?:quad|qquad|[ ,;:!])/g, ' ')
    .replace(/\\([a-z]+)/gi, (_, name: string) => SIGNS[name] ?? name)
    .replace(/[{}\\]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return cut(plain, FORMULA_MOST);
}

/** The plain text of Markdown in one line. */
function plainLine(markdown: string): string {
  return markdown
    .replace(/\$\$([\s\S]+?)\$\$/g, (_, tex: string) => ` ${shortTex(tex)} `)
    .replace(/\$(?!\s)((?:\\[\s\S]|[^$\\\n])+?)\$(?!\d)/g, (_, tex: string) => shortTex(tex))
    .replace(
      /!\[([^\]]*)\]\((audio-)?[^)]*\)/g,
      (_, alt: string, sound?: string) => ` ${alt || (sound ? 'запись' : 'рисунок')} `,
    )
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^(?:[ \t]*\|)?(?:[ \t]*:?-{3,}:?[ \t]*\|)+[ \t]*(?::?-{3,}:?[ \t]*)?$/gm, ' ')
    .replace(/^[ \t]*(?:#{1,6}|>|[-+*]|\d+[.)])(?:[ \t]|$)/gm, '')
    .replace(/\\([\\`*_{}[\]()#+\-.!|$>~])/g, '$1')
    .replace(/(\*\*|__|~~|`+)(\S(?:[\s\S]*?\S)?)\1/g, '$2')
    .replace(/(^|[^\p{L}\d])([*_])(\S(?:[^*_]*?\S)?)\2(?![\p{L}\d])/gu, '$1$3')
    .replace(/\|/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function lineOf({
  text,
  kind,
}: {
  readonly text: string;
  readonly kind?: Question['kind'];
}): string {
  const line = plainLine(text.slice(0, READ_MOST));
  return kind === 'gaps' ? withGapPlaces(line, (gapId) => `(${gapId})_____`) : line;
}

/** A question in one line of a list: its title, or the beginning of its text. Never empty. */
export function questionLabel({
  title,
  ...question
}: Pick<Question, 'title' | 'text'> & { readonly kind?: Question['kind'] }): string {
  const named = (title ?? '').replace(/\s+/g, ' ').trim();
  return cut(named || lineOf(question) || NOTHING, LABEL_MOST);
}
