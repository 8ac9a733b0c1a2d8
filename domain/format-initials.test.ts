import { expect, test } from 'vitest';
import { formatInitials } from './format-initials.ts';

test.each([
  ['Передать тесты и классы: В. Н. Цой?', 'Передать тесты и классы: В.\u00A0Н.\u00A0Цой?'],
  ['Лаптева О. В. и другие', 'Лаптева О.\u00A0В. и другие'],
  // The end of a sentence is no initial.
  ['Доступ коллег: Тест по ОГЭ. Весна', 'Доступ коллег: Тест по ОГЭ. Весна'],
])('initials in «%s» stay together', (text, expected) => {
  expect(formatInitials(text)).toBe(expected);
});
