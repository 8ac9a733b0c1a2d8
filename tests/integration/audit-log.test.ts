import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportAudit, listAudit, setUserBlocked } from '#contract/admin.ts';
import { gradeItem } from '#contract/attempts.ts';
import { currentUser, login, ROLE } from '#contract/auth.ts';
import { PER_ORIGIN } from '#server/auth/failures.ts';
import { UNKNOWN_ROWS_AN_HOUR, withRefusalsRecorded } from '#server/auth/sign-in-log.ts';
import { codeOf } from '#server/db/operator-error.ts';
import { execute, one, rows } from '#server/db/query.ts';
import { runHousekeeping } from '#server/housekeeping/job.ts';
import { Refusal } from '#server/http/refusal.ts';
import { makeSchool, Q, TestDevice } from '#tests/school.ts';
import { type TestServer, type TestUser, testServer } from '#tests/server.ts';

let server: TestServer;
let admin: TestUser;
let passwordHash: string;
const PASSWORD = 'Kolokolchik7';
const HOUR_MS = 3_600_000;
beforeAll(async () => {
  server = await testServer();
  admin = await server.user({ role: ROLE.admin, userName: 'Завуч' });
  // Hashed cheaply: this tests the log, not the hash.
  passwordHash = await hash(PASSWORD, { memoryCost: 8, timeCost: 1 });
});
afterAll(() => server.close());

const log = async (query: object) =>
  (await server.send(listAudit, { query: { pageSize: 100, ...query } }, { as: admin })).body;
const signIn = (email: string, password: string, remoteAddress = '127.0.0.1') =>
  server.raw({
    method: 'POST',
    url: login.path,
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ email, password }),
    remoteAddress,
  });
async function person(userName = 'Ольга Белова'): Promise<TestUser> {
  const user = await server.user({ userName });
  await execute(server.pool, 'update users set password_hash = $2 where id = $1', [
    user.userId,
    passwordHash,
  ]);
  return user;
}
/** The next hour begins, and with it a new group. */
function nextHour(): Date {
  const { now } = server.clock;
  server.clock.advance(HOUR_MS - (now.getTime() % HOUR_MS));
  return server.clock.now;
}
const refusedRows = () =>
  rows<{ act: string; times: number; person: string | null; address: string | null }>(
    server.pool,
    `select act, times, person_id as person, address from audit_log
     where act in ('signInFailed', 'signInLocked') and at >= $1 order by act, id`,
    [new Date(Math.floor(server.clock.now.getTime() / HOUR_MS) * HOUR_MS)],
  );

describe('a refused sign-in', () => {
  test('is in the log with the account and the address; those of an hour are one entry', async () => {
    const { userId, userName, email } = await person();
    const begun = nextHour();
    await signIn(email, 'Neverno1', '203.0.113.7');
    server.clock.advance(60_000);
    await signIn(email.toUpperCase(), 'Neverno2', '203.0.113.7');
    expect((await log({ personId: userId })).items).toEqual([
      {
        id: expect.any(String),
        act: 'signInFailed',
        at: begun.toISOString(),
        lastAt: server.clock.now.toISOString(),
        times: 2,
        actor: null,
        subject: { kind: 'user', id: userId, name: userName },
        person: { userId, userName },
        address: '203.0.113.7',
        details: {},
      },
    ]);
    server.clock.advance(60_000);
    await signIn(email, 'Neverno3', '2001:db8:1:2:3::4');
    expect((await log({ personId: userId })).items).toMatchObject([
      { times: 3, address: '203.0.113.7', details: { others: 1 } },
    ]);
    nextHour();
    await signIn(email, 'Neverno3', '2001:db8:1:2:3::4');
    expect((await log({ personId: userId })).items).toMatchObject([
      { times: 1, address: '2001:db8:1:2::/64' },
      { times: 3 },
    ]);
  });

  test('of a blocked account is reported as such only to those who know the password', async () => {
    const { userId, email } = await person();
    await execute(server.pool, 'update users set blocked_at = now() where id = $1', [userId]);
    await signIn(email, PASSWORD);
    expect((await log({ personId: userId })).items).toMatchObject([
      { act: 'signInFailed', details: { reason: 'blocked' } },
    ]);
  });

  test('that locks the account is one entry, however long it is tried', async () => {
    const { userId, email } = await person();
    nextHour();
    for (let i = 0; i < PER_ORIGIN.atOnce; i += 1) await signIn(email, 'Neverno1');
    for (let i = 0; i < 5; i += 1) expect((await signIn(email, PASSWORD)).status).toBe(429);
    expect((await log({ personId: userId, act: 'signInLocked' })).items).toMatchObject([
      { times: 1, actor: null, subject: { id: userId } },
    ]);
    expect((await log({ personId: userId, act: 'signInFailed' })).items).toMatchObject([
      { times: PER_ORIGIN.atOnce },
    ]);
  });

  test('stores nothing that was typed, since it may be a password in the wrong field', async () => {
    nextHour();
    const typed = 'moy-parol-kolokol7@school.test';
    await signIn(typed, 'Vtoroy-Kolokol9', '203.0.113.9');
    expect(await refusedRows()).toEqual([
      { act: 'signInFailed', times: 1, person: null, address: '203.0.113.9' },
    ]);
    const log1 = await one<{ log: string }>(
      server.pool,
      `select string_agg(l::text, ' ') as log from audit_log l`,
    );
    expect(log1?.log).not.toMatch(/kolokol|@/i);
    expect(JSON.stringify(server.logged)).not.toContain('moy-parol');
  });
});

