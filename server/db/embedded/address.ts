import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { codeOf } from '#server/db/operator-error.ts';
import { changeOwner } from './account.ts';
import type { ClusterPaths } from './cluster-paths.ts';

/** The role that owns everything in the embedded cluster. */
export const SUPERUSER = 'app';
/** The product's database in the embedded cluster. */
export const DATABASE = 'exam_room';
/** The port is only a part of the socket's file name. */
const SOCKET_PORT = 5432;
/** The limit of the system is 103 (macOS) or 107 bytes. */
const LONGEST_SOCKET_PATH = 100;

/** How to reach the server: `host` is a socket folder, or `127.0.0.1` with a password. */
export type DatabaseAddress = { host: string; port: number; password: string | undefined };

/** Windows has no usable Unix sockets. */
export type SocketKind = 'socket' | 'tcp';
export const usualTransport = (): SocketKind => (process.platform === 'win32' ? 'tcp' : 'socket');

/** Connection address as a URL for `pg` and every other client. */
export function addressUrl(address: DatabaseAddress, database: string): string {
  const { host, port, password } = address;
  if (password !== undefined) {
    return `postgresql://${SUPERUSER}:${encodeURIComponent(password)}@${host}:${port}/${database}?sslmode=disable`;
  }
  return `postgresql://${SUPERUSER}@localhost:${port}/${database}?host=${encodeURIComponent(host)}&sslmode=disable`;
}

/** Settings for one client; complete, so that PG* variables of the environment change nothing. */
export function clientConfig(address: DatabaseAddress, database: string): pg.ClientConfig {
  return {
    host: address.host,
    port: address.port,
    user: SUPERUSER,
    // PGPASSWORD of the environment must not be used
    password: address.password ?? '',
    database,
    ssl: false,
    connectionTimeoutMillis: 5_000,
  };
}

/** Address for a server about to start. A socket path that is too long moves to a private temporary folder. */
export async function newAddress(
  places: ClusterPaths,
  password: string | undefined,
): Promise<DatabaseAddress> {
  if (password !== undefined) return { host: '127.0.0.1', port: await freePort(), password };
  const path = join(places.run, `.s.PGSQL.${SOCKET_PORT}`);
  if (Buffer.byteLength(path) <= LONGEST_SOCKET_PATH)
    return { host: places.run, port: SOCKET_PORT, password };
  const short = await mkdtemp(join(tmpdir(), 'exam-room-'));
  await chmod(short, 0o700);
  await changeOwner(places.account, short);
  return { host: short, port: SOCKET_PORT, password };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else reject(new Error('no port was given'));
      });
    });
  });
}

/** The password of a server on TCP, created at the first start and stored beside the cluster; none for a socket. */
export async function readOrCreatePassword(
  places: ClusterPaths,
  transport: SocketKind,
): Promise<string | undefined> {
  if (transport === 'socket') return undefined;
  const file = join(places.base, 'password');
  try {
    await writeFile(file, randomBytes(24).toString('base64url'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  return (await readFile(file, 'utf8')).trim();
}
