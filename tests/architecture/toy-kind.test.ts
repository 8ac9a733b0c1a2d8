import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '#scripts/lib/project.mjs';
import { runTool } from '#scripts/lib/run.mjs';
import { TOY_EDITS, TOY_FILES, TOY_TEST, withEdit } from '#tests/toy-kind/toy-kind.ts';

/** Folders that the compiler reads. */
const FOLDERS = [
  'contract',
  'domain',
  'interchange',
  'src',
  'server',
  'simulation',
  'scripts',
  'tests',
  'e2e',
  'bench',
  'proof',
  'docs/help/pictures',
];

const FILES = [
  'package.json',
  'tsconfig.json',
  'tsconfig.base.json',
  'tsconfig.server.json',
  'vitest.config.ts',
];

const NEW = { ...TOY_FILES, [TOY_TEST.path]: TOY_TEST.text };

let copy = '';
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'toy-kind-'));
  for (const name of [...FOLDERS, ...FILES])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const [path, text] of Object.entries(NEW)) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    writeFileSync(join(copy, path), text);
  }
  for (const edit of TOY_EDITS) {
    const file = join(copy, edit.path);
    writeFileSync(file, withEdit(readFileSync(file, 'utf8'), edit));
  }
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** Types of the whole program: half a minute alone, minutes beside other work. */
const WHOLE_PROGRAM_MS = 600_000;

const inCopy = async (tool: string, args: string[]) => {
  const { code, output } = await runTool(tool, args, { cwd: copy });
  return code === 0 ? '' : output;
};

test(
  'a new kind of question needs the contract, its two folders and a line in each registry',
  async () => {
    expect(await inCopy('typescript/bin/tsc', ['-p', 'tsconfig.server.json', '--noEmit'])).toBe('');
  },
  WHOLE_PROGRAM_MS,
);

test('a new kind of question is answered, marked and converted, and what does not know it says so', async () => {
  expect(await inCopy('vitest/vitest.mjs', ['run', '--project', 'unit', TOY_TEST.path])).toBe('');
});
