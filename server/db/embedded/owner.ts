import { open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { codeOf, messageOf } from '#server/db/operator-error.ts';
import { type DatabaseAddress, clientConfig } from './address.ts';

/** Locked while this process uses the data folder; the system releases it when the process dies. */
const OWNER_LOCK = 4_071_805_318;
const NAME = 'exam-room owner';
/** A killed server's session takes a moment to end. */
const PATIENCE_MS = 2_000;

/**
 * `owner`: this process has the lock while the client lives. `taken`: process `by` uses the folder. `busy`: starting,
 * recovering or stopping. `silent`: nobody listens there.
 */
export type ClaimResult =
  | { kind: 'owner'; client: pg.Client }
  | { kind: 'taken'; by: string }
  | { kind: 'busy'; why: string }
  | { kind: 'silent' };

const SILENT = new Set(['ECONNREFUSED', 'ENOENT', 'ENOTSOCK', 'ENOTDIR', 'EHOSTUNREACH']);
/** A server that refuses our account is not ours. */
const STRANGE = new Set(['28000', '28P01', '3D000']);
const BUSY = new Set(['57P01', '57P02', '57P03', '53300', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/** Connects to the cluster's server and requests exclusive use of its folder. */
export async function claim(address: DatabaseAddress, cluster: string): Promise<ClaimResult> {
  const client = new pg.Client({
    ...clientConfig(address, 'postgres'),
    application_name: `${NAME} ${process.pid}`,
    keepAlive: true,
  });
  // the end of the connection is what matters, and the `end` event reports it
  client.on('error', () => undefined);
  try {
    await client.connect();
    if (!(await isServerOf(client, cluster))) {
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
    if (SILENT.has(code) || STRANGE.has(code) || /password/i.test(messageOf(error)))
      return { kind: 'silent' };
    if (BUSY.has(code) || /terminated|timeout/i.test(messageOf(error)))
      return { kind: 'busy', why: messageOf(error) };
    throw error;
  }
}

/** First in the cluster's control file: a number that initdb generates for each cluster. */
async function systemIdentifier(cluster: string): Promise<string> {
  const file = await open(join(cluster, 'global', 'pg_control'), 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(8), 0, 8, 0);
    return buffer.readBigUInt64LE().toString();
  } finally {
    await file.close();
  }
}

/**
 * Whether the server is the one of this cluster: its data folder and its identifier are the cluster's. The same folder
 * may have several paths (links, letter case, slashes).
 */
async function isServerOf(client: pg.Client, cluster: string): Promise<boolean> {
  const { rows } = await client.query<{ folder: string; identifier: string }>(
    `SELECT current_setting('data_directory') AS folder,
       (SELECT system_identifier::text FROM pg_control_system()) AS identifier`,
  );
  const [server] = rows;
  if (!server) return false;
  const folder = await realpath(server.folder).catch(() => server.folder);
  return (
    folder === (await realpath(cluster)) && server.identifier === (await systemIdentifier(cluster))
  );
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
