import type { FastifyInstance } from 'fastify';

/** One line per call: which route, how it ended, how long it took. No addresses with tokens, no names, no answers. */
export function logCalls(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const { url: route, method } = { url: request.routeOptions.url, method: request.method };
    const line = {
      method,
      route: route ?? 'unknown',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    };
    if (reply.statusCode >= 500) request.log.warn(line, 'answered');
    else request.log.debug(line, 'answered');
  });
}
