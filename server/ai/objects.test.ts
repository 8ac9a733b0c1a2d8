import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cpuMs } from '#tests/cpu.ts';
import { createObjectReader } from './objects.ts';

function read(...pieces: string[]) {
  const objects: unknown[] = [];
  const broken: string[] = [];
  const reader = createObjectReader({
    onObject: (value) => objects.push(value),
    onBroken: (raw) => broken.push(raw),
  });
  for (const piece of pieces) reader.take(piece);
  reader.end();
  return { objects, broken };
}

const A = { kind: 'open', text: 'Чему равно $\\frac{1}{2}$?', accepted: ['0,5'] };
const B = { kind: 'variant', text: 'Скобки { и "}"', options: [{ text: '1', right: true }] };
const lines = `${JSON.stringify(A)}\n${JSON.stringify(B)}\n`;

test.each([
  ['lines', lines],
  ['a fence with prose', `Вот вопросы {черновик}:\n\`\`\`json\n${lines}\`\`\`\nГотово.`],
  ['a list', `[${JSON.stringify(A)},\n${JSON.stringify(B)}]`],
  ['a written-out list', JSON.stringify([A, B], null, 2)],
  ['a wrapper', JSON.stringify({ questions: [A, B] }, null, 2)],
  ['a wrapper with a title', JSON.stringify({ title: 'Тест', list: [A, B] })],
  ['thoughts before', `<think>Начну: {"kind":"open"} или нет…</think>\n${lines}`],
])('%s give the objects and nothing else', (_, text) => {
  expect(read(text)).toEqual({ objects: [A, B], broken: [] });
});

test('an object is emitted as soon as it is complete', () => {
  const objects: unknown[] = [];
  const reader = createObjectReader({
    onObject: (value) => objects.push(value),
    onBroken: () => undefined,
  });
  reader.take(`{"questions":[${JSON.stringify(A)}`);
  expect(objects).toEqual([A]);
});

test.each([
  ['a text without its end', '{"kind":"open","text":"Чему'],
  ['a list without its end', '{"kind":"variant","text":"Что?","options":[{"text":"1"},'],
])('%s does not affect the next object', (_, half) => {
  const { objects, broken } = read(`${half}\n${lines}`);
  expect(objects).toEqual([A, B]);
  expect(broken).toEqual([expect.stringContaining(half)]);
});

test('the unfinished last one is reported', () => {
  const half = '{"kind":"open","text":"Чему';
  expect(read(lines + half)).toEqual({ objects: [A, B], broken: [half] });
});

test('formulas with single backslashes, line ends in texts and trailing commas are repaired', () => {
  const { objects, broken } = read(
    '{"kind":"open","text":"$\\alpha \\cdot 2$\nи","accepted":["1",],}',
  );
  expect(broken).toEqual([]);
  expect(objects).toEqual([{ kind: 'open', text: '$\\alpha \\cdot 2$\nи', accepted: ['1'] }]);
});

test('invalid JSON gives nothing', () => {
  expect(read('Извините, я не могу. {а} {{}} $\\{x\\}$ }}}')).toEqual({ objects: [], broken: [] });
});

test('an object without end is given up at a limit, and reading continues', () => {
  const { objects, broken } = read(`{"text":"${'а'.repeat(200_000)}"}\n`, lines);
  expect(broken.length).toBeGreaterThan(0);
  expect(broken.every((raw) => raw.length <= 500)).toBe(true);
  expect(objects).toEqual([A, B]);
});

const cut = (text: string, places: readonly number[]): string[] => {
  const ends = [...new Set(places.map((place) => place % (text.length + 1)))].toSorted(
    (a, b) => a - b,
  );
  return [...ends, text.length].map((end, index) => text.slice(ends[index - 1] ?? 0, end));
};

test('the result does not depend on the chunks', () => {
  const parts = fc.constantFrom(
    JSON.stringify(A),
    JSON.stringify(B, null, 1),
    '{"kind":"open","text":"без конца\n',
    '{"questions": [',
    '```json\n',
    '<think>',
    '</think>',
    ' слова {и скобки} ',
    '"\\',
    ']}',
    '\n',
  );
  const text = fc.oneof(
    fc.array(parts).map((some) => some.join('')),
    fc.string(),
  );
  fc.assert(
    fc.property(text, fc.array(fc.nat()), (given, places) => {
      expect(read(...cut(given, places))).toEqual(read(given));
    }),
  );
});

test('any objects come back equal', () => {
  const object = fc.dictionary(
    fc.string().filter((key) => key !== '__proto__' && key !== 'kind'),
    fc.jsonValue(),
    { minKeys: 1 },
  );
  fc.assert(
    fc.property(fc.array(object), (given) => {
      const values = given.map((value) => ({ kind: 'open', ...value }));
      const text = values.map((value) => JSON.stringify(value)).join('\n');
      const inner = values.some((value) => /.\{"kind":/.test(JSON.stringify(value)));
      fc.pre(!inner);
      expect(read(text).objects).toEqual(values.map((value) => JSON.parse(JSON.stringify(value))));
    }),
  );
});

test('thousands of brackets, as written by a model that repeats itself, cost no time', () => {
  const from = cpuMs();
  const reader = createObjectReader({ onObject: () => undefined, onBroken: () => undefined });
  reader.take(`{"a":${'['.repeat(30_000)}`);
  reader.end();
  expect(cpuMs() - from).toBeLessThan(3_000);
});
