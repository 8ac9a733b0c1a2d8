import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { deleteAttempt, gradeItem } from '#contract/attempts.ts';
import { listGrading } from '#contract/grading.ts';
import type { CallInput } from '#contract/route.ts';
import { isAnswered } from '#domain/answered.ts';
import { one } from '#server/db/query.ts';
import { isAnsweredSql } from '#server/db/answered-sql.ts';
import { type ClassWork, holdAnswer, MINUTE_MS, nth, sit, startClass } from '#tests/class-work.ts';
import { makeGroup, makeTest, Q, RIGHT, smallTest, TestDevice } from '#tests/school.ts';
import { testServer, type TestServer } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const essay = (text: string): Answer => ({ questionId: Q.essay, kind: 'open', text });
type Query = CallInput<typeof listGrading>['query'];

async function queue({ teacher, testId }: ClassWork, query: Query = {}) {
  const reply = await server.send(listGrading, { params: { id: testId }, query }, { as: teacher });
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

const grade = ({ teacher }: ClassWork, device: TestDevice, points: number, questionId = Q.essay) =>
  server.send(
    gradeItem,
    { params: { attemptId: device.attemptId }, body: { questionId, points, reason: 'Проверено' } },
    { as: teacher },
  );

async function threeEssays() {
  const work = await startClass(server, ['Громов', 'Алёшина', 'Волков']);
  for (const device of work.devices) {
    await sit(device, [RIGHT.single, essay(`Опыт: ${device.student.userName}`)]);
  }
  return work;
}

describe('the queue', () => {
  test('contains what awaits a grade, one item across the students, and drops what is graded', async () => {
    const work = await threeEssays();
    const before = await queue(work);
    expect(before.items.map(({ userName, number, points }) => [userName, number, points])).toEqual([
      ['Алёшина', 6, null],
      ['Волков', 6, null],
      ['Громов', 6, null],
    ]);
    expect(before.items[0]).toMatchObject({
      answer: { text: 'Опыт: Алёшина' },
      question: { text: 'Опишите опыт' },
      gradedBy: 'nobody',
      keyPoints: null,
      maxPoints: 5,
    });
    expect(before.questions.map(({ pending, answered }) => [pending, answered])).toEqual([
      [0, 0],
      [0, 3],
      [0, 0],
      [0, 0],
      [0, 0],
      [3, 3],
    ]);
    expect((await grade(work, nth(work.devices, 2), 4)).body.score).toBe(5);
    const after = await queue(work);
    expect(after.items.map(({ userName }) => userName)).toEqual(['Алёшина', 'Громов']);
    expect([after.total, after.questions[5]?.pending]).toEqual([2, 2]);
  });

  test('shows all answers to one item, including those graded by the key and unanswered ones', async () => {
    const work = await threeEssays();
    const first = nth(work.devices, 0);
    await grade(work, first, 3);
    const { items } = await queue(work, { show: 'all', questionId: Q.essay });
    expect(items.map(({ gradedBy, points }) => [gradedBy, points])).toEqual([
      ['nobody', null],
      ['nobody', null],
      ['person', 3],
    ]);
    expect(items[2]).toMatchObject({ grader: 'О. В. Лаптева', comment: '' });
    const single = await queue(work, { show: 'all', questionId: Q.single });
    expect(single.total).toBe(3);
    expect(single.items.map((item) => [item.gradedBy, item.points, item.keyPoints])).toEqual(
      [1, 1, 1].map((points) => ['key', points, 1]),
    );
  });

  test('shows all items of one attempt in their order', async () => {
    const work = await threeEssays();
    const { attemptId } = nth(work.devices, 1);
    const { items, total } = await queue(work, { show: 'all', attemptId });
    expect([items.map((item) => item.number), total]).toEqual([[1, 2, 3, 4, 5, 6], 6]);
    expect(items.map((item) => item.answer !== null)).toEqual([
      false,
      true,
      false,
      false,
      false,
      true,
    ]);
    expect(items[0]).toMatchObject({ operationId: null, receivedAt: null, receivedLate: false });
    expect(items[1]).toMatchObject({ receivedAt: server.clock.now.toISOString() });
  });

  test('pages on the server, without gaps and duplicates', async () => {
    const work = await threeEssays();
    const pages = [];
    for (const page of [1, 2, 3]) pages.push(await queue(work, { page, pageSize: 1 }));
    expect(pages.map(({ items }) => items[0]?.userName)).toEqual(['Алёшина', 'Волков', 'Громов']);
    expect(pages.map(({ total }) => total)).toEqual([3, 3, 3]);
    expect((await queue(work, { page: 4, pageSize: 1 })).total).toBe(3);
    const { items } = await queue(work, { page: 2, pageSize: 2 });
    expect(items.map(({ userName }) => userName)).toEqual(['Громов']);
  });

  test('filters by class', async () => {
    const work = await threeEssays();
    const groupId = await makeGroup(server, work.teacher, [nth(work.devices, 0).student]);
    const { items, questions } = await queue(work, { groupId });
    expect(items.map(({ userName, groups }) => [userName, groups])).toEqual([['Громов', ['9А']]]);
    expect(questions[5]?.pending).toBe(1);
  });

  test('counts held answers and trials, of one class or of all', async () => {
    const work = await startClass(server, ['Алёшина', 'Волков'], { openToAll: true });
    const [first, second] = work.devices as [TestDevice, TestDevice];
    for (const device of [first, first, second]) await holdAnswer(device, RIGHT.single);
    await new TestDevice(server, work.teacher).start(work.testId);
    const groupId = await makeGroup(server, work.teacher, [second.student]);
    expect(await queue(work)).toMatchObject({ held: 3, trials: 1 });
    expect(await queue(work, { groupId })).toMatchObject({ held: 1, trials: 0 });
  });

  test('has the questions of a test with no finished attempt, and none without questions', async () => {
    const work = await startClass(server, ['Алёшина']);
    const { items, questions } = await queue(work);
    expect(items).toEqual([]);
    expect(questions.map(({ number, pending, answered }) => [number, pending, answered])).toEqual(
      smallTest.map((_, index) => [index + 1, 0, 0]),
    );
    const testId = await makeTest(server, work.teacher, { lifecycle: 'draft' });
    await server.pool.query('update tests set content_id = null where id = $1', [testId]);
    expect(await queue({ ...work, testId })).toMatchObject({ items: [], questions: [], total: 0 });
  });

  test('has neither running nor deleted attempts, and closes those that are due first', async () => {
    const work = await startClass(server, ['Алёшина', 'Волков'], {
      passMinutes: 10,
      windowMinutes: 1,
    });
    const [first, second] = work.devices as [TestDevice, TestDevice];
    await first.answer(essay('Идёт'));
    await sit(second, [essay('Сдано')]);
    expect((await queue(work)).items.map(({ userName }) => userName)).toEqual(['Волков']);
    server.clock.advance(12 * MINUTE_MS);
    expect((await queue(work)).total).toBe(2);
    await server.send(
      deleteAttempt,
      { params: { attemptId: second.attemptId } },
      { as: work.teacher },
    );
    expect((await queue(work)).items.map(({ userName }) => userName)).toEqual(['Алёшина']);
  });

  test('an attempt retains its pinned wording; a removed item stays gradable', async () => {
    const work = await threeEssays();
    const contentId = server.deps.newId();
    const without = smallTest.filter((question) => question.questionId !== Q.essay);
    await server.pool.query(
      `insert into test_contents (id, test_id, questions, max_points, created_at)
       values ($1, $2, $3, 12, now())`,
      [contentId, work.testId, JSON.stringify(without)],
    );
    await server.pool.query('update tests set content_id = $2 where id = $1', [
      work.testId,
      contentId,
    ]);
    const { items, questions } = await queue(work);
    expect(items.map(({ question }) => question.text)).toEqual(
      work.devices.map(() => 'Опишите опыт'),
    );
    expect(questions.at(-1)).toMatchObject({ number: 6, pending: 3, question: { points: 5 } });
  });

  test('uses as many queries for many attempts as for few', async () => {
    const few = await startClass(server, ['Алёшина']);
    const many = await startClass(
      server,
      Array.from({ length: 12 }, (_, n) => `Ученик ${n}`),
    );
    for (const device of [...few.devices, ...many.devices]) await sit(device, [essay('Опыт')]);
    const countQueries = async (work: ClassWork) => {
      let count = 0;
      const original = server.pool.query.bind(server.pool);
      server.pool.query = ((...args: Parameters<typeof original>) => {
        count += 1;
        return original(...args);
      }) as typeof server.pool.query;
      await queue(work, { pageSize: 100 });
      server.pool.query = original;
      return count;
    };
    await queue(few);
    await queue(many);
    expect(await countQueries(many)).toBe(await countQueries(few));
  });
});

const file = { name: 'a', size: 1, mimeType: '', sha256: '' };
test.each<[string, Answer]>([
  [
    'spaces of every kind',
    essay(' \t\n\u000b\f\r\u00a0\u1680\u2003\u2028\u2029\u202f\u205f\u3000\ufeff'),
  ],
  ['a letter', essay(' а ')],
  ['a zero-width space', essay('\u200b')],
  ['no option', { questionId: Q.several, kind: 'variant', optionIds: [] }],
  ['an option', { questionId: Q.several, kind: 'variant', optionIds: ['a'] }],
  ['no pair', { questionId: Q.matching, kind: 'compliance', pairs: [] }],
  ['a pair', RIGHT.matching],
  ['a removed file', { questionId: Q.file, kind: 'file', fileId: null, ...file }],
  ['a file', { questionId: Q.file, kind: 'file', fileId: Q.file, ...file }],
])('%s: the database and the rules agree on whether it is an answer', async (_, answer) => {
  const found = await one<{ answered: boolean }>(
    server.pool,
    `select ${isAnsweredSql('$1::jsonb')} as answered`,
    [JSON.stringify(answer)],
  );
  expect(found?.answered).toBe(isAnswered(answer));
});
