import { defineConfig } from 'vitest/config';
import { mutantParts } from './scripts/lib/mutant-parts.mjs';
import base from './vitest.config.ts';

const part = mutantParts.get(process.env['MUTANTS_PART'] ?? '');
const tests = part?.tests ?? {};
const repeating = part?.isRepeated
  ? { runner: './scripts/lib/repeating-runner.mjs', expect: { poll: { timeout: 3_000 } } }
  : {};

/** The tests that stand for the part that Stryker mutates. */
const projects = (base.test?.projects ?? []).flatMap((project) => {
  if (typeof project !== 'object' || !('test' in project)) return [];
  const name = project.test?.name;
  const include = typeof name === 'string' ? tests[name] : undefined;
  if (include === undefined) return [];
  // The few files that replace modules are among them.
  const own = { exclude: [], ...(name === 'dom' && { isolate: true }) };
  return [{ ...project, test: { ...project.test, ...repeating, ...own, include } }];
});

export default defineConfig({ ...base, test: { ...base.test, projects } });
