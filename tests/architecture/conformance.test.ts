import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const table = readFileSync(new URL('../../docs/conformance.md', import.meta.url), 'utf8');

interface Row {
  readonly sentence: string;
  readonly named: string;
}

const rowsOf = (text: string): Row[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (sentence|-)/.test(line))
    .map((line) => {
      const [, sentence = '', named = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
      return { sentence, named };
    });

/** Sentences that stand with their section and place: `2.14 /tests/my : …`. */
const PLACE = /^(\d)\.(\d+) /;

test('the specification is gone through section by section without a gap', () => {
  const places = new Map<number, number[]>();
  for (const { sentence } of rowsOf(table)) {
    const [, section, place] = PLACE.exec(sentence) ?? [];
    if (section === undefined) continue;
    places.set(Number(section), [...(places.get(Number(section)) ?? []), Number(place)]);
  }
  expect([...places.keys()]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  for (const [section, found] of places)
    expect(found, `section ${section}`).toEqual(found.map((_place, index) => index + 1));
});

const FILE = /[\w./-]+\.(?:spec|test)\.tsx?/g;

/** Files with the words that follow each of them, up to the next. */
function namedTests(named: string): { file: string; words: string }[] {
  const found = [...named.matchAll(FILE)];
  return found.map((match, index) => ({
    file: match[0],
    words: named.slice(match.index + match[0].length, found[index + 1]?.index ?? named.length),
  }));
}

test('each sentence of the conformance table names tests in files that exist', () => {
  const rows = rowsOf(table);
  expect(rows.length).toBeGreaterThan(100);
  for (const { sentence, named } of rows) {
    const files = namedTests(named).map(({ file }) => file);
    expect(files, sentence).not.toEqual([]);
    for (const file of files) expect(existsSync(file), `${sentence}: ${file}`).toBe(true);
  }
});

test('the words of each test stand in its file', () => {
  const strangers: string[] = [];
  for (const { sentence, named } of rowsOf(table)) {
    for (const { file, words } of namedTests(named)) {
      const opening = words.replace(/^[`:\s]+/, '').split(/…|\$|%|;|\(\d|`|, and | › |"/)[0] ?? '';
      const name = opening
        .trim()
        .replace(/[,.:]$/, '')
        .slice(0, 40);
      if (name.length < 8 || !existsSync(file)) continue;
      if (!readFileSync(file, 'utf8').includes(name))
        strangers.push(`${sentence} → ${file}: ${name}`);
    }
  }
  expect(strangers).toEqual([]);
});
