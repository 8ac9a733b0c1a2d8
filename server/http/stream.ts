import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import type { ReplyOf, Route } from '#contract/route.ts';
import { type AuthenticatedUser, requireFactor, requireRole } from '#server/auth/caller.ts';
import type { Deps } from '#server/deps.ts';
import { EventStream, type KeepAll } from './event-stream.ts';
import { bodyLimitOf, type RouteCall, fastifyPath, receive } from './handle.ts';
import { Refusal } from './refusal.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A stream lasts as long as its client reads it: its duration says nothing about the server. */
    streams?: boolean;
  }
}

/** Sends a handler's events to its client. */
export interface Sink<R extends Route> {
  /**
   * The route's schema validates the value before it is sent. Replaces an older unread event unless the route has
   * `keepAll`.
   */
  send(value: ReplyOf<R>): void;
  /** Reports that the last event is still current. */
  alive(): void;
  end(): void;
}

/** Lives as long as one client is connected. */
export interface Listening {
  /** Whether the account, in its present state, may continue to read. */
  isAllowed(caller: AuthenticatedUser): Promise<boolean>;
  /** Called once, when either side has closed the stream. */
  stop(): void;
}

/** Starts to feed a sink. A thrown Refusal is sent as for any other call. */
type Listen<R extends Route> = (call: RouteCall<R>, sink: Sink<R>) => Promise<Listening>;

/** A stream ends within this time after the end of a sign-in, a block or a new role. */
const RECHECK_MS = 2_000;

/** A value sent to several clients is validated and serialized once. */
function createWriter<R extends Route>(route: R): (value: ReplyOf<R>) => string {
  const written = new WeakMap<object, string>();
  return (value) => {
    const known = written.get(value as object);
    if (known !== undefined) return known;
    const text = JSON.stringify(v.parse(route.reply, value));
    written.set(value as object, text);
    return text;
  };
}

/** Ends a stream as soon as its token is no longer valid. */
function createAuthorizationWatch(app: FastifyInstance, deps: Deps, route: Route) {
  return function watchAuthorization(
    request: FastifyRequest,
    stream: EventStream,
    listening: Listening,
  ): () => void {
    let isBusy = false;
    const check = async () => {
      if (isBusy) return;
      isBusy = true;
      try {
        const now = deps.clock();
        const caller = await app.authenticate(request.headers.authorization, now);
        requireRole(caller, route.access);
        requireFactor(caller, route, now);
        if (!(await listening.isAllowed(caller))) stream.finish();
      } catch (error) {
        if (error instanceof Refusal) stream.finish();
        else request.log.warn({ err: error }, 'a stream could not be checked; tried again');
      } finally {
        isBusy = false;
      }
    };
    const timer = setInterval(() => void check(), RECHECK_MS);
    return () => clearInterval(timer);
  };
}

/**
 * Registers the handler of a route that replies with server-sent events. The stream ends with the sign-in, the role or
 * the server, and when the client disconnects. With `keepAll` no event replaces an older one.
 */
export function handleStream<const R extends Route>(
  app: FastifyInstance,
  deps: Deps,
  route: R,
  listen: Listen<R>,
  options?: KeepAll,
): void {
  const { authorize, read } = receive(app, deps, route);
  const open = new Set<EventStream>();
  const write = createWriter(route);
  const watchAuthorization = createAuthorizationWatch(app, deps, route);

  app.addHook('preClose', async () => {
    for (const stream of open) stream.finish();
  });

  app.route({
    method: route.method,
    url: fastifyPath(route.path),
    config: { streams: true },
    compress: false,
    bodyLimit: bodyLimitOf(route),
    onRequest: authorize,
    handler: async (request, reply) => {
      const call = read(request, reply);
      const stream = new EventStream(options);
      const listening = await listen(call, {
        send: (value) => stream.offer(write(value)),
        alive: () => stream.alive(),
        end: () => stream.finish(),
      });
      const stopGuard = watchAuthorization(request, stream, listening);
      open.add(stream);
      stream.once('close', () => {
        open.delete(stream);
        stopGuard();
        listening.stop();
      });
      // The client may have disconnected during authentication.
      if (call.isGone()) stream.destroy();
      reply.header('content-type', 'text/event-stream; charset=utf-8');
      reply.header('x-accel-buffering', 'no');
      // An open connection would delay the server's shutdown.
      reply.header('connection', 'close');
      return reply.send(stream);
    },
  });
}
