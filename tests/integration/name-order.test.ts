import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROLE } from '#contract/auth.ts';
import { listUsers } from '#contract/users.ts';
import { addMembers, createGroup } from '#contract/groups.ts';
import { compareNames, nameKey } from '#domain/alphabet.ts';
import { nameKey as nameKeySql } from '#server/db/name-order.ts';
import { rows } from '#server/db/query.ts';
import { testServer, type TestServer } from '#tests/server.ts';
import { createTestDatabase } from '#tests/database.ts';
import type { TestDatabase } from '#tests/postgres.ts';

let database: TestDatabase;
let server: TestServer;
beforeAll(async () => {
  database = await createTestDatabase();
  server = await testServer();
});
afterAll(async () => {
  await server.close();
  await database.drop();
});

/** The names as the database sorts them, in its own collation and in one of a foreign server. */
const sorted = async (names: readonly string[]) => {
  const found = await rows<{ name: string; key: string }>(
    database.pool,
    `select name, ${nameKeySql('name')} as key from unnest($1::text[]) as given(name)
     order by ${nameKeySql('name')}, name collate "C"`,
    [names],
  );
  return found;
};

test('the database sorts names as the app does: ё after е, 9А before 10Б, case ignored', async () => {
  const names = [
    '10Б',
    '9А',
    'якин',
    'Жуков',
    'Ёлкин',
    'Егоров',
    'ежов',
    'Елкин',
    'Абаев',
    'Ян Ли',
    'Smith',
    'Әминов',
    'Бойко',
    '9 «В»',
  ];
  const found = (await sorted(names)).map(({ name }) => name);
  expect(found).toEqual([
    '9 «В»',
    '9А',
    '10Б',
    'Абаев',
    'Әминов',
    'Бойко',
    'Егоров',
    'ежов',
    'Елкин',
    'Ёлкин',
    'Жуков',
    'якин',
    'Ян Ли',
    'Smith',
  ]);
  expect(names.toSorted(compareNames)).toEqual(found);
});

test('any name has the same key in the database and in the app', async () => {
  const letters = Array.from("абеёийяАБЕЁИЙЯәӘabzABZ0123456789 -.«»'");
  const name = fc.string({ unit: fc.constantFrom(...letters), maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(fc.array(name, { maxLength: 30 }), async (names) => {
      const found = await sorted(names);
      expect(found.map(({ key }) => key)).toEqual(found.map((one) => nameKey(one.name)));
      expect(found.map(({ key }) => key)).toEqual(
        names.map(nameKey).toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
      );
    }),
    { numRuns: 30 },
  );
});

test('lists of people stand in this order, and namesakes carry class and sign-in', async () => {
  const teacher = await server.user({ role: ROLE.teacher, userName: 'Яшина Ольга' });
  const people = await Promise.all(
    ['Жуков Лев', 'ёлкин Ян', 'Егоров Пётр', 'Егоров Петр'].map((userName) =>
      server.user({ userName }),
    ),
  );
  const group = await server.send(createGroup, { body: { name: '9А' } }, { as: teacher });
  const [, , inClass, other] = people;
  if (!inClass || !other) throw new Error('nobody');
  await server.send(
    addMembers,
    { params: { groupId: group.body.groupId }, body: { userIds: [inClass.userId] } },
    { as: teacher },
  );
  const { items } = (await server.send(listUsers, {}, { as: teacher })).body;
  expect(items.map(({ userName }) => userName)).toEqual([
    'Егоров Петр',
    'Егоров Пётр',
    'ёлкин Ян',
    'Жуков Лев',
    'Яшина Ольга',
  ]);
  const detailOf = (userId: string) => {
    const { classes, email } = items.find((one) => one.userId === userId) ?? {};
    return { classes, email };
  };
  expect(detailOf(inClass.userId)).toEqual({ classes: ['9А'], email: inClass.email });
  expect(detailOf(other.userId)).toEqual({ classes: [], email: other.email });
  expect(detailOf(teacher.userId)).toEqual({ classes: undefined, email: undefined });
});
