import type { Server } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { startPasswordPurge } from './admin/import-batches.ts';
import { buildApp } from './app.ts';
import { ensureAdmin } from './auth/first-admin.ts';
import { mixStoredQuestions } from './authoring/mix-stored-questions.ts';
import { startBankIndexJob } from './bank/index-job.ts';
import { prepareDataFolder } from './data-folder.ts';
import { openDatabase, requireFsync } from './db/connect.ts';
import { migrate } from './db/migrate.ts';
import { OperatorError, codeOf } from './db/operator-error.ts';
import { registerServer } from './db/serving.ts';
import { demoLines, prepareDemo, realLines } from './demo/start.ts';
import { type AiSettings, type Deps, PASSING_LIMITS } from './deps.ts';
import type { Environment } from './environment.ts';
import { createFreeBytesReader } from './files/disk-reserve.ts';
import { startBlobCleanupJob } from './files/blob-cleanup-job.ts';
import { openBlobs } from './files/store/open.ts';
import { startPictureCleanupJob } from './files/picture-cleanup-job.ts';
import { stopAll } from './housekeeping/schedule.ts';
import { startHousekeepingJob } from './housekeeping/job.ts';
import { createIds } from './ids.ts';
import { lanAddresses, lanNames } from './lan/addresses.ts';
import { type Certificate, lanCertificates } from './lan/certificates.ts';
import { lanLines } from './lan/lan-lines.ts';
import { trustServer } from './lan/trust-page.ts';
import { makeLog } from './log.ts';
import { startSweeper } from './passing/sweeper.ts';
import { loadState } from './state.ts';
import { readTls, reloadTls } from './tls.ts';
import { productVersion } from './version.ts';

/** A listening server. */
export interface Running {
  app: FastifyInstance;
  /** Its URL for a browser on this machine. */
  url: string;
  /** Reads the certificate of TLS_CERT again. */
  reload(): Promise<void>;
  /** Finishes running calls, at most 10 s, then closes the database. May be called twice. */
  stop(): Promise<void>;
}

export type PrintLine = (line: string) => void;

const PATIENCE_MS = 10_000;
const LET_GO_MS = 50;
const POOL_SIZE = 20;

