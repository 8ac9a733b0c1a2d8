import { expect, test } from 'vitest';
import { escaped, hideEscapes, showEscapes } from './escapes.ts';

test('private characters of a file do not become control characters or line breaks', () => {
  const text = 'а\ue100\ue101б\ue107в\ue10fг';
  expect(showEscapes(hideEscapes(text))).toBe('абвг');
});

test('escaped signs come back as they were, and unescaped ones stay control characters', () => {
  const text = 'a\\b:c#d=e{f}g~h\ni';
  expect(showEscapes(hideEscapes(escaped(text)))).toBe(text);
  expect(hideEscapes(escaped(text))).not.toMatch(/[\\:#={}~\n]/);
  expect(hideEscapes('a=b')).toBe('a=b');
});
