import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLE } from '#contract/auth.ts';
import { listCreatedTests, setLifecycle, updateTest } from '#contract/authoring.ts';
import { correctKey } from '#contract/grading.ts';
import type { Question } from '#contract/questions.ts';
import { getAnalysis } from '#contract/statistics.ts';
import { getBoard } from '#contract/board.ts';
import { getTestDetails } from '#contract/tests.ts';
import { rows } from '#server/db/query.ts';
import { makeTest, TestDevice } from '#tests/school.ts';
import { testServer, type TestServer, type TestUser } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const POOL = id(900);

/** The answer is the number itself. */
function numbered(number: number, variantOf?: string): Question {
  return {
    questionId: id(number),
    kind: 'open',
    input: 'number',
    text: `Вариант ${number}`,
    points: 2,
    accepted: [{ text: String(number), share: 1 }],
    tolerance: 0,
    ...(variantOf === undefined ? {} : { variantOf }),
  };
}

const VARIANTS = [11, 12, 13];
const QUESTIONS = [numbered(1), ...VARIANTS.map((n) => numbered(n, POOL)), numbered(2)];

async function makeVaried(count: number) {
  const teacher = await server.user({ role: ROLE.teacher, userName: 'Учитель' });
  const students: TestUser[] = [];
  for (let i = 0; i < count; i += 1)
    students.push(await server.user({ userName: `Ученик ${i + 1}` }));
  const testId = await makeTest(server, teacher, {
    questions: [numbered(1)],
    lifecycle: 'draft',
    students,
    attemptsCount: 2,
  });
  await server.send(
    updateTest,
    { body: { id: testId, version: 1, questions: QUESTIONS } },
    { as: teacher },
  );
  await server.send(
    setLifecycle,
    { params: { id: testId }, body: { lifecycle: 'active' } },
    { as: teacher },
  );
  return { teacher, students, testId };
}

async function startAll(students: readonly TestUser[], testId: string) {
  return Promise.all(
    students.map(async (student) => {
      const device = new TestDevice(server, student);
      const { body } = await device.start(testId);
      return { device, selected: body.questions.map(({ questionId }) => questionId) };
    }),
  );
}

async function pointsOf(attemptId: string | undefined) {
  const [found] = await rows<{ points: number }>(
    server.pool,
    'select points from attempts where id = $1',
    [attemptId],
  );
  return found?.points;
}

