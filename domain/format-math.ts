/** A formula found in a text. */
export interface Formula {
  tex: string;
  display: boolean;
}

export interface LiftedMath {
  /** The text with a placeholder for each formula. */
  text: string;
  formulas: readonly Formula[];
}

const OPEN = '\ue000';
const CLOSE = '\ue001';

/** The placeholder of the n-th formula; private-use characters, which texts cannot contain. */
export const MARK = new RegExp(`${OPEN}(\\d+)${CLOSE}`, 'g');

// Escapes and code come first, so that a dollar inside them is no formula. A run of backticks is matched whole,
// as in Markdown: matching its parts, too, would be quadratic.
const PATTERN =
  /\\[\\$]|(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)|\$\$([\s\S]+?)\$\$|\$(?!\s)((?:\\[\s\S]|[^$\\\n])+?)\$(?!\d)/g;

/** Extracts `$…$` and `$$…$$` from a Markdown text before it is parsed, so that `_`, `*` and `|` in them stay. */
export function liftMath(source: string): LiftedMath {
  const formulas: Formula[] = [];
  const text = source
    .replaceAll(OPEN, '')
    .replaceAll(CLOSE, '')
    .replace(PATTERN, (whole, _ticks, block?: string, inline?: string) => {
      const tex = block ?? inline;
      if (tex === undefined || /\s$/.test(inline ?? '')) return whole;
      formulas.push({ tex: tex.trim(), display: block !== undefined });
      return `${OPEN}${formulas.length - 1}${CLOSE}`;
    });
  return { text, formulas };
}

export interface FoundFormula extends Formula {
  /** Positions of its first dollar and after its last one. */
  start: number;
  end: number;
}

/** Formulas with their positions in a text. */
export function findFormulas(source: string): FoundFormula[] {
  return [...source.matchAll(PATTERN)].flatMap((match) => {
    const [whole, , block, inline] = match;
    const tex = block ?? inline;
    if (tex === undefined || /\s$/.test(inline ?? '')) return [];
    const place = { start: match.index, end: match.index + whole.length };
    return [{ tex: tex.trim(), display: block !== undefined, ...place }];
  });
}

/** Whether a text has a formula, so that KaTeX is worth loading. */
export function hasMath(source: string): boolean {
  return source.includes('$') && liftMath(source).formulas.length > 0;
}
