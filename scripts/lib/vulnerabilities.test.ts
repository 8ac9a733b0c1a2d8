import { expect, test } from 'vitest';
import { readVulnerabilities } from './vulnerabilities.mjs';

test('vulnerable packages are named; without an answer of the registry the result is unknown', () => {
  const found = { vulnerabilities: { pg: { severity: 'high' }, zod: { severity: 'low' } } };
  expect(readVulnerabilities(JSON.stringify(found))).toEqual(['pg (high)', 'zod (low)']);
  expect(readVulnerabilities('{"vulnerabilities": {}}')).toEqual([]);
  expect(readVulnerabilities('{"error": {"code": "ENOAUDIT"}}')).toBeNull();
  expect(readVulnerabilities('405 Method Not Allowed')).toBeNull();
});
