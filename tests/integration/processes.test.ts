import { mkdir, utimes, writeFile, readdir } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { lanCertificates } from '#server/lan/certificates.ts';
import { createTestDatabase } from '#tests/database.ts';
import { clear, openFolder, postmasterOf, until } from '#tests/folders.ts';
import { makeLiveSchool, startLive } from '#tests/live-school.ts';
import { embeddedOf, type LiveServer, startLiveServer } from '#tests/programs/live-server.ts';
import { childrenOf, isGone } from '#tests/programs/processes.ts';
import type { TestDatabase } from '#tests/postgres.ts';

let database: TestDatabase;
let folder: string;
const running: LiveServer[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await openFolder();
});
afterEach(async () => {
  for (const server of running.splice(0)) await server.end('SIGKILL');
});
afterAll(async () => {
  await clear(folder);
  await database.drop();
});

async function start(env: Record<string, string> = {}): Promise<LiveServer> {
  const server = await startLiveServer({
    dataDir: folder,
    databaseUrl: database.url,
    env: { WEB_CONCURRENCY: '2', LOG_LEVEL: 'info', ...env },
  });
  running.push(server);
  return server;
}

/** Waits until two workers serve, and returns their process ids. */
async function workersOf(server: LiveServer, others: readonly number[] = []): Promise<number[]> {
  const found = () => childrenOf(server.pid).filter((pid) => !others.includes(pid));
  await until(async () => found().length === 2 && (await listening(server)) === 2);
  return found();
}

/** A call to a process that is being killed may get no reply: it ends after a while, like the calls of devices. */
const call = ({ url }: LiveServer, path: string) =>
  fetch(`${url}${path}`, {
    headers: { connection: 'close' },
    signal: AbortSignal.timeout(5_000),
  });

const metrics = async (server: LiveServer) => (await call(server, '/metrics')).text();

/** The value of the first line that begins so. */
const valueOf = (text: string, beginning: string) => {
  const line = text.split('\n').find((each) => each.startsWith(beginning));
  return Number(line?.split(' ').at(-1));
};

async function listening(server: LiveServer): Promise<number> {
  const text = await metrics(server).catch(() => '');
  return valueOf(text, 'exam_room_processes ');
}

const health = (server: LiveServer) => call(server, '/healthz').then(({ status }) => status);

test('two processes share a port, and their metrics are one', async () => {
  const { students, testId } = await makeLiveSchool(database.pool, 1);
  const server = await start();
  // Before the first reading: the counts of the database are cached.
  for (const student of students) await startLive(server.url, student, testId);
  await workersOf(server);
  expect(server.said).toContain('Процессов сервера: 2.');
  expect(await Promise.all(Array.from({ length: 10 }, () => health(server)))).toEqual(
    Array.from({ length: 10 }, () => 200),
  );
  const text = await metrics(server);
  const calls = valueOf(text, 'http_request_duration_seconds_count{method="GET",route="/healthz"');
  expect(calls).toBe(10);
  expect(valueOf(text, 'attempts_running ')).toBe(1);
  expect(valueOf(text, 'database_up ')).toBe(1);
});

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'a worker that ends by %s is replaced, and the other one serves meanwhile',
  async (signal) => {
    const server = await start();
    const [first = 0, second = 0] = await workersOf(server);
    process.kill(first, signal);
    await until(() => isGone(first));
    // A connection that was handed to the killed one is reset.
    await until(async () => (await health(server).catch(() => 0)) === 200);
    const now = await workersOf(server, [first]);
    expect(now).toContain(second);
    expect(server.logged()).toContain('a worker ended; replaced');
  },
);

test('SIGTERM ends all with 0; a killed primary leaves no worker behind', async () => {
  const ended = await start();
  const workers = await workersOf(ended);
  expect(await ended.end('SIGTERM')).toBe(0);
  expect(workers.every(isGone)).toBe(true);
  expect(ended.said.at(-1)).toBe('Останавливаемся.');
  expect(ended.logged()).not.toContain('replaced');

  const killed = await start();
  const orphans = await workersOf(killed);
  await killed.end('SIGKILL');
  await until(() => orphans.every(isGone));
});

test('Ctrl+C, which a terminal sends to every process, ends all with 0', async () => {
  const server = await start();
  const workers = await workersOf(server);
  for (const pid of workers) process.kill(pid, 'SIGINT');
  expect(await server.end('SIGINT')).toBe(0);
  expect(workers.every(isGone)).toBe(true);
  expect(server.logged()).not.toContain('replaced');
});

test('SIGHUP to the primary loads a renewed certificate in every worker', async () => {
  const made = join(folder, 'certificate');
  const renew = (...names: string[]) => lanCertificates(made, ['localhost', ...names], new Date());
  await renew();
  const server = await start({
    TLS_CERT: join(made, 'server.crt'),
    TLS_KEY: join(made, 'server.key'),
  });
  const logged = (words: RegExp) => server.logged().match(words)?.length;
  await until(() => logged(/Server listening/g) === 2);
  const port = Number(new URL(server.url).port);
  const shown = () =>
    new Promise<string>((resolve, reject) => {
      // Only which certificate is shown matters here.
      const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
        resolve(socket.getPeerCertificate().fingerprint256);
        socket.end();
      });
      socket.on('error', reject);
    });
  const before = await shown();
  await renew('10.1.1.1');
  server.signal('SIGHUP');
  await until(() => logged(/certificate read again/g) === 2);
  const after = await Promise.all(Array.from({ length: 6 }, shown));
  expect(after).not.toContain(before);
  expect(new Set(after).size).toBe(1);
});

test('a port in use is reported once, and nothing stays', async () => {
  const taken = createServer((socket) => socket.destroy());
  await new Promise<void>((listens) => taken.listen(0, '127.0.0.1', listens));
  const { port } = taken.address() as AddressInfo;
  const words = await start({ PORT: String(port) }).then(
    () => 'it started',
    (error: unknown) => String(error),
  );
  taken.close();
  expect(words).toContain('the server ended with 1');
  expect(words.match(/занят другой программой/g)).toHaveLength(1);
  expect(words).not.toMatch(/ {2}at /);
});

test('the embedded PostgreSQL is started and stopped once, by the primary', async () => {
  const dataDir = join(folder, 'embedded');
  await mkdir(dataDir);
  const server = await startLiveServer({ dataDir, env: { WEB_CONCURRENCY: '2' } });
  const postgres = await embeddedOf(dataDir);
  await until(async () => (await listening(server)) === 2);
  expect(childrenOf(server.pid).filter((pid) => pid !== postgres.pid)).toHaveLength(2);
  expect(await server.end('SIGTERM')).toBe(0);
  expect(await postmasterOf(join(dataDir, 'postgres', 'cluster'))).toBeUndefined();
  await clear(dataDir);
});

test('a start leaves the files alone that another process is receiving', async () => {
  const incoming = join(folder, 'incoming');
  await mkdir(incoming, { recursive: true });
  const agoInMinutes = async (name: string, minutes: number) => {
    const at = new Date(Date.now() - minutes * 60_000);
    await writeFile(join(incoming, name), 'половина');
    await utimes(join(incoming, name), at, at);
  };
  await agoInMinutes('left-by-a-killed-server', 90);
  await agoInMinutes('arriving', 10);
  await start();
  await until(async () => !(await readdir(incoming)).includes('left-by-a-killed-server'));
  expect(await readdir(incoming)).toEqual(['arriving']);
});
