import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { INVARIANTS } from '#simulation/invariants/all.ts';
import { PLANTED } from '#simulation/planted/all.ts';

const document = readFileSync('docs/PROOF.md', 'utf8');

interface Row {
  readonly promise: string;
  readonly files: readonly string[];
  readonly rule: string;
  readonly held: readonly string[];
  readonly alive: readonly string[];
  readonly figures: readonly string[];
}

/** The tables of promises begin with this column; other tables are of runs and figures. */
const promiseTables = document.match(/^\| promise \|.*\n(?:\|.*\n)+/gm) ?? [];

const rows: readonly Row[] = promiseTables
  .flatMap((table) => table.trimEnd().split('\n').slice(2))
  .map((line) => {
    const cells = line.split('|').map((cell) => cell.trim());
    const [, promise = '', files = '', rule = '', held = '', alive = '', figures = ''] = cells;
    return {
      promise,
      files: pathsIn(files),
      rule,
      held: splitHeld(held),
      alive: alive === '—' ? [] : alive.split('; '),
      figures: figures.split(', '),
    };
  });

function pathsIn(text: string): string[] {
  return [...text.matchAll(/`([\w/.-]+\.(?:tsx?|md))`/g)].map(([, path = '']) => path);
}

/** Entries begin with a name in backticks: test titles have semicolons of their own. */
function splitHeld(text: string): string[] {
  return text.split(/; (?=`)/);
}

const flat = (text: string): string => text.replaceAll(/\s+/g, ' ');
const readFlat = (path: string): string => flat(readFileSync(path, 'utf8'));

/** Invariants of finished runs, and those that are checked at every look and step. */
function invariantNames(): Set<string> {
  const sources = readdirSync('simulation')
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFlat(`simulation/${name}`))
    .join('\n');
  const named = sources.matchAll(/(?:violate\(\s*|invariant: )'(\w+)'/g);
  return new Set([...Object.keys(INVARIANTS), ...[...named].map(([, name = '']) => name)]);
}

test('the table has a row for each phrase that the product depends on', () => {
  const promises = rows.map(({ promise }) => promise).join('\n');
  for (const words of [
    'Сохранено на устройстве',
    'Сохранено на сервере',
    'Можно закрывать',
    'Не закрывайте',
    'Устройство готово',
    'осталось',
    'Время вышло',
    'Ждёт решения преподавателя',
    'Предварительный результат',
    'черновик на сервере',
    'Экспорт',
  ])
    expect(promises).toContain(words);
});

test('each promise is the text of its screen', () => {
  for (const { promise, files } of rows) {
    expect(files, promise).not.toEqual([]);
    for (const file of files) {
      const source = readFlat(file);
      for (const part of promise.split('…').map((text) => text.trim()))
        expect(source, `${promise}: ${file}`).toContain(part);
    }
  }
});

test('each rule names files that exist', () => {
  for (const { promise, rule } of rows) {
    expect(rule, promise).not.toBe('');
    for (const path of pathsIn(rule)) expect(existsSync(path), `${promise}: ${path}`).toBe(true);
  }
});

test('each promise is covered by invariants or tests that exist', () => {
  const invariants = invariantNames();
  for (const { promise, held } of rows) {
    expect(held.length, promise).toBeGreaterThan(0);
    for (const entry of held) {
      const [, name = '', title = ''] = /^`([^`]+)`(?:: (.*))?$/.exec(entry) ?? [];
      if (!name.includes('/')) {
        expect([...invariants], `${promise}: ${entry}`).toContain(name);
        continue;
      }
      expect(existsSync(name), `${promise}: ${entry}`).toBe(true);
      expect(readFlat(name), `${promise}: ${entry}`).toContain(title);
    }
  }
});

/** A heading among the help's pages. */
const NO_SENTENCE = ['src/features/help/topics.ts'];

test('each sentence of a screen has a component test', () => {
  for (const { promise, files, held } of rows) {
    const isShown = files.some(
      (file) => /^(?:src|domain)\//.test(file) && !NO_SENTENCE.includes(file),
    );
    if (isShown) expect(held.join(' '), promise).toMatch(/`src\/[^`]+\.test\.tsx`: /);
  }
});

test('every planted bug proves a promise, and every named one exists', () => {
  const named = new Set(rows.flatMap(({ alive }) => alive));
  expect([...named].toSorted()).toEqual(PLANTED.map(({ name }) => name).toSorted());
});

test('every invariant of a finished run covers a promise', () => {
  const named = rows.flatMap(({ held }) => held).join(' ');
  for (const name of Object.keys(INVARIANTS)) expect(named).toContain(`\`${name}\``);
});

test('each row names its figures', () => {
  const known = ['seeds', 'browsers', 'servers', 'tests'];
  for (const { promise, figures } of rows)
    expect(
      figures.filter((name) => !known.includes(name)),
      promise,
    ).toEqual([]);
});
