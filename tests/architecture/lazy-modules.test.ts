import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Places where a lost module needs no second load. */
const EXCEPTIONS = [
  // A separate worker, started anew after each failure.
  'src/features/exchange/exchange-worker.ts',
];

const IMPORT = /(?<!typeof )\bimport\(\s*['"]/g;
const LOADER = /(?:createModuleLoader|createPart|lazyPart)(?:<[^>]*>)?\(\s*\(\) =>\s*$/;

/** Lines with an import that a browser may remember as failed. */
const listBareImports = (source: string): number[] =>
  [...source.matchAll(IMPORT)]
    .map(({ index }) => source.slice(0, index))
    .filter((before) => !LOADER.test(before) && !/^\s*(?:\/\/|\*|\/\*\*).*$/.test(lastLine(before)))
    .map((before) => before.split('\n').length);

const lastLine = (text: string) => text.slice(text.lastIndexOf('\n') + 1);

test('Firefox and WebKit remember that a module failed: each is loaded by a loader that tries again', () => {
  const found = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map((path) => join('src', path).replaceAll('\\', '/'))
    .filter(
      (path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path) && !EXCEPTIONS.includes(path),
    )
    .flatMap((path) =>
      listBareImports(readFileSync(path, 'utf8')).map((line) => `${path}:${line}`),
    );
  expect(found).toEqual([]);
});

test.each([
  ["const { sha256 } = await import('@noble/hashes/sha2.js');", [1]],
  ["\nimport('./badge.ts').then(start);", [2]],
  ["const load = createModuleLoader(() => import('./badge.ts'));", []],
  ["lazyPart(\n  () => import('./Field.tsx'),", []],
  [" * @param importModule `() => import('./Field.tsx')`", []],
])('%j: lines %j', (source, lines) => {
  expect(listBareImports(source)).toEqual(lines);
});
