import * as v from 'valibot';
import { expect, test } from 'vitest';
import { boundedList, MAX_ISSUES } from './bounded-list.ts';
import { textFields } from '#tests/text-fields.ts';
import { HandoverCall, HandoverCalls } from './handover.ts';
import { FinishHeaders, HEADER, OperationHeaders, StartHeaders } from './headers.ts';
import { IsoTime } from './primitives.ts';
import { RescueFile } from './rescue.ts';
import type { Schema } from './route.ts';
import { routes } from './routes.ts';

/** The parts of valibot's schemas that a walk through them needs. */
interface Node {
  readonly type: string;
  readonly kind: string;
  readonly entries?: Readonly<Record<string, Node>>;
  readonly options?: readonly unknown[];
  readonly item?: Node;
  readonly key?: Node;
  readonly value?: Node;
  readonly rest?: Node;
  readonly wrapped?: Node;
  readonly pipe?: readonly Node[];
}

/** A pipe inside a pipe is flattened: the source, then all following steps. */
function stepsOf(node: Node): readonly Node[] {
  const [first, ...rest] = node.pipe ?? [];
  if (!first) return [node];
  return [...(first.pipe && first !== node ? stepsOf(first) : [first]), ...rest];
}

/** Steps that cost no more than reading the text once. */
const CHEAP = new Set(['trim', 'min_length', 'non_empty']);

const isBoundedText = (steps: readonly Node[]): boolean =>
  steps.find(({ type }) => !CHEAP.has(type))?.type === 'max_length';

