import { plainToMarkdown } from '#interchange/html/to-markdown.ts';
import { withoutPictures } from './markdown-parts.ts';

const PICTURE_LOSS =
  'Рисунок не вложен в файл: вместо него осталось описание. Добавьте его в редакторе';

/** Markdown that came in: it may show no picture, as files of text carry none. */
export function importedText(text: string, losses: string[]): string {
  const bare = withoutPictures(text);
  if (bare.count > 0 && !losses.includes(PICTURE_LOSS)) losses.push(PICTURE_LOSS);
  return bare.text;
}

/** What the HTML reader needs where a file holds no pictures. */
export const carriedWithoutPictures = (losses: string[]) => ({
  picture: () => {
    if (!losses.includes(PICTURE_LOSS)) losses.push(PICTURE_LOSS);
    return null;
  },
  loss: (line: string) => {
    const loss = `Не перенесено полностью: ${line}`;
    if (!losses.includes(loss)) losses.push(loss);
  },
});

// Words in which Markdown sees nothing; most texts are such, and need no parser.
const PLAIN = /^[\p{L}\p{N}«"(][\p{L}\p{N} ,;:()?%«»"—–.!/=+'-]*$/u;
const isPlainLine = (line: string) =>
  line === '' || (PLAIN.test(line) && !/^\d+[.)]|https?:|www\.| $| {2}/i.test(line));

/** More lines are taken one by one: the parser's time grows faster than their number. */
const LINES_AT_ONCE = 50;

/** Words without markup as our Markdown, however many lines they have. */
export function markdownOfWords(text: string, inline: boolean): string {
  const lines = text.split('\n');
  if (lines.every(isPlainLine)) return text.trim();
  if (lines.length <= LINES_AT_ONCE) return plainToMarkdown(text, { inline });
  return lines.map((line) => (line === '' ? '' : plainToMarkdown(line, { inline }))).join('\n');
}
