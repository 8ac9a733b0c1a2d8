import { findFormulas } from './format-math.ts';

const CODE = /(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g;
/** No blank line, and no other delimiter, so that each position is read once. */
const INSIDE = String.raw`(?:\\[^()[\]]|(?!\n[ \t]*\n)[^\\])+?`;
/** An escaped backslash does not open a formula. */
const DELIMITED = new RegExp(String.raw`\\\\|\\\((${INSIDE})\\\)|\\\[(${INSIDE})\\\]`, 'g');

const hasDollar = (tex: string) => /(?<!\\)(?:\\\\)*\$/.test(tex);

function convert(prose: string, next: string): string {
  return prose.replaceAll(
    DELIMITED,
    (whole: string, inline: string | undefined, display: string | undefined, at: number) => {
      const tex = (inline ?? display ?? '').trim();
      if (tex === '' || hasDollar(tex)) return whole;
      if (display !== undefined) return `$$${tex}$$`;
      const line = tex.replaceAll(/\s*\n\s*/g, ' ');
      const after = prose[at + whole.length] ?? next;
      // A digit after the closing dollar would make it a price.
      return `$${line}$${/\d/.test(after) ? '\u200b' : ''}`;
    },
  );
}

/** Converts formulas in `\(…\)` and `\[…\]` to dollars, our notation. Code and other formulas stay unchanged. */
export function withDollarFormulas(text: string): string {
  if (!/\\[([]/.test(text)) return text;
  const preserved = [
    ...Array.from(text.matchAll(CODE), (match) => ({
      start: match.index,
      end: match.index + match[0].length,
    })),
    ...findFormulas(text),
  ].sort((one, other) => one.start - other.start);
  let made = '';
  let from = 0;
  for (const { start, end } of preserved) {
    if (start < from) continue;
    made += convert(text.slice(from, start), text[start] ?? '') + text.slice(start, end);
    from = end;
  }
  return made + convert(text.slice(from), '');
}
