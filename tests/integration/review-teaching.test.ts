import type { PoolClient } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decideHeld, gradeItem } from '#contract/attempts.ts';
import { ROLE } from '#contract/auth.ts';
import { createTest, getTestSettings, listCreatedTests, updateTest } from '#contract/authoring.ts';
import { addTimeToMany, getBoard } from '#contract/board.ts';
import { correctKey, listGrading } from '#contract/grading.ts';
import type { Question } from '#contract/questions.ts';
import { getAnalysis, getStatistics } from '#contract/statistics.ts';
import { getTest } from '#contract/full-test.ts';
import { execute, one, rows, transaction } from '#server/db/query.ts';
import { holdAnswer, MINUTE_MS, nth, sit, startClass } from '#tests/class-work.ts';
import { awaitBlocked } from '#tests/locks.ts';
import { errorOf, makeGroup, makeSchool, Q, RIGHT, smallTest, TestDevice } from '#tests/school.ts';
import { testServer, type TestServer } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

type Choice = Extract<Question, { kind: 'variant' }>;
const single = smallTest[1] as Choice;
const mended: Choice = {
  ...single,
  options: single.options.map((option) => ({ ...option, isRight: option.optionId === 'a' })),
};

/** Locks with `take` until all of `calls` wait for it, then runs `last` and releases them. */
async function between<T>(
  take: (client: PoolClient) => Promise<unknown>,
  calls: () => Promise<T>,
  last: (client: PoolClient) => Promise<unknown> = () => Promise.resolve(),
  count = 1,
): Promise<T> {
  // In an object: a bare promise would be awaited before the commit.
  const { replies } = await transaction(server.pool, async (client) => {
    await take(client);
    const going = calls();
    await awaitBlocked(server.pool, count);
    await last(client);
    return { replies: going };
  });
  return replies;
}

const lockTest = (testId: string) => (client: PoolClient) =>
  client.query('select 1 from tests where id = $1 for update', [testId]);

const attemptsOn = async (testId: string) =>
  (await rows(server.pool, 'select 1 from attempts where test_id = $1', [testId])).length;

describe('a start at the very moment', () => {
  test('at which its test is deleted finds no test', async () => {
    const { student, testId } = await makeSchool(server);
    const device = new TestDevice(server, student);
    const reply = await between(
      lockTest(testId),
      () => device.start(testId),
      async (client) => {
        await client.query('update tests set content_id = null where id = $1', [testId]);
        await client.query('delete from tests where id = $1', [testId]);
      },
    );
    expect(reply.status, reply.text).toBe(404);
  });

  test.each(['archived', 'draft'])('at which its test becomes %s makes no attempt', async (to) => {
    const { student, testId } = await makeSchool(server);
    const device = new TestDevice(server, student);
    const reply = await between(
      lockTest(testId),
      () => device.start(testId),
      (client) => client.query('update tests set lifecycle = $2 where id = $1', [testId, to]),
    );
    expect(errorOf(reply).code).toBe('TEST_CLOSED');
    expect(await attemptsOn(testId)).toBe(0);
  });
});

describe('a corrected key', () => {
  test('is in the questions that the teacher saved meanwhile, too', async () => {
    const { teacher, testId } = await makeSchool(server);
    const essay = { ...nth(smallTest, 5), text: 'Опишите опыт Юнга' };
    const questions = [...smallTest.slice(0, 5), essay];
    const contentId = server.deps.newId();
    const reply = await between(
      lockTest(testId),
      () =>
        server.send(
          correctKey,
          { params: { id: testId }, body: { question: mended, reason: 'Не тот вариант' } },
          { as: teacher },
        ),
      async (client) => {
        await client.query(
          `insert into test_contents (id, test_id, questions, max_points, created_at)
           values ($1, $2, $3, 17, $4)`,
          [contentId, testId, JSON.stringify(questions), server.clock.now],
        );
        await client.query('update tests set content_id = $2 where id = $1', [testId, contentId]);
      },
    );
    expect(reply.status, reply.text).toBe(200);
    const now = await server.send(getTest, { params: { id: testId } }, { as: teacher });
    expect(now.body.questions).toContainEqual(mended);
    expect(now.body.questions).toContainEqual(essay);
  });

  test('and minutes for many of the same attempts never deadlock', async () => {
    const { teacher, testId, devices } = await startClass(server, ['Алёшина', 'Волков', 'Громов']);
    const [running, closed, last] = devices.map(({ attemptId }) => attemptId);
    for (const id of [closed, last])
      await execute(server.pool, `update attempts set ended = 'closed' where id = $1`, [id]);
    const replies = await between(
      (client) => client.query('select 1 from attempts where id = $1 for update', [last]),
      async () => {
        const corrected = server.send(
          correctKey,
          { params: { id: testId }, body: { question: mended, reason: 'Не тот вариант' } },
          { as: teacher },
        );
        await awaitBlocked(server.pool, 1);
        const attemptIds = [running, closed].filter((id) => id !== undefined);
        const given = server.send(
          addTimeToMany,
          { params: { id: testId }, body: { key: server.deps.newId(), minutes: 5, attemptIds } },
          { as: teacher },
        );
        return Promise.all([corrected, given]);
      },
      undefined,
      2,
    );
    expect(replies.map(({ status, text }) => [status, text.slice(0, 80)])).toEqual([
      [200, expect.any(String)],
      [200, expect.any(String)],
    ]);
  });
});

