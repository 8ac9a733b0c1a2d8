import { plainXhtml } from '#interchange/html/to-xhtml.ts';

const MADE_NAME_CHARACTERS = 80;

/** A name for a format that requires one, if the question has none: its first words. */
export function nameFor(title: string | undefined, text: string, number: number): string {
  if (title?.trim()) return title.trim();
  const words = plainXhtml(text);
  if (words === '') return `Вопрос ${number}`;
  const letters = Array.from(words);
  return letters.length > MADE_NAME_CHARACTERS
    ? `${letters.slice(0, MADE_NAME_CHARACTERS - 1).join('')}…`
    : words;
}

/** A name with information beyond the text and a number; undefined otherwise, since lists need no name. */
export function ownTitle(name: string, text: string): string | undefined {
  const title = name.replaceAll(/\s+/g, ' ').trim();
  const isMade = plainXhtml(text).startsWith(title.replace(/(?:…|\.\.\.)$/, '').trim());
  return isMade || /^(?:вопрос|question|задание|item)?\s*№?\s*\d*$/i.test(title)
    ? undefined
    : title;
}
