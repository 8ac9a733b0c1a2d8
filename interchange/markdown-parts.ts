/** Markdown as formats that know none of it need it: formulas and code apart from the words around them. */
export interface MarkdownPart {
  readonly kind: 'prose' | 'code' | 'inline' | 'display';
  /** As it stands in the text, with its marks. */
  readonly raw: string;
  /** Of a formula, without dollars. */
  readonly tex: string;
}

// Escapes and code come first, so that a dollar inside them is no formula; as the shown text reads it.
const PATTERN =
  /\\[\\$]|(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)|\$\$([\s\S]+?)\$\$|\$(?!\s)((?:\\[\s\S]|[^$\\\n])+?)\$(?!\d)/g;

/** The parts of a Markdown text in order; together they are the text. */
export function markdownParts(text: string): MarkdownPart[] {
  const parts: MarkdownPart[] = [];
  let from = 0;
  const prose = (to: number) => {
    if (to > from) parts.push({ kind: 'prose', raw: text.slice(from, to), tex: '' });
  };
  const pattern = new RegExp(PATTERN);
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [raw, ticks, display, inline] = match;
    if (ticks === undefined && display === undefined && inline === undefined) continue;
    if (/\s$/.test(inline ?? '')) {
      // The dollar is a price; code or a formula may begin right behind it.
      pattern.lastIndex = match.index + 1;
      continue;
    }
    prose(match.index);
    const kind = ticks !== undefined ? 'code' : display !== undefined ? 'display' : 'inline';
    parts.push({ kind, raw, tex: display ?? inline ?? '' });
    from = match.index + raw.length;
  }
  prose(text.length);
  return parts;
}

// Bounded, so that brackets without end are passed over quickly.
const PICTURE = /!\[((?:\\.|[^\]\\]){0,500})\]\([^()\s]{0,2000}(?:\s{1,9}"[^"]{0,300}")?\)/g;

/** The text with words in the place of each picture, wherever it lies, and how many there were. */
export function withoutPictures(text: string): { text: string; count: number } {
  if (!text.includes('![')) return { text, count: 0 };
  let count = 0;
  const bare = text.replaceAll(PICTURE, (_, alt: string) => {
    count += 1;
    return alt.trim() === '' ? '(рисунок)' : `(рисунок: ${alt})`;
  });
  return { text: bare, count };
}
