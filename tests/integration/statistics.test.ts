import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { gradeItem } from '#contract/attempts.ts';
import { ROLE } from '#contract/auth.ts';
import { listUsers } from '#contract/users.ts';
import { decideTestHeld } from '#contract/grading.ts';
import { getAnalysis, getStatistics, type StatisticsRow } from '#contract/statistics.ts';
import type { CallInput } from '#contract/route.ts';
import { execute } from '#server/db/query.ts';
import { holdAnswer, MINUTE_MS, sit, startClass, type ClassWork } from '#tests/class-work.ts';
import { makeGroup, makeTest, Q, RIGHT, smallTest, TestDevice } from '#tests/school.ts';
import { testServer, type TestServer, type TestUser } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

type RowsQuery = NonNullable<CallInput<typeof getStatistics>['query']>;
type Chosen = NonNullable<CallInput<typeof getAnalysis>['query']>;

const essay = (text: string): Answer => ({ questionId: Q.essay, kind: 'open', text });
const WRONG: Answer = { questionId: Q.single, kind: 'variant', optionIds: ['a'] };

const pageOf = (testId: string, as: TestUser, query: RowsQuery = {}) =>
  server.send(getStatistics, { params: { id: testId }, query }, { as });
const analysisOf = (testId: string, as: TestUser, query: Chosen = {}) =>
  server.send(getAnalysis, { params: { id: testId }, query }, { as });

function firstOf<T>(list: readonly T[]): T {
  const [first] = list;
  if (first === undefined) throw new Error('the list is empty');
  return first;
}

const namesOf = (items: readonly StatisticsRow[]) => items.map(({ userName }) => userName);

const named = (userName: string) => server.user({ userName });

/** Three students with 1, 2 and 3 points, who took 10, 30 and 20 minutes; the last still runs. */
async function threeAndOne(): Promise<ClassWork> {
  const work = await startClass(server, [
    'Яковлев Пётр',
    'Алёшина Анна',
    'Борисов Иван',
    'Ершова Ольга',
  ]);
  const [yakov, anna, boris] = work.devices as [TestDevice, TestDevice, TestDevice, TestDevice];
  server.clock.advance(10 * MINUTE_MS);
  await sit(yakov, [RIGHT.single]);
  server.clock.advance(10 * MINUTE_MS);
  await sit(boris, [RIGHT.open, RIGHT.single]);
  server.clock.advance(10 * MINUTE_MS);
  await sit(anna, [RIGHT.open]);
  return work;
}

