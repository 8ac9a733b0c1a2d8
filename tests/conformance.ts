import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { parseSync } from 'vite';
import { parse } from 'yaml';

const Quote = v.strictObject({ file: v.string(), test: v.string(), assertion: v.string() });
/** An assertion of a test; `…` in the title marks the parts that the test fills in. */
export type Quote = v.InferOutput<typeof Quote>;

const Part = v.strictObject({
  part: v.string(),
  rows: v.array(
    v.strictObject({ sentence: v.string(), tests: v.pipe(v.array(Quote), v.nonEmpty()) }),
  ),
});
/** A sentence of the specification, and its tests. */
export type ConformanceRow = v.InferOutput<typeof Part>['rows'][number];

/** The rows of all parts of `docs/conformance.yaml`. */
export const readRows = (text: string): ConformanceRow[] =>
  v.parse(v.array(Part), parse(text)).flatMap(({ rows }) => rows);

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

/** A title as written in the document: `…` marks the parts that are filled in. */
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

/** The problem of a quote; null: its assertion is in its test. */
export function findProblem({ file, test, assertion }: Quote): string | null {
  if (!ASSERTION.test(assertion)) return 'quotes no assertion';
  let tests: FoundTest[];
  try {
    tests = testsIn(file).filter(({ title }) => title === test);
  } catch (cause) {
    return `names a file that cannot be read: ${String(cause)}`;
  }
  if (tests.length === 0) return 'names no test of its file';
  return tests.some(({ code }) => plain(code).includes(plain(assertion)))
    ? null
    : 'quotes what its test does not assert';
}
