import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Calls at least this slow are logged as warnings. */
const SLOW_MS = 2_000;

const isJson = (type: unknown) =>
  type === undefined || (typeof type === 'string' && type.startsWith('application/json'));

/** The duration of files depends on the client's network, that of streams on the reader. */
const isOursToHasten = (request: FastifyRequest, reply: FastifyReply) =>
  request.routeOptions.config.streams !== true &&
  isJson(request.headers['content-type']) &&
  isJson(reply.getHeader('content-type'));

/** One line per call: route, caller, status, duration. No URLs with tokens, no names, no answers. */
export function logCalls(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const ms = reply.elapsedTime;
    const line = {
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      ms: Math.round(ms),
      ...(request.userId === null ? {} : { user: request.userId }),
      ...(reply.refusal === null ? {} : { code: reply.refusal }),
    };
    if (reply.statusCode >= 500) request.log.warn(line, 'answered');
    else if (ms >= SLOW_MS && isOursToHasten(request, reply)) request.log.warn(line, 'slow');
    else request.log.debug(line, 'answered');
  });
}
