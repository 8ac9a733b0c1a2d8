import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import { AUDIT_HOLES } from './scripts/lib/audit-holes.mjs';
import base from './vitest.config.ts';

const planted = AUDIT_HOLES.find(({ name }) => name === process.env['AUDIT_HOLE']);

/** The server with one hole in it, without a change of the tree. */
const plantHole: Plugin = {
  name: 'plant-hole',
  enforce: 'pre',
  load(id) {
    if (!planted || id !== resolve(planted.file)) return null;
    return readFileSync(planted.file, 'utf8').replace(planted.from, () => planted.to);
  },
};

const projects = (base.test?.projects ?? []).map((project) =>
  typeof project === 'object' && 'test' in project ? { ...project, plugins: [plantHole] } : project,
);

export default defineConfig({ ...base, test: { ...base.test, projects } });
