import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { AUDIT_HOLES } from '#scripts/lib/audit-holes.mjs';
import { auditFile, AUDIT_PARTS } from '#scripts/lib/audit-parts.mjs';

const tried = AUDIT_PARTS.flatMap(([, files]) => files);

test('every file that the audit names exists, and stands in one part', () => {
  expect(tried.filter((name) => !existsSync(auditFile(name)))).toEqual([]);
  expect(new Set(tried).size).toBe(tried.length);
});

test.each(AUDIT_HOLES.map((hole) => [hole.name, hole] as const))(
  'the hole has a hold in the server: %s',
  (_, { file, from, to, seenBy }) => {
    expect(readFileSync(file, 'utf8').split(from)).toHaveLength(2);
    expect(to).not.toBe(from);
    // The audit itself has to detect it, not another test.
    expect(tried).toContain(seenBy);
  },
);

/** A line that decides who may do what. */
const DECIDES =
  /'(NOT_FOUND|FORBIDDEN)'|mayManage(Test)?\(|requireLevel\(|\.role [!=]== ROLE|CONFIRMATION_REQUIRED|draftSlots/;
/** Folders that refuse for other reasons than access: an address, a path, an operator's own commands. */
const NO_ACCESS = ['db', 'backup', 'demo', 'housekeeping', 'lan', 'metrics', 'processes'];

test('each folder of the server that decides about access has a hole', () => {
  const deciding = readdirSync('server', { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !NO_ACCESS.includes(entry.name))
    .map(({ name }) => name)
    .filter((name) =>
      productFiles(`server/${name}`).some((path) => DECIDES.test(readFileSync(path, 'utf8'))),
    );
  const planted = new Set(AUDIT_HOLES.map(({ file }) => file.split('/')[1]));
  expect(deciding.filter((name) => !planted.has(name))).toEqual([]);
  expect(deciding.length).toBeGreaterThan(14);
  expect(AUDIT_HOLES.length).toBeGreaterThanOrEqual(25);
});

/** Product files of a folder and those below it. */
function productFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => `${folder}/${path}`);
}
