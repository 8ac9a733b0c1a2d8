import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findTests } from '#tests/conformance.ts';

const inProject = (path: string) => new URL(`../../${path}`, import.meta.url);
const text = readFileSync(inProject('docs/ACCESSIBILITY.md'), 'utf8');

/** Success criteria of WCAG 2.2, levels A and AA, by guideline. */
const CRITERIA = [
  ['1.1', [1]],
  ['1.2', [1, 2, 3, 4, 5]],
  ['1.3', [1, 2, 3, 4, 5]],
  ['1.4', [1, 2, 3, 4, 5, 10, 11, 12, 13]],
  ['2.1', [1, 2, 4]],
  ['2.2', [1, 2]],
  ['2.3', [1]],
  ['2.4', [1, 2, 3, 4, 5, 6, 7, 11]],
  ['2.5', [1, 2, 3, 4, 7, 8]],
  ['3.1', [1, 2]],
  ['3.2', [1, 2, 3, 4, 6]],
  ['3.3', [1, 2, 3, 4, 7, 8]],
  ['4.1', [2, 3]],
] as const;

const rows = text
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, criterion = '', level = '', state = '', reason = '']) => ({
    criterion,
    level,
    state,
    reason,
  }));

test('each of the 55 criteria of levels A and AA has a row', () => {
  const all = CRITERIA.flatMap(([guideline, places]) =>
    places.map((place) => `${guideline}.${place}`),
  );
  expect(all).toHaveLength(55);
  expect(rows.map(({ criterion }) => criterion.split(' ')[0])).toEqual(all);
  expect(rows.filter(({ level }) => level === 'A')).toHaveLength(31);
  expect(rows.filter(({ level }) => level === 'AA')).toHaveLength(24);
});

test('a criterion that is met names its tests, which exist; any other says why', () => {
  const problems = rows.flatMap(({ criterion, state, reason }) => {
    const named = [...reason.matchAll(/`(\S+\.(?:spec|test)\.tsx?)` › (.+?)(?=<br>|$)/g)];
    if (state === 'met' && named.length === 0) return [`${criterion}: no test`];
    if (!['met', 'partly', 'not met', 'does not apply'].includes(state))
      return [`${criterion}: ${state}`];
    if (state !== 'met' && reason.replace(/`.*/, '').trim() === '')
      return [`${criterion}: no reason`];
    return named.flatMap(([, file = '', title = '']) =>
      findTests(file, readFileSync(inProject(file), 'utf8')).some((found) => found.title === title)
        ? []
        : [`${criterion}: no test «${title}» in ${file}`],
    );
  });
  expect(problems).toEqual([]);
});

/** Sources of the app's screens, by path. */
const sources = readdirSync(inProject('src'), { recursive: true, encoding: 'utf8' })
  .map((path) => `src/${path.replaceAll('\\', '/')}`)
  .filter((path) => /\.(?:tsx?|css)$/.test(path) && !/\.test\.tsx?$/.test(path))
  .map((path) => [path, readFileSync(inProject(path), 'utf8')] as const);

/** Handlers of a press that act before its release; keeping the focus where it is and drawing an area are no actions. */
const EARLY =
  /\bon(?:Pointer|Mouse|Touch)(?:Down|Start)=\{(?!keepFocus|\(event\) => event\.preventDefault)/;

test.each([
  ['appears on hover', /\b(?:Tooltip|HoverCard)\b|:hover[^{]*::(?:before|after)/, []],
  // The camera's picture, without sound, on a page that a person opened for it.
  ['plays by itself', /\bautoPlay\b|\.play\(/, ['src/lib/qr-series/use-camera.ts']],
  ['moves or flashes for ever', /\banimation(?:-iteration-count)?:[^;]*\binfinite\b|<marquee/, []],
  ['follows the movement of the device', /\bdevice(?:motion|orientation)\b/i, []],
  ['requires an orientation', /\bscreen\.orientation\b|@media[^{]*\borientation:/, []],
  // An area is drawn over a picture: its four numbers can be typed.
  ['acts before the press is released', EARLY, ['src/questions/variant/AreasBoard.tsx']],
])('nothing in the app %s', (_, forbidden, exceptions) => {
  const found = sources.filter(([, source]) => forbidden.test(source)).map(([path]) => path);
  expect(found).toEqual(exceptions);
});
