import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { launchEmbedded } from '#server/db/embedded/launch.ts';
import { createPool } from '#server/db/connect.ts';
import { migrate, migrationsFolder, readMigrations } from '#server/db/migrate.ts';

/** A PostgreSQL for one run of tests, simulations or benchmarks. */
export type TestPostgres = { url: string; stop(): Promise<void> };

/** A migrated database of one's own. */
export type TestDatabase = { url: string; pool: pg.Pool; drop(): Promise<void> };

const TEMPLATE_LOCK = 4_071_805_320;

/**
 * Starts an embedded PostgreSQL in a temporary folder, or uses the server of `TEST_DATABASE_URL`. Fast and not
 * durable unless `TEST_PG_FSYNC=on`. It ends with this process, however that ends.
 */
export async function startTestPostgres(): Promise<TestPostgres> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given) return { url: given, stop: async () => undefined };
  // root's own temporary folder may be closed to the account that PostgreSQL runs under
  const parent = process.getuid?.() === 0 ? '/tmp' : tmpdir();
  const folder = await mkdtemp(join(parent, 'exam-room-test-'));
  await chmod(folder, 0o755);
  const dismiss = watch(folder);
  try {
    const server = await launchEmbedded({
      dataDir: folder,
      say: () => undefined,
      durable: process.env['TEST_PG_FSYNC'] === 'on',
      maxConnections: 200,
    });
    return {
      url: server.url,
      async stop() {
        await server.stop();
        await dismiss();
      },
    };
  } catch (error) {
    await dismiss();
    throw error;
  }
}

/** A small process that stops the server and removes its folder as soon as this process ends, even by kill -9. */
function watch(folder: string): () => Promise<void> {
  const removed = (): Promise<void> => rm(folder, { recursive: true, force: true });
  if (process.platform === 'win32') return removed;
  const script = `read -r _
    pid=$(head -n 1 "$1/postgres/cluster/postmaster.pid" 2>/dev/null)
    if [ -n "$pid" ]; then
      kill -QUIT "$pid"
      while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
    fi
    rm -rf "$1"`;
  const watcher = spawn('/bin/sh', ['-c', script, 'sh', folder], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.unref();
  return async () => {
    const gone = new Promise((resolve) => watcher.once('exit', resolve));
    watcher.ref();
    watcher.stdin.end();
    await gone;
    await removed();
  };
}

/** Clones a migrated database on a server; the template is made once per set of migrations. */
export async function cloneDatabase(serverUrl: string, poolSize = 10): Promise<TestDatabase> {
  const name = `exam_room_test_${randomBytes(8).toString('hex')}`;
  await asAdministrator(serverUrl, async (client) => {
    const template = await ensureTemplate(client, serverUrl);
    // By files and not through the log: a quarter of the work for a template of 10 MB.
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  });
  const url = withDatabase(serverUrl, name);
  const pool = createPool(url, poolSize, () => undefined);
  return {
    url,
    pool,
    async drop() {
      await pool.end();
      await asAdministrator(serverUrl, (client) =>
        client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
      );
    },
  };
}

async function ensureTemplate(client: pg.Client, serverUrl: string): Promise<string> {
  const migrations = await readMigrations(migrationsFolder());
  const key = createHash('sha256').update(
    migrations.map(({ name, sha256 }) => `${name} ${sha256}`).join('\n'),
  );
  const template = `exam_room_template_${key.digest('hex').slice(0, 16)}`;
  await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [
      template,
    ]);
    if (rowCount === 0) {
      const unfinished = `${template}_unfinished`;
      await client.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`);
      await client.query(`CREATE DATABASE ${unfinished}`);
      const pool = createPool(withDatabase(serverUrl, unfinished), 1, () => undefined);
      try {
        await migrate(pool);
      } finally {
        await pool.end();
      }
      await client.query(`ALTER DATABASE ${unfinished} RENAME TO ${template}`);
    }
    return template;
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  }
}

async function asAdministrator(
  serverUrl: string,
  action: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await action(client);
  } finally {
    await client.end();
  }
}

function withDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { url: string };
  }
}
