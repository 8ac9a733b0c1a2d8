import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DATABASE, addressUrl } from '#server/db/embedded/address.ts';
import { readPidFile } from '#server/db/embedded/postmaster.ts';
import { serverBundle } from './server-bundle.ts';

/** The shipped server in a process of its own, listening on a port of this machine. */
export interface LiveServer {
  readonly pid: number;
  /** `http://127.0.0.1:PORT`, or https. */
  readonly url: string;
  readonly said: readonly string[];
  /** What it logged: warnings and errors. */
  logged(): string;
  signal(name: NodeJS.Signals): void;
  /** Signals it and waits for its end; its exit code. */
  end(name: NodeJS.Signals): Promise<number | null>;
}

export interface LiveOptions {
  dataDir: string;
  /** Absent: the embedded PostgreSQL of the data folder. */
  databaseUrl?: string;
  /** Further variables; they take precedence. */
  env?: Readonly<Record<string, string>>;
  /** Absent: the server as shipped by this project. */
  program?: string;
  /** Arguments for node itself. */
  nodeArgs?: readonly string[];
}

const ADMIN = { ADMIN_EMAIL: 'admin@school.test', ADMIN_PASSWORD: 'Admin2026' };
const LISTENS = /^Сервер работает: (https?):\/\/localhost:(\d+)$/;
const MAX_LOG_CHARACTERS = 100_000;

/** Starts the server and waits until it listens. Throws with its output when it does not. */
export async function startLiveServer(options: LiveOptions): Promise<LiveServer> {
  const { dataDir, databaseUrl, env = {}, nodeArgs = [] } = options;
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [...nodeArgs, options.program ?? (await serverBundle())], {
    env: {
      PATH,
      NODE_ENV: 'production',
      DATA_DIR: dataDir,
      PORT: '0',
      // One process is what is signalled and killed, whatever the machine has.
      WEB_CONCURRENCY: '1',
      ...ADMIN,
      // The tests' own PostgreSQL is fast and not durable.
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl, ALLOW_FSYNC_OFF: '1' }),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  let logged = '';
  child.stderr.on('data', (chunk: Buffer) => {
    logged = `${logged}${chunk.toString()}`.slice(-MAX_LOG_CHARACTERS);
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => resolve(code));
  });
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      said.push(line);
      const [, protocol, port] = LISTENS.exec(line) ?? [];
      if (port) resolve(`${protocol}://127.0.0.1:${port}`);
    });
    void ended.then((code) =>
      reject(new Error(`the server ended with ${code}:\n${said.join('\n')}\n${logged}`)),
    );
  });
  return {
    pid: child.pid ?? 0,
    url,
    said,
    logged: () => logged,
    signal: (name) => void child.kill(name),
    end(name) {
      child.kill(name);
      return ended;
    },
  };
}

/** The postmaster of a data folder's embedded PostgreSQL, and the address of the product's database. */
export async function embeddedOf(dataDir: string): Promise<{ pid: number; url: string }> {
  const file = await readPidFile(join(dataDir, 'postgres', 'cluster'));
  if (!file) throw new Error(`no PostgreSQL runs in ${dataDir}`);
  const address = { host: file.host, port: file.port, password: undefined };
  return { pid: file.pid, url: addressUrl(address, DATABASE) };
}
