import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { v7 } from 'uuid';
import type { Answer } from '#contract/answers.ts';
import { ErrorBody } from '#contract/errors.ts';
import { Receipt } from '#contract/passing.ts';
import * as v from 'valibot';
import { createPool } from '#server/db/connect.ts';
import { type EmbeddedServer, launchEmbedded } from '#server/db/embedded/launch.ts';
import { createRandom } from '#simulation/random.ts';
import { AnsweringStudent } from '#tests/answering-student.ts';
import { clear, openFolder, until } from '#tests/folders.ts';
import { makeLiveSchool, startLive } from '#tests/live-school.ts';
import { embeddedOf, type LiveServer, startLiveServer } from '#tests/programs/live-server.ts';
import { cutPower } from '#tests/programs/processes.ts';
import { errorOf, makeSchool, Q, TestDevice } from '#tests/school.ts';
import { testServer, type TestServer } from '#tests/server.ts';

let folder: string;
let server: LiveServer;
let student: AnsweringStudent;
let client: pg.Client;
let holder: pg.Client;

const connect = async (url: string): Promise<pg.Client> => {
  const connected = new pg.Client({ connectionString: url });
  // some of these tests end the server deliberately
  connected.on('error', () => undefined);
  await connected.connect();
  return connected;
};

/** A student with a running attempt, made over the network. */
async function enter(databaseUrl: string): Promise<AnsweringStudent> {
  const pool = createPool(databaseUrl, 2, () => undefined);
  const { students, testId } = await makeLiveSchool(pool, 1);
  await pool.end();
  const [user] = students;
  if (!user) throw new Error('the school has no student');
  const nowhere = {
    up: async () => server.url,
    acknowledged: () => undefined,
    violated: () => undefined,
  };
  return new AnsweringStudent(
    user,
    await startLive(server.url, user, testId),
    nowhere,
    createRandom(1),
  );
}

const operation = (text: string, sequence = 1) => ({
  id: v7(),
  sequence,
  body: { questionId: Q.open, kind: 'open', text } satisfies Answer,
});

async function journalled(id: string): Promise<{ received_at: Date; outcome: string }[]> {
  const { rows } = await client.query<{ received_at: Date; outcome: string }>(
    'select received_at, outcome from operations where id = $1',
    [id],
  );
  return rows;
}

async function counting(): Promise<string[]> {
  const { rows } = await client.query<{ operation_id: string }>(
    'select operation_id from answers where attempt_id = $1',
    [student.attempt.userTestId],
  );
  return rows.map((row) => row.operation_id);
}

/** Stops saves before the database until the transaction ends. */
async function holdSaves(): Promise<void> {
  await holder.query('begin');
  await holder.query('lock table answers in share mode');
}

const someSaveWaits = () =>
  until(async () => {
    const { rows } = await client.query(
      `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'attempt'`,
    );
    return rows.length > 0;
  });

/** The result of a call: its status, or no reply. */
const ending = (call: Promise<{ status: number }>): Promise<number | 'no reply'> =>
  call.then(
    ({ status }) => status,
    () => 'no reply',
  );

describe('a server killed during a save', () => {
  beforeAll(async () => {
    folder = await openFolder();
    server = await startLiveServer({ dataDir: folder });
  });
  beforeEach(async () => {
    const { url } = await embeddedOf(folder);
    client = await connect(url);
    holder = await connect(url);
    student = await enter(url);
  });
  afterEach(async () => {
    await Promise.all([client.end(), holder.end()]);
  });
  afterAll(async () => {
    await server.end('SIGKILL');
    await clear(folder);
  });

  test('row 27: killed between commit and reply, the repeat gets the receipt of the first', async () => {
    const answer = operation('первый');
    await holdSaves();
    const lost = ending(student.send(server.url, answer));
    await someSaveWaits();
    // frozen, so that the database's reply reaches nobody
    server.signal('SIGSTOP');
    await holder.query('rollback');
    await until(async () => (await journalled(answer.id)).length > 0);
    await server.end('SIGKILL');
    expect(await lost).toBe('no reply');
    const [stored] = await journalled(answer.id);

    server = await startLiveServer({ dataDir: folder });
    const repeat = await student.send(server.url, answer);
    expect(repeat).toMatchObject({
      status: 200,
      body: { outcome: 'stored', receivedAt: stored?.received_at.toISOString() },
    });
    expect(await student.send(server.url, answer)).toEqual(repeat);
    expect(await journalled(answer.id)).toHaveLength(1);
    expect(await counting()).toEqual([answer.id]);
  });

  test('row 28: killed before commit, nothing is stored and the repeat is stored once', async () => {
    const answer = operation('первый');
    await holdSaves();
    const lost = ending(student.send(server.url, answer));
    await someSaveWaits();
    const { pid } = await embeddedOf(folder);
    await cutPower([server.pid, pid]);
    expect(await lost).toBe('no reply');

    server = await startLiveServer({ dataDir: folder });
    client = await connect((await embeddedOf(folder)).url);
    expect(await journalled(answer.id)).toEqual([]);
    const repeat = await student.send(server.url, answer);
    expect(repeat).toMatchObject({ status: 200, body: { outcome: 'stored' } });
    expect(await student.send(server.url, answer)).toEqual(repeat);
    expect(await journalled(answer.id)).toHaveLength(1);
    expect(await counting()).toEqual([answer.id]);
  });

  test('row 29: database away: it dies under a waiting save, which is no 2xx; it restarts by itself', async () => {
    const answer = operation('первый');
    await holdSaves();
    const [reply] = await Promise.all([
      student.send(server.url, answer),
      someSaveWaits().then(async () => cutPower([(await embeddedOf(folder)).pid])),
    ]);
    expect(reply.status).toBe(503);
    expect(v.parse(ErrorBody, reply.body).code).toBe('UNAVAILABLE');

    // the same process starts its database again
    await until(async () => (await student.send(server.url, answer)).status === 200);
    client = await connect((await embeddedOf(folder)).url);
    expect(await journalled(answer.id)).toHaveLength(1);
    expect(await counting()).toEqual([answer.id]);
  });
});

