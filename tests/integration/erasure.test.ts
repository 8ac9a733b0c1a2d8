import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  eraseUser,
  exportUserData,
  importUsers,
  listAdminUsers,
  listAudit,
  setUserBlocked,
  updateUser,
} from '#contract/admin.ts';
import { currentUser, login, ROLE } from '#contract/auth.ts';
import { listUsers } from '#contract/users.ts';
import { register } from '#contract/registration.ts';
import { gradeItem } from '#contract/attempts.ts';
import { HEADER } from '#contract/headers.ts';
import { listGroups, removeMember } from '#contract/groups.ts';
import { eraseOwnAccount, exportOwnData } from '#contract/profile.ts';
import { rateProject } from '#contract/projects.ts';
import { getResult } from '#contract/results.ts';
import { getTestDetails } from '#contract/tests.ts';
import { execute, one, rows } from '#server/db/query.ts';
import { exportPerson } from '#server/users/export.ts';
import { makeScene, type Scene } from '#tests/calls.ts';
import {
  CANARY,
  errorOf,
  makeGroup,
  makeTest,
  Q,
  RIGHT,
  TEACHER_CANARY,
  TestDevice,
} from '#tests/school.ts';
import { type TestServer, type TestUser, testServer } from '#tests/server.ts';

let server: TestServer;
let admin: TestUser;
beforeAll(async () => {
  server = await testServer();
  admin = await server.user({ role: ROLE.admin, userName: 'Первый Администратор' });
  await server.user({ role: ROLE.admin, userName: 'Второй Администратор' });
});
afterAll(() => server.close());

/** Columns of the whole database, as `table.column`, that contain the texts. */
async function placesOf(words: string): Promise<string[]> {
  const columns = await rows<{ table: string; column: string }>(
    server.pool,
    `select c.table_name as "table", c.column_name as "column"
     from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
       and (c.data_type in ('text', 'json', 'jsonb', 'character varying', 'ARRAY'))`,
  );
  expect(columns.length).toBeGreaterThan(50);
  const found = await Promise.all(
    columns.map(async ({ table, column }) => {
      const hit = await one(
        server.pool,
        `select 1 from "${table}" where strpos(lower("${column}"::text), lower($1)) > 0 limit 1`,
        [words],
      );
      return hit ? [`${table}.${column}`] : [];
    }),
  );
  return found.flat();
}

const erase = (userId: string, as = admin) =>
  server.send(eraseUser, { params: { userId } }, { as });
const user = (userId: string) =>
  one<Record<string, unknown>>(server.pool, 'select * from users where id = $1', [userId]);
const listed = async (searchQuery: string) =>
  (await server.send(listAdminUsers, { query: { searchQuery } }, { as: admin })).body.items;
const newestAct = async () =>
  (await server.send(listAudit, { query: { pageSize: 1 } }, { as: admin })).body.items[0];
const rename = (userId: string, userName: string) =>
  execute(server.pool, 'update users set user_name = $2 where id = $1', [userId, userName]);

/** A student with personal data everywhere. */
async function livelyStudent(name: string): Promise<Scene & { words: string[] }> {
  const scene = await makeScene(server);
  const { student, teacher, testId, attemptId } = scene;
  await rename(student.userId, name);
  const essay = `Сочинение о ${name}`;
  const device = new TestDevice(server, student);
  await device.start(testId, { [HEADER.takeOver]: attemptId });
  await device.answer({ questionId: Q.essay, kind: 'open', text: essay });
  await server.send(
    gradeItem,
    { params: { attemptId }, body: { questionId: Q.essay, points: 3, comment: `${name}, хорошо` } },
    { as: teacher },
  );
  await execute(
    server.pool,
    `insert into personal_terms (test_id, user_id, extra_seconds) values ($1, $2, 600)`,
    [testId, student.userId],
  );
  await execute(
    server.pool,
    `insert into stray_operations (user_id, attempt_id, id, headers, body, received_at)
     values ($1, $2, $3, '{}', $4, $5)`,
    [
      student.userId,
      server.deps.newId(),
      server.deps.newId(),
      JSON.stringify({ text: essay }),
      server.clock.now,
    ],
  );
  await execute(server.pool, 'update uploads set name = $2 where id = $1', [
    scene.fileId,
    `${name}.jpg`,
  ]);
  await execute(server.pool, 'update projects set name = $2 where id = $1', [
    scene.projectId,
    `Проект: ${name}`,
  ]);
  await execute(
    server.pool,
    `update sessions set user_agent = 'Телефон ' || $2 where user_id = $1`,
    [student.userId, name],
  );
  const words = [name, student.email, essay, `${name}.jpg`, student.userId];
  return { ...scene, words };
}

