import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAudit } from '#contract/admin.ts';
import { currentUser, login } from '#contract/auth.ts';
import { register } from '#contract/registration.ts';
import { ERRORS } from '#contract/errors.ts';
import { routes } from '#contract/routes.ts';
import { createActCopier } from '#server/admin/copy-acts.ts';
import { type Client, execute } from '#server/db/query.ts';
import { unstopped } from '#server/housekeeping/batches.ts';
import { makeScene, sampleCall } from '#tests/calls.ts';
import { until } from '#tests/folders.ts';
import { makeSchool, Q, RIGHT, TestDevice } from '#tests/school.ts';
import { type TestServer, testServer } from '#tests/server.ts';

/** Two connections, so that a few callers have to wait. */
let server: TestServer;
beforeAll(async () => {
  server = await testServer({ poolSize: 2 });
});
afterAll(() => server.close());

const MINUTE_MS = 60_000;

async function exposed(): Promise<string> {
  // Counts of the database are shared for some seconds.
  server.clock.advance(10_000);
  const { status, text } = await server.raw({ url: '/metrics' });
  expect(status).toBe(200);
  return text;
}

/** The value of one line, `name{label="value"}` as it is exposed; 0 when there is none. */
const valueIn = (text: string, line: string): number =>
  Number(
    text
      .split('\n')
      .find((each) => each.startsWith(`${line} `))
      ?.slice(line.length + 1) ?? 0,
  );

/** How much lines move while something happens. */
async function moved(lines: readonly string[], happen: () => Promise<unknown>): Promise<number[]> {
  const before = await exposed();
  await happen();
  const after = await exposed();
  return lines.map((line) => valueIn(after, line) - valueIn(before, line));
}

async function startedDevice(): Promise<TestDevice> {
  const { student, testId } = await makeSchool(server);
  const device = new TestDevice(server, student);
  expect((await device.start(testId)).status).toBe(200);
  return device;
}

test('saved answers are counted, and how long after their writing they arrived', async () => {
  const device = await startedDevice();
  server.clock.advance(10 * MINUTE_MS);
  const delay = (le: string) => `answer_delivery_delay_seconds_bucket{le="${le}"}`;
  const lines = ['answers_received_total{outcome="stored"}', delay('60'), delay('300')];
  const late = device.operation({ 'x-operation-age': String(2 * MINUTE_MS) });
  expect(await moved(lines, () => device.answer(RIGHT.open, late))).toEqual([1, 0, 1]);
  // A repeat refers to the first receipt, however late it arrives.
  server.clock.advance(10 * MINUTE_MS);
  expect(await moved(lines, () => device.answer(RIGHT.open, late))).toEqual([1, 0, 1]);
});

test('refused operations are counted by kind and by code', async () => {
  const device = await startedDevice();
  const refused = (kind: string, code: string) =>
    `operations_refused_total{kind="${kind}",code="${code}"}`;
  const lines = [refused('answer', 'UNKNOWN_QUESTION'), refused('finish', 'INCOMPLETE')];
  const counts = await moved(lines, async () => {
    await device.answer({ questionId: device.stream, kind: 'open', text: 'x' });
    await device.finish(device.operation({ 'x-operation-sequence': '7' }));
  });
  expect(counts).toEqual([1, 1]);
});

test('running attempts and answers that await a teacher are reported as they are now', async () => {
  const lines = ['attempts_running', 'answers_held_waiting', 'database_up'];
  const device = await startedDevice();
  expect(await moved(lines, () => startedDevice())).toEqual([1, 0, 0]);
  const held = await moved(lines, async () => {
    expect((await device.finish()).status).toBe(200);
    const late = device.operation({ 'x-operation-age': 'unknown' });
    expect((await device.answer(RIGHT.single, late)).body.outcome).toBe('held');
  });
  expect(held).toEqual([-1, 1, 0]);
  const decided = await moved(lines, () =>
    execute(
      server.pool,
      `update operations set decision = 'accepted' where attempt_id = $1 and outcome = 'held'`,
      [device.attemptId],
    ),
  );
  expect(decided).toEqual([0, -1, 0]);
});

test('sign-ins that fail are counted by code', async () => {
  const line = 'sign_in_failures_total{code="BAD_CREDENTIALS"}';
  const signIn = () =>
    server.send(login, { body: { email: 'nobody@school.test', password: 'Wrong2026' } });
  expect(await moved([line], signIn)).toEqual([1]);
});

