import type { FastifyInstance } from 'fastify';
import { createActCopier } from './admin/copy-acts.ts';
import { startPasswordPurge } from './admin/import-batches.ts';
import { buildApp } from './app.ts';
import { startUptimeJob } from './board/uptime.ts';
import { startBankIndexJob } from './bank/index-job.ts';
import type { Deps } from './deps.ts';
import type { Environment } from './environment.ts';
import { startBlobCleanupJob } from './files/blob-cleanup-job.ts';
import { startPictureCleanupJob } from './files/picture-cleanup-job.ts';
import { startHousekeepingJob } from './housekeeping/job.ts';
import { scheduleJob, stopAll } from './housekeeping/schedule.ts';
import type { Certificate } from './lan/certificates.ts';
import { listenApp } from './listen.ts';
import { startClosingJob } from './passing/close.ts';
import type { ClosingSteps } from './closing.ts';

const CLOSE_TIMEOUT_MS = 10_000;
const IDLE_CHECK_MS = 50;

/** Waits at most this long, then closes the remaining connections. */
async function closeApp(app: FastifyInstance): Promise<void> {
  const hangUp = setTimeout(() => app.server.closeAllConnections(), CLOSE_TIMEOUT_MS);
  // A connection with a call from before the close stays open after it, though unused.
  const idleCheck = setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_MS);
  try {
    await app.close();
  } finally {
    clearTimeout(hangUp);
    clearInterval(idleCheck);
  }
}

const startJobs = (deps: Deps, environment: Environment) =>
  stopAll([
    startUptimeJob(deps),
    startClosingJob(deps),
    startBankIndexJob(deps),
    startPictureCleanupJob(deps),
    startPasswordPurge(deps),
    scheduleJob(deps.log, createActCopier(deps)),
    startBlobCleanupJob(deps),
    startHousekeepingJob(deps, {
      attemptDays: environment.RETENTION_DAYS ?? null,
      auditDays: environment.AUDIT_DAYS,
    }),
  ]);

export interface RunningServer {
  readonly app: FastifyInstance;
  readonly port: number;
}

/**
 * Builds the app, starts the periodic jobs and listens.
 * @param hasJobs one of the processes of a machine runs the jobs
 * @throws {OperatorError} when the address cannot be used
 */
export async function serve(
  deps: Deps,
  environment: Environment,
  { tls, hasJobs, closing }: { tls: Certificate | null; hasJobs: boolean; closing: ClosingSteps },
): Promise<RunningServer> {
  const app = await buildApp(deps, tls ? { tls } : {});
  closing.push(() => closeApp(app));
  if (hasJobs) closing.push(startJobs(deps, environment));
  return { app, port: await listenApp(app, environment.HOST, environment.PORT) };
}
