import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FORM_RULES } from '#domain/kinds/form-kinds.ts';
import { root } from '#scripts/lib/project.mjs';

/*
 * A rule that differs by the kind of a question is in the folder of the kind, behind a table: a new kind then needs no
 * search for branches. This test finds branches anywhere else.
 */

const FOLDERS = ['contract', 'domain', 'interchange', 'server', 'src', 'src-sw'];

/** Folders of kinds, and the generators of test data. */
const OWN = [
  'domain/kinds/',
  'server/ai/kinds/',
  'src/features/generation/kinds/',
  'src/questions/',
  'interchange/testing/',
];

/** Files with a rule that honestly speaks of one kind, with the reason. */
const ALLOWED: Readonly<Record<string, string>> = {
  'domain/answer-files.ts': 'only answers of one kind have files',
  'domain/areas.ts': 'only options of a choice have areas of a picture',
  'domain/format-gaps.ts': 'only texts of one kind have the marks of gaps',
  'interchange/aiken/write.ts': 'the format has choices of one option alone',
  'interchange/gift/read-answer.ts': 'the format has its own kinds of answers',
  'interchange/qti1/item.ts': 'only texts of one kind get the marks of gaps',
  'server/demo/plan.ts': 'demo students change their minds in choices',
  'server/demo/seed-attempts.ts': 'demo students hand in files',
  'server/passing/uploads.ts': 'only answers of one kind have files',
  'server/statistics/matrix.ts': 'caches the marks of typed texts, which are slow to compare',
  'src/app/painted-answers.ts': 'a painted page stores choices and text alone (ADR 14)',
  'src/features/ai/wishes.ts': 'a wish for more wrong options',
  'src/features/statistics/Choices.tsx': 'files are counted, other unlisted answers are texts',
  'src/outbox/change-files.ts': 'only answers of one kind have files',
  'src/outbox/fake-server.ts': 'a double of the server in tests, which lists typed texts',
  'src/outbox/plan.ts': 'only answers of one kind have files',
  'src/outbox/write.ts': 'only answers of one kind have files',
};

const KINDS = Object.keys(FORM_RULES).join('|');
const BRANCH = new RegExp(
  [
    String.raw`[kK]ind\b\)?\s*[!=]==\s*'(?:${KINDS})'`,
    String.raw`'(?:${KINDS})'\s*[!=]==\s*[\w.?]*[kK]ind\b`,
    String.raw`\bcase '(?:${KINDS})':`,
    String.raw`'(?:${KINDS})'[^;()]*\]\.includes\([\w.?]*[kK]ind\)`,
  ].join('|'),
);

const branches = (source: string): boolean => BRANCH.test(source);

const found = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
    (path) => `${folder}/${path.replaceAll('\\', '/')}`,
  ),
)
  .filter(
    (path) =>
      /(?<!\.test)\.tsx?$/.test(path) &&
      !OWN.some((folder) => path.startsWith(folder)) &&
      branches(readFileSync(join(root, path), 'utf8')),
  )
  .toSorted();

test('only the folders of kinds and the listed files branch on the kind of a question', () => {
  expect(found).toEqual(Object.keys(ALLOWED).toSorted());
});

test.each([
  ["if (question.kind === 'open') return;", true],
  ["const is = answer?.kind !== 'file' || more;", true],
  ["  return 'gaps' === question.kind;", true],
  ["  switch (kind) {\n    case 'variant':", true],
  ["['variant', 'compliance'].includes(answer.kind)", true],
  ["if (outcome.kind === 'retry') return outcome;", false],
  ['const table = { open: openRules, file: fileRules };', false],
  ["answer({ questionId, kind: 'variant', optionIds })", false],
])('%j: a branch: %s', (source, isBranch) => {
  expect(branches(source)).toBe(isBranch);
});
