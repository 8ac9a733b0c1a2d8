import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as v from 'valibot';
import { currentUser, login, ROLE } from '#contract/auth.ts';
import { NewPassword, register } from '#contract/registration.ts';
import {
  addMembers,
  createGroup,
  createPupils,
  getGroup,
  joinGroup,
  STUDENTS_AT_ONCE,
  removeMember,
  resetPupilPassword,
} from '#contract/groups.ts';
import { health } from '#contract/health.ts';
import { changeGroupShares } from '#contract/sharing.ts';
import { PER_ORIGIN } from '#server/auth/failures.ts';
import { execute, one } from '#server/db/query.ts';
import { errorOf } from '#tests/school.ts';
import { type TestServer, type TestUser, testServer } from '#tests/server.ts';

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

const group = async (name: string, as = teacher, at = server) =>
  (await at.send(createGroup, { body: { name } }, { as })).body;
const make = (groupId: string, names: string[], key = server.deps.newId(), as = teacher) =>
  server.send(createPupils, { params: { groupId }, body: { key, names } }, { as });
const reset = (groupId: string, userId: string, as = teacher) =>
  server.send(resetPupilPassword, { params: { groupId, userId } }, { as });
const add = (groupId: string, userIds: string[], as = teacher) =>
  server.send(addMembers, { params: { groupId }, body: { userIds } }, { as });
const shareWith = (groupId: string, { userId }: TestUser) =>
  server.send(
    changeGroupShares,
    { params: { groupId }, body: { given: [{ userId, level: 'edit' }], taken: [] } },
    { as: teacher },
  );
const membersOf = async (groupId: string, as = teacher) =>
  (await server.send(getGroup, { params: { groupId } }, { as })).body.members;
const signIn = (email: string, password: string) =>
  server.send(login, { body: { email, password } });
const fieldsOf = (answered: Parameters<typeof errorOf>[0]) =>
  (errorOf(answered).details as { fields: { field: string; message: string }[] }).fields;

