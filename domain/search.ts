import { normalForm } from './normal-form.ts';

/** A text without what people do not tell apart when they look for something: case, ё and е; blanks are single. */
export const plainWords = (text: string): string =>
  normalForm(text, 'NFC').toLowerCase().replaceAll('ё', 'е').replaceAll(/\s+/g, ' ').trim();

/** The words of what was typed into a search: each is to stand somewhere in the text; none: every text fits. */
export const searchWords = (typed: string): string[] =>
  plainWords(typed)
    .split(' ')
    .filter((word) => word !== '');