describe('an attack', () => {
  const refuse = (code: 'BAD_CREDENTIALS' | 'TOO_MANY_LOGINS') =>
    withRefusalsRecorded(server.deps, () => Promise.reject(new Refusal(code)));
  const attack = (email: string, address: string, code: Parameters<typeof refuse>[0]) =>
    expect(refuse(code)({ body: { email }, address, now: server.clock.now })).rejects.toMatchObject(
      { code },
    );

  test('with unknown e-mails from everywhere adds a limited number of rows an hour', async () => {
    nextHour();
    const tries = 3 * UNKNOWN_ROWS_AN_HOUR;
    for (let i = 0; i < tries; i += 1) {
      const address = `2001:db8:${i.toString(16)}::1`;
      await attack(`nobody${i}@school.test`, address, 'BAD_CREDENTIALS');
      await attack(`nobody${i}@school.test`, address, 'TOO_MANY_LOGINS');
    }
    const found = await refusedRows();
    expect(found.length).toBeLessThanOrEqual(UNKNOWN_ROWS_AN_HOUR + 2);
    const failed = found.filter(({ act }) => act === 'signInFailed');
    expect(failed.reduce((sum, { times }) => sum + times, 0)).toBe(tries);
    // The rest is logged without an address.
    expect(failed.filter(({ address }) => address === null)).toMatchObject([
      { times: tries - failed.length + 1 },
    ]);
  });

  test('on one account is not hidden by others: its row exists though the others are all used', async () => {
    const { userId, email } = await person();
    for (let i = 0; i < 500; i += 1) {
      const address = `198.51.${i % 200}.${i % 100}`;
      await attack(email, address, i % 2 === 0 ? 'BAD_CREDENTIALS' : 'TOO_MANY_LOGINS');
    }
    const own = (await refusedRows()).filter((row) => row.person === userId);
    expect(own).toMatchObject([
      { act: 'signInFailed', times: 250 },
      { act: 'signInLocked', times: 1 },
    ]);
  });
});

