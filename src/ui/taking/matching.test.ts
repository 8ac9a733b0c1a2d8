import { expect, test } from 'vitest';
import { allShort, indexOfKey, mediaOf, nextFree, withPair, withoutPair } from './matching.ts';

const left = ['a', 'b', 'c'].map((leftId) => ({ leftId, text: leftId }));
const pair = (leftId: string, rightId: string) => ({ leftId, rightId });

test('a pair is added in the order of the left items', () => {
  expect(withPair(left, [pair('c', '3')], pair('a', '1'), false)).toEqual([
    pair('a', '1'),
    pair('c', '3'),
  ]);
});

test('a left item gets another right item instead of its first', () => {
  expect(withPair(left, [pair('a', '1')], pair('a', '2'), false)).toEqual([pair('a', '2')]);
});

test('a right item that is used elsewhere is moved', () => {
  expect(withPair(left, [pair('a', '1')], pair('b', '1'), false)).toEqual([pair('b', '1')]);
});

test('a right item that may be reused stays where it is', () => {
  expect(withPair(left, [pair('c', '1')], pair('a', '1'), true)).toEqual([
    pair('a', '1'),
    pair('c', '1'),
  ]);
  expect(withPair(left, [pair('a', '2')], pair('a', '1'), true)).toEqual([pair('a', '1')]);
});

test('a pair can be removed', () => {
  expect(withoutPair([pair('a', '1'), pair('b', '2')], 'a')).toEqual([pair('b', '2')]);
});

test('the next free left item follows, starting over at the end', () => {
  expect(nextFree(left, [], 'a')).toBe('b');
  expect(nextFree(left, [pair('b', '1'), pair('c', '2')], 'b')).toBe('a');
  expect(nextFree(left, [pair('a', '1'), pair('b', '2'), pair('c', '3')], 'c')).toBeNull();
});

test.each([
  ['а', 'KeyF', 0],
  ['Е', 'KeyT', 5],
  ['t', 'KeyT', 5],
  [',', 'Comma', 1],
  ['ж', 'Semicolon', -1],
  ['q', 'KeyQ', -1],
  ['Tab', 'Tab', -1],
  ['F', 'KeyF', 0],
])('key %s at %s chooses right item %d of six', (key, code, index) => {
  expect(indexOfKey({ key, code }, 6)).toBe(index);
});

test('short units stand in two columns, definitions in one', () => {
  const items = (...texts: string[]) => texts.map((text) => ({ rightId: text, text }));
  expect(allShort(items('кг·м/с', 'Н·м', '14 символов ту'))).toBe(true);
  expect(allShort(items('Н', 'исчезновение сопротивления'))).toBe(false);
});

test.each([
  ['слова', ''],
  ['до ![а [1] б](file:k) после', '![а [1] б](file:k)'],
  ['![](audio-file:k) и ![схема](file:m "Подпись")', '![](audio-file:k) ![схема](file:m)'],
  ['![ не картинка ![да](file:k)', '![да](file:k)'],
  ['[ссылка](file:k)', ''],
])('pictures and recordings of %j', (text, media) => {
  expect(mediaOf(text)).toBe(media);
});

test('pictures of a long text are found in linear time', () => {
  expect(mediaOf('!['.repeat(500_000))).toBe('');
  expect(mediaOf(`${'!['.repeat(100_000)}${'](file:k)'.repeat(1_000)}`)).toBe('![](file:k)');
});
