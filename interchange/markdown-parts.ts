/** Markdown for formats that do not support it: formulas and code separated from the text around them. */
export interface MarkdownPart {
  readonly kind: 'prose' | 'code' | 'inline' | 'display';
  /** The source text, with its delimiters. */
  readonly raw: string;
  /** Of a formula, without dollars. */
  readonly tex: string;
}

// Escapes and code come first, so that a dollar inside them is no formula; as in the app.
const PATTERN =
  /\\[\\$]|(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)|\$\$([\s\S]+?)\$\$|\$(?!\s)((?:\\[\s\S]|[^$\\\n])+?)\$(?!\d)/g;

/** The parts of a Markdown text in order; concatenated they are the text. */
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
      // The dollar is a price; code or a formula may begin right after it.
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

// Bounded, so that endless brackets are skipped quickly.
const PICTURE =
  /!\[((?:\\.|[^\]\\]){0,500})\]\((audio-)?[^()\s]{0,2000}(?:\s{1,9}"[^"]{0,300}")?\)/g;

/** The text with pictures and recordings replaced with their descriptions, and their number. */
export function withoutPictures(text: string): { text: string; count: number } {
  if (!text.includes('![')) return { text, count: 0 };
  let count = 0;
  const bare = text.replaceAll(PICTURE, (_, alt: string, recording?: string) => {
    count += 1;
    const kind = recording ? 'запись' : 'рисунок';
    return alt.trim() === '' ? `(${kind})` : `(${kind}: ${alt})`;
  });
  return { text: bare, count };
}