const asListenError = (error: unknown, host: string, port: number): unknown => {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return new OperatorError(
        `Порт ${port} занят другой программой. Остановите её или укажите другой: PORT=${port + 10}.`,
      );
    case 'EACCES':
      return new OperatorError(
        `Порт ${port} открыть нельзя: нет прав. Укажите порт от 1024, например PORT=3000.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new OperatorError(
        `У этой машины нет адреса ${host}. Укажите в HOST свой, например 127.0.0.1 или 0.0.0.0.`,
      );
    default:
      return error;
  }
};

interface Lan {
  addresses: ReturnType<typeof lanAddresses>;
  ca: Certificate;
  server: Certificate;
}

async function prepareLan(dataDir: string): Promise<Lan> {
  const addresses = lanAddresses();
  const made = await lanCertificates(join(dataDir, 'lan'), lanNames(addresses), new Date());
  return { addresses, ...made };
}

function aiOf(environment: Environment): AiSettings | null {
  const { AI_BASE_URL, AI_API_KEY, AI_MODEL, AI_TIMEOUT_SECONDS } = environment;
  if (AI_BASE_URL === undefined || AI_MODEL === undefined) return null;
  return {
    baseUrl: AI_BASE_URL,
    apiKey: AI_API_KEY ?? null,
    model: AI_MODEL,
    timeoutMs: AI_TIMEOUT_SECONDS * 1_000,
  };
}

function makeDeps(
  environment: Environment,
  rest: Pick<Deps, 'pool' | 'state' | 'log' | 'blobs'>,
): Deps {
  const { PUBLIC_URL, TLS_CERT } = environment;
  return {
    ...rest,
    clock: () => new Date(),
    newId: createIds(),
    dataDir: environment.DATA_DIR,
    freeBytes: createFreeBytesReader(environment.DATA_DIR),
    settings: {
      version: productVersion(),
      schoolTimezone: environment.SCHOOL_TIMEZONE,
      registration: environment.REGISTRATION,
      sessionDays: environment.SESSION_DAYS,
      publicUrl: PUBLIC_URL ?? null,
      secure: TLS_CERT !== undefined || PUBLIC_URL?.startsWith('https:') === true,
      trustProxy: environment.TRUST_PROXY,
      clientDir: fileURLToPath(new URL('../client', import.meta.url)),
      apiDocs: environment.API_DOCS,
      metricsToken: environment.METRICS_TOKEN ?? null,
      backupDir: environment.BACKUP_DIR ?? null,
      ai: aiOf(environment),
      limits: PASSING_LIMITS,
      diskReserveBytes: environment.DISK_RESERVE_MB * 1024 * 1024,
    },
  };
}

/** Waits at most this long, then closes the remaining connections. */
async function closeApp(app: FastifyInstance): Promise<void> {
  const hangUp = setTimeout(() => app.server.closeAllConnections(), PATIENCE_MS);
  // A connection whose call began before the close is kept alive after it, though nobody uses it again.
  const letGo = setInterval(() => app.server.closeIdleConnections(), LET_GO_MS);
  try {
    await app.close();
  } finally {
    clearTimeout(hangUp);
    clearInterval(letGo);
  }
}

async function listen(app: FastifyInstance, host: string, port: number): Promise<number> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw asListenError(error, host, port);
  }
  const address = app.server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

function listenPlain(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(asListenError(error, host, port)));
    server.listen(port, host, () => resolve());
  });
}

const shownHost = (host: string) => {
  if (['0.0.0.0', '::', '127.0.0.1', '::1'].includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
};

/**
 * Opens the database, migrates it, listens, and prints the URLs in Russian.
 * @throws {OperatorError} nothing is left open then
 */
export async function runServer(environment: Environment, say: PrintLine): Promise<Running> {
  const closing: (() => Promise<void> | void)[] = [];
  const log = makeLog(environment.LOG_LEVEL, pino.destination({ dest: 2, sync: true }));
  let hasStarted = false;
  let stopped: Promise<void> | undefined;
  const stop = () =>
    (stopped ??= (async () => {
      const startedAt = Date.now();
      if (hasStarted) log.info('stopping');
      for (const close of closing.toReversed()) await close();
      if (hasStarted) log.info({ ms: Date.now() - startedAt }, 'stopped');
    })());

  try {
    const tlsPaths =
      environment.TLS_CERT !== undefined && environment.TLS_KEY !== undefined
        ? { cert: environment.TLS_CERT, key: environment.TLS_KEY }
        : null;
    const ownTls = tlsPaths ? await readTls(tlsPaths.cert, tlsPaths.key) : null;
    await prepareDataFolder(environment.DATA_DIR, say);
    const database = await openDatabase({
      databaseUrl: environment.DATABASE_URL,
      dataDir: environment.DATA_DIR,
      say,
      poolSize: POOL_SIZE,
    });
    closing.push(() => database.close());
    // The embedded one allows a single process.
    if (environment.DATABASE_URL !== undefined) {
      await requireFsync(database, environment.ALLOW_FSYNC_OFF, say);
      closing.push(await registerServer(environment.DATABASE_URL));
    }
    const migrations = await migrate(database.pool);
    if (migrations.length > 0) log.info({ migrations }, 'migrated');
    const files = await openBlobs(environment, log);
    closing.push(files.close);
    const deps = makeDeps(environment, {
      pool: database.pool,
      blobs: files.blobs,
      state: await loadState(database.pool),
      log,
    });
    await mixStoredQuestions(deps);
    const demo = environment.DEMO ? await prepareDemo(environment, deps) : null;
    const admin = await ensureAdmin(
      deps.pool,
      { email: environment.ADMIN_EMAIL, password: environment.ADMIN_PASSWORD },
      deps.newId,
      deps.clock(),
    );
    const lan = environment.LAN ? await prepareLan(environment.DATA_DIR) : null;
    const tls = ownTls ?? lan?.server;
    const app = await buildApp(deps, tls ? { tls } : {});
    closing.push(() => closeApp(app));
    closing.push(
      stopAll([
        startSweeper(deps),
        startBankIndexJob(deps),
        startPictureCleanupJob(deps),
        startPasswordPurge(deps),
        startBlobCleanupJob(deps),
        startHousekeepingJob(deps, {
          attemptDays: environment.RETENTION_DAYS ?? null,
          auditDays: environment.AUDIT_DAYS,
        }),
      ]),
    );
    const port = await listen(app, environment.HOST, environment.PORT);
    const url = `${tls ? 'https' : 'http'}://${shownHost(environment.HOST)}:${port}`;

    const { version } = deps.settings;
    hasStarted = true;
    log.info({ version, node: process.version, database: database.where, port }, 'started');
    say(`Сервер работает: ${environment.PUBLIC_URL ?? url}`);
    say(`Данные: ${environment.DATA_DIR} (${database.where})`);
    if (admin?.password)
      say(
        `Создан администратор ${admin.email}, пароль ${admin.password} — запишите его: он показан один раз.`,
      );
    else if (admin) say(`Создан администратор ${admin.email} с паролем из ADMIN_PASSWORD.`);
    // An unavailable store must not keep people from tests.
    void files.findProblem().then((problem) => problem !== null && say(problem));
    for (const line of demo ? demoLines(demo, environment) : await realLines(deps)) say(line);
    if (lan) {
      const trust = trustServer(lan.ca.cert, port);
      await listenPlain(trust, environment.HOST, port + 1);
      closing.push(() => void trust.close());
      for (const line of await lanLines(lan.addresses, port, port + 1)) say(line);
    }
    return {
      app,
      url,
      stop,
      reload: async () => {
        if (tlsPaths) await reloadTls(app, tlsPaths, deps.log);
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
