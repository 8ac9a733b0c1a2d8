import cluster from 'node:cluster';
import { pino } from 'pino';
import { closeAll, createStop, type ClosingSteps } from '#server/closing.ts';
import type { Environment } from '#server/environment.ts';
import { makeLog } from '#server/log.ts';
import { answerMetricsRequests } from '#server/metrics/of-all-workers.ts';
import { announce, prepare, type PrintLine } from '#server/prepare.ts';
import type { ProcessControl } from '#server/run.ts';
import { connectionsEach } from './connections.ts';
import { superviseWorkers } from './supervise-workers.ts';

/** For the primary: it queries little, and only at the start. */
const OWN_CONNECTIONS = 5;

/**
 * Prepares everything once, then starts the processes that serve on one port, and replaces those that end.
 * @throws {OperatorError} after closing everything it opened
 */
export async function runPrimary(
  environment: Environment,
  say: PrintLine,
): Promise<ProcessControl> {
  const closing: ClosingSteps = [];
  const log = makeLog(environment.LOG_LEVEL, pino.destination({ dest: 2, sync: true }));
  const processes = environment.WEB_CONCURRENCY;
  const poolSize = connectionsEach(processes);
  const stop = createStop(closing, log);

  try {
    const prepared = await prepare(
      environment,
      { log, say, closing },
      { poolSize: OWN_CONNECTIONS, connections: processes * poolSize + OWN_CONNECTIONS },
    );
    answerMetricsRequests();
    const { url: databaseUrl } = prepared.database;
    const workers = superviseWorkers(
      processes,
      (place) => ({ databaseUrl, poolSize, hasJobs: place === 0 }),
      log,
    );
    closing.push(() => workers.stop());
    const port = await workers.start();
    await announce(environment, prepared, { port, say, closing });
    say(`Процессов сервера: ${processes}.`);
    return {
      stop,
      async reload() {
        for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGHUP');
      },
    };
  } catch (error) {
    await closeAll(closing);
    throw error;
  }
}