describe('the reader', () => {
  const bodyOf = (points: number) => ({ questionId: Q.essay, points, comment: '' });
  async function gradedStudent() {
    const school = await makeSchool(server);
    const device = new TestDevice(server, school.student);
    await device.start(school.testId);
    await device.finish();
    const { attemptId } = device;
    const grade = (points: number) =>
      server.send(
        gradeItem,
        { params: { attemptId }, body: bodyOf(points) },
        { as: school.teacher },
      );
    return { ...school, attemptId, grade };
  }

  test('filters by person, as author or subject, also by their attempts', async () => {
    const { teacher, student, attemptId, grade } = await gradedStudent();
    await grade(2);
    const entry = {
      act: 'gradeChanged',
      actor: { userId: teacher.userId, userName: teacher.userName },
      subject: { kind: 'attempt', id: attemptId, name: 'Законы Ньютона' },
      person: { userId: student.userId, userName: student.userName },
      details: { to: 2 },
    };
    for (const { userId } of [teacher, student])
      expect(await log({ personId: userId })).toMatchObject({ items: [entry], total: 1 });
    expect((await log({ actorId: student.userId })).total).toBe(0);
    expect((await log({ personId: server.deps.newId() })).total).toBe(0);
  });

  test('filters by act and by time, from a moment up to another one', async () => {
    const { teacher, grade } = await gradedStudent();
    const moments: string[] = [];
    for (const points of [1, 2, 3]) {
      server.clock.advance(60_000);
      moments.push(server.clock.now.toISOString());
      await grade(points);
    }
    const found = async (query: object) =>
      (await log({ personId: teacher.userId, ...query })).items.map(({ details }) => details['to']);
    expect(await found({})).toEqual([3, 2, 1]);
    expect(await found({ from: moments[1] })).toEqual([3, 2]);
    expect(await found({ to: moments[1] })).toEqual([1]);
    expect(await found({ from: moments[1], to: moments[2] })).toEqual([2]);
    expect(await found({ from: moments[2], to: moments[0] })).toEqual([]);
    expect(await found({ act: 'gradeChanged' })).toEqual([3, 2, 1]);
    expect(await found({ act: 'attemptDeleted' })).toEqual([]);
    expect(await found({ page: 2, pageSize: 2 })).toEqual([1]);
    // An offset is a moment, too.
    expect(await found({ from: moments[2]?.replace('Z', '+00:00') })).toEqual([3]);
  });

  test('finds grouped entries by their last time, too', async () => {
    const { userId, email } = await person();
    nextHour();
    await signIn(email, 'Neverno1');
    server.clock.advance(30 * 60_000);
    await signIn(email, 'Neverno1');
    const from = new Date(server.clock.now.getTime() - 60_000).toISOString();
    expect((await log({ personId: userId, from })).items).toMatchObject([{ times: 2 }]);
  });

  test('finds names of people, tests and projects', async () => {
    const { student, grade } = await gradedStudent();
    await execute(server.pool, `update users set user_name = 'Щукина Ёлка' where id = $1`, [
      student.userId,
    ]);
    await grade(4);
    expect((await log({ searchQuery: 'щукина елка' })).total).toBe(1);
    expect((await log({ searchQuery: 'щукина ньютона' })).total).toBe(1);
    expect((await log({ searchQuery: 'щукина паскаля' })).total).toBe(0);
  });

  test.each([
    { from: 'вчера' },
    { to: '2026-13-01T00:00:00Z' },
    { personId: '1' },
    { act: 'nothing' },
    { pageSize: '1000' },
  ])('refuses invalid queries: %j', async (query) => {
    const url = `${listAudit.path}?${new URLSearchParams(Object.entries(query))}`;
    expect((await server.raw({ url, token: admin.token })).status).toBe(400);
  });

  test('is for administrators alone, and so is its file', async () => {
    const teacher = await server.user({ role: ROLE.teacher });
    for (const route of [listAudit, exportAudit]) {
      expect((await server.raw({ url: route.path })).status).toBe(401);
      expect((await server.raw({ url: route.path, token: teacher.token })).status).toBe(403);
    }
  });
});

describe('the file', () => {
  const file = async (query: Record<string, string>) => {
    const url = `${exportAudit.path}?${new URLSearchParams(query)}`;
    const answered = await server.raw({ url, token: admin.token });
    expect(answered.status, answered.text).toBe(200);
    return answered;
  };
  const linesOf = (text: string) => text.slice(1).trimEnd().split('\r\n');

  test("opens in Russian Excel, with the same filter and the school's time, and formulas neutralized", async () => {
    const user = await person('=HYPERLINK("http://x.test";"a")');
    server.clock.advance(1_000);
    const at = server.clock.now;
    await server.send(
      setUserBlocked,
      { params: { userId: user.userId }, body: { isBlocked: true } },
      { as: admin },
    );
    const { text, headers } = await file({ personId: user.userId });
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringMatching(/^attachment; filename\*=UTF-8''/),
    });
    expect(text.startsWith('\ufeff')).toBe(true);
    const [head, row, ...rest] = linesOf(text);
    expect(head).toBe('Когда;В последний раз;Раз;Действие;Подробности;С кем или с чем;Кто');
    const clock = new Intl.DateTimeFormat('ru-RU', {
      timeZone: 'Europe/Moscow',
      dateStyle: 'short',
      timeStyle: 'medium',
    })
      .format(at)
      .replace(',', '');
    expect(row).toBe(
      `${clock};;1;Учётная запись заблокирована;;"'=HYPERLINK(""http://x.test"";""a"")";Завуч`,
    );
    expect(rest).toEqual([]);
    expect((await log({})).items[0]).toMatchObject({
      act: 'auditExported',
      actor: { userId: admin.userId },
    });
  });

  test('contains whatever is read in several pages, once', async () => {
    const count = 500;
    await execute(
      server.pool,
      `insert into audit_log (id, at, act)
       select gen_random_uuid(), $1, 'projectHidden' from generate_series(1, $2)`,
      [server.clock.now, count],
    );
    const { text } = await file({ act: 'projectHidden' });
    expect(linesOf(text)).toHaveLength(count + 1);
  });

  test('is created once at a time for one administrator', async () => {
    const request = { url: exportAudit.path, token: admin.token };
    const client = await server.pool.connect();
    try {
      await client.query('begin');
      await client.query('lock table audit_log in access exclusive mode');
      const first = server.raw(request);
      const second = server.raw(request);
      // One of them waits for the log while it occupies the slot.
      expect((await Promise.race([first, second])).status).toBe(429);
      await client.query('commit');
      const both = await Promise.all([first, second]);
      expect(both.map(({ status }) => status).toSorted()).toEqual([200, 429]);
    } finally {
      client.release();
    }
    expect((await server.raw(request)).status).toBe(200);
  });
});

