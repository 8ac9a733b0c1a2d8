import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { createPool, openDatabase } from '#server/db/connect.ts';
import {
  addressUrl,
  DATABASE,
  readOrCreatePassword,
  usualTransport,
} from '#server/db/embedded/address.ts';
import { chooseClusterPaths, type ClusterPaths } from '#server/db/embedded/cluster-paths.ts';
import { isPostmaster, type PidFile, readPidFile } from '#server/db/embedded/postmaster.ts';
import { codeOf, OperatorError } from '#server/db/operator-error.ts';

/** A database that a command uses while a server may be using it. */
export interface SharedDatabase {
  readonly pool: Pool;
  close(): Promise<void>;
}

const POOL_SIZE = 2;
const STARTING = '57P03';
const WAIT_MS = 30_000;

async function runningPostmaster(places: ClusterPaths): Promise<PidFile | null> {
  const file = await readPidFile(places.cluster);
  return file && (await isPostmaster(file.pid, places.cluster)) ? file : null;
}

/** Joins the embedded PostgreSQL that a server has started and still owns. */
async function joinRunning(
  places: ClusterPaths,
  file: PidFile,
  say: (line: string) => void,
): Promise<SharedDatabase> {
  const transport = usualTransport();
  const password = await readOrCreatePassword(places, transport);
  const host = transport === 'tcp' ? '127.0.0.1' : file.host;
  const pool = createPool(
    addressUrl({ host, port: file.port, password }, DATABASE),
    POOL_SIZE,
    say,
  );
  const until = Date.now() + WAIT_MS;
  for (;;) {
    try {
      await pool.query('select 1');
      return { pool, close: () => pool.end() };
    } catch (error) {
      if (codeOf(error) !== STARTING || Date.now() > until) {
        await pool.end();
        throw new OperatorError(
          `База данных в ${places.cluster} работает, но не пускает эту команду. Запустите её от того же пользователя, что и сервер.`,
          { cause: error },
        );
      }
      await pause(250);
    }
  }
}

/**
 * Opens the database of an address or of a data folder for a command, beside a server that may be using it;
 * starts the embedded one temporarily when nobody else runs it.
 * @throws {OperatorError}
 */
export async function openSharedDatabase(options: {
  databaseUrl: string | undefined;
  dataDir: string;
  say: (line: string) => void;
  /** The act that is impossible without a database: «сохранять нечего». */
  vain: string;
}): Promise<SharedDatabase> {
  const { databaseUrl, dataDir, say, vain } = options;
  if (databaseUrl === undefined) {
    if (!existsSync(join(dataDir, 'postgres')))
      throw new OperatorError(
        `В папке ${dataDir} нет базы данных: ${vain}. Укажите папку сервера в DATA_DIR или адрес базы в DATABASE_URL.`,
      );
    const places = await chooseClusterPaths(dataDir);
    const running = await runningPostmaster(places);
    if (running) return joinRunning(places, running, say);
    if (!existsSync(places.cluster))
      throw new OperatorError(`В папке ${dataDir} нет базы данных: ${vain}.`);
  }
  return openDatabase({ databaseUrl, dataDir, say, poolSize: POOL_SIZE });
}