describe('the attempts', () => {
  test('have the fields of the specification, with the names of the users list', async () => {
    const { teacher, testId, devices } = await threeAndOne();
    const { body } = await pageOf(testId, teacher);
    const yakov = body.items.find(({ userName }) => userName === 'Яковлев Пётр');
    expect(yakov).toMatchObject({
      userTestId: devices[0]?.attemptId,
      testName: 'Законы Ньютона',
      testPoints: 17,
      userId: devices[0]?.student.userId,
      userName: 'Яковлев Пётр',
      points: 1,
      attemptNumber: 1,
      state: 2,
      end: 'finished',
      usedSeconds: 600,
      pendingReview: false,
      counted: true,
    });
    const running = body.items.find(({ userName }) => userName === 'Ершова Ольга');
    expect(running).toMatchObject({ points: null, state: 1, end: null, counted: false });
    const users = await server.send(listUsers, {}, { as: teacher });
    const names = new Map(users.body.items.map(({ userId, userName }) => [userId, userName]));
    expect(body.items.map(({ userId }) => names.get(userId))).toEqual(namesOf(body.items));
  });

  test.each<[RowsQuery, string[]]>([
    [{}, ['Алёшина', 'Борисов', 'Ершова', 'Яковлев']],
    [{ descending: '1' }, ['Яковлев', 'Ершова', 'Борисов', 'Алёшина']],
    [{ sortOrder: 'points' }, ['Яковлев', 'Алёшина', 'Борисов', 'Ершова']],
    [{ sortOrder: 'points', descending: '1' }, ['Борисов', 'Алёшина', 'Яковлев', 'Ершова']],
    [{ sortOrder: 'finished' }, ['Яковлев', 'Борисов', 'Алёшина', 'Ершова']],
    [{ sortOrder: 'used', descending: '1' }, ['Алёшина', 'Борисов', 'Яковлев', 'Ершова']],
    [{ searchQuery: 'АЛЕШИНА' }, ['Алёшина']],
    [{ searchQuery: 'анна алё' }, ['Алёшина']],
    [{ searchQuery: '%' }, []],
    [{ pageSize: 2 }, ['Алёшина', 'Борисов']],
    [{ pageSize: 2, page: 2 }, ['Ершова', 'Яковлев']],
    [{ pageSize: 2, page: 9 }, []],
  ])('requested with %j come in that order', async (query, surnames) => {
    const { teacher, testId } = await threeAndOne();
    const { body } = await pageOf(testId, teacher, query);
    expect(body.items.map(({ userName }) => userName.split(' ')[0])).toEqual(surnames);
    const total = query.searchQuery === undefined ? 4 : surnames.length;
    expect(body.total).toBe(total);
  });

  test('of a class are those of its members, and the classes are listed with their attempts', async () => {
    const { teacher, testId, devices } = await threeAndOne();
    const students = devices.slice(0, 2).map(({ student }) => student);
    const groupId = await makeGroup(server, teacher, students, '9А');
    const stranger = await server.user({ role: ROLE.teacher });
    await makeGroup(server, stranger, students, 'Чужой класс');
    const { body } = await pageOf(testId, teacher, { groupId });
    expect(namesOf(body.items)).toEqual(['Алёшина Анна', 'Яковлев Пётр']);
    expect(body.items.map(({ groups }) => groups)).toEqual([['9А'], ['9А']]);
    const analysis = await analysisOf(testId, teacher, { groupId });
    expect(analysis.body.attempts).toBe(2);
    expect(analysis.body.groups).toEqual([
      { groupId, name: '9А', owner: teacher.userName, attempts: 2 },
    ]);
  });

  test.each([
    ['best', [2], 2],
    ['last', [3], 1],
    ['average', [1, 2, 3], 4 / 3],
  ] as const)('that count by the rule %s are %j', async (rule, numbers, mean) => {
    const { teacher, testId, devices } = await startClass(server, ['Смирнов'], {
      attemptsCount: 3,
    });
    await execute(server.pool, 'update tests set counted_attempt = $2 where id = $1', [
      testId,
      rule,
    ]);
    const { student } = firstOf(devices);
    await sit(firstOf(devices), [RIGHT.single]);
    for (const answer of [RIGHT.open, RIGHT.single]) {
      const again = new TestDevice(server, student);
      await again.start(testId);
      await sit(again, [answer]);
    }
    const { body } = await pageOf(testId, teacher, { attempts: 'counted' });
    expect(body.items.map(({ attemptNumber }) => attemptNumber)).toEqual(numbers);
    const all = await pageOf(testId, teacher);
    expect(all.body.items.filter(({ counted }) => counted)).toHaveLength(numbers.length);
    const analysis = await analysisOf(testId, teacher, { attempts: 'counted' });
    expect([analysis.body.attempts, analysis.body.countedAttempt]).toEqual([numbers.length, rule]);
    expect(analysis.body.mean).toBeCloseTo(mean, 10);
  });

  test('are joined by assigned students without one, where they are requested', async () => {
    const { teacher, testId, devices } = await threeAndOne();
    const [anna, boris] = [await named('Агапова Зоя'), await named('Юрьев Лев')];
    const left = devices[1]?.student;
    if (!left) throw new Error('no second student');
    const ninth = await makeGroup(server, teacher, [anna, boris, left], '9А');
    const colleague = await server.user({ role: ROLE.teacher, userName: 'Аксёнова Инна' });
    for (const [column, id] of [
      ['group_id', ninth],
      ['user_id', anna.userId],
      ['user_id', colleague.userId],
    ] as const) {
      await execute(
        server.pool,
        `insert into assignments (id, test_id, ${column}, created_at) values ($1, $2, $3, now())`,
        [crypto.randomUUID(), testId, id],
      );
    }
    const plain = await pageOf(testId, teacher);
    expect([plain.body.total, plain.body.unstarted]).toEqual([4, 0]);

    const { body } = await pageOf(testId, teacher, { unstarted: '1' });
    expect([body.total, body.unstarted]).toEqual([6, 2]);
    expect(namesOf(body.items)).toEqual([
      'Агапова Зоя',
      'Алёшина Анна',
      'Борисов Иван',
      'Ершова Ольга',
      'Юрьев Лев',
      'Яковлев Пётр',
    ]);
    expect(body.items[0]).toMatchObject({
      userTestId: null,
      testName: 'Законы Ньютона',
      testPoints: 17,
      userId: anna.userId,
      groups: ['9А'],
      points: null,
      attemptNumber: null,
      state: 0,
      startedAt: null,
      counted: false,
    });
    const ordered = async (query: RowsQuery) =>
      namesOf((await pageOf(testId, teacher, { ...query, unstarted: '1' })).body.items);
    for (const direction of [{}, { descending: '1' }] as const)
      expect((await ordered({ sortOrder: 'points', ...direction })).slice(-3)).toEqual([
        'Агапова Зоя',
        'Ершова Ольга',
        'Юрьев Лев',
      ]);
    expect(await ordered({ groupId: ninth })).toEqual(['Агапова Зоя', 'Алёшина Анна', 'Юрьев Лев']);
    expect(await ordered({ attempts: 'counted' })).toHaveLength(5);
    expect(await ordered({ searchQuery: 'юрьев' })).toEqual(['Юрьев Лев']);
    expect(await ordered({ pageSize: 2, page: 3 })).toEqual(['Юрьев Лев', 'Яковлев Пётр']);

    // A deleted attempt is none, an erased person is nobody.
    await execute(server.pool, 'update attempts set deleted_at = now() where user_id = $1', [
      left.userId,
    ]);
    await execute(server.pool, 'update users set erased_at = now() where id = $1', [boris.userId]);
    expect(await ordered({ groupId: ninth })).toEqual(['Агапова Зоя', 'Алёшина Анна']);
    expect((await pageOf(testId, teacher, { unstarted: '1' })).body.unstarted).toBe(2);
  });

  test('left unfinished are closed and scored when they are read', async () => {
    const { teacher, testId, devices } = await startClass(server, ['Смирнов']);
    await devices[0]?.answer(RIGHT.single);
    server.clock.advance(60 * MINUTE_MS);
    const { body } = await pageOf(testId, teacher);
    expect(body.items[0]).toMatchObject({ end: 'closed', points: 1, usedSeconds: null });
  });
});

