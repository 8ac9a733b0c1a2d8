import { HEADER } from '#contract/headers.ts';
import { Id } from '#contract/primitives.ts';
import { getFile } from '#contract/files.ts';
import type { Route } from '#contract/route.ts';

/** The parts of valibot's schemas that are needed to find the ids. */
interface Node {
  readonly type?: string;
  readonly entries?: Readonly<Record<string, Node>>;
  readonly options?: readonly Node[];
  readonly item?: Node;
  readonly wrapped?: Node;
  readonly pipe?: readonly Node[];
}

const PARTS = ['params', 'query', 'headers', 'body'] as const;
type Part = (typeof PARTS)[number];

/** The kind of an id. `passage`: chosen by the app that wrote the text, and never looked up. */
export type IdKind =
  | 'test'
  | 'attempt'
  | 'offer'
  | 'operation'
  | 'stream'
  | 'file'
  | 'question'
  | 'passage'
  | 'group'
  | 'entry'
  | 'template'
  | 'project'
  | 'session'
  | 'passkey'
  | 'user'
  | 'device'
  | 'key';

/** Kinds by the names of fields. A new field of the contract needs a line here. */
const KINDS: Readonly<Record<string, IdKind>> = {
  testId: 'test',
  notIn: 'test',
  attemptId: 'attempt',
  attemptIds: 'attempt',
  [HEADER.takeOver]: 'attempt',
  offerId: 'offer',
  [HEADER.offer]: 'offer',
  operationId: 'operation',
  operationIds: 'operation',
  [HEADER.idempotencyKey]: 'operation',
  stream: 'stream',
  [HEADER.stream]: 'stream',
  fileId: 'file',
  path: 'file',
  [HEADER.filesSetAside]: 'file',
  questionId: 'question',
  variantOf: 'question',
  order: 'question',
  passageId: 'passage',
  groupId: 'group',
  assignedGroupIds: 'group',
  entryId: 'entry',
  exclude: 'entry',
  templateId: 'template',
  Id: 'project',
  sessionId: 'session',
  passkeyId: 'passkey',
  userId: 'user',
  userIds: 'user',
  assignedUserIds: 'user',
  owner: 'user',
  actorId: 'user',
  personId: 'user',
  successorId: 'user',
  bankOf: 'user',
  taken: 'user',
  deviceId: 'device',
  key: 'key',
};

/** A position of a call that contains an id. */
export interface IdField {
  readonly route: Route;
  readonly part: Part;
  /** `answers`, `0`, `operationId`. */
  readonly path: readonly string[];
  readonly kind: IdKind;
  /** `bringAnswers body.answers.0.operationId`. */
  readonly title: string;
}

const isId = (node: Node): boolean =>
  (node as unknown) === Id || node.pipe?.[0] === (Id as unknown);

function* pathsIn(node: Node | undefined, path: readonly string[]): Generator<readonly string[]> {
  if (!node) return;
  if (isId(node)) {
    yield path;
    return;
  }
  for (const [name, entry] of Object.entries(node.entries ?? {}))
    yield* pathsIn(entry, [...path, name]);
  yield* pathsIn(node.wrapped, path);
  yield* pathsIn(node.item, [...path, '0']);
  if (node.type === 'variant' || node.type === 'union')
    for (const option of node.options ?? []) yield* pathsIn(option, path);
  // A list in a text, as headers have it, or a pipe within a pipe.
  for (const part of node.pipe ?? [])
    if (part !== node && (part.type === 'array' || part.pipe || part.entries))
      yield* pathsIn(part, path);
}

const kindOf = (route: Route, name: string): IdKind => {
  const kind = name === 'id' ? 'test' : KINDS[name];
  if (!kind) throw new Error(`say in tests/id-fields.ts what ${name} of ${route.name} stands for`);
  return kind;
};

function fieldsOf(route: Route): IdField[] {
  const found = new Map<string, IdField>();
  for (const part of PARTS) {
    const paths = [...pathsIn(route[part], [])];
    if (route === getFile && part === 'query') paths.push(['path']);
    // The first id of a path is the resource itself, which the role matrix tests.
    for (const path of part === 'params' ? paths.slice(1) : paths) {
      const list = path.at(-1) === '0';
      // A list of ids in a header is one text.
      const at = part === 'headers' ? path.slice(0, 1) : path;
      const name = at.at(list && part !== 'headers' ? -2 : -1) ?? '';
      const title = `${route.name} ${part}.${at.join('.')}`;
      if (!found.has(title))
        found.set(title, { route, part, path: at, kind: kindOf(route, name), title });
    }
  }
  return [...found.values()];
}

/** Every place of the contract beside the first id of a path that takes an id. */
export const idFields = (routes: readonly Route[]): IdField[] => routes.flatMap(fieldsOf);

type Values = Record<string, unknown>;

/** A copy of a value with another value at a path; missing parents are created. */
function withValue(whole: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (name === '0') {
    const [first, ...others] = Array.isArray(whole) ? (whole as unknown[]) : [];
    return [withValue(first, rest, value), ...others];
  }
  return {
    ...(whole as Values),
    [name]: withValue((whole as Values | undefined)?.[name], rest, value),
  };
}

/** The parts of a call with an id at a field. */
export const callWith = (parts: Values, { part, path }: IdField, id: string): Values => ({
  ...parts,
  [part]: withValue(parts[part], path, id),
});

/** What a call has at a field; undefined: nothing. */
export const valueAt = (parts: Values, { part, path }: IdField): unknown =>
  path.reduce<unknown>((within, name) => (within as Values | undefined)?.[name], parts[part]);
