import { expect, test } from 'vitest';
import { languageOf } from './languages.ts';

test.each([
  ['', 'english', 'en'],
  ['', 'math', 'ru'],
  ['', '', 'ru'],
  ['ru', 'english', 'ru'],
  ['de', 'math', 'de'],
])('«%s» chosen for the subject «%s» is %s', (language, theme, shown) => {
  expect(languageOf({ language, theme })).toBe(shown);
});
