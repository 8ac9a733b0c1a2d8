import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { carryAssets } from './carry-assets.mjs';

let out: string;
beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), 'dist-'));
});
afterEach(() => rmSync(out, { recursive: true, force: true }));

const build = (...names: string[]) => {
  const client = join(out, 'client.next');
  mkdirSync(join(client, 'assets'), { recursive: true });
  for (const name of names) writeFileSync(join(client, 'assets', name), name);
  carryAssets({ out, client });
  rmSync(join(out, 'client'), { recursive: true, force: true });
  renameSync(client, join(out, 'client'));
  return readdirSync(join(out, 'client', 'assets')).sort();
};

test('the parts of the last three builds stay reachable, older ones go', () => {
  build('a-1.js', 'shared.js');
  build('a-2.js', 'shared.js');
  build('a-3.js', 'shared.js');
  expect(build('a-4.js', 'shared.js')).toEqual([
    'a-1.js',
    'a-2.js',
    'a-3.js',
    'a-4.js',
    'shared.js',
  ]);
  expect(build('a-5.js', 'shared.js')).toEqual([
    'a-2.js',
    'a-3.js',
    'a-4.js',
    'a-5.js',
    'shared.js',
  ]);
});

test('building the same again pushes no build out', () => {
  build('a-1.js');
  build('a-2.js');
  for (let times = 0; times < 5; times += 1) build('a-2.js');
  expect(build('a-3.js')).toEqual(['a-1.js', 'a-2.js', 'a-3.js']);
});
