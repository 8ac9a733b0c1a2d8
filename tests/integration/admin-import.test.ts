import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as v from 'valibot';
import { checkImport, importUsers, listAdminUsers, listAudit } from '#contract/admin.ts';
import { login, ROLE } from '#contract/auth.ts';
import { NewPassword } from '#contract/registration.ts';
import { createGroup } from '#contract/groups.ts';
import { IMPORT_BATCH_ROWS } from '#contract/limits.ts';
import { purgePasswords } from '#server/admin/import-batches.ts';
import { one, rows } from '#server/db/query.ts';
import { errorOf } from '#tests/school.ts';
import { type TestServer, type TestUser, testServer } from '#tests/server.ts';

let server: TestServer;
let admin: TestUser;
let second: TestUser;
beforeAll(async () => {
  server = await testServer();
  admin = await server.user({ role: ROLE.admin, userName: 'Первый Администратор' });
  second = await server.user({ role: ROLE.admin, userName: 'Второй Администратор' });
});
afterAll(() => server.close());

interface Row {
  line: number;
  userName: string;
  email: string;
  role: string;
  password: string;
  className?: string;
}
let made = 0;
const row = (of: Partial<Row> = {}): Row => {
  made += 1;
  const number = made;
  return {
    line: number,
    userName: `Ученик ${number}`,
    email: `u${number}@import.test`,
    role: '',
    password: '',
    ...of,
  };
};
const check = async (rows: Row[]) =>
  (await server.send(checkImport, { body: { rows } }, { as: admin })).body.results;
const send = (rows: Row[], key = server.deps.newId(), as = admin) =>
  server.send(importUsers, { body: { key, rows } }, { as });
const accounts = async (like: string) =>
  (
    await one<{ n: number }>(server.pool, 'select count(*) as n from users where email like $1', [
      like,
    ])
  )?.n;
const signIn = (email: string, password: string) =>
  server.send(login, { body: { email, password } });

describe('rows', () => {
  test.each([
    [{ userName: '  ' }, 'userName', 'Пожалуйста, введите логин'],
    [{ userName: 'и'.repeat(101) }, 'userName', 'Логин слишком длинный'],
    [{ email: '' }, 'email', 'Пожалуйста, введите почту'],
    [{ email: 'не почта' }, 'email', 'Неверный формат электронной почты'],
    [{ role: 'директор' }, 'role', 'Роль не распознана: студент, преподаватель или администратор'],
    [{ password: 'корот' }, 'password', 'Пароль должен быть не менее 6 символов'],
    [{ password: 'Qwerty123' }, 'password', 'Такой пароль легко угадать. Придумайте другой'],
  ])('report their errors: %j', async (of, field, message) => {
    const wrong = row(of);
    expect(await check([wrong])).toEqual([
      {
        line: wrong.line,
        outcome: 'wrong',
        problems: [{ field, message }],
        userId: null,
        password: null,
      },
    ]);
  });

  test('accept roles as words in either language, or as numbers', async () => {
    const roles = ['', 'Ученик', 'STUDENT', '2', ' учительница ', 'Teacher', '1', 'Админ'];
    const rows = roles.map((role) => row({ role }));
    const results = (await send(rows)).body.results;
    expect(results.map(({ outcome }) => outcome)).toEqual(roles.map(() => 'good'));
    const problemCounts = await Promise.all(
      rows.map(async ({ email }) => {
        const query = { searchQuery: email };
        const page = await server.send(listAdminUsers, { query }, { as: admin });
        return page.body.items[0]?.role;
      }),
    );
    expect(problemCounts).toEqual([0, 0, 0, 2, 2, 2, 1, 1]);
  });

  test('lose invisible characters', async () => {
    const [result] = (
      await send([
        row({ userName: '\uFEFFМария\u202e  Иванова\t', email: '\uFEFF Mari@Import.Test ' }),
      ])
    ).body.results;
    expect(result?.outcome).toBe('good');
    const query = { searchQuery: 'mari@import.test' };
    const page = await server.send(listAdminUsers, { query }, { as: admin });
    expect(page.body.items).toMatchObject([
      { userName: 'Мария Иванова', email: 'mari@import.test' },
    ]);
  });

  test('are validated one by one: an invalid one stops no other, a duplicate e-mail is reported with its line', async () => {
    const taken = row();
    await send([taken]);
    const bad = row({ email: 'нет' });
    const good = row();
    const twice = row({ email: good.email.toUpperCase() });
    const again = row({ email: taken.email, userName: 'Другое Имя', role: '1' });
    const rows = [bad, good, twice, again];
    const problems = [{ field: 'email', message: `Эта почта уже есть в строке ${good.line}` }];
    const judged = [
      { line: bad.line, outcome: 'wrong' },
      { line: good.line, outcome: 'good', problems: [] },
      { line: twice.line, outcome: 'wrong', problems },
      { line: again.line, outcome: 'exists', problems: [], userId: null, password: null },
    ];
    expect(await check(rows)).toMatchObject(judged);
    expect(await accounts(good.email)).toBe(0);
    const { results } = (await send(rows)).body;
    expect(results).toMatchObject(judged);
    const page = await server.send(
      listAdminUsers,
      { query: { searchQuery: taken.email } },
      { as: admin },
    );
    expect(page.body.items).toMatchObject([{ userName: taken.userName, role: ROLE.student }]);
    const log = await server.send(listAudit, { query: { pageSize: 1 } }, { as: admin });
    expect(log.body.items).toMatchObject([
      { act: 'usersImported', subject: null, details: { made: 1, exists: 1, wrong: 2 } },
    ]);
  });

  test('are at least one and no more than are hashed in time', async () => {
    const tooMany = Array.from({ length: IMPORT_BATCH_ROWS + 1 }, () => row());
    for (const rows of [[], tooMany]) {
      expect((await send(rows)).status).toBe(400);
      expect((await server.send(checkImport, { body: { rows } }, { as: admin })).status).toBe(400);
    }
    expect((await send([{ ...row(), isAdmin: true } as Row])).status).toBe(400);
  });
});

