import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { ROLE } from '#contract/auth.ts';
import type { CallInput } from '#contract/route.ts';
import { listPassedTests, listTests, TestOrder, TestStatus } from '#contract/tests.ts';
import { closeDueAttempts } from '#server/passing/close.ts';
import { execute } from '#server/db/query.ts';
import {
  errorOf,
  makeTest,
  Q,
  RIGHT,
  smallTest,
  TestDevice,
  type PlannedTest,
} from '#tests/school.ts';
import { testServer, type TestServer, type TestUser } from '#tests/server.ts';

let server: TestServer;
let teacher: TestUser;
let anna: TestUser;
beforeEach(async () => {
  server = await testServer();
  teacher = await server.user({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  anna = await server.user({ userName: 'Анна Кузнецова' });
});
afterEach(() => server.close());

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(server.clock.now.getTime() + days * DAY_MS);

/** Graded by the key alone. */
const automatic = smallTest.filter(({ questionId }) => questionId === Q.single);

interface BaseTest extends PlannedTest {
  name?: string;
  theme?: string;
  difficulty?: string;
  topic?: string;
  createdAt?: Date;
  owner?: TestUser;
}

/** A test open to everyone, with the facts that a list reads. */
async function open({ name, theme, difficulty, topic, createdAt, owner, ...plan }: BaseTest = {}) {
  const id = await makeTest(server, owner ?? teacher, { openToAll: true, ...plan });
  await execute(
    server.pool,
    `update tests set name = coalesce($2, name), theme = coalesce($3, theme),
       difficulty = coalesce($4, difficulty), topic = coalesce($5, topic),
       created_at = coalesce($6, created_at) where id = $1`,
    [id, name, theme, difficulty, topic, createdAt].map((value) => value ?? null),
  );
  return id;
}

type Query = NonNullable<CallInput<typeof listTests>['query']>;

async function list(query: Query = {}, as = anna) {
  const reply = await server.send(listTests, { query }, { as });
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}
const titles = async (query: Query = {}, as = anna) =>
  (await list(query, as)).items.map(({ title }) => title);

const essay: Answer = { questionId: Q.essay, kind: 'open', text: 'Опыт с пружиной' };

async function take(
  testId: string,
  { finish = true, answer = RIGHT.single }: { finish?: boolean; answer?: Answer } = {},
) {
  const device = new TestDevice(server, anna);
  expect((await device.start(testId)).status).toBe(200);
  await device.answer(answer);
  if (finish) expect((await device.finish()).status).toBe(200);
  return device;
}

/** One test of each status for Anna, named after it. */
async function sevenStatuses() {
  await open({ name: 'scheduled', startTime: inDays(1), endTime: inDays(2) });
  await open({ name: 'available' });
  await open({ name: 'overdue', startTime: inDays(-3), endTime: inDays(-2) });
  await take(await open({ name: 'pendingReview' }), { answer: essay });
  await take(await open({ name: 'passed', questions: automatic }));
  const closed = await open({ name: 'closed', passMinutes: 1, windowMinutes: 0 });
  await take(closed, { finish: false });
  server.clock.advance(5 * MINUTE_MS);
  await closeDueAttempts(server.pool, server.clock.now);
  await execute(
    server.pool,
    `update attempts set graded_max = c.max_points, points = 0
     from test_contents c where c.id = content_id and attempts.test_id = $1`,
    [closed],
  );
  await execute(server.pool, `update tests set lifecycle = 'archived' where id = $1`, [closed]);
  await take(await open({ name: 'inProgress' }), { finish: false });
}

describe('the test base', () => {
  test('shows published tests that are open to everyone, and no draft, assigned-only or archived one', async () => {
    await open({ name: 'Открытый' });
    await open({ name: 'Черновик', lifecycle: 'draft' });
    await open({ name: 'В архиве', lifecycle: 'archived' });
    await open({ name: 'Назначенный', openToAll: false, students: [anna] });
    expect(await list()).toMatchObject({ items: [{ title: 'Открытый' }], total: 1 });
    expect(await titles({}, teacher)).toEqual(['Открытый']);
    expect(await titles({}, await server.user({ role: ROLE.admin }))).toEqual(['Открытый']);
  });

  test('shows an archived test to those alone who passed it', async () => {
    const id = await open({ name: 'Прошлогодний', questions: automatic });
    await take(id);
    await execute(server.pool, `update tests set lifecycle = 'archived' where id = $1`, [id]);
    expect(await list()).toMatchObject({ items: [{ title: 'Прошлогодний', status: 'passed' }] });
    expect(await titles({}, await server.user())).toEqual([]);
  });

  test('bears owner, labels, points and the running attempt', async () => {
    const id = await open({ theme: 'social_studies', difficulty: 'easy' });
    await open({ name: 'Без ярлыков', theme: '', difficulty: '' });
    const device = await take(id, { finish: false });
    const [first, second] = (await list()).items;
    expect(first).toMatchObject({
      id,
      owner: 'О. В. Лаптева',
      subject: 'Обществознание',
      difficulty: 'Легкая',
      totalPoints: 17,
      currentPoints: null,
      status: 'inProgress',
      running: { userTestId: device.attemptId, leftTestTime: '00:40:00' },
    });
    expect(second).toMatchObject({ subject: 'Неизвестная', difficulty: 'Неизвестная' });
  });

  test('shows points only when the teacher lets them be seen', async () => {
    const never = { ownAnswers: 'never', points: 'never', correctAnswers: 'never' };
    await take(await open({ name: 'Б', questions: automatic, visibility: never }));
    await take(await open({ name: 'А', questions: automatic }));
    const shown = (await list({ sortOrder: 'name' })).items;
    expect(shown.map(({ currentPoints }) => currentPoints)).toEqual([1, null]);
  });
});

describe('search', () => {
  beforeEach(async () => {
    const belova = await server.user({ role: ROLE.teacher, userName: 'Т. А. Белова' });
    await open({ name: 'Учёт и контроль' });
    await open({ name: 'Правописание', owner: belova, topic: 'Суффиксы причастий' });
    await open({ name: 'Скидка 50% и налог_13', owner: belova });
    await open({ name: 'Путь C:\\dos', owner: belova });
  });

  test.each([
    ['a part of the title', 'контр', ['Учёт и контроль']],
    ['the owner', 'лаптева', ['Учёт и контроль']],
    ['the topic', 'причаст', ['Правописание']],
    ['another case', 'ПРАВОПИСАНИЕ', ['Правописание']],
    ['е for ё', 'учет', ['Учёт и контроль']],
    ['ё for е', 'бёлова правописаниё', ['Правописание']],
    ['words in any order, of title and owner', 'белова  правопис', ['Правописание']],
    ['a percent sign', '%', ['Скидка 50% и налог_13']],
    ['an underscore', 'налог_', ['Скидка 50% и налог_13']],
    ['a backslash', '\\', ['Путь C:\\dos']],
    ['what is nowhere', 'астрономия', []],
    ['a quote', "' or 1=1 --", []],
  ])('finds %s', async (_, searchQuery, expected) => {
    expect(await titles({ searchQuery })).toEqual(expected);
  });

  test('of blanks finds everything', async () => {
    expect((await list({ searchQuery: '   ' })).total).toBe(4);
  });
});

describe('filters', () => {
  test('by subject and difficulty, alone and together', async () => {
    await open({ name: 'Ф1', theme: 'physics', difficulty: 'easy' });
    await open({ name: 'Ф2', theme: 'physics', difficulty: 'hard' });
    await open({ name: 'М1', theme: 'math', difficulty: 'easy' });
    const by = async (query: Query) => (await titles({ ...query, sortOrder: 'name' })).join(' ');
    expect(await by({ subject: 'physics' })).toBe('Ф1 Ф2');
    expect(await by({ difficulty: 'easy' })).toBe('М1 Ф1');
    expect(await by({ subject: 'physics', difficulty: 'easy' })).toBe('Ф1');
    expect(await by({ subject: 'art' })).toBe('');
  });

  test('by each status return the tests with it, and together everything', async () => {
    await sevenStatuses();
    for (const status of TestStatus.options) {
      const { items, total } = await list({ status });
      expect([items.map(({ title }) => title), total], status).toEqual([[status], 1]);
      expect(items[0]?.status).toBe(status);
    }
    expect((await list()).total).toBe(TestStatus.options.length);
  });
});

describe('order', () => {
  beforeEach(async () => {
    await open({ name: 'Тест 10', createdAt: inDays(-3), endTime: inDays(2) });
    await open({ name: 'тест 2', createdAt: inDays(-1), endTime: null, questions: automatic });
    await open({ name: 'Ёлки', createdAt: inDays(-2), endTime: inDays(1) });
    await open({ name: 'Жук', createdAt: inDays(-4), endTime: inDays(-1), questions: [] });
  });

  test.each([
    ['new', ['тест 2', 'Ёлки', 'Тест 10', 'Жук']],
    ['name', ['Ёлки', 'Жук', 'тест 2', 'Тест 10']],
    ['deadline', ['Ёлки', 'Тест 10', 'тест 2', 'Жук']],
    ['points', ['Ёлки', 'Тест 10', 'тест 2', 'Жук']],
  ] as const)('«%s»', async (sortOrder, expected) => {
    expect(await titles({ sortOrder })).toEqual(expected);
  });

  test('«new» is the default', async () => {
    expect(await titles()).toEqual(await titles({ sortOrder: 'new' }));
  });

  test.each(TestOrder.options)('«%s» has running attempts first, across pages', async (order) => {
    const late = await open({ name: 'Яблоко', createdAt: inDays(-9), passMinutes: 60 });
    const soon = await open({ name: 'Ящик', createdAt: inDays(-8), passMinutes: 20 });
    await take(late, { finish: false });
    await take(soon, { finish: false });
    const first = await titles({ sortOrder: order, pageSize: 1 });
    const second = await titles({ sortOrder: order, pageSize: 1, page: 2 });
    expect([...first, ...second]).toEqual(['Ящик', 'Яблоко']);
  });
});

describe('pages', () => {
  test.each(TestOrder.options)(
    'in the order «%s» repeat nothing and leave nothing out, though all tests are alike',
    async (sortOrder) => {
      const ids = await Promise.all(Array.from({ length: 23 }, () => open()));
      const seen: string[] = [];
      for (const page of [1, 2, 3]) {
        const { items, total } = await list({ sortOrder, page, pageSize: 10 });
        expect(total).toBe(23);
        seen.push(...items.map(({ id }) => id));
      }
      expect(seen.toSorted()).toEqual(ids.toSorted());
    },
  );

  test('have 20 tests each; beyond the last one nothing, and the total still', async () => {
    for (let made = 0; made < 21; made += 1) await open();
    expect((await list()).items.length).toBe(20);
    expect(await list({ page: 9 })).toEqual({ items: [], total: 21 });
  });

  test('need as many queries with 200 tests as with one', async () => {
    const counted = async () => {
      const queries = vi.spyOn(server.pool, 'query');
      await list({ pageSize: 100, status: 'available' });
      await server.send(listPassedTests, { query: { pageSize: 100 } }, { as: anna });
      const count = queries.mock.calls.length;
      queries.mockRestore();
      return count;
    };
    await take(await open({ attemptsCount: 3 }));
    const withOne = await counted();
    for (let made = 0; made < 199; made += 1) await open();
    expect(await counted()).toBe(withOne);
    // The sign-in, candidates, attempts, facts and closing times of each list.
    expect(withOne).toBe(10);
  });
});

describe('the query', () => {
  test.each([
    ['an order', 'sortOrder', 'rating'],
    ['a subject', 'subject', 'Физика'],
    ['an empty difficulty', 'difficulty', ''],
    ['a status', 'status', 'draft'],
    ['a page before the first', 'page', '0'],
    ['a part of a page', 'page', '1.5'],
    ['two pages', 'page', '1&page=2'],
    ['too large a page', 'pageSize', '101'],
    ['too long a search', 'searchQuery', 'ы'.repeat(201)],
  ])('with %s that is none is a 400 in Russian that names the field', async (_, field, value) => {
    const search = `${field}=${value}`;
    for (const path of ['/api/Test', '/api/Test/passed']) {
      const reply = await server.raw({ url: `${path}?${encodeURI(search)}`, token: anna.token });
      expect([reply.status, errorOf(reply).code]).toEqual([400, 'VALIDATION']);
      expect(errorOf(reply).details).toEqual({
        fields: [{ field, message: expect.stringMatching(/[а-я]/) }],
      });
    }
  });

  test('with unknown parameters is answered as if they were absent', async () => {
    await open();
    const reply = await server.raw({ url: '/api/Test?color=red&sort=x', token: anna.token });
    expect([reply.status, reply.body]).toMatchObject([200, { total: 1 }]);
  });
});

describe('the passed tests', () => {
  const passed = async (query: Query = {}, as = anna) => {
    const reply = await server.send(listPassedTests, { query }, { as });
    expect(reply.status, reply.text).toBe(200);
    return reply.body;
  };

  test('are those with an attempt that is finished or closed, the newest end first', async () => {
    await take(await open({ name: 'Идёт' }), { finish: false });
    await open({ name: 'Не начат' });
    const twice = await open({ name: 'Дважды', questions: automatic, attemptsCount: 2 });
    await take(twice);
    const left = await open({ name: 'Брошен', passMinutes: 1, windowMinutes: 5 });
    await take(left, { finish: false });
    expect((await passed()).items.map(({ title }) => title)).toEqual(['Дважды']);

    server.clock.advance(7 * MINUTE_MS);
    expect(await passed()).toMatchObject({
      items: [
        { title: 'Брошен', attempts: 1, finishedAt: '2026-03-02T06:06:00.000Z' },
        { title: 'Дважды', attempts: 1, finishedAt: '2026-03-02T06:00:00.000Z' },
      ],
      total: 2,
    });
    await take(twice);
    expect(await passed({ pageSize: 1 })).toMatchObject({
      items: [
        { title: 'Дважды', attempts: 2, currentPoints: 1, finishedAt: '2026-03-02T06:07:00.000Z' },
      ],
      total: 2,
    });
  });

  test('list finished tests first in every order, and those that only ran out of time after them', async () => {
    const left = await open({ name: 'А, брошен', passMinutes: 1, windowMinutes: 0 });
    await take(left, { finish: false });
    server.clock.advance(5 * MINUTE_MS);
    await closeDueAttempts(server.pool, server.clock.now);
    await execute(
      server.pool,
      `update attempts set graded_max = c.max_points, points = 0
       from test_contents c where c.id = content_id and attempts.test_id = $1`,
      [left],
    );
    await take(await open({ name: 'Б, пройден', questions: automatic }));
    await take(await open({ name: 'В, на проверке' }), { answer: essay });
    for (const sortOrder of TestOrder.options) {
      const { items } = await passed({ sortOrder });
      expect(items.map(({ status }) => status === 'overdue')).toEqual([false, false, true]);
      expect((await passed({ sortOrder, page: 3, pageSize: 1 })).items).toMatchObject([
        { title: 'А, брошен', status: 'overdue' },
      ]);
    }
    expect((await passed({ status: 'overdue' })).total).toBe(1);
  });

  test("stay after the assignment's removal, are private, and are filtered alike", async () => {
    const id = await open({ name: 'Отозванный', openToAll: false, students: [anna] });
    await take(id, { answer: essay });
    await execute(server.pool, 'delete from assignments where test_id = $1', [id]);
    expect((await passed()).items).toMatchObject([
      { title: 'Отозванный', status: 'pendingReview' },
    ]);
    expect((await passed({ status: 'passed' })).total).toBe(0);
    expect((await passed({ searchQuery: 'отозван', subject: 'physics' })).total).toBe(1);
    expect(await passed({}, await server.user())).toEqual({ items: [], total: 0 });
  });

  test('leave out a deleted attempt', async () => {
    const { attemptId } = await take(await open());
    await execute(server.pool, 'update attempts set deleted_at = $2 where id = $1', [
      attemptId,
      server.clock.now,
    ]);
    expect((await passed()).total).toBe(0);
    expect((await list()).items).toMatchObject([{ status: 'available' }]);
  });
});
