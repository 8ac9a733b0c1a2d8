import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { codeOf, messageOf, OperatorError } from '#server/db/operator-error.ts';
import {
  type DatabaseAddress,
  addressUrl,
  DATABASE,
  readOrCreatePassword,
  newAddress,
  type SocketKind,
  usualTransport,
} from './address.ts';
import { type Binaries, findPackage, prepareBinaries } from './binaries.ts';
import { ensureCluster } from './initdb.ts';
import { claim } from './owner.ts';
import { chooseClusterPaths, type ClusterPaths } from './cluster-paths.ts';
import {
  isPostmaster,
  readPidFile,
  readPostmasterPid,
  type StartedPostmaster,
  startPostmaster,
  asStartError,
  stopPostmaster,
} from './postmaster.ts';

export type EmbeddedOptions = {
  dataDir: string;
  /** Receives lines for the operator, in Russian. */
  say: (line: string) => void;
  /** Default true; false only for tests. */
  durable?: boolean;
  maxConnections?: number;
  transport?: SocketKind;
  /** Where clusters are that only root could reach. */
  systemFolder?: string;
};

export type EmbeddedServer = {
  /** Address of the product's database. */
  url: string;
  /** For the start line: version and place. */
  where: string;
  cluster: string;
  /** True when a server that had outlived its node was adopted. */
  adopted: boolean;
  stop(): Promise<void>;
};

/** A starting or stopping server: recovery after a power cut may take minutes. */
const BUSY_LIMIT_MS = 10 * 60_000;
/** A running postmaster without a socket. */
const SILENT_LIMIT_MS = 30_000;
const SPEAK_AFTER_MS = 3_000;

type Launch = {
  places: ClusterPaths;
  binaries: Binaries;
  password: string | undefined;
  tuning: { durable: boolean; maxConnections: number };
  say: (line: string) => void;
  /** Reused after a restart within this process: the pool continues with the same address. */
  address: DatabaseAddress | undefined;
};

/**
 * Starts the embedded PostgreSQL of a data folder, or adopts the one that a killed node left running. One
 * process per folder: throws OperatorError when another uses it, or when it cannot run here.
 */
export async function launchEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const places = await chooseClusterPaths(options.dataDir, options.systemFolder);
  const binaries = await prepareBinaries(await findPackage(), places.base, places.account);
  const password = await readOrCreatePassword(places, options.transport ?? usualTransport());
  const tuning = { durable: options.durable ?? true, maxConnections: options.maxConnections ?? 60 };
  const launch: Launch = {
    places,
    binaries,
    password,
    tuning,
    say: options.say,
    address: undefined,
  };
  const made = await ensureCluster(places, binaries, { durable: tuning.durable, password });
  if (made) options.say('База данных создана: это первый запуск с этой папкой.');

  const first = await becomeOwner(launch);
  if (first.adopted) options.say('База данных работала с прошлого запуска: продолжаю с ней.');
  await createDatabase(first.client);
  const guard = restartOnDisconnect(launch, first.client);
  return {
    url: addressUrl(first.address, DATABASE),
    where: describe(launch),
    cluster: places.cluster,
    adopted: first.adopted,
    async stop() {
      const client = await guard.release();
      await stopPostmaster(places, binaries);
      await client.end().catch(() => undefined);
      if (first.address.host !== places.run && first.address.password === undefined) {
        await rm(first.address.host, { recursive: true, force: true });
      }
    },
  };
}

function describe({ places, binaries }: Launch): string {
  const text = `встроенный PostgreSQL ${binaries.version}, база в ${places.base}`;
  if (!places.elsewhere) return text;
  return `${text} (в папку ${places.dataDir} может войти только root, а PostgreSQL от root не работает)`;
}

type OwnedServer = { client: pg.Client; address: DatabaseAddress; adopted: boolean };

/** Finds or starts the server and takes the folder's lock; retries while another process starts or stops it. */
async function becomeOwner(launch: Launch): Promise<OwnedServer> {
  const { places, binaries, say } = launch;
  let since = Date.now();
  let last = 'silent';
  let spoken = false;
  let started: StartedPostmaster | undefined;
  for (;;) {
    const file = await readPidFile(places.cluster);
    const address =
      file &&
      (launch.password === undefined
        ? { host: file.host, port: file.port, password: undefined }
        : { host: '127.0.0.1', port: file.port, password: launch.password });
    const answer = address ? await claim(address, places.cluster) : { kind: 'silent' as const };
    if (answer.kind === 'owner' && address) {
      launch.address = address;
      return { client: answer.client, address, adopted: started === undefined };
    }
    if (answer.kind === 'taken') throw inUse(places, answer.by);

    if (answer.kind !== last) since = Date.now();
    last = answer.kind;
    const waited = Date.now() - since;
    const pid = await readPostmasterPid(places.cluster);
    const running = pid !== undefined && (await isPostmaster(pid, places.cluster));
    if (answer.kind === 'silent' && !running) {
      if (started === undefined) {
        launch.address ??= await newAddress(places, launch.password);
        started = await startPostmaster(places, binaries, launch.address, launch.tuning);
      } else if (started.exit() !== undefined) {
        const startError = asStartError(await started.output(), places);
        if (startError) throw startError;
        started = undefined;
      }
    }
    if (answer.kind === 'busy' && waited > SPEAK_AFTER_MS && !spoken) {
      say(
        'База данных ещё запускается: после внезапной остановки на это может уйти несколько минут.',
      );
      spoken = true;
    }
    if (waited > (answer.kind === 'busy' ? BUSY_LIMIT_MS : SILENT_LIMIT_MS))
      throw noAnswer(places, pid);
    await pause(20);
  }
}

const inUse = (places: ClusterPaths, by: string): OperatorError =>
  new OperatorError(
    `Папка данных ${places.dataDir} занята: с ней уже работает процесс ${by}. Остановите его или укажите другую папку в DATA_DIR.`,
  );

const noAnswer = (places: ClusterPaths, pid: number | undefined): OperatorError =>
  new OperatorError(
    pid === undefined
      ? `База данных в ${places.cluster} не запустилась за отведённое время. Журнал: ${places.log}`
      : `База данных в ${places.cluster} (процесс ${pid}) не отвечает. Остановите её командой kill -INT ${pid} и запустите программу ещё раз. Журнал: ${places.log}`,
  );

async function createDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [
    DATABASE,
  ]);
  if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
}

/** Starts the server again, and takes the lock again, whenever the owner's connection breaks. */
function restartOnDisconnect(launch: Launch, first: pg.Client): { release(): Promise<pg.Client> } {
  let released = false;
  let client = first;
  let restoring: Promise<void> = Promise.resolve();
  const watch = (): void => {
    client.once('end', () => {
      if (!released) restoring = restore();
    });
  };
  const restore = async (): Promise<void> => {
    launch.say('Связь с базой данных прервалась: восстанавливаю.');
    for (let delay = 100; !released; delay = Math.min(delay * 2, 5_000)) {
      try {
        client = (await becomeOwner(launch)).client;
        watch();
        launch.say('База данных снова работает.');
        return;
      } catch (error) {
        launch.say(
          `База данных не запускается: ${messageOf(error)}${codeOf(error) ? ` (${codeOf(error)})` : ''}`,
        );
        await pause(delay);
      }
    }
  };
  watch();
  return {
    async release() {
      released = true;
      await restoring;
      return client;
    },
  };
}