describe('students without e-mail', () => {
  test('get a sign-in name and a password that work, and are in the class', async () => {
    const { groupId } = await group('5Б');
    const names = ['Иванова Мария', 'Щукин Илья', 'Иванова Мария'];
    const made = await make(groupId, names);
    expect(made.status, made.text).toBe(200);
    const cards = made.body.items;
    expect(cards.map(({ userName }) => userName)).toEqual(names);
    expect(cards[0]?.email).toMatch(/^ivanova\.mariya\.\d{2,}@klass\.local$/);
    // Two of one name are two accounts.
    expect(new Set(cards.map(({ email }) => email)).size).toBe(3);
    expect(new Set(cards.map(({ password }) => password)).size).toBe(3);
    for (const card of cards) {
      expect(v.is(NewPassword, card.password)).toBe(true);
      const signed = await signIn(card.email, card.password);
      expect([signed.status, signed.body.user]).toMatchObject([
        200,
        { userId: card.userId, userName: card.userName, role: ROLE.student },
      ]);
    }
    const members = await membersOf(groupId);
    expect(members.map(({ via, mayResetPassword }) => ({ via, mayResetPassword }))).toEqual(
      cards.map(() => ({ via: 'generated', mayResetPassword: true })),
    );
  });

  test('have their passwords stored only as a hash', async () => {
    const { groupId } = await group('хеш');
    const [card] = (await make(groupId, ['Петров Пётр'])).body.items;
    const stored = await one<{ row: string; hash: string }>(
      server.pool,
      'select users::text as row, password_hash as hash from users where id = $1',
      [card?.userId],
    );
    expect(stored?.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(stored?.row).not.toContain(card?.password);
    expect(JSON.stringify(server.logged)).not.toContain(card?.password);
  });

  test('are created once, however often the same list is sent', async () => {
    const { groupId } = await group('дважды отправлено');
    const key = server.deps.newId();
    const names = ['Абрамов Лев', 'Белов Тимофей'];
    const answers = await Promise.all([1, 2, 3, 4].map(() => make(groupId, names, key)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    const late = await make(groupId, names, key);
    expect(errorOf(late)).toMatchObject({
      code: 'EMAIL_TAKEN',
      message: expect.stringMatching(/уже созданы.*сбросьте их пароли/),
    });
    expect(await membersOf(groupId)).toHaveLength(2);
    expect((await make(groupId, names)).status).toBe(200);
    expect(await membersOf(groupId)).toHaveLength(4);
  });

  test('are created sixty at once within the time a device waits', async () => {
    const { groupId } = await group('поток');
    const names = Array.from({ length: STUDENTS_AT_ONCE }, () => 'Иванов Иван');
    const made = await make(groupId, names);
    expect(made.status, made.text).toBe(200);
    expect(new Set(made.body.items.map(({ email }) => email)).size).toBe(STUDENTS_AT_ONCE);
  });

  test('are created all or none: a class without room for all stays as it was', async () => {
    const { groupId } = await group('почти полный');
    const ids = Array.from({ length: 499 }, () => server.deps.newId());
    await execute(
      server.pool,
      `insert into users (id, email, user_name, password_hash, created_at)
       select id, id || '@school.test', 'Ученик', 'none', now() from unnest($1::uuid[]) as id`,
      [ids],
    );
    await add(groupId, ids);
    const refused = await make(groupId, ['Первый Лишний', 'Второй Лишний']);
    expect([refused.status, errorOf(refused).code]).toEqual([409, 'GROUP_FULL']);
    const left = await one<{ n: number }>(
      server.pool,
      `select count(*) as n from users where user_name like '%Лишний'`,
    );
    expect(left?.n).toBe(0);
  });

  test.each([
    [['Иванова Мария', ''], 'names.1', 'Введите имя ученика'],
    [['\u202e\u200b  '], 'names.0', 'Введите имя ученика'],
    [['Аня', 'Боря', 'в'.repeat(300)], 'names.2', 'Имя не длиннее 100 символов'],
    [[], 'names', 'Введите хотя бы одно имя'],
    [Array(STUDENTS_AT_ONCE + 1).fill('Аня'), 'names', 'Не больше 60 учеников за раз'],
  ])('are refused with the line that is wrong (%#)', async (names, field, message) => {
    const { groupId } = await group('ошибки');
    const refused = await make(groupId, names);
    expect(refused.status).toBe(400);
    expect(fieldsOf(refused)).toEqual([{ field, message }]);
    expect(await membersOf(groupId)).toEqual([]);
  });

  test('have markup and special characters as text, without bidirectional marks', async () => {
    const { groupId } = await group('странные');
    const made = await make(groupId, ['<b>Аня</b>', '\u202eПётр\t Смирнов\u200f', '李明 🙂']);
    expect(made.body.items.map(({ userName }) => userName)).toEqual([
      '<b>Аня</b>',
      'Пётр Смирнов',
      '李明 🙂',
    ]);
    expect(made.body.items[2]?.email).toMatch(/^uchenik\.\d+@klass\.local$/);
  });
});

describe('a new password', () => {
  test('for a student of the class: the old one and its sign-ins end, a closed account opens again', async () => {
    const { groupId } = await group('забыл пароль');
    const [card] = (await make(groupId, ['Зайцева Варвара'])).body.items;
    if (!card) throw new Error('no card');
    const { token } = (await signIn(card.email, card.password)).body;
    for (let n = 0; n < PER_ORIGIN.atOnce; n += 1) await signIn(card.email, 'Nope1234');
    expect((await signIn(card.email, card.password)).status).toBe(429);

    const fresh = await reset(groupId, card.userId);
    expect(fresh.status, fresh.text).toBe(200);
    expect(fresh.body).toMatchObject({ userName: card.userName, email: card.email });
    expect((await server.send(currentUser, {}, { as: token })).status).toBe(401);
    expect((await signIn(card.email, card.password)).status).toBe(401);
    expect((await signIn(card.email, fresh.body.password)).status).toBe(200);
  });

  test('is allowed for one who joined by the code', async () => {
    const { groupId, joinCode } = await group('сам вступил');
    const student = await server.user();
    await server.send(joinGroup, { body: { code: joinCode ?? '' } }, { as: student });
    expect((await membersOf(groupId))[0]?.mayResetPassword).toBe(true);
    expect((await reset(groupId, student.userId)).status).toBe(200);
  });

  test('is not allowed for an existing account that the teacher added', async () => {
    const { groupId } = await group('захват');
    const victim = await server.user({ userName: 'Чужой Ученик' });
    await add(groupId, [victim.userId]);
    // Adding a student does not reveal the sign-in name either.
    expect((await membersOf(groupId))[0]).toMatchObject({ mayResetPassword: false, email: '' });
    const refused = await reset(groupId, victim.userId);
    expect([refused.status, errorOf(refused).code]).toEqual([403, 'PASSWORD_NOT_YOURS']);
    expect((await server.send(currentUser, {}, { as: victim })).status).toBe(200);
  });

  test("is not gained by moving a student between classes; within a teacher's own it stays allowed", async () => {
    const { groupId: home } = await group('свой');
    const [card] = (await make(home, ['Никитина Ульяна'])).body.items;
    const userId = card?.userId ?? '';
    const { groupId: foreign } = await group('чужой', colleague);
    await add(foreign, [userId], colleague);
    expect((await reset(foreign, userId, colleague)).status).toBe(403);
    const { groupId: secondForeign } = await group('ещё чужой', colleague);
    await add(secondForeign, [userId], colleague);
    expect((await reset(secondForeign, userId, colleague)).status).toBe(403);

    const { groupId: next } = await group('следующий год');
    await add(next, [userId]);
    await server.send(removeMember, { params: { groupId: home, userId } }, { as: teacher });
    expect((await reset(home, userId)).status).toBe(404);
    expect((await reset(next, userId)).status).toBe(200);
  });

  test('is not gained in an own class by access to a colleague’s class', async () => {
    const { groupId: shared } = await group('общий');
    const [card] = (await make(shared, ['Панина Вера'])).body.items;
    const userId = card?.userId ?? '';
    await shareWith(shared, colleague);
    const { groupId: own } = await group('свой у коллеги', colleague);
    await add(own, [userId], colleague);
    expect((await membersOf(own, colleague))[0]).toMatchObject({ mayResetPassword: false });
    expect((await reset(own, userId, colleague)).status).toBe(403);
  });

  test('returns with the student alone who had it, to the class alone that knew it', async () => {
    const { groupId: left } = await group('из него ушли');
    const { groupId: next } = await group('чужой новый', colleague);
    const cards = (await make(left, ['Орлов Лев', 'Орлова Зоя'])).body.items;
    const [lev = '', zoya = ''] = cards.map(({ userId }) => userId);
    const outsider = await server.user({ userName: 'Посторонний Ученик' });
    for (const userId of [lev, zoya])
      await server.send(removeMember, { params: { groupId: left, userId } }, { as: teacher });
    await add(next, [lev], colleague);
    expect((await reset(next, lev, colleague)).status).toBe(403);
    await add(left, [lev, outsider.userId]);
    expect((await reset(left, lev)).status).toBe(200);
    expect((await reset(left, outsider.userId)).status).toBe(403);
    await add(left, [zoya]);
    expect((await reset(left, zoya)).status).toBe(200);
  });

  test('is not spread by one member who leaves to the rest of the class', async () => {
    const { groupId } = await group('остальные остаются');
    const cards = (await make(groupId, ['Котов Пётр', 'Котова Анна'])).body.items;
    const picked = await server.user({ userName: 'Добавленный Ученик' });
    await add(groupId, [picked.userId]);
    const [first = '', second = ''] = cards.map(({ userId }) => userId);
    const remove = (userId: string, as = teacher) =>
      server.send(removeMember, { params: { groupId, userId } }, { as });
    await remove(first);
    expect((await membersOf(groupId)).map(({ userId }) => userId).toSorted()).toEqual(
      [second, picked.userId].toSorted(),
    );
    await remove(picked.userId);
    await add(groupId, [picked.userId]);
    expect((await reset(groupId, picked.userId)).status).toBe(403);
    // An administrator who removes one leaves the others their way back.
    await remove(second, admin);
    await add(groupId, [first, second]);
    expect((await reset(groupId, first)).status).toBe(200);
    expect((await reset(groupId, second)).status).toBe(403);
    expect((await signIn(cards[1]?.email ?? '', cards[1]?.password ?? '')).status).toBe(200);
  });

  test('is allowed where an admin added the student, and for admins always', async () => {
    const { groupId } = await group('с администратором');
    const [trusted, picked] = [await server.user(), await server.user()];
    await add(groupId, [trusted.userId], admin);
    await add(groupId, [picked.userId]);
    expect((await reset(groupId, trusted.userId)).status).toBe(200);
    expect((await reset(groupId, picked.userId)).status).toBe(403);
    expect((await reset(groupId, picked.userId, admin)).status).toBe(200);
    // A member added by the teacher is not made resettable by an admin who adds them again.
    await add(groupId, [picked.userId], admin);
    expect((await reset(groupId, picked.userId)).status).toBe(403);
  });

  test('depends on the role that its adder had then, not on a later one', async () => {
    const { groupId } = await group('повышение');
    const adder = await server.user({ role: ROLE.admin });
    const [byAdmin, byTeacher] = [await server.user(), await server.user()];
    await add(groupId, [byAdmin.userId], adder);
    await add(groupId, [byTeacher.userId]);
    const setRole = (userId: string, role: number) =>
      execute(server.pool, 'update users set role = $2 where id = $1', [userId, role]);
    await setRole(adder.userId, ROLE.teacher);
    expect((await reset(groupId, byAdmin.userId)).status).toBe(200);
    await shareWith(groupId, adder);
    await setRole(teacher.userId, ROLE.admin);
    expect((await reset(groupId, byTeacher.userId, adder)).status).toBe(403);
    await setRole(teacher.userId, ROLE.teacher);
  });

  test('stays allowed for a student removed and re-added by a colleague', async () => {
    const { groupId, joinCode } = await group('туда и обратно');
    await shareWith(groupId, colleague);
    const [joined, trusted, picked] = [
      await server.user(),
      await server.user(),
      await server.user(),
    ];
    await server.send(joinGroup, { body: { code: joinCode ?? '' } }, { as: joined });
    await add(groupId, [trusted.userId], admin);
    await add(groupId, [picked.userId]);
    const again = [joined, trusted, picked].map(({ userId }) => userId);
    const removeAll = async (as: TestUser) => {
      for (const userId of again)
        await server.send(removeMember, { params: { groupId, userId } }, { as });
    };
    await removeAll(colleague);
    await add(groupId, again, colleague);
    const statuses = async () => {
      const found: number[] = [];
      for (const userId of again) found.push((await reset(groupId, userId)).status);
      return found;
    };
    expect(await statuses()).toEqual([200, 200, 403]);
    expect((await membersOf(groupId)).find(({ userId }) => userId === joined.userId)?.via).toBe(
      'code',
    );
    // If an administrator removes a student, the teacher does not regain control over the student.
    await removeAll(admin);
    await add(groupId, again, colleague);
    expect(await statuses()).toEqual([403, 403, 403]);
  });

  test('is never allowed for a teacher or an admin who was a student once', async () => {
    const { groupId } = await group('выросли');
    const cards = (await make(groupId, ['Будущий Учитель', 'Будущий Админ'])).body.items;
    for (const [index, role] of [ROLE.teacher, ROLE.admin].entries()) {
      const userId = cards[index]?.userId ?? '';
      await execute(server.pool, 'update users set role = $2 where id = $1', [userId, role]);
      for (const as of [teacher, admin]) {
        const refused = await reset(groupId, userId, as);
        expect([refused.status, errorOf(refused).code]).toEqual([403, 'PASSWORD_NOT_YOURS']);
      }
    }
    const members = await membersOf(groupId);
    expect(members.map(({ mayResetPassword }) => mayResetPassword)).toEqual([false, false]);
  });

  test('is not allowed through another teacher’s class or for a non-member', async () => {
    const { groupId } = await group('не твой');
    const [card] = (await make(groupId, ['Орлов Степан'])).body.items;
    expect((await reset(groupId, card?.userId ?? '', colleague)).status).toBe(404);
    const { groupId: own } = await group('свой пустой', colleague);
    expect((await reset(own, card?.userId ?? '', colleague)).status).toBe(404);
  });
});

describe('registration', () => {
  const password = 'Kolokol7';
  let made = 0;
  const sign = (at: TestServer, joinCode?: string) =>
    at.send(register, {
      body: {
        userName: 'Пётр',
        email: `new${(made += 1)}@school.test`,
        password,
        ...(joinCode === undefined ? {} : { joinCode }),
      },
    });

  test('by code (REGISTRATION=code) needs the code of a class, and joins it at once', async () => {
    const school = await testServer({ settings: { registration: 'code' } });
    try {
      const owner = await school.user({ role: ROLE.teacher });
      const { groupId, joinCode } = await group('7В', owner, school);
      expect((await school.send(health, {})).body.registration).toBe('code');
      for (const missing of [undefined, '', '  ']) {
        const refused = await sign(school, missing);
        expect(refused.status).toBe(400);
        expect(fieldsOf(refused)).toEqual([{ field: 'joinCode', message: 'Введите код класса' }]);
      }
      const wrong = await sign(school, 'HKMP2222');
      expect([wrong.status, errorOf(wrong).code, fieldsOf(wrong)[0]?.field]).toEqual([
        422,
        'WRONG_JOIN_CODE',
        'joinCode',
      ]);
      const users = 'select count(*) as n from users where role = 0';
      expect((await one<{ n: number }>(school.pool, users))?.n).toBe(0);
      const right = await sign(school, (joinCode ?? '').toLowerCase());
      expect(right.status, right.text).toBe(200);
      const { body } = await school.send(getGroup, { params: { groupId } }, { as: owner });
      expect(body.members).toMatchObject([
        { userId: right.body.user.userId, via: 'code', mayResetPassword: true },
      ]);
    } finally {
      await school.close();
    }
  });

  test('by code into a full class creates no account', async () => {
    const { groupId, joinCode } = await group('полный');
    await execute(
      server.pool,
      `with made as (
         insert into users (id, email, user_name, password_hash, created_at)
         select gen_random_uuid(), gen_random_uuid() || '@school.test', 'Ученик', 'none', now()
         from generate_series(1, 500) returning id)
       insert into group_members (group_id, user_id, via) select $1, id, 'code' from made`,
      [groupId],
    );
    const refused = await sign(server, joinCode ?? '');
    expect([refused.status, errorOf(refused).code, fieldsOf(refused)[0]?.field]).toEqual([
      409,
      'GROUP_FULL',
      'joinCode',
    ]);
    const email = `new${made}@school.test`;
    expect(await one(server.pool, 'select 1 from users where email = $1', [email])).toBeNull();
  });

  test('open to everyone accepts a code too, and needs none', async () => {
    expect((await server.send(health, {})).body.registration).toBe('open');
    const { groupId, joinCode } = await group('открытый');
    expect((await sign(server)).status).toBe(200);
    const joined = await sign(server, joinCode ?? '');
    expect(joined.status).toBe(200);
    const members = await membersOf(groupId);
    expect(members.map(({ userId }) => userId)).toEqual([joined.body.user.userId]);
    expect((await sign(server, 'HKMP2222')).status).toBe(422);
  });

  test('closed is refused with a code as well', async () => {
    const closed = await testServer({ settings: { registration: 'closed' } });
    try {
      const owner = await closed.user({ role: ROLE.teacher });
      const { joinCode } = await group('закрыто', owner, closed);
      const refused = await sign(closed, joinCode ?? '');
      expect([refused.status, errorOf(refused).code]).toEqual([403, 'REGISTRATION_CLOSED']);
    } finally {
      await closed.close();
    }
  });
});