describe('who may see them', () => {
  test('the owner and admins; a student is refused and another teacher finds nothing', async () => {
    const { teacher, testId, devices } = await startClass(server, ['Смирнов']);
    const admin = await server.user({ role: ROLE.admin });
    const other = await server.user({ role: ROLE.teacher });
    const statuses = async (as: TestUser) => [
      (await pageOf(testId, as)).status,
      (await analysisOf(testId, as)).status,
    ];
    expect(await statuses(teacher)).toEqual([200, 200]);
    expect(await statuses(admin)).toEqual([200, 200]);
    expect(await statuses(other)).toEqual([404, 404]);
    expect(await statuses(firstOf(devices).student)).toEqual([403, 403]);
  });
});

describe('the analysis', () => {
  test('of a test without attempts is empty and no error', async () => {
    const teacher = await server.user({ role: ROLE.teacher });
    const testId = await makeTest(server, teacher);
    const { status, body } = await analysisOf(testId, teacher);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      title: 'Законы Ньютона',
      maxScore: 17,
      attempts: 0,
      mean: null,
      median: null,
      deviation: null,
      alpha: null,
      standardError: null,
      distribution: [],
      time: [],
      items: [],
    });
  });

  test('lists chosen wrong options with their number and students', async () => {
    const { teacher, testId, devices } = await startClass(server, ['А', 'Б', 'В', 'Г']);
    const [a, b, c, d] = devices as [TestDevice, TestDevice, TestDevice, TestDevice];
    await sit(a, [RIGHT.single, RIGHT.open]);
    await sit(b, [WRONG, { ...RIGHT.open, text: '4,90' }]);
    await sit(c, [WRONG, { questionId: Q.open, kind: 'open', text: ' 5 ' }]);
    await sit(d, []);
    const { body } = await analysisOf(testId, teacher);
    const single = body.items.find(({ questionId }) => questionId === Q.single);
    // One of four has the point; three answered; the two wrong ones have 2 and 0 of the other 16 points.
    expect(single).toMatchObject({
      number: 2,
      graded: 4,
      answered: 3,
      facility: 0.25,
      reading: 'tooFew',
    });
    expect(single?.choices).toEqual([
      { text: 'Паскаль', isRight: false, count: 2, share: 2 / 3, meanRest: (2 / 16 + 0) / 2 },
      { text: 'Ньютон', isRight: true, count: 1, share: 1 / 3, meanRest: 2 / 16 },
    ]);
    const open = body.items.find(({ questionId }) => questionId === Q.open);
    expect(open?.choices.map(({ text, isRight, count }) => [text, isRight, count])).toEqual([
      ['4,90', true, 1],
      ['4.9', true, 1],
      ['5', false, 1],
    ]);
    expect([body.mean, body.median]).toEqual([(3 + 2 + 0 + 0) / 4, 1]);
  });

  test('combines an item over all versions, with the text of the newest', async () => {
    const { teacher, testId, devices } = await startClass(server, ['А', 'Б'], {
      questions: smallTest.slice(0, 2),
      attemptsCount: 2,
    });
    await sit(firstOf(devices), [RIGHT.single, RIGHT.open]);
    const changed = smallTest
      .slice(1, 3)
      .map((question) => ({ ...question, text: `${question.text} (новая)` }));
    const contentId = server.deps.newId();
    server.clock.advance(MINUTE_MS);
    await execute(
      server.pool,
      'insert into test_contents (id, test_id, questions, max_points, created_at) values ($1, $2, $3, 3, $4)',
      [contentId, testId, JSON.stringify(changed), server.clock.now],
    );
    await execute(server.pool, 'update tests set content_id = $2 where id = $1', [
      testId,
      contentId,
    ]);
    const again = new TestDevice(server, firstOf(devices).student);
    await again.start(testId);
    await sit(again, [RIGHT.several]);
    const { body } = await analysisOf(testId, teacher);
    expect(
      body.items.map(({ questionId, graded, versions }) => [questionId, graded, versions]),
    ).toEqual([
      [Q.single, 2, 2],
      [Q.several, 1, 1],
      [Q.open, 1, 1],
    ]);
    expect(body.items[0]?.text).toBe('Единица силы? (новая)');
    expect(body.items[0]?.facility).toBe(0.5);
    expect(body.maxScore).toBe(3);
  });

  test('is right at once after a grade, and after a held answer was accepted', async () => {
    const { teacher, testId, devices } = await startClass(server, ['Смирнов']);
    const device = firstOf(devices);
    await sit(device, [RIGHT.single, essay('Опыт')]);
    const held = await holdAnswer(device, RIGHT.open);
    const figures = async () => {
      const { body } = await analysisOf(testId, teacher);
      const row = (await pageOf(testId, teacher)).body.items[0];
      const graded = body.items.find(({ questionId }) => questionId === Q.essay)?.graded;
      return [body.mean, body.pendingReview, graded, row?.points, row?.pendingReview, row?.held];
    };
    expect(await figures()).toEqual([1, 1, 0, 1, true, 1]);
    const params = { attemptId: device.attemptId };
    await server.send(
      gradeItem,
      { params, body: { questionId: Q.essay, points: 4 } },
      { as: teacher },
    );
    expect(await figures()).toEqual([5, 0, 1, 5, false, 1]);
    await server.send(
      decideTestHeld,
      { params: { id: testId }, body: { operationIds: [held], decision: 'accepted' } },
      { as: teacher },
    );
    expect(await figures()).toEqual([7, 0, 1, 7, false, 0]);
  });
});
