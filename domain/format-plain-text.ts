import { MARK, liftMath } from './format-math.ts';

// A run of back-quotes is matched whole; an escaped one opens nothing.
const CODE = /\\[\\`]|(?<!`)(`+)(?!`)([\s\S]*?)(?<!`)\1(?!`)/g;
const CODE_MARK = /\ue004(\d+)\ue005/g;

/** Replaces the code in a text, since it is no markup; `restore` puts the code back without its quotes. */
function liftCode(source: string): { text: string; restore: (text: string) => string } {
  const codes: string[] = [];
  const text = source
    .replaceAll(/[\ue004\ue005]/g, '')
    .replaceAll(CODE, (whole, ticks: string | undefined, code = '') => {
      if (ticks === undefined) return whole;
      codes.push(ticks.length > 2 ? code.replace(/^[^\s`]*\n/, '') : code);
      return `\ue004${codes.length - 1}\ue005`;
    });
  const restore = (line: string) =>
    line.replaceAll(CODE_MARK, (_, index: string) => codes[Number(index)]?.trim() ?? '');
  return { text, restore };
}

const ESCAPED = /\\([\\`*_{}[\]()#+\-.!|$>~])/g;
/** Escaped characters become private ones, which neither markup nor a mark of another step contains. */
const LIFTED = 0xe800;
const LIFTED_MARK = /[\ue800-\ue87f]/g;

/** The plain text of Markdown in one line; `formula` formats each formula. */
export function plainText(markdown: string, formula: (tex: string) => string): string {
  const lifted = liftMath(markdown);
  const { formulas } = lifted;
  const { text, restore } = liftCode(lifted.text);
  const plain = text
    .replaceAll(LIFTED_MARK, '')
    .replaceAll(ESCAPED, (_, sign: string) => String.fromCharCode(LIFTED + sign.charCodeAt(0)))
    .replace(
      /!\[([^\]]*)\]\((audio-)?[^)]*\)/g,
      (_, alt: string, sound?: string) => ` ${alt || (sound ? 'запись' : 'рисунок')} `,
    )
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^(?:[ \t]*\|)?(?:[ \t]*:?-{3,}:?[ \t]*\|)+[ \t]*(?::?-{3,}:?[ \t]*)?$/gm, ' ')
    .replace(/^[ \t]*(?:#{1,6}|>|[-+*]|\d+[.)])(?:[ \t]|$)/gm, '')
    .replace(/(\*\*|__|~~)(\S(?:[\s\S]*?\S)?)\1/g, '$2')
    .replace(/(^|[^\p{L}\d])([*_])(\S(?:[^*_]*?\S)?)\2(?![\p{L}\d])/gu, '$1$3')
    .replace(/\|/g, ' ')
    .replace(MARK, (_, index: string) => {
      const found = formulas[Number(index)];
      const words = found ? formula(found.tex) : '';
      return found?.display ? ` ${words} ` : words;
    })
    .replaceAll(LIFTED_MARK, (sign) => String.fromCharCode(sign.charCodeAt(0) - LIFTED));
  return restore(plain).replace(/\s+/g, ' ').trim();
}

/** A title, which is no Markdown: only formulas and code are formatted, as in a line of text. */
export function plainTitle(title: string, formula: (tex: string) => string): string {
  const { text, restore } = liftCode(withFormulas(title, formula));
  return restore(text).replace(/\s+/g, ' ').trim();
}

/** A text without Markdown. Only its formulas are replaced. */
export function withFormulas(text: string, formula: (tex: string) => string): string {
  const lifted = liftMath(text);
  return lifted.text.replace(MARK, (_, index: string) =>
    formula(lifted.formulas[Number(index)]?.tex ?? ''),
  );
}
