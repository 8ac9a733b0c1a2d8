import type { BaseIssue, BaseSchema, InferOutput, InferInput } from 'valibot';

/** Any synchronous valibot schema. */
export type Schema = BaseSchema<unknown, unknown, BaseIssue<unknown>>;

/** Who may call, by role. `teacher` means teacher-level: teachers and admins. */
export type Role = 'anyone' | 'signedIn' | 'teacher' | 'admin';

/**
 * Whose thing the call touches; the server refuses everybody else with 404 (a foreign id tells nothing).
 * - `attemptOwner`: only the student whose attempt it is
 * - `attemptReader`: that student, the test's owner, admins
 * - `attemptTeacher`: the test's owner, admins
 * - `testReader`: whoever the test is open or assigned to, its owner, admins
 * - `testEditor`: the test's owner, admins
 * - `bodyTestEditor`: the same for the test whose `id` the body names
 * - `groupEditor`: the group's owner, admins
 * - `bankOwner`: the teacher whose bank it is
 * - `templateOwner`: the teacher whose template it is; an unknown id makes a new one
 * - `projectEditor`: the project's owner, admins
 * - `bodyProjectEditor`: the same for the project whose `Id` the form names
 * - `ownSession`: the person whose sign-in it is
 * - `ownPasskey`: the person whose passkey it is
 * - `file`: readers of the attempt, test or project that the file belongs to
 */
export type Ownership =
  | 'none'
  | 'attemptOwner'
  | 'attemptReader'
  | 'attemptTeacher'
  | 'testReader'
  | 'testEditor'
  | 'bodyTestEditor'
  | 'groupEditor'
  | 'bankOwner'
  | 'templateOwner'
  | 'projectEditor'
  | 'bodyProjectEditor'
  | 'ownSession'
  | 'ownPasskey'
  | 'file';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** One call of the wire, as data: client, server validation, OpenAPI and the role matrix come from it. */
export interface Route {
  readonly name: string;
  readonly summary: string;
  readonly method: Method;
  /** Written whole, `{param}` in braces as OpenAPI has it. */
  readonly path: string;
  readonly access: Role;
  readonly ownership: Ownership;
  /**
   * Asks for a proof within the last minutes of who calls: of `everyone` who may call, or of an `admin`
   * alone where others call it for what is their own.
   */
  readonly confirmation?: 'admin' | 'everyone';
  /** Open also to those who must set up a second factor before anything else. */
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
  /** Files that a form may bear, each once, with the bytes one may have. */
  readonly files?: Readonly<Record<string, number>>;
  /** Largest body, bytes, where it is not the common one. */
  readonly bodyBytes?: number;
  readonly reply: Schema;
  /** `bytes`: a file as an attachment; `reply` then says nothing. Exempt from the HTTP time-out. */
  readonly replyType?: 'json' | 'bytes';
  /** The reply is a stream of server-sent events, each a `reply`; exempt from the HTTP time-out. */
  readonly streams?: boolean;
  /** Error codes the call can answer with beyond the common ones. */
  readonly errors: readonly string[];
}

/** Keeps the literal types of a route. A bundle leaves out the calls that nobody in it makes. */
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

/** Whichever of a form's files are sent. */
export type FilesOf<R extends Route> = { [K in keyof R['files']]?: Blob };

/** What a caller hands over: only the parts that the route declares. Raw bytes go as `bytes`. */
export type CallInput<R extends Route> = Part<'params', R['params']> &
  Part<'query', R['query']> &
  Part<'body', R['body']> &
  (R['bodyType'] extends 'bytes' ? { bytes: Uint8Array } : unknown) &
  (R['bodyType'] extends 'form' ? { files?: FilesOf<R> } : unknown);
