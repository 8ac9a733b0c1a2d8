import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cruise } from '#scripts/lib/imports.mjs';
import { root } from '#scripts/lib/project.mjs';

/** A small tree that satisfies every rule: file → text. */
const cleanTree = {
  'contract/passing.ts': `import { object } from 'valibot';\nexport const wire = object({});\n`,
  'contract/answers.ts': `import { object } from 'valibot';\nexport const wire = object({});\n`,
  'domain/labels.ts': `export const label = 'Доступен';\n`,
  'domain/rule.ts': `import { wire } from '#contract/passing.ts';\nexport const rule = wire;\n`,
  'src/storage/store.ts': `import { openDB } from 'idb';\nexport const store = openDB;\n`,
  'src/api/call.ts': `import { ofetch } from 'ofetch';\nexport const call = ofetch;\n`,
  'src/outbox/enqueue.ts': `import { store } from '#app/storage/store.ts';\nexport const enqueue = store;\n`,
  'src/ui/Pill.tsx': `import { label } from '#domain/labels.ts';\nexport const Pill = () => <b>{label}</b>;\n`,
  'src/features/passing/Taking.tsx': `import { Pill } from '#app/ui/Pill.tsx';\nimport { enqueue } from '#app/outbox/enqueue.ts';\nexport const Taking = () => <Pill key={String(enqueue)} />;\n`,
  'src/features/results/score.ts': `import { rule } from '#domain/rule.ts';\nexport const score = rule;\n`,
  'src/routes/index.tsx': `import { Taking } from '#app/features/passing/Taking.tsx';\nimport { score } from '#app/features/results/score.ts';\nexport const Route = () => <Taking key={String(score)} />;\n`,
  'src/routeTree.gen.ts': `import { Route } from './routes/index.tsx';\nexport const routeTree = Route;\n`,
  'src/main.tsx': `import { routeTree } from './routeTree.gen.ts';\nexport const app = routeTree;\n`,
  'src-sw/sw.ts': `import { enqueue } from '#app/outbox/enqueue.ts';\nexport const worker = enqueue;\n`,
  'server/main.ts': `import { rule } from '#domain/rule.ts';\nexport const server = rule;\n`,
  'simulation/main.ts': `import { server } from '#server/main.ts';\nimport { enqueue } from '#app/outbox/enqueue.ts';\nexport const run = [server, enqueue];\n`,
  'simulation/evidence.ts': `import type { wire } from '#contract/answers.ts';\nexport type Evidence = typeof wire;\n`,
  'simulation/invariants/durability.ts': `import type { Evidence } from '#simulation/evidence.ts';\nexport const kept = (evidence: Evidence) => evidence;\n`,
  'tests/builder.ts': `export const builder = 1;\n`,
};