test('tokens of a blocked account end permanently', async () => {
  const user = await person('Тихая Мышь');
  const block = (isBlocked: boolean) =>
    server.send(
      setUserBlocked,
      { params: { userId: user.userId }, body: { isBlocked } },
      { as: admin },
    );
  const refusalOf = async () => {
    const answered = await server.send(currentUser, {}, { as: user });
    return [answered.status, (answered.body as { code?: string }).code];
  };
  await block(true);
  expect(await refusalOf()).toEqual([401, 'ACCOUNT_BLOCKED']);
  await block(false);
  expect(await refusalOf()).toEqual([401, 'UNAUTHORIZED']);
  expect((await signIn(user.email, PASSWORD)).status).toBe(200);
});

test('a recorded act cannot be changed in the database, nor deleted within four weeks', async () => {
  const [id, other] = [server.deps.newId(), server.deps.newId()];
  const now = Date.now();
  const insert = (actId: string, at: number) =>
    execute(
      server.pool,
      `insert into audit_log (id, at, last_at, act, subject_kind, subject_id, actor_id, person_id, address, details)
       values ($1, $2, $2, 'roleChanged', 'user', $3, $3, $3, '203.0.113.9', '{"to": 3}')`,
      [actId, new Date(at), admin.userId],
    );
  await insert(id, now - 28 * 24 * HOUR_MS);
  await insert(other, now - 30 * 24 * HOUR_MS);
  const refused = (sql: string) =>
    execute(server.pool, `${sql} where id = $1`, [id]).then(() => 'done', codeOf);
  const student = await person();
  for (const change of [
    `at = now()`,
    `act = 'userBlocked'`,
    `subject_id = null`,
    `person_id = '${student.userId}'`,
    `actor_id = '${student.userId}'`,
    `address = '203.0.113.8'`,
    `details = '{}'`,
    `details = '{"to": 1}'`,
    `times = 0`,
    `last_at = at - interval '1 day'`,
  ])
    expect([change, await refused(`update audit_log set ${change}`)]).toEqual([change, '42501']);
  expect(await refused('delete from audit_log')).toBe('42501');
  for (const change of [`times = times + 1, last_at = now()`, `address = null`, `actor_id = null`])
    expect([change, await refused(`update audit_log set ${change}`)]).toEqual([change, 'done']);
  await execute(server.pool, 'delete from audit_log where id = $1', [other]);
});

test('an address is deleted after ninety days; the act stays', async () => {
  const { userId, email } = await person();
  expect((await signIn(email, PASSWORD, '203.0.113.77')).status).toBe(200);
  await signIn('nobody@school.test', 'Neverno1', '203.0.113.78');
  const addresses = () =>
    rows(
      server.pool,
      `select act, person_id as person from audit_log
       where address like '203.0.113.7%' or gathers like '%203.0.113.7%' order by act`,
    );
  const keeping = { attemptDays: null, auditDays: 1_095 };
  server.clock.advance(89 * 24 * HOUR_MS);
  await runHousekeeping(server.deps, keeping);
  expect((await addresses()).length).toBeGreaterThanOrEqual(2);
  server.clock.advance(2 * 24 * HOUR_MS);
  await runHousekeeping(server.deps, keeping);
  expect(await addresses()).toEqual([]);
  const left = await rows(server.pool, 'select act from audit_log where person_id = $1', [userId]);
  expect(left).toEqual([{ act: 'signedIn' }]);
});
