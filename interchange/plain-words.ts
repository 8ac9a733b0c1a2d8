import { plainToMarkdown } from '#interchange/html/to-markdown.ts';
import { markdownParts } from './markdown-parts.ts';

/** A Markdown text as words of one line for formats without markup, and whether they say it all. */
export function asPlainLine(markdown: string): { text: string; isWhole: boolean } {
  const given = markdown.trim();
  const text = markdownParts(given)
    .map(({ kind, raw, tex }) => {
      if (kind === 'inline') return `\\(${tex.trim()}\\)`;
      if (kind === 'display') return `$$${tex.trim()}$$`;
      return kind === 'prose' ? raw.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1') : raw;
    })
    .join('')
    .replaceAll(/\s*\n\s*/g, ' ');
  return { text, isWhole: plainToMarkdown(text, { inline: false }) === given };
}