describe('minutes that are added', () => {
  test('rebuild no answer where none was late', async () => {
    const { teacher, testId, devices } = await startClass(server, ['Алёшина']);
    const device = nth(devices, 0);
    await device.answer(RIGHT.single);
    await device.answer(RIGHT.several);
    const written = () =>
      rows(server.pool, 'select xmin::text from answers where attempt_id = $1 order by 1', [
        device.attemptId,
      ]);
    const before = await written();
    const reply = await server.send(
      addTimeToMany,
      {
        params: { id: testId },
        body: { key: server.deps.newId(), minutes: 5, attemptIds: [device.attemptId] },
      },
      { as: teacher },
    );
    expect(reply.body.extended).toHaveLength(1);
    expect(await written()).toEqual(before);
  });
});

describe('the list of created tests', () => {
  const pendingOf = async ({ teacher }: Pick<Awaited<ReturnType<typeof startClass>>, 'teacher'>) =>
    (await server.send(listCreatedTests, {}, { as: teacher })).body.items[0]?.pendingGrades;
  const essay = (text: string) => ({ questionId: Q.essay, kind: 'open', text }) as const;

  test('counts an answer that came to count after another one was graded', async () => {
    const made = await startClass(server, ['Алёшина']);
    const device = nth(made.devices, 0);
    await sit(device, [essay('Первый ответ')]);
    expect(await pendingOf(made)).toBe(1);
    const params = { attemptId: device.attemptId };
    await server.send(
      gradeItem,
      { params, body: { questionId: Q.essay, points: 3 } },
      { as: made.teacher },
    );
    expect(await pendingOf(made)).toBe(0);
    const late = await holdAnswer(device, essay('Поздний ответ'));
    await server.send(
      decideHeld,
      { params, body: { operationIds: [late], decision: 'accepted' } },
      { as: made.teacher },
    );
    expect(await pendingOf(made)).toBe(1);
  });

  test('is searched as the base is: by words in any order, е for ё, wildcards escaped', async () => {
    const { teacher, testId } = await makeSchool(server);
    const name = 'Ёмкость 100% и заряд';
    await server.send(updateTest, { body: { id: testId, version: 1, name } }, { as: teacher });
    const found = async (searchQuery: string) =>
      (await server.send(listCreatedTests, { query: { searchQuery } }, { as: teacher })).body.total;
    expect(await found('заряд емкость')).toBe(1);
    expect(await found('100%')).toBe(1);
    expect(await found('_')).toBe(0);
  });

  test('does not count a blank answer', async () => {
    const second = '00000000-0000-4000-8000-000000000007';
    const essays = [nth(smallTest, 5), { ...nth(smallTest, 5), questionId: second }];
    const made = await startClass(server, ['Алёшина'], { questions: essays });
    const blank = { questionId: second, kind: 'open', text: ' \n\u00a0\t' } as const;
    await sit(nth(made.devices, 0), [essay('Ответ'), blank]);
    expect(await pendingOf(made)).toBe(1);
  });
});