test('waits for a database connection are measured, and an unavailable database is reported', async () => {
  const slow = 'database_connection_wait_seconds_bucket{le="0.025"}';
  const all = 'database_connection_wait_seconds_count';
  const before = await exposed();
  const held = [await server.pool.connect(), await server.pool.connect()];
  const waiting = execute(server.pool, 'select 1');
  await until(() => server.pool.waitingCount > 0);
  const away = await exposed();
  expect(valueIn(away, 'database_connections{state="waiting"}')).toBeGreaterThan(0);
  expect(valueIn(away, 'database_up')).toBe(0);
  expect(away).not.toMatch(/^attempts_running /m);
  for (const client of held) client.release();
  await waiting;
  const after = await exposed();
  expect(valueIn(after, 'database_up')).toBe(1);
  const beyond = (text: string) => valueIn(text, all) - valueIn(text, slow);
  expect(beyond(after)).toBeGreaterThan(beyond(before));
});

test('the process, the disk and the build are reported', async () => {
  const text = await exposed();
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
  expect(text).toMatch(/^process_resident_memory_bytes \d/m);
  expect(text).toContain(
    `exam_room_build_info{version="0.0.0+test",node="${process.versions.node}"} 1`,
  );
  const free = valueIn(text, 'data_dir_bytes{state="free"}');
  expect(free).toBeGreaterThan(0);
  expect(free).toBeLessThanOrEqual(valueIn(text, 'data_dir_bytes{state="size"}'));
});

test('the newest backup is reported by its time, and none before the first', async () => {
  const line = 'backup_newest_timestamp_seconds';
  expect(await exposed()).not.toMatch(new RegExp(`^${line} `, 'm'));
  const folder = join(server.deps.dataDir, 'backups');
  await mkdir(folder);
  for (const [name, seconds] of [
    ['backup-2026-03-01-0200.tar.gz', 1_772_319_600],
    ['backup-2026-03-02-0200.tar.gz', 1_772_406_000],
    ['backup-2026-03-03-0200.tar.gz.17.unfinished', 1_772_492_400],
  ] as const) {
    await writeFile(join(folder, name), '');
    await utimes(join(folder, name), seconds, seconds);
  }
  expect(valueIn(await exposed(), line)).toBe(1_772_406_000);
});

test('failures of the file store are counted, and invalid requests are not', async () => {
  const lines = ['keep', 'receive'].map((act) => `blob_store_errors_total{act="${act}"}`);
  const { blobs, dataDir } = server.deps;
  async function* bytes() {
    yield Buffer.from('теплица');
  }
  const counts = await moved(lines, async () => {
    await expect(blobs.receive(bytes(), 3)).rejects.toMatchObject({ code: 'TOO_LARGE' });
    const incoming = await blobs.receive(bytes(), 100);
    await rm(join(dataDir, 'blobs'), { recursive: true, force: true });
    await writeFile(join(dataDir, 'blobs'), 'a file where a folder should be');
    await expect(blobs.keep(incoming)).rejects.toThrow();
    await rm(join(dataDir, 'blobs'));
  });
  expect(counts).toEqual([1, 0]);
});

/** Everything of the wire once, by everybody; a student with a recognizable name; an internal failure. */
async function schoolDay(): Promise<string[]> {
  const secrets = ['Ульяна', 'uljana', 'Podsnezhnik4', 'плюшевый', 'Заумный'];
  const [name, mail, password, answer, search] = secrets;
  const email = `${mail}@school.test`;
  const body = { userName: `${name} Тихая`, email, password: password ?? '' };
  const { body: signedIn } = await server.send(register, { body });
  await server.send(login, { body: { email, password: `${password}!` } });
  await server.raw({ url: `/api/Test/my?search=${encodeURIComponent(search ?? '')}` });
  await server.raw({ url: `/unknown/${name}/${mail}` });
  await server.raw({ method: 'POST', url: '/api/Auth/login', payload: `{"email": "${email}` });

  const scene = await makeScene(server);
  for (const who of ['student', 'teacher', 'admin'] as const)
    for (const route of routes)
      await server.send(route, sampleCall(route, scene, server), { as: scene.users[who] });

  const device = await startedDevice();
  const said = { questionId: Q.essay, kind: 'open', text: `${answer} медведь` } as const;
  await device.answer(said);
  await device.answer({ ...said, questionId: Q.single });
  await execute(
    server.pool,
    `alter table operations add constraint broken check (kind <> 'answer') not valid`,
  );
  // The database quotes the whole row in its error.
  expect((await device.answer(said)).status).toBe(500);
  await execute(server.pool, 'alter table operations drop constraint broken');
  const people = Object.values(scene.users);
  return [...secrets, signedIn.token, ...people.flatMap(({ token, email }) => [token, email])];
}

