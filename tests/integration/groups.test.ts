import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLE } from '#contract/auth.ts';
import {
  addMembers,
  createGroup,
  deleteGroup,
  getGroup,
  joinGroup,
  listGroups,
  lookUpJoinCode,
  removeMember,
  setJoinCode,
  updateGroup,
} from '#contract/groups.ts';
import { MAX_GROUP_MEMBERS } from '#contract/limits.ts';
import { listMyTests } from '#contract/tests.ts';
import { showJoinCode } from '#domain/join-codes.ts';
import { PER_ORIGIN } from '#server/auth/failures.ts';
import { execute, one, rows } from '#server/db/query.ts';
import { errorOf, makeTest, TestDevice } from '#tests/school.ts';
import { type TestServer, type TestUser, testServer } from '#tests/server.ts';

const MINUTE = 60_000;

let server: TestServer;
let teacher: TestUser;
let colleague: TestUser;
let admin: TestUser;
beforeAll(async () => {
  server = await testServer();
  teacher = await server.user({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  colleague = await server.user({ role: ROLE.teacher, userName: 'Т. А. Белова' });
  admin = await server.user({ role: ROLE.admin, userName: 'Администратор' });
});
afterAll(() => server.close());

const group = async (name: string, as = teacher) => {
  const made = await server.send(createGroup, { body: { name } }, { as });
  expect(made.status, made.text).toBe(200);
  return made.body;
};
const opened = async (groupId: string, as = teacher) =>
  (await server.send(getGroup, { params: { groupId } }, { as })).body;
const add = (groupId: string, userIds: string[], as = teacher) =>
  server.send(addMembers, { params: { groupId }, body: { userIds } }, { as });
const join = (code: string, as: TestUser) => server.send(joinGroup, { body: { code } }, { as });
const codeOf = async (groupId: string) => (await opened(groupId)).joinCode ?? '';
const fieldsOf = (answered: Parameters<typeof errorOf>[0]) =>
  (errorOf(answered).details as { fields: { field: string; message: string }[] }).fields;

/** Students without sign-ins, in any number. */
async function crowd(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => server.deps.newId());
  await execute(
    server.pool,
    `insert into users (id, email, user_name, password_hash, created_at)
     select id, id || '@school.test', 'Ученик', 'none', $2 from unnest($1::uuid[]) as id`,
    [ids, server.clock.now],
  );
  return ids;
}

describe('a class', () => {
  test('is listed only for its teacher and admins, with owner, members and code', async () => {
    const made = await group('11Ъ');
    const student = await server.user();
    await add(made.groupId, [student.userId]);
    const query = { searchQuery: '11ъ' };
    const [own, all, others] = await Promise.all(
      [teacher, admin, colleague].map((as) => server.send(listGroups, { query }, { as })),
    );
    const item = { ...made, memberCount: 1, owner: 'О. В. Лаптева', ownerId: teacher.userId };
    expect(own?.body).toEqual({ items: [item], total: 1 });
    expect(all?.body).toEqual({ items: [item], total: 1 });
    expect(others?.body).toEqual({ items: [], total: 0 });
    const byOwner = await server.send(
      listGroups,
      { query: { searchQuery: 'лаптева 11' } },
      { as: admin },
    );
    expect(byOwner.body.total).toBe(1);
  });

  test('is sorted in the list by number and letter, page by page', async () => {
    const owner = await server.user({ role: ROLE.teacher });
    for (const name of ['10Б', '9Б', '9А', 'Ёлки', 'Ели']) await group(name, owner);
    const page = async (number: number) => {
      const query = { page: number, pageSize: 2 };
      const answered = await server.send(listGroups, { query }, { as: owner });
      expect(answered.body.total).toBe(5);
      return answered.body.items.map(({ name }) => name);
    };
    expect([await page(1), await page(2), await page(3), await page(4)]).toEqual([
      ['9А', '9Б'],
      ['10Б', 'Ели'],
      ['Ёлки'],
      [],
    ]);
  });

  test('shows its members by surname, with their sign-in names', async () => {
    const { groupId } = await group('по фамилии');
    const students = await Promise.all(
      ['Яковлева Ксения', 'Жуков Даниил', 'Ёлкин Лев', 'Егорова Полина'].map((userName) =>
        server.user({ userName }),
      ),
    );
    await add(
      groupId,
      students.map(({ userId }) => userId),
      admin,
    );
    const { members } = await opened(groupId);
    expect(members.map(({ userName }) => userName)).toEqual([
      'Егорова Полина',
      'Ёлкин Лев',
      'Жуков Даниил',
      'Яковлева Ксения',
    ]);
    expect(members[0]?.email).toBe(students[3]?.email);
  });

  test.each([
    ['', 'Введите название класса'],
    ['   ', 'Введите название класса'],
    ['\u202e\u200f', 'Введите название класса'],
    ['а'.repeat(101), 'Название не длиннее 100 символов'],
  ])('is not named «%s»', async (name, message) => {
    const made = await server.send(createGroup, { body: { name } }, { as: teacher });
    expect(made.status).toBe(400);
    expect(fieldsOf(made)).toEqual([{ field: 'name', message }]);
  });

  test('has markup in its name as text, without bidirectional marks', async () => {
    const made = await group('  9А\u202e \n <img src=x onerror=alert(1)> ');
    expect(made.name).toBe('9А <img src=x onerror=alert(1)>');
  });

  test('is renamed', async () => {
    const { groupId } = await group('8А');
    const body = { name: '9А нового года' };
    const renamed = await server.send(updateGroup, { params: { groupId }, body }, { as: teacher });
    expect(renamed.body.name).toBe('9А нового года');
    expect((await opened(groupId)).name).toBe('9А нового года');
  });

  test('deleted removes its assignments; students, attempts and their results stay', async () => {
    const { groupId } = await group('выпуск');
    const student = await server.user();
    await add(groupId, [student.userId]);
    const testId = await makeTest(server, teacher);
    await execute(
      server.pool,
      'insert into assignments (id, test_id, group_id, created_at) values ($1, $2, $3, $4)',
      [server.deps.newId(), testId, groupId, server.clock.now],
    );
    const device = new TestDevice(server, student);
    expect((await device.start(testId)).status).toBe(200);
    expect((await opened(groupId)).assignedTests).toBe(1);

    const gone = await server.send(deleteGroup, { params: { groupId } }, { as: teacher });
    expect(gone.status, gone.text).toBe(200);
    const after = await server.send(getGroup, { params: { groupId } }, { as: teacher });
    expect(after.status).toBe(404);
    const count = async (table: string, column: string, id: string) =>
      (
        await one<{ n: number }>(
          server.pool,
          `select count(*) as n from ${table} where ${column} = $1`,
          [id],
        )
      )?.n;
    expect(await count('assignments', 'test_id', testId)).toBe(0);
    expect(await count('users', 'id', student.userId)).toBe(1);
    expect(await count('attempts', 'user_id', student.userId)).toBe(1);
    expect((await server.send(listMyTests, {}, { as: student })).status).toBe(200);
  });
});

describe('members', () => {
  test('who are in already stay unchanged, and are not counted again', async () => {
    const { groupId } = await group('дважды');
    const [first, second] = [await server.user(), await server.user()];
    expect((await add(groupId, [first.userId])).body.added).toBe(1);
    const again = await add(groupId, [first.userId, second.userId, second.userId]);
    expect(again.body.added).toBe(1);
    expect((await opened(groupId)).memberCount).toBe(2);
  });

  test('are students only: a teacher, admin or unknown id is reported at the field and none is added', async () => {
    const { groupId } = await group('только ученики');
    const student = await server.user();
    const erased = await server.user();
    await execute(server.pool, 'update users set erased_at = $2 where id = $1', [
      erased.userId,
      server.clock.now,
    ]);
    const strangers = [colleague.userId, admin.userId, erased.userId, server.deps.newId()];
    for (const stranger of strangers) {
      const refused = await add(groupId, [student.userId, stranger]);
      expect(refused.status).toBe(400);
      expect(fieldsOf(refused)[0]).toMatchObject({ field: 'userIds' });
      expect(fieldsOf(refused)[0]?.message).toMatch(/только ученики/);
    }
    expect((await opened(groupId)).members).toEqual([]);
  });

  test('are removed; a non-member is not found', async () => {
    const { groupId } = await group('ушёл');
    const student = await server.user();
    await add(groupId, [student.userId]);
    const params = { groupId, userId: student.userId };
    expect((await server.send(removeMember, { params }, { as: teacher })).status).toBe(200);
    expect((await server.send(removeMember, { params }, { as: teacher })).status).toBe(404);
    expect((await opened(groupId)).members).toEqual([]);
  });

  test('fill a class up to its limit and not beyond, by adding, by code and all at once', async () => {
    const { groupId, joinCode } = await group('полный');
    const ids = await crowd(MAX_GROUP_MEMBERS - 1);
    expect((await add(groupId, ids)).body.added).toBe(MAX_GROUP_MEMBERS - 1);
    const [a = '', b = ''] = await crowd(2);
    const tooMany = await add(groupId, [a, b]);
    expect([tooMany.status, errorOf(tooMany).code]).toEqual([409, 'GROUP_FULL']);
    const students = await Promise.all(Array.from({ length: 6 }, () => server.user()));
    const answers = await Promise.all(students.map((student) => join(joinCode ?? '', student)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const full = answers.filter(({ status }) => status === 409);
    expect(full.map((answered) => errorOf(answered).code)).toEqual(Array(5).fill('GROUP_FULL'));
    expect((await opened(groupId)).memberCount).toBe(MAX_GROUP_MEMBERS);
  });
});

describe('a join code', () => {
  test('admits a student however it is typed, and not twice', async () => {
    const { groupId, joinCode } = await group('по коду');
    const code = joinCode ?? '';
    const russian = code.replaceAll(
      /[CHKMPTX]/g,
      (sign) => 'СНКМРТХ'['CHKMPTX'.indexOf(sign)] ?? '',
    );
    const forms = [
      code,
      showJoinCode(code),
      ` ${code.toLowerCase()} `,
      russian,
      russian.toLowerCase(),
    ];
    for (const typed of forms) {
      const student = await server.user();
      const joined = await join(typed, student);
      expect(joined.body, typed).toEqual({ groupId, name: 'по коду' });
      const again = await join(typed, student);
      expect([again.status, errorOf(again).code]).toEqual([409, 'ALREADY_MEMBER']);
    }
    const { members } = await opened(groupId);
    expect(members.map(({ via }) => via)).toEqual(forms.map(() => 'code'));
  });

  test('shows class and teacher before joining, and whether one is a member', async () => {
    const { groupId, joinCode } = await group('сначала посмотреть');
    const student = await server.user();
    const query = { code: joinCode ?? '' };
    const shown = { groupId, name: 'сначала посмотреть', owner: 'О. В. Лаптева' };
    const before = await server.send(lookUpJoinCode, { query }, { as: student });
    expect(before.body).toEqual({ ...shown, isMember: false });
    await join(joinCode ?? '', student);
    const after = await server.send(lookUpJoinCode, { query }, { as: student });
    expect(after.body).toEqual({ ...shown, isMember: true });
  });

  test('admits a member of another class, and one class’s members are no others', async () => {
    const [first, second] = [await group('первый из двух'), await group('второй из двух')];
    const [student, outsider] = [await server.user(), await server.user()];
    const code = second.joinCode ?? '';
    expect((await join(first.joinCode ?? '', student)).status).toBe(200);
    const isMember = async (as: TestUser) =>
      (await server.send(lookUpJoinCode, { query: { code } }, { as })).body.isMember;
    expect(await isMember(student)).toBe(false);
    expect((await join(code, student)).body).toMatchObject({ groupId: second.groupId });
    expect([await isMember(student), await isMember(outsider)]).toEqual([true, false]);
    expect((await join(code, outsider)).status).toBe(200);
    expect((await opened(first.groupId)).memberCount).toBe(1);
  });

  test('is invalidated by the next one, and by turning joining off', async () => {
    const { groupId, joinCode: first } = await group('новый код');
    const turn = (enabled: boolean) =>
      server.send(setJoinCode, { params: { groupId }, body: { enabled } }, { as: teacher });
    const second = (await turn(true)).body.joinCode ?? '';
    expect(second).not.toBe(first);
    const student = await server.user();
    const late = await join(first ?? '', student);
    expect([late.status, errorOf(late).code]).toEqual([422, 'WRONG_JOIN_CODE']);
    expect((await turn(false)).body).toEqual({ joinCode: null });
    expect((await join(second, student)).status).toBe(422);
    expect((await turn(true)).body.joinCode).toMatch(/^[CHKMPTX2-9]{8}$/);
    expect((await join(await codeOf(groupId), student)).status).toBe(200);
  });

  test('is for students: a teacher is refused at the field', async () => {
    const { joinCode } = await group('не для учителей');
    const refused = await join(joinCode ?? '', colleague);
    expect([refused.status, fieldsOf(refused)[0]?.field]).toEqual([400, 'code']);
  });

  test('is not guessed: after ten wrong ones an account waits, tried in parallel or with a right one in between', async () => {
    const { joinCode } = await group('угадай');
    const guesser = await server.user();
    const wrong = Array.from({ length: 40 }, (_, n) => `HKMP22${n + 30}`);
    const answers = await Promise.all(wrong.map((code) => join(code, guesser)));
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(PER_ORIGIN.atOnce);
    const late = await join(joinCode ?? '', guesser);
    expect([late.status, errorOf(late)]).toMatchObject([
      429,
      { code: 'TOO_MANY_LOGINS', message: expect.stringMatching(/неверных кодов/) },
    ]);
    expect(Number(late.headers['retry-after'])).toBeGreaterThan(0);

    const patient = await server.user();
    for (let n = 0; n < PER_ORIGIN.atOnce; n += 1) {
      const query = { code: joinCode ?? '' };
      expect((await server.send(lookUpJoinCode, { query }, { as: patient })).status).toBe(200);
      expect((await join('HKMP2222', patient)).status).toBe(422);
    }
    expect((await join('HKMP2222', patient)).status).toBe(429);
    server.clock.advance(16 * MINUTE);
    expect((await join(joinCode ?? '', guesser)).status).toBe(200);
  });

  test.each(['', '   ', 'x'.repeat(21)])('«%s» is refused at the field', async (code) => {
    const refused = await join(code, await server.user());
    expect([refused.status, fieldsOf(refused)[0]?.field]).toEqual([400, 'code']);
  });
});

test('another teacher’s class is not found by any call', async () => {
  const { groupId } = await group('чужой');
  const student = await server.user();
  const before = await rows(server.pool, 'select * from groups where id = $1', [groupId]);
  const replies = [
    await server.send(getGroup, { params: { groupId } }, { as: colleague }),
    await server.send(
      updateGroup,
      { params: { groupId }, body: { name: 'мой' } },
      { as: colleague },
    ),
    await server.send(
      setJoinCode,
      { params: { groupId }, body: { enabled: true } },
      { as: colleague },
    ),
    await add(groupId, [student.userId], colleague),
    await server.send(deleteGroup, { params: { groupId } }, { as: colleague }),
  ];
  expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  expect(await rows(server.pool, 'select * from groups where id = $1', [groupId])).toEqual(before);
});