describe('the data about a person', () => {
  /** Files of an export by their path, as text. */
  async function exported(url: string, as: TestUser): Promise<Map<string, string>> {
    const headers = { authorization: `Bearer ${as.token}` };
    const answered = await server.app.inject({ method: 'GET', url, headers });
    expect(answered.statusCode, answered.payload.slice(0, 300)).toBe(200);
    expect(answered.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': expect.stringMatching(/^attachment; filename\*=UTF-8''/),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    const files = Object.entries(unzipSync(answered.rawPayload));
    return new Map(files.map(([path, bytes]) => [path, Buffer.from(bytes).toString('utf8')]));
  }
  const own = (as: TestUser) => exported(exportOwnData.path, as);
  const all = (files: Map<string, string>) => [...files].flat().join('\n');
  const secrets = async (userId: string) => {
    const row = await one<{ words: string[] }>(
      server.pool,
      `select array_agg(encode(token_hash, 'hex')) || array_agg(encode(token_hash, 'base64')) as words
       from sessions where user_id = $1`,
      [userId],
    );
    return [...(row?.words ?? []), 'argon2', 'password_hash', 'token_hash', CANARY, TEACHER_CANARY];
  };

  test('are exported to their owner: account, sign-ins, classes, attempts, files and projects', async () => {
    const name = 'Синицына Варвара';
    const { student, teacher, users, words } = await livelyStudent(name);
    const files = await own(student);
    expect([...files.keys()]).toEqual([
      'README.txt',
      'учётная запись.json',
      'входы.json',
      'классы.json',
      'готовность устройств.json',
      'попытки/01 Законы Ньютона/попытка.json',
      `попытки/01 Законы Ньютона/файлы/01 ${name}.jpg`,
      `проекты/01 Проект_ ${name}/проект.json`,
      'оценки и просмотры проектов.json',
      'журнал действий.json',
    ]);
    expect(JSON.parse(files.get('учётная запись.json') ?? '')).toMatchObject({
      имя: name,
      почта: student.email,
      роль: 'Студент',
      создана: expect.stringMatching(/^2 марта 2026/),
    });
    expect(JSON.parse(files.get('готовность устройств.json') ?? '')).toMatchObject([
      { тест: 'Законы Ньютона', готово: true, 'чего не хватает': [] },
    ]);
    const attempt = JSON.parse(files.get('попытки/01 Законы Ньютона/попытка.json') ?? '');
    expect(attempt['журнал ответов'].map((each: Record<string, unknown>) => each['итог'])).toEqual([
      'отложен до решения преподавателя',
      'сохранён',
    ]);
    // The attempt runs: the answers are exported, the points are not.
    expect(attempt['вопросы'][5]).toMatchObject({
      ответ: words[2],
      баллы: 'Преподаватель пока не открыл',
      комментарий: 'Преподаватель пока не открыл',
    });
    const text = all(files);
    for (const secret of await secrets(student.userId)) expect(text).not.toContain(secret);
    for (const { userName, email, userId } of [teacher, users.otherStudent]) {
      expect(text).not.toContain(userName);
      expect(text).not.toContain(email);
      expect(text).not.toContain(userId);
    }
  });

  test('name the class that a teacher removed the person from, until the erasure', async () => {
    const { student, teacher } = await makeScene(server);
    const groupId = await makeGroup(server, teacher, [student], '7Г');
    await server.send(
      removeMember,
      { params: { groupId, userId: student.userId } },
      { as: teacher },
    );
    expect(JSON.parse((await own(student)).get('классы.json') ?? '')).toMatchObject({
      'больше не состоит': [{ класс: '7Г' }],
    });
    const erased = await erase(student.userId);
    expect(erased.status, erased.text).toBe(200);
    const left = await one<{ count: number }>(
      server.pool,
      'select count(*) as count from former_members where user_id = $1',
      [student.userId],
    );
    expect(left?.count).toBe(0);
  });

  test('are exported to an administrator with what the teacher still hides, and logged', async () => {
    const { student, teacher, testId, ...scene } = await makeScene(server);
    await execute(server.pool, `update tests set visibility = $2 where id = $1`, [
      testId,
      JSON.stringify({ ownAnswers: 'never', points: 'never', correctAnswers: 'never' }),
    ]);
    const device = new TestDevice(server, student);
    await device.start(testId, { [HEADER.takeOver]: scene.attemptId });
    await device.answer({ questionId: Q.essay, kind: 'open', text: 'Мой опыт' });
    const { attemptId } = device;
    await device.finish();
    const body = { questionId: Q.essay, points: 4, comment: 'Хорошая работа' };
    await server.send(gradeItem, { params: { attemptId }, body }, { as: teacher });
    const toHimself = all(await own(student));
    for (const hidden of ['Мой опыт', 'Хорошая работа', 'решение.jpg'])
      expect(toHimself).not.toContain(hidden);
    const path = exportUserData.path.replace('{userId}', student.userId);
    const toAdmin = all(await exported(path, admin));
    for (const shown of ['Мой опыт', 'Хорошая работа', 'решение.jpg'])
      expect(toAdmin).toContain(shown);
    // The fact of a grade is exported without its author and its points.
    expect(toHimself).toContain('Изменена оценка');
    expect(toHimself).not.toContain('без оценки, теперь 4');
    expect(toAdmin).toContain('без оценки, теперь 4');
    expect(toAdmin).not.toContain(CANARY);
    expect(await newestAct()).toMatchObject({
      act: 'userExported',
      actor: { userId: admin.userId },
      subject: { id: student.userId },
    });
    const nobody = exportUserData.path.replace('{userId}', server.deps.newId());
    expect((await server.raw({ url: nobody, token: admin.token })).status).toBe(404);
  });

  test('are exported at most twice at once by one person, and again once a client disconnected', async () => {
    const user = await server.user();
    const caller = {
      ...user,
      tokenHash: Buffer.alloc(32),
      expiresAt: server.clock.now,
      confirmedAt: null,
      mustSetUpFactor: false,
    };
    const begin = () =>
      exportPerson({ deps: server.deps, userId: user.userId, caller, now: server.clock.now });
    const opened = await Promise.all([begin(), begin()]);
    const streams = opened.map(({ bytes }) => bytes as Readable);
    for (const stream of streams) await once(stream, 'readable');
    await expect(begin()).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    for (const stream of streams) {
      stream.destroy();
      await once(stream, 'close');
    }
    await expect(begin()).resolves.toMatchObject({ mimeType: 'application/zip' });
  });

  test('of a teacher are own tests with their keys, and no student', async () => {
    const { teacher, student, users } = await makeScene(server);
    const files = await own(teacher);
    const test1 = files.get('тесты/01 Законы Ньютона.json') ?? '';
    expect(test1).toContain(CANARY);
    expect(files.has('банк вопросов.json')).toBe(true);
    expect(files.has('шаблоны вопросов.json')).toBe(true);
    expect(JSON.parse(files.get('классы.json') ?? '')).toMatchObject({
      ведёт: [{ класс: '9А', учеников: 1 }],
    });
    for (const { email, userId, userName } of [student, users.otherStudent])
      for (const words of [email, userId, userName]) expect(all(files)).not.toContain(words);
  });
});

describe('a student that an administrator erases', () => {
  test('is in no column of the database any more, nor on the disk', async () => {
    const name = 'Зябликова Аксинья';
    const { student, fileId, words } = await livelyStudent(name);
    const file = join(server.deps.dataDir, 'uploads', fileId);
    expect(existsSync(file)).toBe(true);
    for (const word of words.slice(0, 4)) expect(await placesOf(word), word).not.toEqual([]);

    const erased = await erase(student.userId);
    expect(erased.status, erased.text).toBe(200);
    for (const word of words) expect(await placesOf(word), word).toEqual([]);
    expect(await user(student.userId)).toBeNull();
    expect(existsSync(file)).toBe(false);
    expect(JSON.stringify(server.logged)).not.toContain(name);
    expect(await newestAct()).toMatchObject({
      act: 'userErased',
      actor: { userId: admin.userId },
      subject: { kind: 'user', id: student.userId, name: null },
    });
    const after = await server.send(currentUser, {}, { as: student });
    expect([after.status, errorOf(after).code]).toEqual([401, 'UNAUTHORIZED']);
    expect((await erase(student.userId)).status).toBe(404);
  });

  test('leaves others’ projects with the ratings and views of others', async () => {
    const { student, users, projectId } = await makeScene(server);
    const [remaining, gone] = [
      users.otherStudent,
      await server.user({ userName: 'Третий Ученик' }),
    ];
    const rate = (stars: 1 | 5, as: TestUser) =>
      server.send(rateProject, { params: { id: projectId }, body: { stars } }, { as });
    await rate(5, remaining);
    await rate(1, gone);
    for (const userId of [remaining.userId, gone.userId])
      await execute(
        server.pool,
        `insert into project_views (project_id, user_id, day) values ($1, $2, '2026-03-01')`,
        [projectId, userId],
      );
    await execute(server.pool, 'update projects set views = 2 where id = $1', [projectId]);
    await erase(gone.userId);
    const left = await one(
      server.pool,
      `select rating_sum as sum, rating_count as count, views from projects where id = $1`,
      [projectId],
    );
    expect(left).toEqual({ sum: 5, count: 1, views: 1 });
    expect(await user(student.userId)).not.toBeNull();
  });

  test('causes no internal error while a device still sends, and nothing of it stays', async () => {
    const { student, teacher, testId, attemptId, projectId } = await makeScene(server);
    const other = await makeTest(server, teacher, { openToAll: true });
    const device = new TestDevice(server, student);
    await device.start(testId, { [HEADER.takeOver]: attemptId });
    const params = { id: projectId };
    const [erased, ...answers] = await Promise.all([
      erase(student.userId),
      ...Array.from({ length: 8 }, () => device.answer(RIGHT.several)),
      new TestDevice(server, student).start(other),
      server.send(rateProject, { params, body: { stars: 5 } }, { as: student }),
    ]);
    expect(erased.status, erased.text).toBe(200);
    const broken = answers.filter(({ text }) => text.includes('INTERNAL'));
    expect(broken).toEqual([]);
    expect(await user(student.userId)).toBeNull();
    expect(
      await one(server.pool, 'select 1 from attempts where user_id = $1', [student.userId]),
    ).toBeNull();
  });
});

describe('a teacher who is erased', () => {
  const NAME = 'Кукушкина Прасковья';
  const GONE = 'Удалённый пользователь';
  let teacher: TestUser;
  let student: TestUser;
  let taken: string;
  let untaken: string;
  let attemptId: string;

  beforeAll(async () => {
    teacher = await server.user({ role: ROLE.teacher, userName: NAME });
    student = await server.user({ userName: 'Верный Ученик' });
    taken = await makeTest(server, teacher, { students: [student] });
    untaken = await makeTest(server, teacher, { students: [student] });
    await makeGroup(server, teacher, [student], 'С учениками');
    await makeGroup(server, teacher, [], 'Пустой класс');
    const device = new TestDevice(server, student);
    await device.start(taken);
    await device.answer({ questionId: Q.essay, kind: 'open', text: 'Опыт ученика' });
    await device.finish();
    attemptId = device.attemptId;
    const body = { questionId: Q.essay, points: 4, comment: 'Верно' };
    await server.send(gradeItem, { params: { attemptId }, body }, { as: teacher });
    await execute(
      server.pool,
      `insert into bank_entries (owner_id, entry_id, question, kind, words, updated_at)
       values ($1, $2, '{}', 'variant', 'кукушкин вопрос', $3)`,
      [teacher.userId, server.deps.newId(), server.clock.now],
    );
    await execute(
      server.pool,
      `insert into question_templates (owner_id, id, body, created_at, updated_at)
       values ($1, $2, '{"title":"кукушкин шаблон"}', $3, $3)`,
      [teacher.userId, server.deps.newId(), server.clock.now],
    );
    await execute(
      server.pool,
      `insert into test_drafts (test_id, version, questions, updated_at, updated_by)
       values ($1, 2, '[{"text":"кукушкин черновик"}]', $3, $2)`,
      [taken, teacher.userId, server.clock.now],
    );
    for (const testId of [taken, null]) {
      const key = server.deps.newId();
      await execute(
        server.pool,
        `insert into pictures (key, owner_id, mime_type, bytes, created_at)
         values ($1, $2, 'image/webp', '\\x00', $3)`,
        [key, teacher.userId, server.clock.now],
      );
      if (testId !== null)
        await execute(server.pool, 'insert into picture_uses (key, test_id) values ($1, $2)', [
          key,
          testId,
        ]);
    }
    await erase(teacher.userId);
  });

  test('has no name, e-mail, bank, template or working copy anywhere', async () => {
    for (const words of [NAME, teacher.email, 'кукушкин', 'Пустой класс'])
      expect(await placesOf(words), words).toEqual([]);
    expect(await user(teacher.userId)).toMatchObject({
      user_name: GONE,
      email: `${teacher.userId}@erased.invalid`,
      role: ROLE.student,
      password_hash: 'erased',
      erased_at: server.clock.now,
    });
    const owned = await one(
      server.pool,
      `select (select count(*) from tests where owner_id = $1) as tests,
         (select count(*) from pictures where owner_id = $1) as pictures,
         (select count(*) from pictures where mime_type = 'image/webp') as all_pictures,
         (select count(*) from tests where id = $2) as untaken`,
      [teacher.userId, untaken],
    );
    expect(owned).toEqual({ tests: 1, pictures: 0, all_pictures: 1, untaken: 0 });
  });

  test('leaves students their results, grades and classes, which administrators manage', async () => {
    const result = await server.send(getResult, { params: { attemptId } }, { as: student });
    expect(result.status, result.text).toBe(200);
    expect(result.body.items.find(({ questionId }) => questionId === Q.essay)?.points).toBe(4);
    const details = await server.send(getTestDetails, { params: { id: taken } }, { as: student });
    expect([details.status, JSON.stringify(details.body).includes(GONE)]).toEqual([200, true]);
    const groups = await server.send(
      listGroups,
      { query: { searchQuery: 'С учениками' } },
      { as: admin },
    );
    expect(groups.body.items).toMatchObject([{ owner: GONE, memberCount: 1, joinCode: null }]);
  });

  test('is in no list, and is neither opened, changed, signed in nor recreated under the old id', async () => {
    expect(await listed(GONE)).toEqual([]);
    expect(await listed(teacher.userId)).toEqual([]);
    const names = (await server.send(listUsers, {}, { as: admin })).body.items;
    expect(names.some(({ userId }) => userId === teacher.userId)).toBe(false);
    const params = { userId: teacher.userId };
    const body = { isBlocked: false };
    const answers = [
      await server.send(setUserBlocked, { params, body }, { as: admin }),
      await server.send(updateUser, { params, body: { userName: 'Снова Здесь' } }, { as: admin }),
      await erase(teacher.userId),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    const email = `${teacher.userId}@erased.invalid`;
    const signed = await server.send(login, { body: { email, password: 'erased' } });
    expect([signed.status, errorOf(signed).code]).toEqual([401, 'BAD_CREDENTIALS']);
  });

  test('frees the e-mail, and the acts of others about the person stay without the name', async () => {
    const key = server.deps.newId();
    const row = {
      line: 1,
      userName: 'Новый Человек',
      email: teacher.email,
      role: '',
      password: '',
    };
    const imported = await server.send(importUsers, { body: { key, rows: [row] } }, { as: admin });
    expect(imported.body.results).toMatchObject([{ outcome: 'good' }]);
    expect(imported.body.results[0]?.userId).not.toBe(teacher.userId);
    const query = { act: 'userErased', pageSize: 100 } as const;
    const acts = (await server.send(listAudit, { query }, { as: admin })).body.items;
    const own = acts.filter(({ subject }) => subject?.id === teacher.userId);
    expect(own).toMatchObject([{ subject: { kind: 'user', name: null } }]);
  });
});

test("an erased administrator's acts stay without an author", async () => {
  const doer = await server.user({ role: ROLE.admin, userName: 'Ушедший Админ' });
  const someone = await server.user();
  await server.send(
    setUserBlocked,
    { params: { userId: someone.userId }, body: { isBlocked: true } },
    { as: doer },
  );
  await erase(doer.userId);
  const acts = (await server.send(listAudit, {}, { as: admin })).body.items;
  expect(acts.find(({ subject }) => subject?.id === someone.userId)?.actor).toBeNull();
  expect(await placesOf('Ушедший Админ')).toEqual([]);
});

test('acts stay after an erasure, the addresses of sign-ins do not', async () => {
  const email = 'otkuda@school.test';
  const body = { userName: 'Откуда Неважно', email, password: 'Kolokolchik7' };
  const { userId } = (await server.send(register, { body })).body.user;
  await server.send(login, { body: { email, password: 'Neverno1' } });
  const acts = () =>
    rows<{ act: string; from: string | null }>(
      server.pool,
      `select act, coalesce(address, gathers) as from from audit_log where person_id = $1
       order by act`,
      [userId],
    );
  expect(await acts()).toEqual([
    { act: 'signInFailed', from: expect.any(String) },
    { act: 'userRegistered', from: expect.any(String) },
  ]);
  expect((await erase(userId)).status).toBe(200);
  expect(await acts()).toEqual([
    { act: 'signInFailed', from: null },
    { act: 'userErased', from: null },
    { act: 'userRegistered', from: null },
  ]);
});

describe('the own account', () => {
  const eraseOwn = (as: string, password: string) =>
    server.send(eraseOwnAccount, { body: { password } }, { as });

  test('is erased by its password; then nothing signs in and the e-mail is free', async () => {
    const email = 'svoi@school.test';
    const body = { userName: 'Сам Себе', email, password: 'Kolokolchik7' };
    const { token } = (await server.send(register, { body })).body;
    const wrong = await eraseOwn(token, 'Neverno1');
    expect([wrong.status, errorOf(wrong).code]).toEqual([422, 'WRONG_PASSWORD']);
    expect((await server.send(currentUser, {}, { as: token })).status).toBe(200);
    expect((await eraseOwn(token, 'Kolokolchik7')).status).toBe(200);
    expect((await server.send(currentUser, {}, { as: token })).status).toBe(401);
    const { password } = body;
    expect((await server.send(login, { body: { email, password } })).status).toBe(401);
    for (const words of ['Сам Себе', email]) expect(await placesOf(words)).toEqual([]);
    const act = await newestAct();
    expect(act).toMatchObject({ act: 'userErased', actor: null, subject: { name: null } });
    expect((await server.send(register, { body })).status).toBe(200);
  });

  test('of the last administrator stays', async () => {
    const body = { userName: 'Последний', email: 'last@school.test', password: 'Kolokolchik7' };
    const { token, user: made } = (await server.send(register, { body })).body;
    const others = `role = 1 and id <> $1`;
    await execute(server.pool, `update users set role = 1 where id = $1`, [made.userId]);
    await execute(server.pool, `update users set blocked_at = now() where ${others}`, [
      made.userId,
    ]);
    const refused = await eraseOwn(token, 'Kolokolchik7');
    expect([refused.status, errorOf(refused).code]).toEqual([409, 'LAST_ADMIN']);
    await execute(server.pool, `update users set blocked_at = null where ${others}`, [made.userId]);
    expect((await eraseOwn(token, 'Kolokolchik7')).status).toBe(200);
  });
});
