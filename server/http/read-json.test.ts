import { expect, test } from 'vitest';
import { JSON_BODY_BYTES } from '#contract/limits.ts';
import { readJson } from './read-json.ts';
import { Refusal } from './refusal.ts';

const read = (json: string) => readJson(Buffer.from(json), { limit: JSON_BODY_BYTES });
const named = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, '{,"[']));

test('an object has at most 200 names, wherever it stands', () => {
  const wide = named(200);
  expect(read(JSON.stringify(wide))).toEqual(wide);
  const inside = { list: [wide, wide], other: { ...named(199), deep: wide } };
  expect(read(JSON.stringify(inside))).toEqual(inside);
  for (const tooWide of [named(201), [named(201)], { deep: named(201), after: 1 }])
    expect(() => read(JSON.stringify(tooWide))).toThrow(
      expect.objectContaining({ code: 'BAD_REQUEST' }),
    );
});

test('an object with too many names is refused before it is parsed', () => {
  expect(() => read(`${JSON.stringify(named(201)).slice(0, -1)},`)).toThrow(
    expect.objectContaining({ code: 'BAD_REQUEST' }),
  );
  const parse = JSON.parse;
  let parsed = 0;
  JSON.parse = (...given: Parameters<typeof parse>) => {
    parsed += 1;
    return parse(...given) as unknown;
  };
  try {
    expect(() => read(JSON.stringify(named(201)))).toThrow();
    expect(parsed).toBe(0);
    read('{}');
    expect(parsed).toBe(1);
  } finally {
    JSON.parse = parse;
  }
});

test('a list may be longer than an object is wide', () => {
  const list = Array.from({ length: 500 }, (_, index) => [index, { id: index, text: 'а, б' }]);
  expect(read(JSON.stringify({ list, after: 'x' }))).toEqual({ list, after: 'x' });
});

test('bodies have at most 32 levels', () => {
  const levels = (count: number) => `${'['.repeat(count)}1${']'.repeat(count)}`;
  expect(() => read(levels(32))).not.toThrow();
  expect(() => read(levels(33))).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }));
});

test.each(['\u0000', '\uD800'])('names a long field of the text %j in a short reply', (text) => {
  const long = 'ы\u0001'.repeat(50_000);
  const json = JSON.stringify({ [long]: { [long.slice(0, 1_000)]: [text] } });
  let details: unknown;
  try {
    read(json);
  } catch (error) {
    if (error instanceof Refusal) ({ details } = error);
  }
  expect(details).toMatchObject({ fields: [{ message: 'Текст содержит недопустимые символы' }] });
  expect(Buffer.byteLength(JSON.stringify(details))).toBeLessThan(1_000);
});
