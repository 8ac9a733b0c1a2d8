import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorBody, type ErrorCode } from '#contract/errors.ts';
import { HEADER } from '#contract/headers.ts';
import type { Route } from '#contract/route.ts';
import { type Authenticate, createAuthenticate } from '#server/auth/caller.ts';
import type { Deps } from '#server/deps.ts';
import { refusalOf } from './failures.ts';
import { rateLimit } from './rate-limit.ts';
import { Refusal } from './refusal.ts';
import { securityHeaders } from './security-headers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, once authenticated. */
    userId: string | null;
  }
  interface FastifyReply {
    /** The error code of the reply. */
    refusal: ErrorCode | null;
  }
  interface FastifyContextConfig {
    /** The route carries files and may be slow on a slow line. */
    readsLong?: boolean;
  }
  interface FastifyInstance {
    /** Routes of the wire that have a handler. */
    declaredRoutes: Route[];
    /** All routes that Fastify knows, `GET /api/Test/my`. */
    registeredRoutes: string[];
    authenticate: Authenticate;
    /** Counts an account's call at a time in ms; throws TOO_MANY_REQUESTS. */
    countCall(userId: string, now: number): void;
  }
}

const PROBES = new Set(['/healthz', '/readyz', '/metrics']);

export const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? '/';

const isCall = (path: string) => path === '/api' || path.startsWith('/api/') || PROBES.has(path);

function serverHeaders(deps: Deps, reply: FastifyReply): void {
  reply.header(HEADER.serverTime, deps.clock().toISOString());
  reply.header(HEADER.serverEpoch, `${deps.state.epoch}`);
  const streams = reply.request.routeOptions.config.streams === true;
  // A proxy that compresses or buffers would delay a stream.
  reply.header('cache-control', streams ? 'no-store, no-transform' : 'no-store');
}

/** Sends the uniform error body. */
function sendRefusal(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): void {
  const body: ErrorBody = {
    code: refusal.code,
    message: refusal.message,
    ...(refusal.details === undefined ? {} : { details: refusal.details }),
    requestId: request.id,
  };
  reply.refusal = refusal.code;
  if (refusal.retryAfterSeconds !== undefined)
    reply.header('retry-after', `${refusal.retryAfterSeconds}`);
  if (refusal.code === 'UNAUTHORIZED') reply.header('www-authenticate', 'Bearer');
  reply
    .code(refusal.status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(body));
}

/** Refusals, and errors that Fastify itself raises, need no attention of the operator. */
const isOrdinary = (error: unknown) =>
  error instanceof Refusal ||
  (error instanceof Error && (error as Partial<FastifyError>).code?.startsWith('FST_') === true);

/** Every exception becomes the uniform error body; only an internal failure is logged with its stack. */
function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = refusalOf(error);
  if (refusal.code === 'INTERNAL') request.log.error({ err: error }, 'failed');
  else if (!isOrdinary(error)) request.log.warn({ err: error, code: refusal.code }, 'refused');
  sendRefusal(request, reply, refusal);
}

/** Answers an error outside the request lifecycle: a broken URL, an unknown path. */
function refuse(request: FastifyRequest, reply: FastifyReply, deps: Deps, code: ErrorCode): void {
  reply.headers(securityHeaders(deps.settings));
  reply.header(HEADER.requestId, request.id);
  serverHeaders(deps, reply);
  sendRefusal(request, reply, new Refusal(code));
}

/** For Fastify's own errors before routing: broken percent-encoding, or a part too long for any id. */
export function refuseUnrouted(deps: Deps) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void =>
    refuse(request, reply, deps, error.code === 'FST_ERR_BAD_URL' ? 'BAD_REQUEST' : 'NOT_FOUND');
}

const patternOf = (url: string) =>
  new RegExp(
    `^${url.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/:\w+/g, '[^/]+')}$`,
  );

/** Methods that the path accepts; empty for an unknown path. */
function methodsAt(app: FastifyInstance, path: string): string[] {
  const methods = app.registeredRoutes
    .map((route) => route.split(' ', 2))
    .filter(([, url]) => url !== undefined && !url.includes('*') && patternOf(url).test(path))
    .map(([method]) => method ?? '');
  return [...new Set(methods)];
}

/** An unknown path gets 404, a known one with another method 405, both with the uniform error body. */
export function refuseUnknown(app: FastifyInstance, deps: Deps) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const allowed = methodsAt(app, pathOf(request));
    if (allowed.length === 0) return refuse(request, reply, deps, 'NOT_FOUND');
    reply.header('allow', allowed.join(', '));
    refuse(request, reply, deps, 'METHOD_NOT_ALLOWED');
  };
}

/** Milliseconds within which the body of an ordinary call must arrive. */
const BODY_MS = 60_000;

/** Closes the connection when a body arrives too slowly. */
function enforceBodyTimeout(request: FastifyRequest): void {
  const { raw } = request;
  const hasBody = raw.headers['transfer-encoding'] ?? raw.headers['content-length'];
  if (hasBody === undefined || request.routeOptions.config.readsLong === true) return;
  const timer = setTimeout(() => {
    if (!raw.complete) raw.destroy();
  }, BODY_MS);
  timer.unref();
  raw.once('close', () => clearTimeout(timer));
}

/** Configures an app for the API: headers, bodies as bytes, the uniform error body. */
export function registerRoutes(app: FastifyInstance, deps: Deps): void {
  app.decorateRequest('userId', null);
  app.decorateReply('refusal', null);
  app.decorate('declaredRoutes', []);
  app.decorate('registeredRoutes', []);
  app.decorate('authenticate', createAuthenticate(deps.pool));
  app.decorate('countCall', rateLimit());
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) app.registeredRoutes.push(`${one} ${url}`);
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.header(HEADER.requestId, request.id);
    enforceBodyTimeout(request);
  });
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onSend', async (request, reply) => {
    // Ends the connection with this reply, so that it cannot close just as a client sends its next call.
    if (isClosing) reply.header('connection', 'close');
    if (isCall(pathOf(request))) serverHeaders(deps, reply);
  });
  // Types and JSON are validated per route, after authentication.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setErrorHandler(sendFailure);
}
