import type { ServerOptions } from 'node:https';
import { createServer as createPlainServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import Fastify, { type FastifyInstance } from 'fastify';
import { registerAuth } from '#server/auth/routes.ts';
import { registerUsers } from '#server/users/routes.ts';
import type { Deps } from './deps.ts';
import { registerHealth } from './http/health.ts';
import { refuseUnknown, refuseUnrouted, speakWire } from './http/wire.ts';

/** Lists of set-aside files and an old receipt travel in headers. */
const HEADER_BYTES = 48 * 1024;
const REQUEST_TIMEOUT_MS = 60_000;
/** Longer than proxies keep theirs, so that they never write into a connection that just closed. */
const KEEP_ALIVE_MS = 75_000;

export interface AppOptions {
  /** Key and certificate; absent: plain HTTP. */
  tls?: ServerOptions;
}

/** The whole server, not listening yet. */
export async function buildApp(deps: Deps, options: AppOptions = {}): Promise<FastifyInstance> {
  const { tls } = options;
  const app = Fastify({
    loggerInstance: deps.log,
    disableRequestLogging: true,
    genReqId: deps.newId,
    requestIdHeader: false,
    trustProxy: deps.settings.trustProxy,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    exposeHeadRoutes: false,
    frameworkErrors: refuseUnrouted(deps),
    serverFactory: (handler) =>
      tls
        ? createTlsServer({ ...tls, maxHeaderSize: HEADER_BYTES }, handler)
        : createPlainServer({ maxHeaderSize: HEADER_BYTES }, handler),
  });
  speakWire(app, deps);

  registerHealth(app, deps);
  registerAuth(app, deps);
  registerUsers(app, deps);

  app.setNotFoundHandler(refuseUnknown(app, deps));
  await app.ready();
  return app;
}
