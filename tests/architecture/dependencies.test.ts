import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inProject } from '#scripts/lib/project.mjs';

const read = (...path: string[]) => readFileSync(inProject(...path), 'utf8');

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

test('each package has a row that says what it is for, and no row is stale', () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
    read('package.json'),
  ) as Manifest;
  const installed = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  const [tables = ''] = read('docs', 'DEPENDENCIES.md').split('## Ours');
  const rows = tables.split('\n').filter((line) => line.startsWith('| `'));
  const named = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
  expect(named.toSorted()).toEqual(installed.toSorted());
  expect(rows.filter((row) => (row.split('|')[2] ?? '').trim() === '')).toEqual([]);
});

test('each package of the lockfile has a SHA-512 hash', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    readonly packages: Readonly<Record<string, { readonly integrity?: string }>>;
  };
  const unhashed = Object.entries(packages).filter(
    ([folder, { integrity }]) => folder !== '' && !integrity?.startsWith('sha512-'),
  );
  expect(unhashed.map(([folder]) => folder)).toEqual([]);
});