/** One violation of each rule, by the rule's name: the file it is planted in and its text. */
const planted: Record<string, [file: string, text: string][]> = {
  'contract-imports-valibot-only': [
    [
      'contract/bad.ts',
      `import type { rule } from '#domain/rule.ts';\nexport type Bad = typeof rule;\n`,
    ],
  ],
  'domain-is-pure': [
    [
      'domain/bad.ts',
      `import { readFileSync } from 'node:fs';\nexport const bad = readFileSync;\n`,
    ],
  ],
  'features-stay-apart': [
    [
      'src/features/results/bad.tsx',
      `import { Taking } from '#app/features/passing/Taking.tsx';\nexport const Bad = () => <Taking />;\n`,
    ],
  ],
  'features-know-the-shared-folders-only': [
    [
      'src/features/session/bad.ts',
      `import { server } from '#server/main.ts';\nexport const bad = server;\n`,
    ],
  ],
  'features-know-no-composition': [
    [
      'src/features/session/tree.ts',
      `import { routeTree } from '#app/routeTree.gen.ts';\nexport const bad = routeTree;\n`,
    ],
  ],
  'authoring-is-for-teachers': [
    [
      'src/features/passing/bad.ts',
      `import { editor } from '#app/drafts/editor.ts';\nexport const bad = editor;\n`,
    ],
    [
      'src/features/results/bad.ts',
      `import { form } from '#app/questions/form/form.ts';\nexport const bad = form;\n`,
    ],
    ['src/drafts/editor.ts', `export const editor = 1;\n`],
    ['src/questions/form/form.ts', `export const form = 1;\n`],
  ],
  'interchange-is-for-authoring': [
    [
      'src/features/library/bad-format.ts',
      `import { wire } from '#interchange/wire.ts';\nexport const bad = wire;\n`,
    ],
    ['interchange/wire.ts', `export const wire = 1;\n`],
  ],
  'interchange-reads-bytes-alone': [
    ['interchange/bad.ts', `import { call } from '#app/api/call.ts';\nexport const bad = call;\n`],
  ],
  'shared-folders-know-no-feature': [
    [
      'src/offline/bad.ts',
      `import { score } from '#app/features/results/score.ts';\nexport const bad = score;\n`,
    ],
  ],
  'routes-are-imported-by-the-tree-only': [
    [
      'src/bad-route.ts',
      `import { Route } from '#app/routes/index.tsx';\nexport const bad = Route;\n`,
    ],
  ],
  'ui-imports-labels-only': [
    [
      'src/ui/Bad.tsx',
      `import { rule } from '#domain/rule.ts';\nexport const Bad = () => <b>{String(rule)}</b>;\n`,
    ],
  ],
  'idb-in-storage-only': [
    [
      'src/features/library/bad.tsx',
      `export const Bad = () => <button onClick={() => void import('idb')} />;\n`,
    ],
  ],
  'ofetch-in-api-only': [
    ['src/features/admin/bad.ts', `import { ofetch } from 'ofetch';\nexport const bad = ofetch;\n`],
  ],
  'outbox-has-no-screen': [
    ['src/outbox/bad.ts', `import { useState } from 'react';\nexport const bad = useState;\n`],
  ],
  'worker-has-no-react': [
    [
      'src-sw/bad.ts',
      `import { createElement } from 'react';\nexport const bad = createElement;\n`,
    ],
  ],
  'worker-never-reaches-react': [
    ['src/api/bad.ts', `import { useState } from 'react';\nexport const bad = useState;\n`],
    ['src-sw/far.ts', `import { bad } from '#app/api/bad.ts';\nexport const far = bad;\n`],
  ],
  'page-never-imports-the-worker': [
    ['src/bad-worker.ts', `import { worker } from '#worker/sw.ts';\nexport const bad = worker;\n`],
  ],
  'server-never-imports-the-app': [
    [
      'server/bad.ts',
      `import { enqueue } from '#app/outbox/enqueue.ts';\nexport const bad = enqueue;\n`,
    ],
  ],
  'app-never-imports-the-server': [
    [
      'src/features/projects/bad.ts',
      `import type { server } from '#server/main.ts';\nexport type Bad = typeof server;\n`,
    ],
  ],
  'product-never-imports-tests': [
    [
      'server/bad-test.ts',
      `import { builder } from '#tests/builder.ts';\nexport const bad = builder;\n`,
    ],
  ],
  'invariants-know-no-product': [
    [
      'simulation/invariants/bad.ts',
      `import { rule } from '#domain/rule.ts';\nexport const bad = rule;\n`,
    ],
  ],
  'no-circular': [
    ['server/a.ts', `import { b } from './b.ts';\nexport const a = () => b;\n`],
    ['server/b.ts', `import { a } from './a.ts';\nexport const b = () => a;\n`],
  ],
  'everything-resolves': [
    ['server/lost.ts', `import { lost } from '#domain/lost.ts';\nexport const bad = lost;\n`],
  ],
};

let tree: string;

const write = (file: string, text: string) => {
  mkdirSync(dirname(join(tree, file)), { recursive: true });
  writeFileSync(join(tree, file), text);
};

beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), 'imports-'));
  for (const file of ['.dependency-cruiser.cjs', 'package.json'])
    cpSync(join(root, file), join(tree, file));
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'), 'dir');
  for (const [file, text] of Object.entries(cleanTree)) write(file, text);
});

afterEach(() => rmSync(tree, { recursive: true, force: true }));

describe('import rules', () => {
  test('a tree that satisfies all rules is green', async () => {
    const { ok, report } = await cruise(tree);
    expect(report).toContain('нарушений нет');
    expect(ok).toBe(true);
  });

  test('every rule has a planted violation, and every planted violation turns its rule red', async () => {
    const config = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs')) as {
      forbidden: { name: string }[];
    };
    for (const [file, text] of Object.values(planted).flat()) write(file, text);

    const { ok, violations } = await cruise(tree);

    expect(ok).toBe(false);
    const red = new Set(violations.map(({ rule, from }) => `${rule}: ${from}`));
    for (const { name } of config.forbidden) {
      const files = (planted[name] ?? []).map(([file]) => `${name}: ${file}`);
      expect(
        files.filter((line) => red.has(line)),
        name,
      ).not.toEqual([]);
    }
  });

  test.each([
    ['ui-imports-labels-only', 'src/ui/Bad.tsx'],
    ['server-never-imports-the-app', 'server/bad.ts'],
    ['idb-in-storage-only', 'src/features/library/bad.tsx'],
  ])('one planted violation of %s alone turns the check red', async (rule, file) => {
    for (const [path, text] of planted[rule] ?? []) write(path, text);
    const { ok, violations } = await cruise(tree);
    expect(ok).toBe(false);
    expect(violations).toEqual([{ rule, from: file }]);
  });

  test('an unreadable file turns the check red', async () => {
    write('server/broken.ts', 'export const = ;\n');
    const { ok } = await cruise(tree);
    expect(ok).toBe(false);
  });
});