describe('settings', () => {
  test('with no time at all are refused, however many zeros', async () => {
    const { teacher, testId } = await makeSchool(server);
    const payload = {
      name: 'Новый тест',
      description: '',
      theme: '',
      difficulty: '',
      attemptsCount: 1,
      startTestTime: null,
      endTestTime: null,
    } as const;
    for (const passTestTime of ['00:00:00', '000:00:00', '0000:00:00']) {
      const made = await server.send(
        createTest,
        { body: { ...payload, passTestTime } },
        { as: teacher },
      );
      const changed = await server.send(
        updateTest,
        { body: { id: testId, version: 1, passTestTime } },
        { as: teacher },
      );
      for (const reply of [made, changed])
        expect(errorOf(reply).details, reply.text).toEqual({
          fields: [{ field: 'passTestTime', message: 'Время на тест больше нуля' }],
        });
    }
  });

  test('name the field when the class is deleted at this very moment', async () => {
    const { teacher, student, testId } = await makeSchool(server);
    const groupId = await makeGroup(server, teacher, [student]);
    const reply = await between(
      (client) => client.query('delete from groups where id = $1', [groupId]),
      () =>
        server.send(
          updateTest,
          { body: { id: testId, version: 1, assignedGroupIds: [groupId] } },
          { as: teacher },
        ),
    );
    expect(errorOf(reply).details, reply.text).toMatchObject({
      fields: [{ field: 'assignedGroupIds' }],
    });
  });

  test("reveal no one's e-mail to a teacher: anyone of the school can be assigned", async () => {
    const { teacher, testId } = await makeSchool(server);
    const other = await server.user({ userName: 'Чужой ученик' });
    await server.send(
      updateTest,
      { body: { id: testId, version: 1, assignedUserIds: [other.userId] } },
      { as: teacher },
    );
    const reply = await server.send(getTestSettings, { params: { id: testId } }, { as: teacher });
    expect(reply.text).toContain('Чужой ученик');
    expect(reply.text).not.toContain('@');
  });
});

describe('questions', () => {
  test('accept no points that no mark can store', async () => {
    const { teacher, testId } = await makeSchool(server, { lifecycle: 'draft' });
    const save = (points: number) =>
      server.send(
        updateTest,
        { body: { id: testId, version: 1, questions: [{ ...single, points }] } },
        { as: teacher },
      );
    expect(errorOf(await save(0.333)).details).toEqual({
      fields: [{ field: 'questions', message: 'Баллы: не больше двух знаков после запятой' }],
    });
    expect((await save(0.07)).status).toBe(200);
  });

  test('replaced until now stay for those who are reading them', async () => {
    const { teacher, testId } = await makeSchool(server, { lifecycle: 'draft' });
    const contentOf = async () =>
      (await one<{ id: string }>(server.pool, 'select content_id as id from tests where id = $1', [
        testId,
      ]))!.id;
    const before = await contentOf();
    server.clock.advance(120 * MINUTE_MS);
    const saved = await server.send(
      updateTest,
      { body: { id: testId, version: 1, questions: [single] } },
      { as: teacher },
    );
    expect(saved.status, saved.text).toBe(200);
    const stored = await one(server.pool, 'select 1 from test_contents where id = $1', [before]);
    expect(stored).not.toBeNull();
  });
});

test('a class assigned by an admin is a class of the test everywhere, with any owner', async () => {
  const { teacher, testId, devices } = await startClass(server, ['Алёшина']);
  const device = nth(devices, 0);
  await sit(device, [RIGHT.single]);
  const admin = await server.user({ role: ROLE.admin });
  const groupId = await makeGroup(server, admin, [device.student], '9А');
  await makeGroup(server, admin, [device.student], 'Кружок');
  const assigned = await server.send(
    updateTest,
    { body: { id: testId, version: 1, assignedGroupIds: [groupId] } },
    { as: admin },
  );
  expect(assigned.status, assigned.text).toBe(200);
  const [as, params] = [{ as: teacher }, { id: testId }];
  const page = await server.send(getStatistics, { params }, as);
  const analysis = await server.send(getAnalysis, { params }, as);
  const queue = await server.send(listGrading, { params, query: { show: 'all' } }, as);
  const board = await server.send(getBoard, { params }, as);
  expect(analysis.body.groups).toEqual([
    { groupId, name: '9А', owner: 'Пётр Смирнов', attempts: 1 },
  ]);
  expect(nth(page.body.items, 0).groups).toEqual(['9А']);
  expect(nth(queue.body.items, 0).groups).toEqual(['9А']);
  expect(nth(board.body.rows, 0).groups).toEqual(['9А']);
});
