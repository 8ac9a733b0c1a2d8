import { writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { v7 } from 'uuid';
import type { Answer } from '#contract/answers.ts';
import { createRandom } from '#simulation/random.ts';
import { AnsweringStudent } from '#tests/answering-student.ts';
import { createTestDatabase } from '#tests/database.ts';
import { clear, openFolder, until } from '#tests/folders.ts';
import { makeLiveSchool, startLive } from '#tests/live-school.ts';
import { type LiveOptions, type LiveServer, startLiveServer } from '#tests/programs/live-server.ts';
import { Q } from '#tests/school.ts';
import type { TestDatabase } from '#tests/postgres.ts';

let database: TestDatabase;
let dataDir: string;
const running: LiveServer[] = [];
const listening: Server[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await openFolder();
});
afterEach(async () => {
  for (const server of running.splice(0)) await server.end('SIGKILL');
  for (const server of listening.splice(0)) server.close();
});
afterAll(async () => {
  await clear(dataDir);
  await database.drop();
});

async function start(options: Partial<LiveOptions> = {}): Promise<LiveServer> {
  const server = await startLiveServer({ dataDir, databaseUrl: database.url, ...options });
  running.push(server);
  return server;
}

/** The output for an operator of a failed start. */
const refusal = (env: Record<string, string>, options: Partial<LiveOptions> = {}) =>
  start({ ...options, env }).then(
    () => 'it started',
    (error: unknown) => String(error),
  );

async function listen(take: (socket: Socket) => void): Promise<number> {
  const server = createServer(take);
  listening.push(server);
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens));
  return (server.address() as AddressInfo).port;
}

test('wrong variables are named one by one in Russian, without a stack, and nothing starts', async () => {
  const words = await refusal({ PORT: 'http', RETENTION_DAYS: '1', LOG_LEVEL: 'loud' });
  expect(words).toContain('the server ended with 1');
  for (const name of ['PORT', 'RETENTION_DAYS', 'LOG_LEVEL'])
    expect(words).toContain(`Переменная ${name} задана неверно. Допустимо: `);
  expect(words).not.toMatch(/ {2}at /);
});

test('a port in use is reported with an alternative, and the database is released', async () => {
  const port = await listen((socket) => socket.destroy());
  const words = await refusal({ PORT: String(port) });
  expect(words).toContain(
    `Порт ${port} занят другой программой. Остановите её или укажите другой: PORT=${port + 10}.`,
  );
  expect(words).not.toMatch(/ {2}at /);
});

test('a data folder that is a file is reported in Russian', async () => {
  const path = join(dataDir, 'not-a-folder');
  await writeFile(path, '');
  const words = await refusal({ DATA_DIR: path });
  expect(words).toContain(path);
  expect(words).toMatch(/стоит файл, а нужна папка/);
  expect(words).not.toMatch(/ {2}at /);
});

test('a database that starts a little later is waited for, including early disconnects', async () => {
  const real = new pg.Client({ connectionString: database.url });
  const where = real.host.startsWith('/')
    ? { path: `${real.host}/.s.PGSQL.${real.port}` }
    : { host: real.host, port: real.port };
  let isUp = false;
  let turnedAway = 0;
  const port = await listen((socket) => {
    if (!isUp) {
      turnedAway += 1;
      // As a proxy before a database that has not started.
      socket.destroy();
      return;
    }
    const through = connect(where);
    const hangUp = () => {
      socket.destroy();
      through.destroy();
    };
    for (const end of [socket, through]) end.on('error', hangUp).on('close', hangUp);
    socket.pipe(through).pipe(socket);
  });
  const account = encodeURIComponent(real.user ?? '');
  const password = encodeURIComponent(real.password ?? '');
  const starting = start({
    databaseUrl: `postgres://${account}:${password}@127.0.0.1:${port}/${real.database}`,
  });
  await until(() => turnedAway > 0);
  isUp = true;
  const server = await starting;
  expect(server.said[0]).toBe(
    `Сервер базы данных 127.0.0.1:${port}/${real.database} пока не отвечает: жду.`,
  );
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
});

const answerOf = (text: string, sequence: number) => ({
  id: v7(),
  sequence,
  body: { questionId: Q.open, kind: 'open', text } satisfies Answer,
});

test('SIGTERM lets running saves get their receipts, accepts no more, and ends with 0', async () => {
  const server = await start({ env: { LOG_LEVEL: 'info' } });
  const school = await makeLiveSchool(database.pool, 8);
  const nowhere = {
    up: async () => server.url,
    acknowledged: () => undefined,
    violated: () => undefined,
  };
  const students = await Promise.all(
    school.students.map(
      async (user) =>
        new AnsweringStudent(
          user,
          await startLive(server.url, user, school.testId),
          nowhere,
          createRandom(1),
        ),
    ),
  );
  const holder = await database.pool.connect();
  // Each call that the server accepts renews such a sign-in.
  await database.pool.query(`update sessions set last_used_at = now() - interval '10 minutes'`);
  await holder.query('begin; lock table answers in share mode');
  const [first, ...others] = students;
  if (!first) throw new Error('the school has no student');
  const saving = others.map((student) => student.send(server.url, answerOf('до', 1)));
  const plain = fetch(`${server.url}/api/TestPassing/${first.attempt.userTestId}/answer`, {
    method: 'POST',
    headers: { authorization: `Bearer ${first.user.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(answerOf('до', 1).body),
  });
  await until(async () => {
    const accepted = await database.pool.query(
      `select 1 from sessions where last_used_at > now() - interval '5 minutes'`,
    );
    const waiting = await database.pool.query(
      `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'attempt'`,
    );
    return accepted.rows.length === students.length && waiting.rows.length > 0;
  });
  const ended = server.end('SIGTERM');
  await until(() => server.logged().includes('"stopping"'));
  await until(() =>
    fetch(`${server.url}/healthz`).then(
      () => false,
      () => true,
    ),
  );
  await holder.query('rollback');
  holder.release();
  expect((await Promise.all(saving)).map(({ status }) => status)).toEqual(others.map(() => 200));
  // A persistent connection would delay the stop.
  const reply = await plain;
  expect([reply.status, reply.headers.get('connection')]).toEqual([200, 'close']);
  expect(await ended).toBe(0);

  const lines = server
    .logged()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { msg: string })
    .filter(({ msg }) => !msg.startsWith('Server listening'));
  expect(lines.map(({ msg }) => msg)).toEqual(['started', 'stopping', 'stopped']);
  expect(lines[0]).toMatchObject({ node: process.version, version: expect.any(String) });
  const { rows } = await database.pool.query<{ count: number }>(
    `select count(*) as count from operations where outcome = 'stored'`,
  );
  expect(rows[0]?.count).toBe(students.length);
});

test('the first start lists the applied migrations, and neither names nor the password', async () => {
  await database.pool.query('drop schema public cascade; create schema public');
  const server = await start({ env: { LOG_LEVEL: 'info' } });
  await until(() => server.logged().includes('"started"'));
  expect(server.logged()).toContain('"migrations":["0001_base.sql"');
  expect(server.logged()).not.toContain('admin@');
  const { password } = new URL(database.url);
  if (password !== '') expect(server.logged()).not.toContain(password);
});
