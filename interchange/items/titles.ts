import { plainWords } from '#interchange/html/to-xhtml.ts';

const MADE_NAME_CHARACTERS = 80;

/** A name where a format demands one and the question has none: its first words. */
export function nameFor(title: string | undefined, text: string, number: number): string {
  if (title?.trim()) return title.trim();
  const words = plainWords(text);
  if (words === '') return `Вопрос ${number}`;
  const letters = Array.from(words);
  return letters.length > MADE_NAME_CHARACTERS
    ? `${letters.slice(0, MADE_NAME_CHARACTERS - 1).join('')}…`
    : words;
}

/** A name that says more than the text and a number do; undefined for the others, as lists need none. */
export function ownTitle(name: string, text: string): string | undefined {
  const title = name.replaceAll(/\s+/g, ' ').trim();
  const isMade = plainWords(text).startsWith(title.replace(/(?:…|\.\.\.)$/, '').trim());
  return isMade || /^(?:вопрос|question|задание|item)?\s*№?\s*\d*$/i.test(title)
    ? undefined
    : title;
}