describe('passwords', () => {
  test('that were generated open the accounts; given ones are not returned', async () => {
    const own = row({ password: 'Podsnezhnik4' });
    const other = row();
    const { results } = (await send([own, other])).body;
    expect(results.map(({ password }) => password !== null)).toEqual([false, true]);
    expect(v.is(NewPassword, results[1]?.password)).toBe(true);
    expect((await signIn(own.email, 'Podsnezhnik4')).status).toBe(200);
    expect((await signIn(other.email, results[1]?.password ?? '')).status).toBe(200);
  });

  test('are nowhere in the database or the log in plain, even while a repeat may still show them', async () => {
    const { results } = (await send([row()])).body;
    const password = results[0]?.password ?? 'none';
    const stored = await one<{ all: string }>(
      server.pool,
      `select string_agg(b::text || encode(coalesce(passwords, ''), 'escape'), ' ') as all
       from import_batches b`,
    );
    expect(stored?.all).not.toContain(password);
    expect(JSON.stringify(server.logged)).not.toContain(password);
  });
});

describe('a repeat of a batch', () => {
  test('creates no duplicates and replies the same, however many run at once', async () => {
    const rows = [row(), row({ email: 'нет' }), row()];
    const key = server.deps.newId();
    const answers = await Promise.all([1, 2, 3, 4].map(() => send(rows, key)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const [first] = answers;
    for (const { body } of answers) expect(body).toEqual(first?.body);
    expect((await send(rows, key)).body).toEqual(first?.body);
    expect(
      (await signIn(rows[0]?.email ?? '', first?.body.results[0]?.password ?? '')).status,
    ).toBe(200);
  });

  test('shows passwords for an hour; then they are deleted, and the rest is returned', async () => {
    const rows = [row()];
    const key = server.deps.newId();
    const first = (await send(rows, key)).body.results;
    server.clock.advance(59 * 60_000);
    await purgePasswords(server.pool, server.clock.now);
    expect((await send(rows, key)).body.results).toEqual(first);
    server.clock.advance(60_000);
    const later = first.map((result) => ({ ...result, password: null }));
    expect((await send(rows, key)).body.results).toEqual(later);
    await purgePasswords(server.pool, server.clock.now);
    expect((await send(rows, key)).body.results).toEqual(later);
    const stored = await one<{ n: number }>(
      server.pool,
      'select count(*) as n from import_batches where passwords is not null',
    );
    expect(stored?.n).toBe(0);
  });

  test('with other rows is refused; the key of another administrator is another one', async () => {
    const key = server.deps.newId();
    await send([row()], key);
    const refused = await send([row()], key);
    expect([refused.status, errorOf(refused).code]).toEqual([422, 'OPERATION_REUSED']);
    expect((await send([row()], key, second)).status).toBe(200);
  });
});

test('two concurrent imports of the same people create each of them once', async () => {
  const rows = Array.from({ length: IMPORT_BATCH_ROWS }, () => row());
  const backwards = rows.toReversed();
  const answers = await Promise.all([
    send(rows),
    send(backwards, server.deps.newId(), second),
    send(rows, server.deps.newId(), second),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const outcomes = answers.flatMap(({ body }) => body.results.map(({ outcome }) => outcome));
  expect(outcomes.filter((outcome) => outcome === 'good')).toHaveLength(IMPORT_BATCH_ROWS);
  expect(outcomes.filter((outcome) => outcome === 'exists')).toHaveLength(2 * IMPORT_BATCH_ROWS);
});

test('people sign in while a full batch is imported, and need not wait for its end', async () => {
  const own = row({ password: 'Podsnezhnik4' });
  await send([own]);
  const order: string[] = [];
  const rows = Array.from({ length: IMPORT_BATCH_ROWS }, () => row());
  const [imported, signed] = await Promise.all([
    send(rows).finally(() => order.push('import')),
    signIn(own.email, 'Podsnezhnik4').finally(() => order.push('sign-in')),
  ]);
  expect([imported.status, signed.status]).toEqual([200, 200]);
  expect(order).toEqual(['sign-in', 'import']);
});

describe('classes', () => {
  const membersOf = async (name: string) =>
    (
      await rows<{ userName: string }>(
        server.pool,
        `select u.user_name as "userName" from groups g join group_members m on m.group_id = g.id
           join users u on u.id = m.user_id where g.name = $1 order by 1`,
        [name],
      )
    ).map(({ userName }) => userName);

  test('get their new students, and one that does not exist is made once', async () => {
    const teacher = await server.user({ role: ROLE.teacher, userName: 'Учитель Класса' });
    await server.send(createGroup, { body: { name: '8 «Б»' } }, { as: teacher });
    const batch = [
      row({ userName: 'Абаева', className: '8Б' }),
      row({ userName: 'Белова', className: '8-б' }),
      row({ userName: 'Ветров', className: '7А' }),
      row({ userName: 'Громов', className: '7 а' }),
      row({ userName: 'Дурова', className: '7А', role: 'учительница' }),
    ];
    const replies = await Promise.all([send(batch.slice(0, 3)), send(batch.slice(3))]);
    expect(replies.flatMap(({ body }) => body.results.map(({ outcome }) => outcome))).toEqual(
      batch.map(() => 'good'),
    );
    expect(await membersOf('8 «Б»')).toEqual(['Абаева', 'Белова']);
    expect([...(await membersOf('7А')), ...(await membersOf('7 а'))].toSorted()).toEqual([
      'Ветров',
      'Громов',
    ]);
    expect(
      await one(server.pool, "select count(*) as n from groups where name in ('7А', '7 а')"),
    ).toEqual({ n: 1 });
  });

  test('of one name refuse the row, and the rest comes in', async () => {
    for (const name of ['6В', '6 в']) {
      const teacher = await server.user({ role: ROLE.teacher, userName: `Учитель ${name}` });
      await server.send(createGroup, { body: { name } }, { as: teacher });
    }
    const batch = [
      row({ className: '6В' }),
      row({ className: '' }),
      row({ className: 'к'.repeat(100) }),
    ];
    expect((await check(batch)).map(({ outcome }) => outcome)).toEqual(['wrong', 'good', 'good']);
    const { results } = (await send(batch)).body;
    expect(results.map(({ outcome }) => outcome)).toEqual(['wrong', 'good', 'good']);
    expect(results[0]?.problems).toEqual([
      { field: 'className', message: expect.stringContaining('Классов «6В» несколько') },
    ]);
  });
});
