import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findProblem, findTests, readRows } from '#tests/conformance.ts';

const rows = readRows(
  readFileSync(new URL('../../docs/conformance.yaml', import.meta.url), 'utf8'),
);

/** Sentences identified by section and path: `2.14 /tests/my : …`. */
const PLACE = /^(\d)\.(\d+) /;

test('the sections of the specification are covered without a gap', () => {
  const places = new Map<number, number[]>();
  for (const { sentence } of rows) {
    const [, section, place] = PLACE.exec(sentence) ?? [];
    if (section === undefined) continue;
    places.set(Number(section), [...(places.get(Number(section)) ?? []), Number(place)]);
  }
  expect([...places.keys()]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  for (const [section, found] of places)
    expect(found, `section ${section}`).toEqual(found.map((_place, index) => index + 1));
});

test('each row quotes a sentence and names tests that contain the quoted assertion', () => {
  expect(rows.length).toBeGreaterThan(400);
  const problems = rows.flatMap(({ sentence, tests }) => {
    expect(sentence.replace(PLACE, '').length, sentence).toBeGreaterThan(8);
    return tests.flatMap((quote) => {
      const problem = findProblem(quote);
      return problem === null ? [] : [`${sentence}: ${quote.file} › ${quote.test} ${problem}`];
    });
  });
  expect(problems).toEqual([]);
});

const HERE = 'tests/architecture/conformance.test.ts';
const OWN = 'finds the tests of a file with their titles and code';

const GOOD = { file: HERE, test: OWN, assertion: 'expect(width).toBe(360)' };

test.each([
  ['no assertion', { assertion: 'const source = 1' }, 'quotes no assertion'],
  ['no such file', { file: 'e2e/none.spec.ts' }, /^names a file that cannot be read/],
  ['no such test', { test: 'some other title' }, 'names no test of its file'],
  [
    'the assertion of another test',
    { assertion: 'expect(rows.length).toBeGreaterThan(400)' },
    'quotes what its test does not assert',
  ],
])('a planted row with %s is refused', (_, change, problem) => {
  expect(findProblem(GOOD)).toBeNull();
  expect(findProblem({ ...GOOD, ...change })).toMatch(problem);
});

test('a row without a test, or with half of one, is refused', () => {
  const of = (tests: string) => readRows(`[{part: a, rows: [{sentence: 1.1 b, tests: ${tests}}]}]`);
  expect(of('[{file: a.test.ts, test: b, assertion: expect(1)}]')).toHaveLength(1);
  expect(() => of('[]')).toThrow();
  expect(() => of('[{file: a.test.ts, test: b}]')).toThrow();
});

test('finds the tests of a file with their titles and code', () => {
  const source = `test.describe('a group', () => {
    for (const width of [360]) test(\`at \${width} px\`, async () => { expect(width).toBe(360); });
    test.each([1])('%i is one', (n) => expect(n).toBe(1));
  });`;
  const found = findTests('planted.test.ts', source);
  expect(found.map(({ title }) => title)).toEqual(['a group', 'at … px', '%i is one']);
  expect(found.map(({ code }) => code.includes('toBe(360)'))).toEqual([true, true, false]);
});
