import { markdownParts } from './markdown-parts.ts';

// Punctuation that Markdown would interpret inside a formula; each gets a backslash, which is removed when
// shown.
const TEX_SIGNS = /[\\`*_{}[\]]/g;

const escapedTex = (tex: string) => tex.replaceAll(TEX_SIGNS, String.raw`\$&`);
const plainTex = (tex: string) => tex.replaceAll(/\\([\\`*_{}[\]])/g, '$1');

/** Tags typed by hand are text here and markup in Moodle. */
const outProse = (text: string) =>
  text
    .replaceAll(/&(?=(?:amp;)*[lg]t;)/g, '&amp;')
    .replaceAll(/<(?=[a-z/!?])/gi, '&lt;')
    .replaceAll('\\\\(', '\\\\&#40;')
    .replaceAll('\\\\[', '\\\\&#91;');

const inProse = (text: string) =>
  text
    .replaceAll('\\\\&#40;', '\\\\(')
    .replaceAll('\\\\&#91;', '\\\\[')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll(/&amp;(?=(?:amp;)*[lg]t;)/g, '&');

/** Our Markdown as Moodle shows it: formulas between `\\(` and `\\)`, tags as text. */
export function toMoodleMarkdown(text: string): string {
  return markdownParts(text)
    .map(({ kind, raw, tex }) => {
      if (kind === 'inline') return `\\\\(${escapedTex(tex)}\\\\)`;
      if (kind === 'display') return `\\\\[${escapedTex(tex)}\\\\]`;
      return kind === 'prose' ? outProse(raw) : raw;
    })
    .join('');
}

/** A formula between dollars that is unambiguous. */
function inlineFormula(tex: string, next: string | undefined): string {
  const trimmed = tex.replaceAll(/\s*\n\s*/g, ' ').trim();
  if (trimmed === '') return '';
  return `$${trimmed}$${/\d/.test(next ?? '') ? ' ' : ''}`;
}

const MARKS = [
  { open: '\\\\(', close: '\\\\)', display: false },
  { open: '\\\\[', close: '\\\\]', display: true },
] as const;

/** Converts Moodle's Markdown to ours; the inverse of {@link toMoodleMarkdown}. Linear time. */
export function fromMoodleMarkdown(text: string): string {
  if (!/[\\&]/.test(text)) return text;
  const out: string[] = [];
  const ended = new Set<string>();
  let from = 0;
  const until = (at: number, next: number, instead: string) => {
    out.push(inProse(text.slice(from, at)), instead);
    from = next;
  };
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '`') {
      const ticks = /`+/y;
      ticks.lastIndex = at;
      const mark = ticks.exec(text)?.[0] ?? '`';
      const end = ended.has(mark) ? -1 : text.indexOf(mark, at + mark.length);
      if (end < 0) ended.add(mark);
      const next = end < 0 ? at + mark.length : end + mark.length;
      if (end >= 0) until(at, next, text.slice(at, next));
      at = next - 1;
    } else if (text[at] === '\\') {
      const mark = MARKS.find(({ open }) => !ended.has(open) && text.startsWith(open, at));
      if (!mark) continue;
      const end = text.indexOf(mark.close, at + mark.open.length);
      if (end < 0) {
        ended.add(mark.open);
        continue;
      }
      const next = end + mark.close.length;
      const tex = plainTex(text.slice(at + mark.open.length, end));
      until(at, next, mark.display ? `$$${tex}$$` : inlineFormula(tex, text[next]));
      at = next - 1;
    }
  }
  until(text.length, text.length, '');
  return out.join('');
}
