import { plainText } from '#domain/format-plain-text.ts';
import { showTex } from '#domain/format-tex.ts';
import { treeToMarkdown, type ConversionContext } from '#interchange/html/to-markdown.ts';
import { parseHtml, type HtmlRoot } from '#interchange/html/tree.ts';
import { cleanedTree, PLAIN_BAR } from './tree.ts';
import { withWordFormulas } from './word.ts';

/** A longer text is a whole page. */
const MAX_HTML_CHARACTERS = 1_000_000;

export interface Pasted {
  readonly text: string;
  /** The parts that were not imported, in Russian. */
  readonly losses: readonly string[];
  /** Addresses of pictures embedded in the HTML; `file:pasted-0` in the text is the first. */
  readonly pictures: readonly string[];
}

export const pastedKey = (index: number): string => `pasted-${index}`;

const HEAD = /<head[\s>][\s\S]*?<\/head>/i;

function readTree(html: string, isPlain: boolean, loss: (line: string) => void): HtmlRoot | null {
  if (html.length > MAX_HTML_CHARACTERS) return null;
  const root = parseHtml(withWordFormulas(html.replace(HEAD, ''), loss));
  return root && cleanedTree(root, { loss, isPlain });
}

/** Converts the HTML of a clipboard to our Markdown, as blocks or as one line; null: it cannot be read. */
export function convertPasted(html: string, { inline }: { inline: boolean }): Pasted | null {
  const losses = new Set<string>();
  const pictures: string[] = [];
  const context: ConversionContext = {
    loss: (line) => losses.add(line),
    picture: (src) => {
      if (/^data:image\/[\w.+-]+;base64,/i.test(src)) return pastedKey(pictures.push(src) - 1);
      losses.add('Картинка не вставлена: скопируйте её отдельно или перетащите файлом');
      return null;
    },
  };
  const tree = readTree(html, false, context.loss);
  if (!tree) return null;
  const text = treeToMarkdown(tree, context, { inline });
  return { text, losses: [...losses], pictures };
}

const LIST_MARK = /^\s*(?:\\?[-+*–•]|(?:[a-zа-яё]|\d{1,2})\\?[).])\s+/i;
const TABLE_RULE = /^\|(?:\s*:?-+:?\s*\|)+$/;

/** The same as separate lines without list marks: options of a question, items of an order. */
export function convertPastedLines(
  html: string,
): { lines: string[]; losses: readonly string[] } | null {
  const pasted = convertPasted(html, { inline: false });
  if (!pasted || pasted.pictures.length > 0) return null;
  const lines = pasted.text.split('\n').flatMap((line) => {
    if (TABLE_RULE.test(line)) return [];
    const isRow = line.startsWith('|') && line.endsWith('|');
    const text = isRow
      ? line
          .slice(1, -1)
          .replaceAll(/(?<!\\)\|/g, ' ')
          .replaceAll(/\s+/g, ' ')
      : line;
    const bare = text.replace(LIST_MARK, '').trim();
    return bare === '' ? [] : [bare];
  });
  return { lines, losses: pasted.losses };
}

/**
 * The same for a field without formatting: powers and indices become small characters, formulas a line of characters.
 */
export function convertPastedPlain(html: string, isMultiline: boolean): string | null {
  const tree = readTree(html, true, () => {});
  if (!tree) return null;
  const context: ConversionContext = { loss: () => {}, picture: () => 'none' };
  const text = treeToMarkdown(tree, context, { inline: !isMultiline });
  const lines = isMultiline ? text.split('\n') : [text];
  return lines
    .map((line) => plainText(line, showTex).replaceAll(PLAIN_BAR, '|'))
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}
