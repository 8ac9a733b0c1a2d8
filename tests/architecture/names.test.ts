import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inProject } from '#scripts/lib/project.mjs';

const FOLDERS = [
  'contract',
  'domain',
  'interchange',
  'src',
  'src-sw',
  'server',
  'simulation',
  'proof',
];
const DECLARED = /^export (?:interface|type|class) (\w+)/gm;

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(inProject(folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
    .map((path) => `${folder}/${path}`),
);

test('one name, one type: no exported type shares its name with another', () => {
  const places = new Map<string, string[]>();
  for (const path of sources) {
    for (const [, name = ''] of readFileSync(inProject(path), 'utf8').matchAll(DECLARED))
      places.set(name, [...(places.get(name) ?? []), path]);
  }
  expect(places.size).toBeGreaterThan(500);
  expect([...places].filter(([, paths]) => paths.length > 1)).toEqual([]);
});
