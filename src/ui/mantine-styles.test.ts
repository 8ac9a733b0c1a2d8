import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const src = fileURLToPath(new URL('..', import.meta.url));
const core = join(src, '../node_modules/@mantine/core');
const read = (path: string) => readFileSync(path, 'utf8');

const SHEETS = /['"]@mantine\/core\/styles\/([\w-]+)\.layer\.css['"]/g;
const NAMED = /import\s+(type\s+)?\{([^}]*)\}\s+from\s+['"]@mantine\/core['"]/g;
const MODULES = /from "(\.[^"]+\.mjs)"/g;

/** The module of each exported name, read from the library's own index. */
const homes = new Map(
  [...read(join(core, 'esm/index.mjs')).matchAll(/import \{([^}]*)\} from "(\.[^"]+)"/g)].flatMap(
    ([, names = '', path = '']) =>
      names.split(',').map((name) => [name.trim(), join(core, 'esm', path)] as const),
  ),
);

/** The class names that a module and its imports use. */
function classesOf(path: string, seen = new Set<string>()): string[] {
  if (seen.has(path)) return [];
  seen.add(path);
  const text = read(path);
  if (path.endsWith('.module.mjs'))
    return [...text.matchAll(/"(m_\w+)"/g)].map(([, name = '']) => name);
  return [...text.matchAll(MODULES)].flatMap(([, next = '']) =>
    classesOf(join(dirname(path), next), seen),
  );
}

/** All rules of Mantine's style sheets that a file imports. */
function sheetsIn(text: string): string {
  return [...text.matchAll(SHEETS)]
    .map(([, name = '']) => read(join(core, 'styles', `${name}.layer.css`)))
    .join('\n');
}

function mantineNames(text: string): string[] {
  return [...text.matchAll(NAMED)]
    .filter(([, typeOnly]) => !typeOnly)
    .flatMap(([, , names = '']) => names.split(','))
    .map((name) => name.trim())
    .filter((name) => /^[A-Z]/.test(name) && !name.startsWith('type '));
}

const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
  .map((file) => ({ file, text: read(join(src, file)) }))
  .filter(({ text }) => mantineNames(text).length > 0);

/** Some class names of the library are hooks without rules of their own. */
const everyRule = readdirSync(join(core, 'styles'))
  .filter((file) => file.endsWith('.layer.css'))
  .map((file) => read(join(core, 'styles', file)))
  .join('\n');

const hasRule = (rules: string, styleClass: string) => rules.includes(`.${styleClass}`);

/** Whether a component uses a class without rules in the imported style sheets. */
function isUnstyled(name: string, rules: string): boolean {
  const home = homes.get(name);
  return (
    home !== undefined &&
    classesOf(home).some(
      (styleClass) => hasRule(everyRule, styleClass) && !hasRule(rules, styleClass),
    )
  );
}

const shared = sheetsIn(read(join(src, 'ui/mantine.css')));

test.each(sources)('every Mantine component of $file has its styles imported', ({ text }) => {
  const rules = shared + sheetsIn(text);
  expect(mantineNames(text).filter((name) => isUnstyled(name, rules))).toEqual([]);
});

test('a component without its style sheet is detected', () => {
  expect(isUnstyled('Menu', shared)).toBe(true);
});

test('every variable that the imported style sheets use has a value', () => {
  const own = read(join(src, 'ui/css-variables.gen.css'));
  const defined = new Set(
    [...`${own}${shared}`.matchAll(/(--mantine-[\w-]+)\s*:/g)].map(([, name]) => name),
  );
  const needed = [...shared.matchAll(/var\((--mantine-[\w-]+)\)/g)].map(([, name]) => name);
  expect([...new Set(needed)].filter((name) => !defined.has(name))).toEqual([]);
});
