import * as v from 'valibot';
import { Question } from '#contract/questions.ts';

/** The parts of valibot's schemas that a walk through them needs. */
interface Node {
  readonly type: string;
  readonly entries?: Readonly<Record<string, Node>>;
  readonly options?: readonly (Node | string)[];
  readonly item?: Node;
  readonly wrapped?: Node;
  readonly default?: unknown;
}
type Step = string | number;

/** An optional field of a schema with a value in it that is not its default. */
export interface OptionalField {
  /** `options.*.feedback`. */
  readonly pattern: string;
  /** Where the value holds it, once for each item of the lists around it. */
  readonly paths: readonly (readonly Step[])[];
}

const ID = '00000000-0000-4000-8000-0000000000aa';

/** The first candidate that a schema accepts and that is not what an absent field means. */
function accepted(node: Node, candidates: readonly unknown[], absent: unknown): unknown {
  const found = candidates.find(
    (candidate) =>
      candidate !== absent && v.safeParse(node as unknown as v.GenericSchema, candidate).success,
  );
  if (found === undefined) throw new Error(`No sample for ${node.type}`);
  return found;
}

/** A value of a schema, other than its default, that differs from place to place. */
function sampleOf(node: Node, path: readonly Step[], absent?: unknown): unknown {
  switch (node.type) {
    case 'optional':
    case 'nullable':
      return sampleOf(node.wrapped ?? node, path, node.default);
    case 'object':
    case 'strict_object':
      return Object.fromEntries(
        Object.entries(node.entries ?? {}).map(([name, entry]) => [
          name,
          sampleOf(entry, [...path, name]),
        ]),
      );
    case 'array':
      return [sampleOf(node.item ?? node, [...path, 0])];
    case 'variant':
    case 'union':
      return sampleOf(node.options?.[0] as Node, path);
    case 'picklist':
      return accepted(node, [...(node.options ?? [])].reverse(), absent);
    case 'boolean':
      return accepted(node, [true, false], absent);
    case 'number':
      return accepted(node, [0.5 ** (path.length + numberIn(path)), 2 + numberIn(path)], absent);
    case 'literal':
      return (node as { literal?: unknown }).literal;
    default:
      return accepted(
        node,
        [`Проба ${path.join(' ')}`, ID, '00:20:00', '2026-03-02T06:00:00.000Z'],
        absent,
      );
  }
}

/** The places in lists, so that neighbours differ. */
const numberIn = (path: readonly Step[]) =>
  path.reduce<number>((sum, step) => (typeof step === 'number' ? sum + step : sum), 0);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The schema of a variant's option that a value belongs to. */
const optionOf = (node: Node, value: unknown): Node | undefined =>
  (node.options ?? []).find(
    (option): option is Node =>
      typeof option !== 'string' &&
      v.safeParse(option as unknown as v.GenericSchema, value).success,
  );

/** Puts a sample into every optional field of a value, and reports where they stand. */
function filled(
  node: Node,
  value: unknown,
  path: readonly Step[],
  found: (path: readonly Step[]) => void,
): unknown {
  if (node.type === 'optional') {
    found(path);
    // What a field is made of has optional fields, too.
    return filled(node.wrapped ?? node, sampleOf(node, path), path, found);
  }
  if (node.type === 'variant') {
    const option = optionOf(node, value);
    return option ? filled(option, value, path, found) : value;
  }
  if (node.type === 'array' && Array.isArray(value))
    return value.map((item, at) => filled(node.item ?? node, item, [...path, at], found));
  if ((node.type !== 'object' && node.type !== 'strict_object') || !isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(node.entries ?? {}).map(([name, entry]) => [
      name,
      filled(entry, value[name], [...path, name], found),
    ]),
  );
}

/** The field at a path; undefined: none. */
export const fieldAt = (value: unknown, path: readonly Step[]): unknown =>
  path.reduce<unknown>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null
        ? (inner as Record<Step, unknown>)[step]
        : undefined,
    value,
  );

/** The value without the field at some paths. */
export function withoutField<T>(value: T, { paths }: OptionalField): T {
  const copy = structuredClone(value);
  for (const path of paths) {
    const holder = fieldAt(copy, path.slice(0, -1));
    if (isRecord(holder)) delete holder[path.at(-1) ?? ''];
  }
  return copy;
}

const base = { questionId: ID, points: 3 };
const option = (text: string, isRight: boolean) => ({ optionId: text, text, isRight });
const answers = [
  { text: '5', share: 1 },
  { text: '7', share: 0.5 },
];
/** A question of each kind with what every question has, such that each optional field can say something. */
const BARE: readonly unknown[] = [
  { ...base, kind: 'open', text: 'Сколько?', input: 'number', accepted: answers },
  {
    ...base,
    kind: 'variant',
    text: 'Что?\n\n![схема](file:11111111-1111-4111-8111-111111111111)',
    multiple: true,
    options: [option('А', true), option('Б', true), option('В', false)],
  },
  {
    ...base,
    kind: 'compliance',
    text: 'Что к чему?',
    left: ['1', '2'].map((text) => ({ leftId: text, text })),
    right: ['а', 'б', 'в'].map((text) => ({ rightId: text, text })),
    pairs: [
      { leftId: '1', rightId: 'а' },
      { leftId: '2', rightId: 'б' },
    ],
  },
  {
    ...base,
    kind: 'ordering',
    text: 'По порядку',
    items: ['один', 'два', 'три'].map((text) => ({ itemId: text, text })),
  },
  {
    ...base,
    kind: 'gaps',
    text: 'Раз [[1]] и два [[2]]',
    gaps: [
      { gapId: '1', input: 'choice', options: [option('да', true), option('нет', false)] },
      { gapId: '2', input: 'number', accepted: answers },
    ],
  },
  { ...base, kind: 'file', text: 'Приложите', maxBytes: 1_048_576, accept: ['.pdf'] },
];

/** A question of each kind with all optional fields that the schema has, and these fields. */
export const FULL_QUESTIONS: readonly { question: Question; fields: readonly OptionalField[] }[] =
  BARE.map((bare) => {
    const paths: (readonly Step[])[] = [];
    const full = filled(Question, bare, [], (path) => paths.push(path));
    const patternOf = (path: readonly Step[]) =>
      path.map((step) => (typeof step === 'number' ? '*' : step)).join('.');
    const fields = [...new Set(paths.map(patternOf))].map((pattern) => ({
      pattern,
      paths: paths.filter((path) => patternOf(path) === pattern),
    }));
    return { question: v.parse(Question, full), fields };
  });

/** A sample of each field of a body, except those named, by the field's name. */
export const samplesOf = (
  body: unknown,
  except: readonly string[],
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries((body as Node).entries ?? {})
      .filter(([name]) => !except.includes(name))
      .map(([name, entry]) => [name, sampleOf(entry, [name])]),
  );