/** A list reads its items unless its own schema checks the length first. */
function isBoundedList(list: Node): boolean {
  const touched: unknown[] = [];
  const items = new Proxy(Array.from<unknown>({ length: 100_000 }), {
    get(target, name, receiver) {
      if (typeof name === 'string' && /^\d+$/.test(name)) touched.push(name);
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
  return !v.safeParse(list as unknown as Schema, items).success && touched.length === 0;
}

function* unbounded(node: Node, path: string): Generator<string> {
  const [source = node, ...actions] = stepsOf(node);
  // The result of a transformation is bounded by the text.
  if (source.type === 'string') {
    if (!isBoundedText(actions)) yield `${path}: a text without a first bound`;
    return;
  }
  if (source.type === 'array' && !isBoundedList(source)) yield `${path}: a list`;
  if (['record', 'map', 'set', 'unknown', 'any', 'loose_object'].includes(source.type))
    yield `${path}: a ${source.type}`;
  for (const [name, entry] of Object.entries(source.entries ?? {}))
    yield* unbounded(entry, `${path}.${name}`);
  for (const [index, option] of (source.options ?? []).entries())
    if (typeof option === 'object' && option !== null)
      yield* unbounded(option as Node, `${path}<${index}>`);
  for (const inner of [source.item, source.wrapped, source.rest])
    if (inner) yield* unbounded(inner, path);
}

const findUnbounded = (schema: Schema, path = ''): string[] => [...unbounded(schema, path)];

test('every list, record and text of a query or a body has its bound first', () => {
  const found = routes.flatMap(({ name, params, query, body }) =>
    Object.entries({ params, query, body }).flatMap(([part, schema]) =>
      schema ? findUnbounded(schema, `${name} ${part}`) : [],
    ),
  );
  expect(found).toEqual([]);
});

test.each<[string, Schema]>([
  ['a list', v.array(v.number())],
  ['a list with a late bound', v.pipe(v.array(v.number()), v.maxLength(5))],
  ['a nested list', v.object({ a: v.optional(v.object({ b: v.nullable(v.array(v.number())) })) })],
  ['a list in an alternative', v.union([v.number(), v.array(v.number())])],
  ['a list in a list', boundedList(v.array(v.number()), 5)],
  ['a record', v.record(v.pipe(v.string(), v.maxLength(5)), v.number())],
  ['a text', v.object({ text: v.string() })],
  ['a text with a late bound', v.pipe(v.string(), v.regex(/^a+$/), v.maxLength(5))],
  ['a text normalised before its bound', v.pipe(v.string(), v.normalize(), v.maxLength(5))],
])('finds %s without a first bound', (_, schema) => {
  expect(findUnbounded(schema)).toHaveLength(1);
});

test('a list over its bound has one issue and none of its items validated', () => {
  const validated: unknown[] = [];
  const item = v.custom<number>((value) => validated.push(value) > 0);
  const list = boundedList(item, 2, 'Не больше двух');
  expect(v.safeParse(list, [1, 2]).output).toEqual([1, 2]);
  expect(validated.splice(0)).toEqual([1, 2]);
  const { success, issues } = v.safeParse(list, [1, 2, 3]);
  expect([success, issues?.map(({ message }) => message)]).toEqual([false, ['Не больше двух']]);
  expect(validated).toEqual([]);
});

test('lists in lists within their bounds end at so many issues together, and the output is not typed', () => {
  let validated = 0;
  const item = v.pipe(
    v.unknown(),
    v.check(() => {
      validated += 1;
      return false;
    }),
  );
  const list = boundedList(v.object({ inner: boundedList(item, 100) }), 100);
  const value = Array.from({ length: 100 }, () => ({ inner: Array.from({ length: 30 }, () => 1) }));
  const { success, issues, typed } = v.safeParse(list, value);
  expect({ success, typed, count: issues?.length }).toEqual({
    success: false,
    typed: false,
    count: 60,
  });
  expect(validated).toBe(60);
  expect(issues?.[MAX_ISSUES]?.path?.map(({ key }) => key)).toEqual([1, 'inner', 20]);
});

test('a list is validated up to an invalid last item', () => {
  const list = boundedList(v.number(), 100);
  const value = Array.from({ length: 100 }, (_, index) => (index === 99 ? 'a' : index));
  expect(v.safeParse(list, value).issues?.map(({ path }) => path?.[0].key)).toEqual([99]);
});

test('checks behind a list over its bound do not run', () => {
  const list = v.pipe(
    boundedList(v.strictObject({ id: v.pipe(v.string(), v.maxLength(3)) }), 1),
    v.check((items) => items.every(({ id }) => id.length > 0), 'unused'),
  );
  expect(v.safeParse(list, [null, null]).issues).toHaveLength(1);
});

test('a value that is no list is refused as one', () => {
  expect(v.safeParse(boundedList(v.number(), 2), 'ab').success).toBe(false);
});

/** Every schema of what a client sends. */
const sent: [string, Schema][] = [
  ...routes.flatMap(({ name, params, query, headers, body }) =>
    Object.entries({ params, query, headers, body }).flatMap(([part, schema]): [string, Schema][] =>
      schema ? [[`${name} ${part}`, schema]] : [],
    ),
  ),
  ['a start', StartHeaders],
  ['an operation', OperationHeaders],
  ['a finish', FinishHeaders],
  ['a handover', HandoverCalls],
  ['a call of a handover', HandoverCall],
  ['a file of answers', RescueFile],
];
const sentTimes = sent.flatMap(([where, schema]) =>
  textFields(schema).flatMap((field) =>
    field.schema === IsoTime ? [[`${where}, ${field.path}`, field.schema as Schema] as const] : [],
  ),
);

test('the times that clients send are found', () => {
  const found = sentTimes.map(([where]) => where);
  expect(found).toContain(`an operation, ${HEADER.seenServerTime}`);
  expect(found).toContain('a handover, madeAt');
  expect(found).toContain('bringAnswers body, answers.0.writtenAt');
});

test.each(sentTimes)('a time is of the years 1970 to 9999 in UTC: %s', (_, schema) => {
  const isAccepted = (text: string) => v.safeParse(schema, text).success;
  expect(
    ['1970-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '2026-03-02T09:00:00+03:00'].map(
      isAccepted,
    ),
  ).toEqual([true, true, true]);
  expect(
    [
      '0000-01-01T00:00:00+14:00',
      '0000-01-01T00:00:00Z',
      '1970-01-01T00:00:00+14:00',
      '9999-12-31T23:59:59-14:00',
      '2026-02-31T99:00:00Z',
    ].filter(isAccepted),
  ).toEqual([]);
});

test.each([
  ['as a number', 315_576_000_000, 315_576_000_000],
  ['of ten years', '315576000000', 315_576_000_000],
  ['of more than ten years', '315576000001', 'unknown'],
  ['as large as a header may have it', '999999999999999', 'unknown'],
])('the age of an operation, %s', (_, age, expected) => {
  const read = v.parse(OperationHeaders, { [HEADER.age]: age });
  expect(read[HEADER.age]).toBe(expected);
});