describe("the school's own database", () => {
  let postgres: EmbeddedServer;
  const launch = () =>
    launchEmbedded({ dataDir: join(folder, 'database'), say: () => undefined, durable: true });

  beforeAll(async () => {
    folder = await openFolder();
    postgres = await launch();
    server = await startLiveServer({
      dataDir: join(folder, 'server'),
      databaseUrl: postgres.url,
    });
    student = await enter(postgres.url);
  });
  afterAll(async () => {
    await server.end('SIGKILL');
    await postgres.stop();
    await clear(folder, postgres.cluster);
  });

  test('row 29: database away: saves are 503 in the uniform error body, and the same id is stored once after', async () => {
    const before = operation('до', 1);
    expect(await student.send(server.url, before)).toMatchObject({ status: 200 });
    await postgres.stop();
    const during = operation('во время', 2);
    for (const answer of [during, before, during]) {
      const reply = await student.send(server.url, answer);
      expect(reply.status).toBe(503);
      expect(Number(reply.retryAfter)).toBeGreaterThan(0);
      const error = v.parse(ErrorBody, reply.body);
      expect(error.code).toBe('UNAVAILABLE');
      expect(error.message).toMatch(/[а-яё]/i);
    }

    postgres = await launch();
    client = await connect(postgres.url);
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => student.send(server.url, during)),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    expect(new Set(replies.map(({ body }) => v.parse(Receipt, body).seal)).size).toBe(1);
    expect(await journalled(during.id)).toHaveLength(1);
    expect(await journalled(before.id)).toHaveLength(1);
    expect(await counting()).toEqual([during.id]);
    await client.end();
  });
});

describe('row 30: disk full', () => {
  let inProcess: TestServer;

  beforeAll(async () => {
    inProcess = await testServer();
    // PostgreSQL's error for a full disk, on demand.
    await inProcess.pool.query(`
      create function disk_full() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
  });
  afterAll(() => inProcess.close());

  test.each([
    ['while it is written', 'create trigger full_disk before insert on operations for each row'],
    [
      'while what counts is changed',
      'create trigger full_disk before insert on answers for each row',
    ],
    [
      'at the commit',
      'create constraint trigger full_disk after insert on operations deferrable initially deferred for each row',
    ],
  ])(
    '%s: 503, no acknowledgement, and the same id is stored when there is room',
    async (_, trigger) => {
      const { student, testId } = await makeSchool(inProcess);
      const device = new TestDevice(inProcess, student);
      await device.start(testId);
      const answer: Answer = { questionId: Q.open, kind: 'open', text: '4,9' };
      const headers = device.operation();
      const table = trigger.includes('on answers') ? 'answers' : 'operations';
      await inProcess.pool.query(`${trigger} execute function disk_full()`);
      const refused = await device.answer(answer, headers);
      await inProcess.pool.query(`drop trigger full_disk on ${table}`);

      expect(refused.status).toBe(503);
      expect(errorOf(refused).code).toBe('UNAVAILABLE');
      expect(v.is(Receipt, refused.body)).toBe(false);
      const { rows } = await inProcess.pool.query(
        'select 1 from operations where attempt_id = $1 union all select 1 from answers where attempt_id = $1',
        [device.attemptId],
      );
      expect(rows).toEqual([]);
      expect(await device.answer(answer, headers)).toMatchObject({
        status: 200,
        body: { outcome: 'stored' },
      });
    },
  );
});
