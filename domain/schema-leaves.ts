import type * as v from 'valibot';

type Schema = v.BaseSchema<unknown, unknown, v.BaseIssue<unknown>>;

/** The parts of valibot's schemas that contain others; a pipe has those of its first schema. */
interface Inner {
  readonly entries?: Readonly<Record<string, Inner>>;
  readonly item?: Inner;
  readonly wrapped?: Inner;
  readonly key?: string;
  readonly options?: readonly Inner[];
  readonly literal?: unknown;
}

type Changes = ReadonlyMap<Inner, (leaf: string) => string>;

const NO_CHANGES: Changes = new Map();

function changed(schema: Inner, value: unknown, changes: Changes, isPicked = false): unknown {
  const change = changes.get(schema);
  if (change) return typeof value === 'string' ? change(value) : value;
  if (schema.wrapped) return changed(schema.wrapped, value, changes, isPicked);
  if (typeof value !== 'object' || value === null) return value;
  const { entries, item, key, options } = schema;
  if (Array.isArray(value))
    return item ? value.map((one: unknown) => changed(item, one, changes, isPicked)) : value;
  const fields = value as Readonly<Record<string, unknown>>;
  if (key !== undefined) {
    const own = options?.find((one) => isOf(one.entries?.[key], fields[key]));
    if (own) return changed(own, value, changes, isPicked);
    // Nothing of an unknown option may pass.
    return isPicked ? {} : value;
  }
  if (!entries) return value;
  const named = Object.entries(entries).flatMap(([name, field]) =>
    fields[name] === undefined
      ? []
      : [[name, changed(field, fields[name], changes, isPicked)] as const],
  );
  return { ...(!isPicked && fields), ...Object.fromEntries(named) };
}

/** Whether the field that distinguishes the options of a union has this value: a literal, or one of several. */
const isOf = (schema: Inner | undefined, value: unknown): boolean =>
  schema?.literal === value || (schema?.options as readonly unknown[])?.includes(value);

/**
 * A copy of a value in which each string described by one of the given schemas is changed, at any depth of the value's
 * own schema. Schemas are compared by identity. All else stays, also fields that the schema does not name.
 */
export const mapLeaves = <S extends Schema>(
  schema: S,
  value: v.InferOutput<S>,
  changes: ReadonlyMap<Schema, (leaf: string) => string>,
): v.InferOutput<S> => changed(schema as Inner, value, changes as unknown as Changes);

/** The strings of a value that are described by one of the given schemas, in the schema's order. */
export function leavesOf<S extends Schema>(
  schema: S,
  value: v.InferOutput<S>,
  ...leaves: readonly Schema[]
): string[] {
  const found: string[] = [];
  const collect = (leaf: string) => {
    found.push(leaf);
    return leaf;
  };
  mapLeaves(schema, value, new Map(leaves.map((one) => [one, collect])));
  return found;
}

/** Only the parts of a value that the schema names, at every depth; nothing is validated. */
export const pickNamed = <S extends Schema>(schema: S, value: v.InferOutput<S>): v.InferOutput<S> =>
  changed(schema as Inner, value, NO_CHANGES, true);
