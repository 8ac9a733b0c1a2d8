import * as v from 'valibot';
import { pino } from 'pino';
import { closeAll, type ClosingSteps } from '#server/closing.ts';
import { openDatabase } from '#server/db/connect.ts';
import type { Environment } from '#server/environment.ts';
import { openBlobs } from '#server/files/store/open.ts';
import { makeLog } from '#server/log.ts';
import { makeDeps } from '#server/make-deps.ts';
import { prepareLan, type PrintLine } from '#server/prepare.ts';
import type { ProcessControl } from '#server/run.ts';
import { serve } from '#server/serve.ts';
import { loadState } from '#server/state.ts';
import { readTls, reloadTls } from '#server/tls.ts';

/** The variable by which the primary passes a worker its settings. */
export const WORKER_TASK = 'EXAM_ROOM_WORKER';

const Task = v.object({
  /** The database as the primary opened it. */
  databaseUrl: v.string(),
  poolSize: v.number(),
  /** One worker of a machine runs the periodic jobs. */
  hasJobs: v.boolean(),
});
export type WorkerTask = v.InferOutput<typeof Task>;

/**
 * One of several processes that serve on one port. The primary has prepared everything.
 * @throws {OperatorError} when the address cannot be used
 */
export async function runWorker(environment: Environment, say: PrintLine): Promise<ProcessControl> {
  const task = v.parse(Task, JSON.parse(process.env[WORKER_TASK] ?? 'null'));
  const closing: ClosingSteps = [];
  const log = makeLog(environment.LOG_LEVEL, pino.destination({ dest: 2, sync: true })).child({
    pid: process.pid,
  });
  try {
    const { databaseUrl, poolSize } = task;
    const { DATA_DIR: dataDir } = environment;
    const { pool, close } = await openDatabase({ databaseUrl, dataDir, say, poolSize });
    closing.push(close);
    const files = await openBlobs(environment, log);
    closing.push(files.close);
    const state = await loadState(pool);
    const deps = makeDeps(environment, { pool, blobs: files.blobs, state, log });
    const lan = environment.LAN ? await prepareLan(dataDir) : null;
    const tls = (await readTls(environment)) ?? lan?.server ?? null;
    const { app } = await serve(deps, environment, { tls, hasJobs: task.hasJobs, closing });
    let stopped: Promise<void> | undefined;
    return {
      stop: () => (stopped ??= closeAll(closing)),
      reload: () => reloadTls(app, environment, log),
    };
  } catch (error) {
    await closeAll(closing);
    throw error;
  }
}
