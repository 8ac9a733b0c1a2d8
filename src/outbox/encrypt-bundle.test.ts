import { expect, test } from 'vitest';
import { fromText, parseBundle, toText } from './encrypt.ts';

const roundTrip = (value: unknown): unknown => {
  const text = toText(value);
  return text === null ? 'no text' : fromText(text);
};

test.each([
  [null],
  ['a text'],
  [0.5],
  [true],
  [[1, [2]]],
  [{ a: { b: null } }],
  [Uint8Array.of(1, 2, 255).buffer],
  [{ a: [Uint8Array.of(7).buffer] }],
  [new ArrayBuffer(0)],
])('row values round-trip: %#', (value) => {
  const found = roundTrip(value);
  expect(found).toStrictEqual(value);
  expect(found instanceof ArrayBuffer).toBe(value instanceof ArrayBuffer);
});

test.each([
  [undefined],
  [Number.NaN],
  [Infinity],
  [new Date(0)],
  [new Map()],
  [Uint8Array.of(1)],
  [1n],
  [() => 1],
  [{ a: undefined }],
  [{ a: [new Date(0)] }],
  [{ a: 1, b: new Date(0) }],
  [Object.create(null)],
])('values that do not round-trip have no text: %#', (value) => {
  expect(toText(value)).toBeNull();
});

const NOTHING = { attempt: null, content: null, operations: [], files: [] };

test('a bundle preserves every field of its rows, known or not', () => {
  const bundle = {
    attempt: { attemptId: 'a', later: 1 },
    content: { attemptId: 'a', later: 2 },
    operations: [{ operationId: 'o', later: 3 }],
    files: [{ fileId: 'f', later: 4 }],
  };
  expect(parseBundle(JSON.stringify(bundle))).toEqual(bundle);
  expect(parseBundle(JSON.stringify(NOTHING))).toEqual(NOTHING);
});

test.each([
  [{}],
  [{ ...NOTHING, attempt: {} }],
  [{ ...NOTHING, content: {} }],
  [{ ...NOTHING, operations: [{}] }],
  [{ ...NOTHING, files: [{}] }],
])('rows without a key are not a bundle: %#', (bundle) => {
  expect(() => parseBundle(JSON.stringify(bundle))).toThrow();
});
