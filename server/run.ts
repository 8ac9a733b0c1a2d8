import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { closeAll, createStop, type ClosingSteps } from './closing.ts';
import type { Environment } from './environment.ts';
import { makeLog } from './log.ts';
import { announce, prepare, type PrintLine } from './prepare.ts';
import { serve } from './serve.ts';
import { reloadTls } from './tls.ts';

/** A server that signals can stop, or make read its certificate again. */
export interface ProcessControl {
  /** Reads the certificate of TLS_CERT again. */
  reload(): Promise<void>;
  /** Finishes running calls, at most 10 s, then closes the database. May be called twice. */
  stop(): Promise<void>;
}

/** A listening server in this process. */
export interface Running extends ProcessControl {
  app: FastifyInstance;
  /** Its URL for a browser on this machine. */
  url: string;
}

/** Connections of a process that serves alone. */
const POOL_SIZE = 20;

/**
 * Opens the database, migrates it, listens, and prints the URLs in Russian.
 * @throws {OperatorError} nothing is left open then
 */
export async function runServer(environment: Environment, say: PrintLine): Promise<Running> {
  const closing: ClosingSteps = [];
  const log = makeLog(environment.LOG_LEVEL, pino.destination({ dest: 2, sync: true }));
  const stop = createStop(closing, log);

  try {
    const connections = { poolSize: POOL_SIZE, connections: POOL_SIZE };
    const prepared = await prepare(environment, { log, say, closing }, connections);
    const { app, port } = await serve(prepared.deps, environment, {
      tls: prepared.tls,
      hasJobs: true,
      closing,
    });
    const url = await announce(environment, prepared, { port, say, closing });
    return { app, url, stop, reload: () => reloadTls(app, environment, log) };
  } catch (error) {
    await closeAll(closing);
    throw error;
  }
}
