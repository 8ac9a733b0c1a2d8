import type { ServerOptions } from 'node:https';
import { createServer as createPlainServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { registerFactorAdministration } from '#server/admin/second-factor.ts';
import { registerImport } from '#server/admin/import.ts';
import { registerAudit } from '#server/admin/list-audit.ts';
import { registerTeaching } from '#server/admin/teaching-routes.ts';
import { registerAdminUsers } from '#server/admin/users.ts';
import { registerAi } from '#server/ai/routes.ts';
import { registerAttempts } from '#server/attempts/routes.ts';
import { registerDrafts } from '#server/authoring/draft-routes.ts';
import { registerAuthoring } from '#server/authoring/routes.ts';
import { registerAuth } from '#server/auth/routes.ts';
import { registerSecondFactor } from '#server/auth/second-factor/routes.ts';
import { registerSecondStep } from '#server/auth/second-factor/sign-in.ts';
import { registerBank } from '#server/bank/routes.ts';
import { registerBoard } from '#server/board/routes.ts';
import { registerPictures } from '#server/files/pictures.ts';
import { registerFiles } from '#server/files/routes.ts';
import { registerGrading } from '#server/grading/routes.ts';
import { registerGroups } from '#server/groups/routes.ts';
import { registerSharing } from '#server/sharing/routes.ts';
import { registerHandover } from '#server/handover/routes.ts';
import { registerOffline } from '#server/offline/routes.ts';
import { registerPassing } from '#server/passing/routes.ts';
import { registerAdminProjects } from '#server/projects/admin.ts';
import { registerProjects } from '#server/projects/routes.ts';
import { registerReceipts } from '#server/receipts/routes.ts';
import { registerPreview } from '#server/results/preview.ts';
import { registerResults } from '#server/results/routes.ts';
import { registerStatistics } from '#server/statistics/routes.ts';
import { registerTemplates } from '#server/templates/routes.ts';
import { registerTestBase } from '#server/tests/base.ts';
import { registerTests } from '#server/tests/routes.ts';
import { registerProfile } from '#server/users/profile.ts';
import { registerUsers } from '#server/users/routes.ts';
import type { Deps } from './deps.ts';
import { registerApiDocs } from './http/api-docs.ts';
import { answerNoHttp } from './http/client-error.ts';
import { registerHealth } from './http/health.ts';
import { registerMetrics } from './http/metrics.ts';
import { logCalls } from './http/request-log.ts';
import { guardPages } from './http/security-headers.ts';
import { readableUrl, servePages } from './http/static.ts';
import { refuseUnrouted, registerRoutes } from './http/register-routes.ts';

/** Good enough for text, cheap enough for each reply. */
const BROTLI_QUALITY = 4;

const LIMITS = {
  /** Limit of headers in bytes: they contain lists of set-aside files and an old receipt. */
  maxHeaderSize: 48 * 1024,
  /**
   * Milliseconds for a whole request to arrive, including a form with files. Other routes have less time, see the wire.
   */
  requestTimeout: 900_000,
  headersTimeout: 60_000,
  /** Longer than the timeouts of proxies, so that they never write to a connection that has just closed. */
  keepAliveTimeout: 75_000,
};

export interface AppOptions {
  /** Key and certificate; absent: plain HTTP. */
  tls?: ServerOptions;
}

/** The whole server, not listening yet. */
export async function buildApp(deps: Deps, options: AppOptions = {}): Promise<FastifyInstance> {
  const { tls } = options;
  const app = Fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: deps.newId,
    requestIdHeader: false,
    trustProxy: deps.settings.trustProxy,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: false,
    rewriteUrl: ({ url = '/' }) => readableUrl(url),
    frameworkErrors: refuseUnrouted(deps),
    clientErrorHandler: answerNoHttp(deps),
    serverFactory: (handler) =>
      tls ? createTlsServer({ ...tls, ...LIMITS }, handler) : createPlainServer(LIMITS, handler),
  });
  registerRoutes(app, deps);
  guardPages(app, deps.settings);
  logCalls(app, deps);
  await app.register(compress, {
    encodings: ['br', 'gzip'],
    threshold: 1_024,
    globalDecompression: false,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
  });
  registerMetrics(app, deps);

  registerHealth(app, deps);
  registerAuth(app, deps);
  registerSecondStep(app, deps);
  registerSecondFactor(app, deps);
  registerUsers(app, deps);
  registerTests(app, deps);
  const operations = registerPassing(app, deps);
  registerHandover(app, deps, operations);
  registerOffline(app, deps);
  registerResults(app, deps);
  registerReceipts(app, deps);
  registerAttempts(app, deps);
  registerTestBase(app, deps);
  registerAuthoring(app, deps);
  registerDrafts(app, deps);
  registerBank(app, deps);
  registerTemplates(app, deps);
  registerAi(app, deps);
  registerPreview(app, deps);
  registerGrading(app, deps);
  registerStatistics(app, deps);
  registerBoard(app, deps);
  registerGroups(app, deps);
  registerSharing(app, deps);
  registerFiles(app, deps);
  registerPictures(app, deps);
  registerProjects(app, deps);
  registerAdminProjects(app, deps);
  registerAdminUsers(app, deps);
  registerTeaching(app, deps);
  registerImport(app, deps);
  registerFactorAdministration(app, deps);
  registerAudit(app, deps);
  registerProfile(app, deps);

  await registerApiDocs(app, deps);
  await servePages(app, deps);
  await app.ready();
  return app;
}
