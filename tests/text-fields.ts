import { Email } from '#contract/auth.ts';
import { NewPassword } from '#contract/registration.ts';
import { ProjectLandingURL } from '#contract/projects.ts';
import { Duration, Id, IsoTime } from '#contract/primitives.ts';
import type { Schema } from '#contract/route.ts';

/** The parts of valibot's schemas that a walk through them needs. */
interface Node {
  readonly type: string;
  readonly kind: string;
  readonly entries?: Readonly<Record<string, Node>>;
  readonly options?: readonly unknown[];
  readonly item?: Node;
  readonly wrapped?: Node;
  readonly pipe?: readonly (Node & { readonly requirement?: unknown })[];
  readonly literal?: unknown;
}

/** The position of a text in a value, and the list that may contain it many times. */
export interface TextField {
  /** `questions.0.accepted.0.text`. */
  readonly path: string;
  /** Its schema, the same object wherever the contract takes the same text. */
  readonly schema: unknown;
  /** Lengths at which the contract refuses it, the shortest first; none: only the body's size limits it. */
  readonly bounds: readonly number[];
  /** Maximum items of the innermost list around it; 1: none. */
  readonly times: number;
  /** A value of the whole schema, valid except perhaps for ids, with this text in it. */
  fill(text: string, times: number): unknown;
}

const SAMPLE_ID = '00000000-0000-4000-8000-0000000000aa';
const SAMPLES = new Map<unknown, string>([
  [Id, SAMPLE_ID],
  [IsoTime, '2026-03-02T06:00:00.000Z'],
  [Duration, '10:00:00'],
  [Email, 'someone@school.test'],
  [NewPassword, 'Kolokol7'],
  [ProjectLandingURL, 'https://project.example/'],
]);

/** Flattens a pipe with a pipe as its first part. */
function sourceOf(node: Node): Node {
  const first = node.pipe?.[0];
  return first && first !== node && first.pipe ? sourceOf(first) : node;
}

const actionsOf = (node: Node): readonly { type: string; requirement?: unknown }[] => {
  const [first, ...rest] = node.pipe ?? [];
  return first && first !== node && first.pipe ? [...actionsOf(first), ...rest] : rest;
};

const boundsOf = (node: Node): number[] =>
  actionsOf(node)
    .flatMap(({ type, requirement }) =>
      type === 'max_length' && typeof requirement === 'number' ? [requirement] : [],
    )
    .toSorted((one, other) => one - other);

function sampleText(node: Node): string {
  for (const [schema, text] of SAMPLES)
    if (schema === node || sourceOf(node) === schema) return text;
  return 'a';
}

/** A minimal value that a schema accepts, as far as its shape shows. */
function sampleOf(node: Node): unknown {
  switch (node.type) {
    case 'object':
    case 'strict_object':
      return Object.fromEntries(
        Object.entries(node.entries ?? {}).map(([name, entry]) => [name, sampleOf(entry)]),
      );
    case 'array':
      return node.item ? [sampleOf(node.item)] : [];
    case 'variant':
    case 'union':
      return sampleOf(node.options?.[0] as Node);
    case 'optional':
    case 'nullable':
      return node.wrapped ? sampleOf(node.wrapped) : null;
    case 'picklist':
      return node.options?.[0];
    case 'literal':
      return node.literal;
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'string':
      return sampleText(node);
    default:
      throw new Error(`a schema of type ${node.type} has no sample in tests/text-fields.ts`);
  }
}

/** The position of a list in a value. */
export interface ListField {
  readonly path: string;
  /** Its schema, the same object wherever the contract has the same list. */
  readonly schema: unknown;
  /** The number of lists around it. */
  readonly depth: number;
  /** Maximum number of its items. */
  readonly max: number;
  /** A value of the whole schema, valid except for this list; each list around it has so many items. */
  fill(items: readonly unknown[], times?: number): unknown;
}

type Field = { text: TextField } | { list: ListField };

/** A part of a walk: the path to the innermost list, and the path to the text within one of its items. */
interface Place {
  readonly path: readonly string[];
  readonly times: number;
  /** The number of lists around the innermost one. */
  readonly depth: number;
  /** The whole value with these items in the innermost list, and so many in each list around it. */
  readonly around: (items: readonly unknown[], times: number) => unknown;
  readonly within: (value: unknown) => unknown;
}

function* walk(node: Node, place: Place): Generator<Field> {
  const { path, around, within } = place;
  const max = boundsOf(node)[0] ?? 1_000;
  const repeat = (item: unknown, times: number) =>
    Array.from({ length: Math.min(times, place.times) }, () => item);
  switch (node.type) {
    case 'object':
    case 'strict_object':
      for (const [name, entry] of Object.entries(node.entries ?? {}))
        yield* walk(entry, {
          ...place,
          path: [...path, name],
          within: (value) => within({ ...(sampleOf(node) as object), [name]: value }),
        });
      return;
    case 'array':
      yield {
        list: {
          path: path.join('.'),
          schema: sourceOf(node),
          depth: place.depth,
          max,
          fill: (items, times = 1) => around(repeat(within(items), times), times),
        },
      };
      if (node.item)
        yield* walk(node.item, {
          path: [...path, '0'],
          times: max,
          depth: place.depth + 1,
          around: (items, times) => around(repeat(within(items), times), times),
          within: (value) => value,
        });
      return;
    case 'variant':
    case 'union':
      for (const [index, option] of (node.options ?? []).entries())
        yield* walk(option as Node, { ...place, path: [...path, `<${index}>`] });
      return;
    case 'optional':
    case 'nullable':
      if (node.wrapped) yield* walk(node.wrapped, place);
      return;
    case 'string':
      yield {
        text: {
          path: path.join('.'),
          schema: node,
          bounds: boundsOf(node),
          times: place.times,
          fill: (text, times) =>
            around(
              Array.from({ length: times }, () => within(text)),
              1,
            ),
        },
      };
      return;
    default:
  }
}

const fieldsOf = (schema: Schema | undefined): Field[] =>
  schema
    ? [
        ...walk(schema, {
          path: [],
          times: 1,
          depth: 0,
          around: ([whole]) => whole,
          within: (value) => value,
        }),
      ]
    : [];

/** Every text that a schema accepts, in objects, lists and alternatives. */
export const textFields = (schema: Schema | undefined): TextField[] =>
  fieldsOf(schema).flatMap((field) => ('text' in field ? [field.text] : []));

/** Every list that a schema accepts. */
export const listFields = (schema: Schema | undefined): ListField[] =>
  fieldsOf(schema).flatMap((field) => ('list' in field ? [field.list] : []));
