import { withDollarFormulas } from '#domain/tex-delimiters.ts';
import { plainToMarkdown } from '#interchange/html/to-markdown.ts';
import { withoutPictures } from './markdown-parts.ts';

const PICTURE_LOSS =
  'Рисунок не вложен в файл: вместо него осталось описание. Добавьте его в редакторе';

const WRITTEN_PICTURE_LOSS =
  'Рисунок, записанный прямо в текст, из этого формата не переносится. Добавьте его в редакторе';

/** Imported Markdown: formulas between dollars. Pictures are removed, since text files contain none. */
export function importedText(text: string, losses: string[]): string {
  const bare = withoutPictures(withDollarFormulas(text));
  if (bare.count > 0 && !losses.includes(PICTURE_LOSS)) losses.push(PICTURE_LOSS);
  return bare.text;
}

/** The HTML reader's context where a file contains no pictures. */
export function createContextWithoutPictures(losses: string[]) {
  const reported = new Set(losses);
  const loss = (line: string) => {
    if (reported.has(line)) return;
    reported.add(line);
    losses.push(line);
  };
  return {
    picture: (src: string) => {
      loss(src.startsWith('data:') ? WRITTEN_PICTURE_LOSS : PICTURE_LOSS);
      return null;
    },
    loss,
  };
}

// Text without Markdown characters. Most texts need no parser.
const PLAIN = /^[\p{L}\p{N}«"(][\p{L}\p{N} ,;:()?%«»"—–.!/=+'-]*$/u;
const isPlainLine = (line: string) =>
  line === '' || (PLAIN.test(line) && !/^\d+[.)]|https?:|www\.| $| {2}/i.test(line));

/** More lines are converted one by one: the parser's time grows faster than their number. */
const LINES_AT_ONCE = 50;

/** Converts plain text to our Markdown, with any number of lines. */
export function textToMarkdown(text: string, inline: boolean): string {
  const lines = text.split('\n');
  if (lines.every(isPlainLine)) return text.trim();
  if (lines.length <= LINES_AT_ONCE) return plainToMarkdown(text, { inline });
  return lines.map((line) => (line === '' ? '' : plainToMarkdown(line, { inline }))).join('\n');
}
