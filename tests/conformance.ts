import { readFileSync } from 'node:fs';
import { parseSync } from 'vite';

/** A row of the table: a sentence of the specification, and its tests. */
export interface ConformanceRow {
  readonly sentence: string;
  readonly entries: readonly string[];
}

/** The rows of every table of the document. */
export const readRows = (text: string): ConformanceRow[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (sentence|-)/.test(line))
    .map((line) => {
      const [, sentence = '', held = ''] = line
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim().replaceAll('\\|', '|'));
      return { sentence, entries: held.split('<br>') };
    });

/** `file › title of the test › assertion`, the last in one or two backticks. */
const ENTRY = /^(\S+\.(?:spec|test)\.tsx?) › (.+) › (`{1,2})(.+)\3$/;

/** Calls that assert something; `audit` and `address` are helpers of the browser tests. */
const ASSERTION = /\bexpect|\bwaitFor|\baudit\(|\baddress\(/;

/** Without formatting: blanks, and commas before a closing bracket. */
const plain = (code: string) => code.replaceAll(/\s+/g, '').replaceAll(/,(?=[)\]}])/g, '');

interface FoundTest {
  readonly title: string;
  readonly code: string;
}

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** `test` of `test.each([…])('…', …)`. */
function calledName(callee: unknown): unknown {
  if (!isNode(callee)) return null;
  if (callee['type'] === 'Identifier') return callee['name'];
  return calledName(callee['object'] ?? callee['callee'] ?? callee['tag']);
}

/** A title as the document writes it: `…` stands for what is filled in. */
function titleOf(argument: unknown): string | null {
  if (!isNode(argument)) return null;
  if (typeof argument['value'] === 'string') return argument['value'];
  const { quasis } = argument;
  if (!Array.isArray(quasis)) return null;
  return quasis.map((part: { value: { cooked: string } }) => part.value.cooked).join('…');
}

/** The tests that a file's text declares, each with its code. */
export function findTests(file: string, source: string): FoundTest[] {
  const found: FoundTest[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isNode(value) || Array.isArray(value)) return;
    if (value['type'] === 'CallExpression' && calledName(value['callee']) === 'test') {
      const given = value['arguments'] as readonly unknown[];
      const title = titleOf(given[0]);
      const code = source.slice(value['start'] as number, value['end'] as number);
      if (title !== null && given.length > 1) found.push({ title, code });
    }
    Object.values(value).forEach(visit);
  };
  visit(parseSync(file, source).program);
  return found;
}

const read = new Map<string, FoundTest[]>();

function testsIn(file: string): FoundTest[] {
  const known = read.get(file) ?? findTests(file, readFileSync(file, 'utf8'));
  read.set(file, known);
  return known;
}

/** The problem of an entry; null: its assertion is in its test. */
export function findProblem(entry: string): string | null {
  const [, file = '', title = '', , quoted = ''] = ENTRY.exec(entry) ?? [];
  if (file === '') return 'names no file, test and assertion';
  // After a cut, the rest may be on another line.
  const assertion = quoted.trim().replace(/,$/, '');
  if (!ASSERTION.test(assertion)) return 'quotes no assertion';
  let tests: FoundTest[];
  try {
    tests = testsIn(file).filter((one) => one.title === title);
  } catch (cause) {
    return `names a file that cannot be read: ${String(cause)}`;
  }
  if (tests.length === 0) return 'names no test of its file';
  return tests.some(({ code }) => plain(code).includes(plain(assertion)))
    ? null
    : 'quotes what its test does not assert';
}
