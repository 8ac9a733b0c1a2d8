import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { launchEmbedded } from './embedded/launch.ts';
import { codeOf, messageOf, OperatorError } from './operator-error.ts';
import { TimedPool } from './timed-pool.ts';

export type DatabaseOptions = {
  /** Address of the operator's own PostgreSQL; absent: the embedded one under `dataDir`. */
  databaseUrl?: string | undefined;
  dataDir: string;
  /** Receives lines for the operator, in Russian. */
  say: (line: string) => void;
  /** Maximum connections; 20 unless given. */
  poolSize?: number;
  /** Maximum connections of all processes that use an embedded server; `poolSize` unless given. */
  connections?: number;
  /** How long to wait for a server that does not respond yet, in ms; 10 s unless given. */
  waitMs?: number;
};

export type Database = {
  pool: pg.Pool;
  url: string;
  /** For the start line: which server, where; never a password. */
  where: string;
  /** Ends the pool; stops an embedded server cleanly. May be called twice. */
  close(): Promise<void>;
};

const OLDEST_MAJOR = 15;

/** Opens the database; throws OperatorError when that is impossible. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { databaseUrl, dataDir, say, poolSize = 20, waitMs = 10_000 } = options;
  const { connections = poolSize } = options;
  if (databaseUrl !== undefined && databaseUrl !== '') {
    const pool = createPool(databaseUrl, poolSize, say);
    try {
      const where = await firstAnswer(pool, databaseUrl, say, waitMs);
      return { pool, url: databaseUrl, where, close: once(() => pool.end()) };
    } catch (error) {
      await pool.end();
      throw error;
    }
  }
  const server = await launchEmbedded({
    dataDir,
    say,
    maxConnections: Math.max(60, connections + 20),
  });
  const pool = createPool(server.url, poolSize, say);
  const close = once(async () => {
    if (!pool.ending) await pool.end();
    await server.stop();
  });
  return { pool, url: server.url, where: server.where, close };
}

/** A role, a database or an address may have switched it off; a stronger setting than `on` stays. */
const WAIT_FOR_DISK = `select set_config('synchronous_commit', 'on', false)
  where current_setting('synchronous_commit') = 'off'`;

/** The pool awaits the promise, though its types declare none. */
const waitForDisk = (client: pg.ClientBase): unknown => client.query(WAIT_FOR_DISK);

/**
 * A pool that survives broken connections, and that acknowledges commits only when they are on the disk,
 * whatever the database's default. Waits at most 5 s for a connection.
 */
export function createPool(url: string, max: number, say: (line: string) => void): pg.Pool {
  const pool = new TimedPool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: 'exam-room',
    onConnect: waitForDisk,
  });
  pool.on('error', (error) => say(`Соединение с базой данных прервалось: ${error.message}`));
  // a client in use has no listener of the pool's; its query reports the failure itself
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/**
 * Refuses a database that would lose acknowledged commits in a power cut.
 * @param isAllowed the operator declares its data worthless: a warning is printed instead
 * @throws {OperatorError}
 */
export async function requireFsync(
  { pool, where }: Pick<Database, 'pool' | 'where'>,
  isAllowed: boolean,
  say: (line: string) => void,
): Promise<void> {
  const { rows } = await pool.query<{ fsync: string }>('show fsync');
  if (rows[0]?.fsync !== 'off') return;
  const danger = `База данных (${where}) не дожидается записи на диск (fsync = off): отключение питания отнимет сохранённые ответы.`;
  if (!isAllowed)
    throw new OperatorError(
      `${danger} Включите запись командой ALTER SYSTEM SET fsync = on, затем SELECT pg_reload_conf(), и запустите сервер ещё раз. Для проб, где терять нечего, есть ALLOW_FSYNC_OFF=1.`,
    );
  say(`ВНИМАНИЕ: ${danger} Так разрешено в ALLOW_FSYNC_OFF.`);
}

function once(action: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= action());
}

const SETTLING = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  '57P01',
  '57P03',
]);

/** A starting server, or a proxy before it, may close connections with several errors. */
const maySettle = (error: unknown): boolean =>
  SETTLING.has(codeOf(error) ?? '') || /terminated|timeout/i.test(messageOf(error));

async function firstAnswer(
  pool: pg.Pool,
  url: string,
  say: (line: string) => void,
  waitMs: number,
): Promise<string> {
  const place = placeOf(url);
  const until = Date.now() + waitMs;
  let isReported = false;
  for (;;) {
    try {
      const { rows } = await pool.query<{ server_version: string }>('SHOW server_version');
      const version = rows[0]?.server_version.split(' ')[0] ?? '';
      if (Number.parseInt(version, 10) < OLDEST_MAJOR) {
        throw new OperatorError(
          `Сервер ${place} — PostgreSQL ${version}, а нужен ${OLDEST_MAJOR} или новее: обновите сервер.`,
        );
      }
      return `PostgreSQL ${version}, ${place}`;
    } catch (error) {
      if (!maySettle(error) || Date.now() > until) throw asConnectError(error, url);
      if (!isReported) say(`Сервер базы данных ${place} пока не отвечает: жду.`);
      isReported = true;
      await pause(250);
    }
  }
}

/** Host, port and database of an address, without user and password. */
function placeOf(url: string): string {
  try {
    const { hostname, port, pathname, searchParams } = new URL(url);
    const host = searchParams.get('host') ?? decodeURIComponent(hostname);
    return `${host}${port ? `:${port}` : ''}${pathname}`;
  } catch {
    throw new OperatorError(
      'DATABASE_URL записан неверно. Нужен адрес вида postgresql://пользователь:пароль@сервер:5432/база',
    );
  }
}

function asConnectError(error: unknown, url: string): Error {
  if (error instanceof OperatorError) return error;
  const place = placeOf(url);
  const user = decodeURIComponent(new URL(url).username);
  const said = (text: string): OperatorError =>
    new OperatorError(`${text} Проверьте DATABASE_URL.`, { cause: error });
  switch (codeOf(error)) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return said(`Сервер базы данных ${place} не найден: такого имени нет.`);
    case '28P01':
    case '28000':
      return said(`Сервер базы данных ${place} не принял пользователя ${user} или пароль.`);
    case '3D000':
      return said(`На сервере ${place} такой базы данных нет: создайте её (CREATE DATABASE).`);
    default:
      if (maySettle(error))
        return said(`Сервер базы данных ${place} не отвечает: запущен ли он и пускает ли сюда.`);
      return said(`К базе данных ${place} подключиться не удалось: ${messageOf(error)}.`);
  }
}
