import type { BaseIssue, BaseSchema, InferOutput, InferInput } from 'valibot';

/** Any synchronous valibot schema. */
export type Schema = BaseSchema<unknown, unknown, BaseIssue<unknown>>;

/** Who may call, by role. `teacher` means teacher-level: teachers and admins. */
export type Role = 'anyone' | 'signedIn' | 'teacher' | 'admin';

/**
 * Who may touch the resource; the server refuses everybody else with 404, so that an id reveals nothing. A test or class
 * is also touched by colleagues with whom its owner shares it (`contract/sharing.ts`).
 * - `attemptOwner`: only the student of the attempt
 * - `offerOwner`: only the student of the offer
 * - `attemptReader`: that student, and who may see the test's results
 * - `attemptGrader`: who may grade the test
 * - `attemptEditor`: who may edit the test
 * - `testReader`: people to whom the test is open or assigned, and who may see its results
 * - `testViewer`: the test's owner, colleagues of any level, admins
 * - `testGrader`: the test's owner, colleagues who grade or edit, admins
 * - `testEditor`: the test's owner, colleagues who edit, admins
 * - `bodyTestEditor`: the same for the test whose `id` the body names
 * - `testOwner`: the test's owner, admins
 * - `groupEditor`: the group's owner, colleagues with whom it is shared, admins
 * - `groupOwner`: the group's owner, admins
 * - `bankOwner`: the owner of the bank
 * - `templateOwner`: the owner of the template; an unknown id creates a new one
 * - `projectEditor`: the project's owner, admins
 * - `bodyProjectEditor`: the same for the project whose `Id` the form names
 * - `ownSession`: the person of the sign-in
 * - `ownPasskey`: the person of the passkey
 * - `file`: readers of the attempt, test or project that the file belongs to
 */
export type Ownership =
  | 'none'
  | 'attemptOwner'
  | 'attemptReader'
  | 'offerOwner'
  | 'attemptGrader'
  | 'attemptEditor'
  | 'testReader'
  | 'testViewer'
  | 'testGrader'
  | 'testEditor'
  | 'bodyTestEditor'
  | 'testOwner'
  | 'groupEditor'
  | 'groupOwner'
  | 'bankOwner'
  | 'templateOwner'
  | 'projectEditor'
  | 'bodyProjectEditor'
  | 'ownSession'
  | 'ownPasskey'
  | 'file';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** One call of the API, as data: client, server validation, OpenAPI and the role matrix are derived from it. */
export interface Route {
  readonly name: string;
  readonly summary: string;
  readonly method: Method;
  /** Written completely, with `{param}` in braces as in OpenAPI. */
  readonly path: string;
  readonly access: Role;
  readonly ownership: Ownership;
  /**
   * Requires a recent proof of identity: from `everyone` who may call, or only from an `admin` if others call it for
   * their own data.
   */
  readonly confirmation?: 'admin' | 'everyone';
  /** Also open to people who must set up a second factor first. */
  readonly beforeSetup?: true;
  readonly params?: Schema;
  readonly query?: Schema;
  readonly headers?: Schema;
  readonly body?: Schema;
  /**
   * `json` unless the body is raw bytes or a multipart form: `body` then describes its text fields, `files`
   * its files. A `none` body may be absent, empty or `{}`.
   */
  readonly bodyType?: 'json' | 'bytes' | 'form' | 'none';
  /** Files that a form may have, each once, with its maximum size in bytes. */
  readonly files?: Readonly<Record<string, number>>;
  /** Largest body in bytes, if it differs from the default. */
  readonly bodyBytes?: number;
  readonly reply: Schema;
  /** `bytes`: a file as an attachment; `reply` is unused then. Exempt from the HTTP time-out. */
  readonly replyType?: 'json' | 'bytes';
  /** The reply is a stream of server-sent events, each a `reply`; exempt from the HTTP time-out. */
  readonly streams?: boolean;
  /** Error codes that the call can return beyond the common ones; absent: none. */
  readonly errors?: readonly string[];
}

/** Preserves the literal types of a route. A bundle leaves out the calls that it never makes. */
/* @__NO_SIDE_EFFECTS__ */
export function route<const R extends Route>(definition: R): R {
  return definition;
}

type Output<S> = S extends Schema ? InferOutput<S> : undefined;
type Input<S> = S extends Schema ? InferInput<S> : undefined;

export type ReplyOf<R extends Route> = InferOutput<R['reply']>;
export type ParamsOf<R extends Route> = Output<R['params']>;
export type QueryOf<R extends Route> = Output<R['query']>;
export type HeadersOf<R extends Route> = Output<R['headers']>;
export type BodyOf<R extends Route> = Output<R['body']>;

type Part<Key extends string, S> = S extends Schema
  ? object extends Input<S>
    ? { [K in Key]?: Input<S> }
    : { [K in Key]: Input<S> }
  : unknown;

/** Any of a form's files. */
export type FilesOf<R extends Route> = { [K in keyof R['files']]?: Blob };

/** The arguments of a call: only the parts that the route declares. Raw bytes are `bytes`. */
export type CallInput<R extends Route> = Part<'params', R['params']> &
  Part<'query', R['query']> &
  Part<'body', R['body']> &
  (R['bodyType'] extends 'bytes' ? { bytes: Uint8Array } : unknown) &
  (R['bodyType'] extends 'form' ? { files?: FilesOf<R> } : unknown);
