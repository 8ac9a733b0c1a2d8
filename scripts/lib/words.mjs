import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';
import { inProject, root } from './project.mjs';

const FOLDERS = [
  'bench',
  'contract',
  'docs',
  'domain',
  'e2e',
  'interchange',
  'proof',
  'scripts',
  'server',
  'simulation',
  'src',
  'src-sw',
  'tests',
];

/** Words of our own dialect: the field has others for what they mean. */
const DIALECT =
  /\b(?:told|tells?|asked|heard|hears?|kept|keeps?|taken|whose|whom|ways?|mend(?:s|ed|ing)?|pupils?|lately|apart|whoever|hangs? on|to be seen|is said)\b/gi;

/** Terms of the protocol and of the field that contain one. */
const TERMS = [/\bkeep-alive\b/gi, /\bset apart\b/gi, /\btake-over\b/gi, /\bhalf-?way\b/gi];

/** Upper limits per 1,000 words. They only go down. */
const MAX_RATE = { comments: 1, documents: 4, tests: 0.5 };

/** @param {string} text @returns {string[]} */
const wordsIn = (text) => text.match(/[A-Za-z][A-Za-z’'-]*/g) ?? [];

/** @param {string} source of TypeScript or JavaScript @returns {string} its comments */
export const commentsIn = (source) =>
  [...source.matchAll(/(?<=^|[\s{(,;])\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm)]
    .map(([comment]) => comment)
    .join('\n');

/** @param {string} source of TypeScript @returns {string} the names of its tests and their groups */
export const testNamesIn = (source) =>
  [
    ...source.matchAll(
      /(?:\b(?:test|it|describe)(?:\.\w+)?|\]\)|\)\))\(\s*('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)/g,
    ),
  ]
    .map(([, name = '']) => name.slice(1, -1))
    .join('\n');

/** @param {string} text of Markdown @returns {string} without code */
export const proseIn = (text) => text.replaceAll(/```[\s\S]*?```|`[^`\n]*`|\]\([^)]*\)/g, ' ');

/** @param {string} prose */
export function countDialect(prose) {
  const plain = TERMS.reduce((text, term) => text.replaceAll(term, ' '), prose);
  return { words: wordsIn(plain).length, dialect: plain.match(DIALECT)?.length ?? 0 };
}

/** Parts of names that say nothing of what a value is, and the suffixes that `MAX_` and `MIN_` replace. */
const VAGUE = new Set(['told', 'asked', 'heard', 'kept', 'taken', 'whose', 'way', 'ways']);
const LIMIT_SUFFIX = /_(?:MOST|LEAST)$/;

/** Names of the wire and the database, and terms of the field. */
const ALLOWED = new Set([
  'EMAIL_TAKEN',
  'SEQUENCE_TAKEN',
  'USERNAME_TAKEN',
  'accessTaken',
  'lastHeardAt',
  'last_heard_at',
  'taken',
  'takenOver',
  'underWay',
]);

/** @type {Readonly<Record<string, number>>} Upper limits of vague names by folder. They only go down. */
const MAX_NAMES = { src: 1 };

/** @param {string} source of TypeScript or JavaScript @returns {string} without comments and texts */
const codeIn = (source) =>
  source.replaceAll(
    /(?<=^|[\s{(,;])\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/gm,
    ' ',
  );

/** @param {string} name @returns {string[]} its words: of `readTakenName` read, taken, name */
const partsOf = (name) =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_');

/** @param {string} source of TypeScript or JavaScript @returns {string[]} its vague names, each once */
export function vagueNamesIn(source) {
  const names = new Set(codeIn(source).match(/[A-Za-z_$][\w$]*/g));
  return [...names].filter(
    (name) =>
      !ALLOWED.has(name) &&
      (LIMIT_SUFFIX.test(name) || partsOf(name).some((part) => VAGUE.has(part))),
  );
}

const DOCUMENTS = 'documents';
const TESTS = 'test names';

/** @param {string} path @returns {string | null} where it is counted */
function areaOf(path) {
  if (path.endsWith('.md')) return path.startsWith('docs/help/') ? null : DOCUMENTS;
  if (!/\.(?:ts|tsx|mjs)$/.test(path) || path.startsWith('tests/release/')) return null;
  const [first = '', second = '', third = ''] = path.split('/');
  if (first !== 'src' && first !== 'server') return first;
  if (second === 'features') return `src/features/${third}`;
  return second.includes('.') ? first : `${first}/${second}`;
}

/** @typedef {{words: number, dialect: number}} Counts */

/** @param {Counts} counts @returns {number} words of the dialect per 1,000 words, to a tenth */
export const rateOf = ({ words, dialect }) =>
  words === 0 ? 0 : Math.round((dialect / words) * 10_000) / 10;

/** @param {Iterable<Counts>} counts @returns {Counts} */
export const sumOf = (counts) => {
  const sum = { words: 0, dialect: 0 };
  for (const { words, dialect } of counts) {
    sum.words += words;
    sum.dialect += dialect;
  }
  return sum;
};

/**
 * Counts words of our dialect in the comments of each folder, in the documents and in the names of tests.
 * @returns {Map<string, Counts>} by area
 */
function dialectByArea() {
  const files = globSync(['*.{md,ts,mjs}', `{${FOLDERS.join()}}/**/*.{md,ts,tsx,mjs}`], {
    cwd: root,
  });
  /** @type {Map<string, Counts>} */
  const areas = new Map();
  for (const path of files) {
    const area = areaOf(path);
    if (area === null) continue;
    const text = readFileSync(inProject(path), 'utf8');
    const prose = path.endsWith('.md') ? proseIn(text) : commentsIn(text);
    areas.set(area, sumOf([countDialect(prose), ...[areas.get(area) ?? []].flat()]));
    if (/\.(?:test|spec)\.tsx?$/.test(path))
      areas.set(
        TESTS,
        sumOf([countDialect(testNamesIn(text)), ...[areas.get(TESTS) ?? []].flat()]),
      );
  }
  return areas;
}

/** @returns {Map<string, number>} vague names by folder, each name once a file */
function vagueNamesByFolder() {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const folder of FOLDERS) {
    const files = globSync(`${folder}/**/*.{ts,tsx,mjs}`, {
      cwd: root,
      ignore: ['tests/release/**', 'scripts/lib/words.mjs'],
    });
    const found = files.flatMap((path) => vagueNamesIn(readFileSync(inProject(path), 'utf8')));
    if (found.length > 0) counts.set(folder, found.length);
  }
  return counts;
}

/** @returns {{ok: boolean, report: string}} a line for each area, most first, and the sums */
export function checkWords() {
  const areas = dialectByArea();
  const documents = sumOf(
    [...areas].flatMap(([area, counts]) => (area === DOCUMENTS ? [counts] : [])),
  );
  const tests = areas.get(TESTS) ?? { words: 0, dialect: 0 };
  const comments = sumOf(
    [...areas].flatMap(([area, counts]) => (area === DOCUMENTS || area === TESTS ? [] : [counts])),
  );
  const lines = [...areas]
    .map(([area, counts]) => ({ area, rate: rateOf(counts) }))
    .sort((a, b) => b.rate - a.rate)
    .map(({ area, rate }) => `${String(rate).padStart(5)}  ${area}`);
  const sums = [
    `комментарии: ${rateOf(comments)} на 1000 слов, не больше ${MAX_RATE.comments}`,
    `документы: ${rateOf(documents)} на 1000 слов, не больше ${MAX_RATE.documents}`,
    `названия тестов: ${rateOf(tests)} на 1000 слов, не больше ${MAX_RATE.tests}`,
  ];
  const names = [...vagueNamesByFolder()].map(([folder, count]) => {
    const limit = MAX_NAMES[folder] ?? 0;
    return { isWithin: count <= limit, line: `имена в ${folder}: ${count}, не больше ${limit}` };
  });
  return {
    ok:
      rateOf(comments) <= MAX_RATE.comments &&
      rateOf(documents) <= MAX_RATE.documents &&
      rateOf(tests) <= MAX_RATE.tests &&
      names.every(({ isWithin }) => isWithin),
    report: [...lines, ...sums, ...names.map(({ line }) => line)].join('\n'),
  };
}
