import { INVISIBLE } from './format-typed.ts';
import { normalForm } from './normal-form.ts';

/** Folds differences that a search ignores: case, ё and е, invisible characters; blanks are single. */
export const searchableText = (text: string): string =>
  normalForm(text.replaceAll(INVISIBLE, ''), 'NFC')
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The words of a search text: each must occur in a match; none: every text matches. */
export const searchTerms = (typed: string): string[] =>
  searchableText(typed)
    .split(' ')
    .filter((word) => word !== '');
