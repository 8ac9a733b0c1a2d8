import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import type { ReplyOf, Route } from '#contract/route.ts';
import { type Caller, authenticate, requireFactor, requireRole } from '#server/auth/caller.ts';
import type { Deps } from '#server/deps.ts';
import { EventStream, type KeepAll } from './event-stream.ts';
import { bodyLimitOf, type Call, fastifyPath, receive } from './handle.ts';
import { Refusal } from './refusal.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Replies last as long as somebody listens: their time tells nothing. */
    streams?: boolean;
  }
}

/** Where a handler puts what its listener shall hear. */
export interface Sink<R extends Route> {
  /**
   * Parsed by the route's schema before it leaves; an older one that was not read yet gives way,
   * unless the route keeps all.
   */
  send(value: ReplyOf<R>): void;
  /** Says that what was sent last is still so. */
  alive(): void;
  end(): void;
}

/** What runs as long as one listener is there. */
export interface Listening {
  /** Whether the account, as it is now, may go on listening. */
  isAllowed(caller: Caller): Promise<boolean>;
  /** Called once, whoever ended it. */
  stop(): void;
}

/** Starts to feed a sink. Throws a Refusal, which is answered as for any other call. */
type Listen<R extends Route> = (call: Call<R>, sink: Sink<R>) => Promise<Listening>;

/** A sign-in that ended, a block or a new role ends a stream within this time. */
const RECHECK_MS = 2_000;

/**
 * Registers the handler of a route that answers with server-sent events. The stream ends with the
 * sign-in, with the role, with the server, and when the listener goes. With `keepAll` nothing that was
 * sent gives way to what came after it.
 */
export function handleStream<const R extends Route>(
  app: FastifyInstance,
  deps: Deps,
  route: R,
  listen: Listen<R>,
  options?: KeepAll,
): void {
  const { letIn, read } = receive(app, deps, route);
  const open = new Set<EventStream>();

  /** Ends the stream as soon as the token opens nothing any more. */
  function guard(request: FastifyRequest, stream: EventStream, listening: Listening): () => void {
    let isBusy = false;
    const check = async () => {
      if (isBusy) return;
      isBusy = true;
      try {
        const now = deps.clock();
        const caller = await authenticate(deps, request.headers.authorization, now);
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
  }

  app.addHook('preClose', async () => {
    for (const stream of open) stream.finish();
  });

  app.route({
    method: route.method,
    url: fastifyPath(route.path),
    config: { streams: true },
    compress: false,
    bodyLimit: bodyLimitOf(route),
    onRequest: letIn,
    handler: async (request, reply) => {
      const call = read(request, reply);
      const stream = new EventStream(options);
      const listening = await listen(call, {
        send: (value) => stream.offer(JSON.stringify(v.parse(route.reply, value))),
        alive: () => stream.alive(),
        end: () => stream.finish(),
      });
      const stopGuard = guard(request, stream, listening);
      open.add(stream);
      stream.once('close', () => {
        open.delete(stream);
        stopGuard();
        listening.stop();
      });
      // The listener may have gone while it was let in.
      if (call.isGone()) stream.destroy();
      reply.header('content-type', 'text/event-stream; charset=utf-8');
      reply.header('x-accel-buffering', 'no');
      // Kept open after its end, it would hold up a server that stops.
      reply.header('connection', 'close');
      return reply.send(stream);
    },
  });
}
