import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { HEADER } from '#contract/headers.ts';
import { FILE_CHUNK_BYTES, JSON_BODY_BYTES } from '#contract/limits.ts';
import type { BodyOf, HeadersOf, ParamsOf, QueryOf, Route } from '#contract/route.ts';
import { OLDEST_WIRE_VERSION, WIRE_VERSION } from '#contract/version.ts';
import { type AuthenticatedUser, requireFactor, requireRole } from '#server/auth/caller.ts';
import type { Deps } from '#server/deps.ts';
import { requireRoomForFiles } from '#server/files/disk-reserve.ts';
import { type Attachment, sendAttachment } from './attachment.ts';
import { type Form, type FormFile, readForm } from './form.ts';
import { parseInput, parseParams, parseQuery } from './parse.ts';
import { type OnUnstorable, readJson } from './read-json.ts';
import { Refusal } from './refusal.ts';
import { limitConcurrencyPerUser } from './limit-concurrency.ts';

export type { AuthenticatedUser };

/** One call, parsed. */
export interface RouteCall<R extends Route> {
  params: ParamsOf<R>;
  query: QueryOf<R>;
  headers: HeadersOf<R>;
  /** `unknown` for handlers registered with `{ body: 'unchecked' }`. */
  body: BodyOf<R>;
  /** The body of `bodyType: 'bytes'`, else empty. */
  bytes: Buffer;
  /** Bytes of the body as it arrived; 0 for a form. */
  bodyBytes: number;
  /** The files of `bodyType: 'form'`, else empty; those not stored are removed after the handler. */
  files: { readonly [K in keyof R['files']]?: FormFile };
  /** Throws on a public route. */
  caller: AuthenticatedUser;
  /** Read once, at receipt. */
  now: Date;
  /** Address of the caller, as trusted proxies report it. */
  address: string;
  /** The raw `Cookie` header. */
  cookies: string | undefined;
  /** Scheme and host that the caller used, as trusted proxies report them. */
  origin: string;
  /** Version of the API that the client uses. */
  wireVersion: () => number;
  /** The caller disconnected: nobody will read the reply. */
  isGone: () => boolean;
  setHeader: (name: string, value: string) => void;
  log: FastifyBaseLogger;
}

type Reply<R extends Route> = R['replyType'] extends 'bytes'
  ? Attachment
  : v.InferInput<R['reply']>;
export type Handler<R extends Route> = (call: RouteCall<R>) => Promise<Reply<R>>;

/** What is known of a call before its body is parsed. */
export interface Admission<R extends Route> {
  readonly caller: AuthenticatedUser;
  readonly params: ParamsOf<R>;
  readonly headers: FastifyRequest['headers'];
  readonly bodyBytes: number;
  readonly now: Date;
}

/**
 * Refuses a caller whom the path already excludes, before the body is parsed: an unauthorized caller must not spend the
 * server's time on a body that is never used.
 * @throws {Refusal}
 */
type Admit<R extends Route> = (admission: Admission<R>) => Promise<unknown>;

interface UncheckedCall<R extends Route> extends Omit<RouteCall<R>, 'body'> {
  body: unknown;
}
export type UncheckedHandler<R extends Route> = (call: UncheckedCall<R>) => Promise<Reply<R>>;

const NO_BYTES = Buffer.alloc(0);
const CHUNK_SLACK_BYTES = 1_024;

/**
 * The client's version. A client without one is served as the current one. A version that is too old, or malformed,
 * gets 426, and the client's queue stays on the device.
 */
function wireVersion(request: FastifyRequest): number {
  const version = request.headers[HEADER.appVersion];
  if (version === undefined) return WIRE_VERSION;
  const isKnown = typeof version === 'string' && /^\d{1,9}$/.test(version.trim());
  if (!isKnown || Number(version) < OLDEST_WIRE_VERSION) throw new Refusal('OLD_CLIENT');
  return Number(version);
}

const isType = (request: FastifyRequest, type: string) =>
  request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() === type;

const bytesOf = (request: FastifyRequest) =>
  Buffer.isBuffer(request.body) ? request.body : NO_BYTES;

function readNothing(request: FastifyRequest): undefined {
  const bytes = bytesOf(request);
  if (bytes.length === 0) return undefined;
  if (!isType(request, 'application/json')) throw new Refusal('UNSUPPORTED_TYPE');
  const given = readJson(bytes, { limit: JSON_BODY_BYTES });
  // An array would pass for an object without fields.
  if (Array.isArray(given)) throw new Refusal('VALIDATION');
  parseInput(v.strictObject({}), given);
  return undefined;
}