describe('each attempt gets one of the alternatives', () => {
  test('as many students as variants: everybody gets another one, even when all start at once', async () => {
    const { students, testId } = await makeVaried(3);
    const started = await startAll(students, testId);
    for (const { selected } of started) {
      expect(selected).toHaveLength(3);
      expect([selected[0], selected[2]]).toEqual([id(1), id(2)]);
    }
    expect(started.map(({ selected }) => selected[1]).toSorted()).toEqual(VARIANTS.map(id));
  });

  test('the next attempt gets the next variant; a reopened one has its own', async () => {
    const { students, testId } = await makeVaried(1);
    const [first] = await startAll(students, testId);
    const again = await first?.device.start(testId);
    expect(again?.body.questions.map(({ questionId }) => questionId)).toEqual(first?.selected);
    await first?.device.finish();
    const [second] = await startAll(students, testId);
    expect(second?.selected[1]).not.toBe(first?.selected[1]);
  });

  test('lists, overview and board count places, and points of one alternative', async () => {
    const { teacher, students, testId } = await makeVaried(1);
    const student = students[0] ?? teacher;
    const { body: details } = await server.send(
      getTestDetails,
      { params: { id: testId } },
      { as: student },
    );
    expect(details).toMatchObject({ totalQuestions: 3, totalPoints: 6 });
    const { body: created } = await server.send(listCreatedTests, {}, { as: teacher });
    expect(created.items[0]).toMatchObject({ totalQuestions: 3, totalPoints: 6 });
    const { body: board } = await server.send(
      getBoard,
      { params: { id: testId } },
      { as: teacher },
    );
    expect(board.rows[0]).toMatchObject({ totalQuestions: 3 });
  });

  test('an answer to another variant than the own one is refused, the own one is scored', async () => {
    const { students, testId } = await makeVaried(2);
    const [one, two] = await startAll(students, testId);
    const foreign = two?.selected[1] ?? '';
    const refused = await one?.device.answer({ questionId: foreign, kind: 'open', text: '1' });
    expect(refused?.status).toBe(422);
    const own = one?.selected[1] ?? '';
    await one?.device.answer({
      questionId: own,
      kind: 'open',
      text: String(Number(own.slice(-4))),
    });
    await one?.device.finish();
    expect(await pointsOf(one?.device.attemptId)).toBe(2);
  });

  test('statistics combine the alternatives as one item', async () => {
    const { teacher, students, testId } = await makeVaried(3);
    for (const { device, selected } of await startAll(students, testId)) {
      const own = selected[1] ?? '';
      await device.answer({ questionId: own, kind: 'open', text: String(Number(own.slice(-4))) });
      await device.finish();
    }
    const { body: analysis } = await server.send(
      getAnalysis,
      { params: { id: testId } },
      { as: teacher },
    );
    expect(analysis.items.map(({ facility, alternatives }) => [facility, alternatives])).toEqual([
      [0, 1],
      [1, 3],
      [0, 1],
    ]);
  });

  test('a corrected key of one alternative reaches past and future attempts', async () => {
    const { teacher, students, testId } = await makeVaried(3);
    const [early, ...later] = students;
    const [first] = await startAll(early ? [early] : [], testId);
    const own = first?.selected[1] ?? '';
    await first?.device.answer({ questionId: own, kind: 'open', text: '77' });
    await first?.device.finish();
    // As a screen unaware of alternatives might send it.
    const corrected = {
      ...numbered(Number(own.slice(-4))),
      accepted: [{ text: '77', share: 1 }],
    };
    const { body: reply } = await server.send(
      correctKey,
      { params: { id: testId }, body: { question: corrected, reason: 'Ошибка в ключе' } },
      { as: teacher },
    );
    expect(reply).toMatchObject({ rescored: 1, changed: [{ oldPoints: 0, newPoints: 2 }] });
    const others = await startAll(later, testId);
    expect([own, ...others.map(({ selected }) => selected[1])].toSorted()).toEqual(
      VARIANTS.map(id),
    );
    if (early) {
      const [again] = await startAll([early], testId);
      expect(again?.selected[1]).toBe(own);
      await again?.device.answer({ questionId: own, kind: 'open', text: '77' });
      await again?.device.finish();
      expect(await pointsOf(again?.device.attemptId)).toBe(2);
    }
  });

  test('a corrected key leaves a test with every draw, and those that attempts pin are among them', async () => {
    const { teacher, students, testId } = await makeVaried(1);
    const [started] = await startAll(students, testId);
    const question = {
      ...numbered(Number(started?.selected[1]?.slice(-4))),
      accepted: [{ text: '77', share: 1 }],
    };
    const body = { question, reason: 'Ошибка в ключе' };
    const reply = await server.send(correctKey, { params: { id: testId }, body }, { as: teacher });
    expect(reply.status, reply.text).toBe(200);
    const draws = await rows<{ id: string; number: number }>(
      server.pool,
      `select d.id, d.drawn_number as number from test_contents d
         join tests t on t.content_id = d.drawn_from
       where t.id = $1 order by d.drawn_number`,
      [testId],
    );
    expect(draws.map(({ number }) => number)).toEqual([0, 1, 2]);
    const [pinned] = await rows<{ id: string }>(
      server.pool,
      'select content_id as id from attempts where id = $1',
      [started?.device.attemptId],
    );
    expect(draws.map((draw) => draw.id)).toContain(pinned?.id);
  });

  test('every draw exists once the test is published, so that a backup has what attempts pin', async () => {
    const { students, testId } = await makeVaried(3);
    const before = await rows<{ id: string }>(
      server.pool,
      'select id from test_contents where test_id = $1',
      [testId],
    );
    await startAll(students, testId);
    const pinned = await rows<{ id: string }>(
      server.pool,
      'select distinct content_id as id from attempts where test_id = $1',
      [testId],
    );
    expect(pinned).toHaveLength(3);
    const known = before.map((row) => row.id);
    expect(pinned.every((row) => known.includes(row.id))).toBe(true);
  });

  test('editing a published test starts new draws; running attempts retain theirs', async () => {
    const { teacher, students, testId } = await makeVaried(2);
    const [first] = await startAll(students.slice(0, 1), testId);
    const version = await rows<{ version: number }>(
      server.pool,
      'select version from tests where id = $1',
      [testId],
    );
    const questions = QUESTIONS.map((question) => ({
      ...question,
      text: `${question.text}, новый`,
    }));
    await server.send(
      updateTest,
      { body: { id: testId, version: version[0]?.version ?? 0, questions } },
      { as: teacher },
    );
    const again = await first?.device.start(testId);
    expect(again?.body.questions.every(({ text }) => !text.endsWith('новый'))).toBe(true);
    const [second] = await startAll(students.slice(1), testId);
    expect(second?.selected).toHaveLength(3);
  });
});
