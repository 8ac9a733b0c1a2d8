import { expect, test } from 'vitest';
import { readKnownHoles } from './known-holes.mjs';

test('packages with known holes are named; a registry that does not answer is no clean bill', () => {
  const found = { vulnerabilities: { pg: { severity: 'high' }, zod: { severity: 'low' } } };
  expect(readKnownHoles(JSON.stringify(found))).toEqual(['pg (high)', 'zod (low)']);
  expect(readKnownHoles('{"vulnerabilities": {}}')).toEqual([]);
  expect(readKnownHoles('{"error": {"code": "ENOAUDIT"}}')).toBeNull();
  expect(readKnownHoles('405 Method Not Allowed')).toBeNull();
});