test('a school day leaves no name, e-mail, answer or token in the log, and no id in a label', async () => {
  const copier = createActCopier({ ...server.deps, clock: () => new Date(0) });
  const secrets = await schoolDay();
  await copier.run(unstopped);
  const lines = server.logged.map((line) => JSON.stringify(line));
  expect(lines.length).toBeGreaterThan(routes.length);
  expect(lines.filter((line) => secrets.some((secret) => line.includes(secret)))).toEqual([]);
  // Names, words and file names of this school are Russian, and the log is not.
  expect(
    lines.filter((line) => /[а-яё]|@|%D0/i.test(line.replaceAll(/node_modules\/[^\s)]*/g, ''))),
  ).toEqual([]);

  const labels = [...(await exposed()).matchAll(/^\w+\{(.*)\} /gm)].map(([, text]) => text);
  expect(labels.filter((text) => /[0-9a-f]{8}-|[а-яё]|unknown\//i.test(text ?? ''))).toEqual([]);
});

test('a call is one line: route, caller, status and duration', async () => {
  const device = await startedDevice();
  const lines = async (happen: () => Promise<unknown>) => {
    const from = server.logged.length;
    await happen();
    return server.logged.slice(from);
  };
  const refused = () => device.answer({ questionId: device.stream, kind: 'open', text: 'x' });
  const [line, ...more] = await lines(refused);
  expect(more).toEqual([]);
  expect(line).toEqual({
    level: 40,
    time: expect.any(Number),
    reqId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    method: 'POST',
    route: '/api/TestPassing/:id/answer',
    status: ERRORS.UNKNOWN_QUESTION.status,
    ms: expect.any(Number),
    user: device.student.userId,
    code: 'UNKNOWN_QUESTION',
    msg: 'answered',
  });
  // What repeats within a minute is no flood of warnings.
  expect((await lines(refused)).map(({ level }) => level)).toEqual([20]);
});

test('a call without rights, without a sign-in, with or with a wrong body is a warning', async () => {
  // Refusals of earlier tests belong to another minute.
  server.clock.advance(MINUTE_MS);
  const device = await startedDevice();
  const { student } = device;
  const from = server.logged.length;
  await server.send(listAudit, {}, { as: student });
  await server.send(currentUser, {}, { as: 'nobody' });
  await server.raw({
    method: 'POST',
    url: login.path,
    headers: { 'content-type': 'application/json' },
    payload: '{',
  });
  const warnings = server.logged.slice(from).filter(({ level }) => level === 40);
  expect(warnings).toMatchObject([
    { route: listAudit.path, status: 403, user: student.userId, code: 'FORBIDDEN' },
    { route: currentUser.path, status: 401, code: 'UNAUTHORIZED' },
    { route: login.path, status: 400, code: 'BAD_REQUEST' },
  ]);
});

test('a slow call is logged as a warning', async () => {
  const device = await startedDevice();
  const client = await server.pool.connect();
  await client.query('begin; lock table answers in share mode');
  const saving = device.answer(RIGHT.single);
  await client.query('select pg_sleep(2.1); rollback');
  client.release();
  expect((await saving).status).toBe(200);
  expect(server.logged.at(-1)).toMatchObject({
    level: 40,
    msg: 'slow',
    route: '/api/TestPassing/:id/answer',
    user: device.student.userId,
  });
});

test('each recorded act is written to the log of the process once, whenever its transaction ends', async () => {
  const copier = createActCopier(server.deps);
  const from = server.logged.length;
  const [first, late] = [server.deps.newId(), server.deps.newId()];
  const insert = (client: Client, id: string, secondsLater: number) =>
    execute(client, `insert into audit_log (id, at, act) values ($1, $2, 'userBlocked')`, [
      id,
      new Date(server.clock.now.getTime() + secondsLater * 1_000),
    ]);
  const written = () =>
    server.logged.slice(from).flatMap(({ msg, act }) => (msg === 'act' ? [act] : []));
  const client = await server.pool.connect();
  try {
    await client.query('begin');
    await insert(client, late, 1);
    await insert(server.pool, first, 2);
    await copier.run(unstopped);
    expect(written()).toMatchObject([{ id: first, act: 'userBlocked', actor: null }]);
    await client.query('commit');
  } finally {
    client.release();
  }
  await copier.run(unstopped);
  await copier.run(unstopped);
  expect(written()).toMatchObject([{ id: first }, { id: late }]);
});
