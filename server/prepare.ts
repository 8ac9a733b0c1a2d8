import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { ensureAdmin, type FirstAdmin } from './auth/first-admin.ts';
import type { ClosingSteps } from './closing.ts';
import { prepareDataFolder } from './data-folder.ts';
import type { Database } from './db/connect.ts';
import { type Connections, prepareDatabase } from './db/prepare-database.ts';
import { OperatorError } from './db/operator-error.ts';
import { realLines } from './demo/demo-accounts.ts';
import type { Deps } from './deps.ts';
import type { Environment } from './environment.ts';
import { openBlobs } from './files/store/open.ts';
import { lanAddresses, lanNames } from './lan/addresses.ts';
import { type Certificate, lanCertificates } from './lan/certificates.ts';
import { lanLines } from './lan/lan-lines.ts';
import { trustServer } from './lan/trust-page.ts';
import { listenPlain } from './listen.ts';
import { makeDeps } from './make-deps.ts';
import { ensureKey } from './receipts/keys.ts';
import { loadState } from './state.ts';
import { readTls } from './tls.ts';

export type PrintLine = (line: string) => void;

interface Lan {
  addresses: ReturnType<typeof lanAddresses>;
  ca: Certificate;
  server: Certificate;
}

export async function prepareLan(dataDir: string): Promise<Lan> {
  const addresses = lanAddresses();
  const made = await lanCertificates(join(dataDir, 'lan'), lanNames(addresses), new Date());
  return { addresses, ...made };
}

/** A server about to listen, in one process or in several. */
export interface PreparedServer {
  readonly deps: Deps;
  readonly database: Database;
  readonly tls: Certificate | null;
  readonly lan: Lan | null;
  /** Lines that name the demo's accounts; null: no demo. */
  readonly demo: readonly string[] | null;
  readonly admin: FirstAdmin | null;
  /** Why the store of files is unavailable, for the operator. */
  findProblem(): Promise<string | null>;
}

/** The container image comes without the demo (`deploy/Dockerfile`). */
async function seedDemoSchool(environment: Environment, deps: Deps): Promise<readonly string[]> {
  const { prepareDemo } = await import('./demo/start.ts').catch((cause: unknown) => {
    throw new OperatorError('В этой сборке демонстрации нет: уберите DEMO.', { cause });
  });
  return prepareDemo(environment, deps);
}

/**
 * What is done once before a machine serves, in however many processes: certificate, data folder, database with
 * its migrations, the key of receipts, first administrator, demo.
 * @throws {OperatorError}
 */
export async function prepare(
  environment: Environment,
  { log, say, closing }: { log: FastifyBaseLogger; say: PrintLine; closing: ClosingSteps },
  { poolSize, connections }: Connections,
): Promise<PreparedServer> {
  const ownTls = await readTls(environment);
  await prepareDataFolder(environment.DATA_DIR, say);
  const database = await prepareDatabase(
    environment,
    { log, say, closing },
    { poolSize, connections },
  );
  const files = await openBlobs(environment, log);
  closing.push(files.close);
  const deps = makeDeps(environment, {
    pool: database.pool,
    blobs: files.blobs,
    state: await loadState(database.pool),
    log,
  });
  await ensureKey(deps.pool, deps.clock());
  const demo = environment.DEMO ? await seedDemoSchool(environment, deps) : null;
  const admin = await ensureAdmin(
    deps.pool,
    { email: environment.ADMIN_EMAIL, password: environment.ADMIN_PASSWORD },
    deps.newId,
    deps.clock(),
  );
  const lan = environment.LAN ? await prepareLan(environment.DATA_DIR) : null;
  const tls = ownTls ?? lan?.server ?? null;
  return { deps, database, tls, lan, demo, admin, findProblem: files.findProblem };
}

const shownHost = (host: string) => {
  if (['0.0.0.0', '::', '127.0.0.1', '::1'].includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
};

/** Logs and prints that the server listens; returns its URL for a browser on this machine. */
export async function announce(
  environment: Environment,
  { deps, database, tls, lan, demo, admin, findProblem }: PreparedServer,
  { port, say, closing }: { port: number; say: PrintLine; closing: ClosingSteps },
): Promise<string> {
  const url = `${tls ? 'https' : 'http'}://${shownHost(environment.HOST)}:${port}`;
  const { version } = deps.settings;
  deps.log.info({ version, node: process.version, database: database.where, port }, 'started');
  say(`Сервер работает: ${environment.PUBLIC_URL ?? url}`);
  say(`Данные: ${environment.DATA_DIR} (${database.where})`);
  if (admin?.password)
    say(
      `Создан администратор ${admin.email}, пароль ${admin.password} — запишите его: он показан один раз.`,
    );
  else if (admin) say(`Создан администратор ${admin.email} с паролем из ADMIN_PASSWORD.`);
  // An unavailable store must not block tests.
  void findProblem().then((problem) => problem !== null && say(problem));
  for (const line of demo ?? (await realLines(deps))) say(line);
  if (lan) {
    const trust = trustServer(lan.ca.cert, port);
    await listenPlain(trust, environment.HOST, port + 1);
    closing.push(() => void trust.close());
    for (const line of await lanLines(lan.addresses, port, port + 1)) say(line);
  }
  return url;
}
