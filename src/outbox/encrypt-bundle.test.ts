import { expect, test } from 'vitest';
import { parseBundle } from './encrypt.ts';

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