function readBytes(request: FastifyRequest): Buffer {
  if (!isType(request, 'application/octet-stream')) throw new Refusal('UNSUPPORTED_TYPE');
  return bytesOf(request);
}

function readBody(request: FastifyRequest, limit: number, onUnstorable: OnUnstorable): unknown {
  if (!isType(request, 'application/json')) throw new Refusal('UNSUPPORTED_TYPE');
  return readJson(bytesOf(request), { limit, onUnstorable });
}

/** `/api/Test/{id}` in Fastify's syntax: `/api/Test/:id`. */
export const fastifyPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/** Body size limit of the route in bytes. */
export const bodyLimitOf = ({ bodyType, bodyBytes }: Route): number =>
  bodyBytes ?? (bodyType === 'bytes' ? FILE_CHUNK_BYTES + CHUNK_SLACK_BYTES : JSON_BODY_BYTES);

interface CallParser<R extends Route> {
  /** Before the body is read: version, sign-in, limit, role. */
  authorize(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Checks sign-in and role again, after a body that may have taken minutes. */
  reauthorize(request: FastifyRequest): Promise<void>;
  /** The part of the call that is parsed before its body. */
  readAdmission(request: FastifyRequest): Admission<R>;
  /** The call with its parts parsed. */
  read(request: FastifyRequest, reply: FastifyReply, form?: Form): RouteCall<R>;
}

/** The body of a call, parsed by its route's schema. */
function parseBody(
  route: Route,
  request: FastifyRequest,
  { form, isUnchecked }: { readonly form: Form | undefined; readonly isUnchecked: boolean },
): unknown {
  const bodyType = route.bodyType ?? 'json';
  if (form) return route.body && parseInput(route.body, form.fields);
  if (bodyType === 'bytes') return undefined;
  if (bodyType === 'none') return readNothing(request);
  if (!route.body) return undefined;
  if (isUnchecked) return readBody(request, bodyLimitOf(route), 'replace');
  const given = readBody(request, bodyLimitOf(route), 'refuse');
  // An array would pass for an object with only optional fields.
  if (Array.isArray(given)) throw new Refusal('VALIDATION');
  return parseInput(route.body, given);
}

/** The signed-in callers of a route's requests. */
function createCallers(app: FastifyInstance, deps: Deps, route: Route) {
  const callers = new WeakMap<FastifyRequest, AuthenticatedUser>();

  async function authenticate(
    request: FastifyRequest,
    onKnown: (caller: AuthenticatedUser, now: Date) => void = () => undefined,
  ): Promise<void> {
    if (route.access === 'anyone') return;
    const now = deps.clock();
    const caller = await app.authenticate(request.headers.authorization, now);
    onKnown(caller, now);
    requireRole(caller, route.access);
    requireFactor(caller, route, now);
    callers.set(request, caller);
  }

  function callerOf(request: FastifyRequest): AuthenticatedUser {
    const caller = callers.get(request);
    if (!caller) throw new Error(`${route.name} lets anyone in: it has no caller`);
    return caller;
  }

  return { authenticate, callerOf };
}

/** Declares a route and returns what its handler needs to parse calls, for any form of reply. */
export function receive<const R extends Route>(
  app: FastifyInstance,
  deps: Deps,
  route: R,
  isUnchecked = false,
): CallParser<R> {
  const { authenticate, callerOf } = createCallers(app, deps, route);
  app.declaredRoutes.push(route);

  async function authorize(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (route.path.startsWith('/api/')) wireVersion(request);
    await authenticate(request, (caller, now) => {
      // Set before rights are checked, so that the log names the refused caller.
      request.userId = caller.userId;
      reply.header(HEADER.sessionExpiresAt, caller.expiresAt.toISOString());
      app.countCall(caller.userId, now.getTime());
    });
  }

  const paramsOf = (request: FastifyRequest) =>
    (route.params ? parseParams(route.params, request.params) : undefined) as ParamsOf<R>;

  const readAdmission = (request: FastifyRequest): Admission<R> => ({
    caller: callerOf(request),
    params: paramsOf(request),
    headers: request.headers,
    bodyBytes: bytesOf(request).length,
    now: deps.clock(),
  });

  function read(request: FastifyRequest, reply: FastifyReply, form?: Form): RouteCall<R> {
    const parsed = {
      params: paramsOf(request),
      query: route.query ? parseQuery(route.query, request.query) : undefined,
      headers: route.headers ? parseInput(route.headers, { ...request.headers }) : undefined,
      body: parseBody(route, request, { form, isUnchecked }),
      bytes: route.bodyType === 'bytes' ? readBytes(request) : NO_BYTES,
      files: form?.files ?? {},
    };
    const call = {
      ...parsed,
      get origin(): string {
        return `${request.protocol}://${request.host}`;
      },
      get caller(): AuthenticatedUser {
        return callerOf(request);
      },
      bodyBytes: bytesOf(request).length,
      now: deps.clock(),
      address: request.ip,
      cookies: request.headers.cookie,
      wireVersion: () => wireVersion(request),
      isGone: () => request.socket.destroyed,
      setHeader: (name: string, value: string) => void reply.header(name, value),
      log: request.log,
    };
    // The parts were parsed by the same schemas that the call's types come from.
    return call as RouteCall<R>;
  }

  const reauthorize = (request: FastifyRequest) => authenticate(request);
  return { authorize, reauthorize, readAdmission, read };
}

/**
 * Registers the handler of a route of the contract. Invalid params are 404; invalid query, headers and body 400 with
 * `details.fields`. The reply is parsed before it is sent, so nothing undeclared is. With `body: 'unchecked'` the
 * handler gets the raw JSON, made storable, and validates it itself. `admit` decides before the body is parsed whether
 * the caller is allowed. `atOnceEach` limits a person's replies in progress; further calls wait.
 */
export function handle<const R extends Route>(
  app: FastifyInstance,
  deps: Deps,
  route: R,
  handler: UncheckedHandler<R>,
  options: { body: 'unchecked'; admit?: Admit<R> },
): void;
export function handle<const R extends Route>(
  app: FastifyInstance,
  deps: Deps,
  route: R,
  handler: Handler<R>,
  options?: { atOnceEach?: number; admit?: Admit<R> },
): void;
export function handle<const R extends Route>(
  app: FastifyInstance,
  deps: Deps,
  route: R,
  handler: Handler<R> | UncheckedHandler<R>,
  options: { body?: 'unchecked'; atOnceEach?: number; admit?: Admit<R> } = {},
): void {
  const { authorize, reauthorize, readAdmission, read } = receive(
    app,
    deps,
    route,
    options.body === 'unchecked',
  );
  const waitForTurn =
    options.atOnceEach === undefined ? null : limitConcurrencyPerUser(options.atOnceEach);
  const answer = async (call: RouteCall<R>, reply: FastifyReply) => {
    const result = await handler(call);
    if (route.replyType === 'bytes') return sendAttachment(reply, result as Attachment);
    const parsed = v.parse(route.reply, result);
    if (typeof parsed !== 'string') return parsed;
    // Fastify would send a bare string as plain text; on the wire it is JSON like everything else.
    void reply.type('application/json; charset=utf-8');
    return JSON.stringify(parsed);
  };
  const routeOptions = {
    method: route.method,
    url: fastifyPath(route.path),
    bodyLimit: bodyLimitOf(route),
    onRequest: authorize,
    // Stored files are mostly compressed already, and their size is sent in advance.
    ...(route.replyType === 'bytes' ? { compress: false as const } : {}),
  };
  if (route.bodyType !== 'form') {
    app.route({
      ...routeOptions,
      handler: async (request, reply) => {
        if (waitForTurn && request.userId !== null) await waitForTurn(request.userId, reply);
        await options.admit?.(readAdmission(request));
        return answer(read(request, reply), reply);
      },
    });
    return;
  }
  // Only forms are read as a stream; every other body is buffered first.
  void app.register(async (forms) => {
    forms.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null));
    forms.route({
      ...routeOptions,
      config: { readsLong: true },
      handler: async (request, reply) => {
        if (!isType(request, 'multipart/form-data')) throw new Refusal('UNSUPPORTED_TYPE');
        const form = await readForm(request.raw, route, {
          receive: async (bytes, most) => {
            await requireRoomForFiles(deps);
            return deps.blobs.receive(bytes, most);
          },
        });
        try {
          // Meanwhile the sender may have been blocked, erased, or given another role.
          await reauthorize(request);
          return await answer(read(request, reply, form), reply);
        } finally {
          await form.discard();
        }
      },
    });
  });
}
