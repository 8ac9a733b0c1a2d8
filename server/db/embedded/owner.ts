import { realpath } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { codeOf, messageOf } from '#server/db/operator-error.ts';
import { type Address, clientConfig } from './address.ts';

/** Held for as long as this process works with the data folder; the system frees it when the process dies. */
const OWNER_LOCK = 4_071_805_318;
const NAME = 'exam-room owner';
/** A killed server's session takes a moment to go. */
const PATIENCE_MS = 2_000;

/**
 * `owner`: the lock is ours while the client lives. `taken`: process `by` works with the folder.
 * `busy`: starting, recovering or stopping. `silent`: nobody listens there.
 */
export type Claim =
  | { kind: 'owner'; client: pg.Client }
  | { kind: 'taken'; by: string }
  | { kind: 'busy'; why: string }
  | { kind: 'silent' };

const SILENT = new Set(['ECONNREFUSED', 'ENOENT', 'ENOTSOCK', 'ENOTDIR', 'EHOSTUNREACH']);
const BUSY = new Set(['57P01', '57P02', '57P03', '53300', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/** Connects to the cluster's server and asks to be the one process that works with its folder. */
export async function claim(address: Address, cluster: string): Promise<Claim> {
  const client = new pg.Client({
    ...clientConfig(address, 'postgres'),
    application_name: `${NAME} ${process.pid}`,
    keepAlive: true,
  });
  // the end of the connection is what matters, and `end` tells of it
  client.on('error', () => undefined);
  try {
    await client.connect();
    const shown = await client.query<{ data_directory: string }>('SHOW data_directory');
    if (
      shown.rows[0]?.data_directory !== (await realpath(cluster)) &&
      !(await isSame(shown, cluster))
    ) {
      await client.end();
      return { kind: 'silent' };
    }
    if (await tryLock(client)) return { kind: 'owner', client };
    const by = await holder(client);
    await client.end();
    return { kind: 'taken', by };
  } catch (error) {
    await client.end().catch(() => undefined);
    const code = codeOf(error) ?? '';
    if (SILENT.has(code)) return { kind: 'silent' };
    if (BUSY.has(code) || /terminated|timeout/i.test(messageOf(error)))
      return { kind: 'busy', why: messageOf(error) };
    throw error;
  }
}

/** The same folder may be written in two ways (links, letters' case, slashes). */
async function isSame(
  shown: pg.QueryResult<{ data_directory: string }>,
  cluster: string,
): Promise<boolean> {
  const named = shown.rows[0]?.data_directory ?? '';
  return (await realpath(named).catch(() => '')) === (await realpath(cluster));
}

async function tryLock(client: pg.Client): Promise<boolean> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const { rows } = await client.query<{ mine: boolean }>(
      'SELECT pg_try_advisory_lock($1) AS mine',
      [OWNER_LOCK],
    );
    if (rows[0]?.mine) return true;
    if (Date.now() > until) return false;
    await pause(50);
  }
}

async function holder(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT application_name AS name FROM pg_stat_activity WHERE application_name LIKE $1
       AND pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted)`,
    [`${NAME} %`],
  );
  return rows[0]?.name.slice(NAME.length + 1) ?? '';
}
