import { MARK, liftMath } from './format-math.ts';

/** The plain text of Markdown in one line, each formula as `formula` says it. */
export function plainText(markdown: string, formula: (tex: string) => string): string {
  const { text, formulas } = liftMath(markdown);
  return text
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
    .replace(MARK, (_, index: string) => {
      const found = formulas[Number(index)];
      const words = found ? formula(found.tex) : '';
      return found?.display ? ` ${words} ` : words;
    })
    .replace(/\s+/g, ' ')
    .trim();
}

/** A text that is no Markdown, whose formulas alone are replaced. */
export function withFormulas(text: string, formula: (tex: string) => string): string {
  const lifted = liftMath(text);
  return lifted.text.replace(MARK, (_, index: string) =>
    formula(lifted.formulas[Number(index)]?.tex ?? ''),
  );
}
