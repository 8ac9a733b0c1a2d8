import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { OperatorError } from './operator-error.ts';

/** Shared by every server that uses a database; a restore locks it exclusively. */
const SERVING_LOCK = 4_071_805_324;
const AGAIN_MS = 1_000;

async function acquireSharedLock(url: string): Promise<pg.Client | null> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'exam-room serving',
    keepAlive: true,
  });
  // The end of the connection matters, and the `end` event reports it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ mine: boolean }>(
      'select pg_try_advisory_lock_shared($1) as mine',
      [SERVING_LOCK],
    );
    if (rows[0]?.mine) return client;
    await client.end();
    return null;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

/**
 * Registers in the database that a server uses it, for as long as the process lives; renewed whenever the
 * connection breaks. Returns the function that ends it.
 * @throws {OperatorError} while a backup is being restored
 */
export async function registerServer(url: string): Promise<() => Promise<void>> {
  let released = false;
  let client = await acquireSharedLock(url);
  if (!client)
    throw new OperatorError(
      'В эту базу данных сейчас восстанавливают резервную копию. Дождитесь конца и запустите сервер ещё раз.',
    );
  const watch = (client: pg.Client) => {
    client.once('end', () => {
      if (!released) void again();
    });
  };
  const again = async () => {
    while (!released) {
      const connection = await acquireSharedLock(url).catch(() => null);
      if (connection) {
        client = connection;
        if (released) await connection.end();
        else watch(connection);
        return;
      }
      await pause(AGAIN_MS, undefined, { ref: false });
    }
  };
  watch(client);
  return async () => {
    released = true;
    await client?.end().catch(() => undefined);
  };
}

/** Within a transaction: no server uses the database until it ends. False: one does. */
export async function lockOutServers(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ mine: boolean }>(
    'select pg_try_advisory_xact_lock($1) as mine',
    [SERVING_LOCK],
  );
  return rows[0]?.mine ?? false;
}
