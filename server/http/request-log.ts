import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '#server/deps.ts';
import { createRefusalLog } from './refusal-log.ts';

/** Calls at least this slow are logged as warnings. */
const SLOW_MS = 2_000;

const isJson = (type: unknown) =>
  type === undefined || (typeof type === 'string' && type.startsWith('application/json'));

/** The duration of file transfers depends on the client's network, that of streams on the reader. */
const isOursToHasten = (request: FastifyRequest, reply: FastifyReply) =>
  request.routeOptions.config.streams !== true &&
  isJson(request.headers['content-type']) &&
  isJson(reply.getHeader('content-type'));

/**
 * One line per call: route, caller, status, duration. No URLs with tokens, no names, no answers. Refusals are
 * warnings; those that repeat within a minute are counted in one line after it.
 */
export function logCalls(app: FastifyInstance, { clock }: Pick<Deps, 'clock'>): void {
  const refusals = createRefusalLog();
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
    const now = clock().getTime();
    for (const repeated of refusals.repeated(now)) request.log.warn(repeated, 'answered');
    if (reply.statusCode >= 500 || refusals.isFirst(line, now)) request.log.warn(line, 'answered');
    else if (ms >= SLOW_MS && isOursToHasten(request, reply)) request.log.warn(line, 'slow');
    else request.log.debug(line, 'answered');
  });
}
