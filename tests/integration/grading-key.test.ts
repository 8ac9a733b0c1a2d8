import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { deleteAttempt, gradeItem } from '#contract/attempts.ts';
import { duplicateTest } from '#contract/authoring.ts';
import { correctKey, decideTestHeld, listGrading } from '#contract/grading.ts';
import { HEADER } from '#contract/headers.ts';
import { getPassing } from '#contract/tests.ts';
import { getTest } from '#contract/full-test.ts';
import type { Question } from '#contract/questions.ts';
import { getResult } from '#contract/results.ts';
import { execute, one, rows } from '#server/db/query.ts';
import { findAttempt } from '#server/passing/attempt.ts';
import { computeMarks } from '#server/passing/counting.ts';
import { holdAnswer, type ClassWork, nth, sit, startClass } from '#tests/class-work.ts';
import { errorOf, Q, RIGHT, smallTest, TestDevice } from '#tests/school.ts';
import { testServer, type TestServer, type TestUser } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

type Choice = Extract<Question, { kind: 'variant' }>;
const single = smallTest[1] as Choice;
/** The same question with the other option right. */
const mended: Choice = {
  ...single,
  options: single.options.map((option) => ({ ...option, isRight: option.optionId === 'a' })),
};
const option = (id: string): Answer => ({
  questionId: Q.single,
  kind: 'variant',
  optionIds: [id],
});
const REASON = 'Верным был отмечен не тот вариант';

const correct = (
  { teacher, testId }: ClassWork,
  question: Question = mended,
  { dryRun = false, as = teacher }: { dryRun?: boolean; as?: TestUser } = {},
) =>
  server.send(
    correctKey,
    { params: { id: testId }, body: { question, reason: REASON, dryRun } },
    { as },
  );

interface Stored {
  points: number | null;
  content: string;
}

const stored = async (device: TestDevice) =>
  one<Stored>(server.pool, 'select points, content_id as content from attempts where id = $1', [
    device.attemptId,
  ]);

const points = async ({ devices }: ClassWork) =>
  Promise.all(devices.map(async (device) => (await stored(device))?.points));

/** Three finished: two chose the option that the wrong key calls wrong; the third «Ньютон». */
async function work() {
  const made = await startClass(server, ['Алёшина', 'Волков', 'Громов']);
  const [first, second, third] = made.devices as [TestDevice, TestDevice, TestDevice];
  await sit(first, [option('a'), RIGHT.several]);
  await sit(second, [option('a')]);
  await sit(third, [option('b')]);
  return made;
}

describe('a wrong key', () => {
  test('shows what its correction would change, and writes nothing', async () => {
    const made = await work();
    const reply = await correct(made, mended, { dryRun: true });
    expect(reply.body).toEqual({
      rescored: 3,
      changed: [
        { attemptId: made.devices[0]?.attemptId, userName: 'Алёшина', oldPoints: 2, newPoints: 3 },
        { attemptId: made.devices[1]?.attemptId, userName: 'Волков', oldPoints: 0, newPoints: 1 },
        { attemptId: made.devices[2]?.attemptId, userName: 'Громов', oldPoints: 1, newPoints: 0 },
      ],
    });
    expect(await points(made)).toEqual([2, 0, 1]);
    const records = 'select 1 from key_corrections where test_id = $1';
    expect(await rows(server.pool, records, [made.testId])).toEqual([]);
  });

  test('is corrected once: all attempts are rescored, the old marks are logged', async () => {
    const made = await work();
    const reply = await correct(made);
    expect(reply.body.changed).toHaveLength(3);
    expect(await points(made)).toEqual([3, 1, 0]);
    const log = await rows(
      server.pool,
      `select old_points as old, new_points as new, actor_id as who from score_changes
       where reason = 'keyCorrected' and attempt_id = any($1) order by attempt_id`,
      [made.devices.map((device) => device.attemptId)],
    );
    const who = made.teacher.userId;
    expect(log).toEqual([
      { old: 2, new: 3, who },
      { old: 0, new: 1, who },
      { old: 1, new: 0, who },
    ]);
    const record = await one(
      server.pool,
      `select reason, rescored, changed, actor_id as who, question_id as question,
         old_question as old, new_question as new, (
           select details from audit_log where act = 'keyCorrected' and subject_id = test_id
         ) as act
       from key_corrections where test_id = $1`,
      [made.testId],
    );
    expect(record).toMatchObject({ reason: REASON, rescored: 3, changed: 3, who });
    expect(record).toMatchObject({ question: Q.single, old: single, new: mended });
    expect(record).toMatchObject({ act: { rescored: 3 } });
    expect((await correct(made)).body).toEqual({ rescored: 0, changed: [] });
    const records = 'select 1 from key_corrections where test_id = $1';
    expect(await rows(server.pool, records, [made.testId])).toHaveLength(1);
  });

  test('is corrected in the test too, and an open editor learns of it', async () => {
    const made = await work();
    const read = async () =>
      (await server.send(getTest, { params: { id: made.testId } }, { as: made.teacher })).body;
    const versionOf = () =>
      one<{ version: number }>(server.pool, 'select version from tests where id = $1', [
        made.testId,
      ]);
    const before = await versionOf();
    await correct(made);
    expect((await read()).questions[1]).toEqual(mended);
    expect((await versionOf())?.version).toBe((before?.version ?? 0) + 1);
  });

  test('reports the marks that change by name, without those of deleted attempts', async () => {
    const made = await startClass(server, ['Громов', 'Волков', 'Алёшина']);
    for (const device of made.devices) await sit(device, [option('a')]);
    const params = { attemptId: nth(made.devices, 1).attemptId };
    await server.send(deleteAttempt, { params }, { as: made.teacher });
    const { body } = await correct(made);
    expect(body.rescored).toBe(2);
    expect(body.changed.map(({ userName }) => userName)).toEqual(['Алёшина', 'Громов']);
    expect(await points(made)).toEqual([1, 1, 1]);
  });

  test('uses as many queries for many attempts as for few', async () => {
    const countQueries = async (names: readonly string[]) => {
      const made = await startClass(server, names);
      for (const device of made.devices) await sit(device, [option('a'), RIGHT.several]);
      const query = vi.spyOn(pg.Client.prototype, 'query');
      await correct(made, mended, { dryRun: true });
      const count = query.mock.calls.length;
      query.mockRestore();
      expect((await correct(made)).body.rescored).toBe(names.length);
      return count;
    };
    const few = await countQueries(['Алёшина']);
    expect(await countQueries(['Алёшина', 'Волков', 'Громов', 'Дёмин'])).toBe(few);
  });

  test.each(['points', 'points_without_late', 'graded_max'])(
    'is corrected in an attempt with no stored %s',
    async (column) => {
      const made = await work();
      const { attemptId } = nth(made.devices, 0);
      await execute(server.pool, `update attempts set ${column} = null where id = $1`, [attemptId]);
      await correct(made);
      expect(
        await one(
          server.pool,
          `select points, points_without_late as "withoutLate", graded_max as "gradedMax"
           from attempts where id = $1`,
          [attemptId],
        ),
      ).toEqual({ points: 3, withoutLate: 3, gradedMax: 17 });
    },
  );

  test('is corrected in an attempt stored without the points by the old key', async () => {
    const made = await work();
    await execute(
      server.pool,
      'update attempts set points = 0, points_without_late = 0 where id = $1',
      [nth(made.devices, 2).attemptId],
    );
    await correct(made);
    expect(await points(made)).toEqual([3, 1, 0]);
  });

  test('leaves a right column in its order, whatever the order that was sent', async () => {
    const made = await work();
    const matching = smallTest[3] as Extract<Question, { kind: 'compliance' }>;
    const sent = {
      ...matching,
      right: matching.right.toReversed(),
      pairs: matching.pairs.map((pair) => (pair.leftId === '1' ? { ...pair, rightId: 'd' } : pair)),
    };
    expect((await correct(made, sent)).status).toBe(200);
    const params = { id: made.testId };
    const { body } = await server.send(getTest, { params }, { as: made.teacher });
    expect(body.questions[3]).toEqual({ ...sent, right: matching.right });
  });

  test('may get a second right option where one is chosen', async () => {
    const made = await work();
    const either = { ...single, options: single.options.map((o) => ({ ...o, isRight: true })) };
    await correct(made, either);
    expect(await points(made)).toEqual([3, 1, 1]);
  });

  test('may be any part of the key, and nothing that the student saw', async () => {
    const made = await work();
    for (const question of [
      { ...mended, text: 'Иначе' },
      { ...mended, points: 2 },
      { ...mended, options: mended.options.toReversed() },
    ]) {
      const reply = await correct(made, question);
      expect([reply.status, errorOf(reply).code]).toEqual([422, 'KEY_ONLY']);
    }
    const unknown = await correct(made, { ...mended, questionId: server.deps.newId() });
    expect([unknown.status, errorOf(unknown).code]).toEqual([422, 'UNKNOWN_QUESTION']);
    const nothing = { ...mended, options: mended.options.map((o) => ({ ...o, isRight: false })) };
    const reply = await correct(made, nothing);
    expect([reply.status, errorOf(reply).details]).toEqual([
      400,
      {
        fields: [{ field: 'question.options', message: 'Отметьте хотя бы один верный вариант' }],
      },
    ]);
    expect(await points(made)).toEqual([2, 0, 1]);
  });

  test('leaves manual grades', async () => {
    const made = await work();
    const device = nth(made.devices, 0);
    const body = { questionId: Q.single, points: 0.5, reason: 'Ход мысли верный' };
    await server.send(
      gradeItem,
      { params: { attemptId: device.attemptId }, body },
      { as: made.teacher },
    );
    await correct(made);
    expect(await points(made)).toEqual([2.5, 1, 0]);
  });

  test('open answers: a further accepted text and a wider tolerance', async () => {
    const made = await startClass(server, ['Алёшина', 'Волков']);
    const [first, second] = made.devices as [TestDevice, TestDevice];
    await sit(first, [{ questionId: Q.open, kind: 'open', text: 'пять' }]);
    await sit(second, [{ questionId: Q.open, kind: 'open', text: '5,2' }]);
    const open = smallTest[0] as Extract<Question, { kind: 'open' }>;
    const accepted = [...open.accepted, { text: 'пять', share: 0.5 }];
    await correct(made, { ...open, accepted, tolerance: 0.3 });
    expect(await points(made)).toEqual([1, 2]);
  });
});

describe('versions that attempts pin', () => {
  test('are corrected where they show the question alike, and left where its text was another', async () => {
    const made = await startClass(server, ['Алёшина', 'Волков', 'Громов'], { attemptsCount: 2 });
    const [first, second, third] = made.devices as [TestDevice, TestDevice, TestDevice];
    await sit(first, [option('a')]);
    const version = async (questions: Question[]) => {
      const id = server.deps.newId();
      await server.pool.query(
        `insert into test_contents (id, test_id, questions, max_points, created_at)
         values ($1, $2, $3, 17, now())`,
        [id, made.testId, JSON.stringify(questions)],
      );
      await server.pool.query('update tests set content_id = $2 where id = $1', [made.testId, id]);
    };
    const pin = async (device: TestDevice) => {
      await device.finish();
      const again = new TestDevice(server, device.student);
      await again.start(made.testId);
      return again;
    };
    await version(
      smallTest.map((q) => (q === single ? { ...single, text: 'Чем меряют силу?' } : q)),
    );
    const reworded = await pin(second);
    await version(smallTest.map((q) => (q.questionId === Q.essay ? { ...q, text: 'Иначе' } : q)));
    const alike = await pin(third);
    await sit(reworded, [option('a')]);
    await sit(alike, [option('a')]);
    const rewordedBefore = await stored(reworded);
    const reply = await correct(made);
    expect(reply.body.changed.map(({ attemptId }) => attemptId).toSorted()).toEqual(
      [first.attemptId, alike.attemptId].toSorted(),
    );
    expect((await stored(alike))?.points).toBe(1);
    expect(await stored(reworded)).toEqual(rewordedBefore);
    const essays = await rows<{ text: string }>(
      server.pool,
      `select c.questions -> 5 ->> 'text' as text from attempts x
         join test_contents c on c.id = x.content_id where x.id = any($1) order by x.id`,
      [[first.attemptId, alike.attemptId].toSorted()],
    );
    expect(new Set(essays.map(({ text }) => text))).toEqual(new Set(['Опишите опыт', 'Иначе']));
  });

  test('contents themselves never change', async () => {
    const made = await work();
    const read = () =>
      one<{ id: string; questions: unknown }>(
        server.pool,
        'select id, questions from test_contents where test_id = $1 order by created_at, id limit 1',
        [made.testId],
      );
    const before = await read();
    await correct(made);
    expect(
      await one(server.pool, 'select id, questions from test_contents where id = $1', [before?.id]),
    ).toEqual(before);
  });
});

describe('a running attempt', () => {
  test('continues undisturbed, including concurrent saves, and is scored by the new key at its end', async () => {
    const made = await startClass(server, ['Алёшина', 'Волков']);
    const [runs, over] = made.devices as [TestDevice, TestDevice];
    await runs.answer(option('b'));
    await sit(over, [option('b')]);
    const before = await server.send(
      getPassing,
      { params: { attemptId: runs.attemptId } },
      { as: runs.student },
    );
    const saves = Array.from({ length: 8 }, (_, n) =>
      runs.answer(n % 2 === 0 ? option('a') : RIGHT.several),
    );
    const [corrected, ...saved] = await Promise.all([correct(made), ...saves]);
    expect(corrected.status).toBe(200);
    expect(saved.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const after = await server.send(
      getPassing,
      { params: { attemptId: runs.attemptId } },
      { as: runs.student },
    );
    expect(after.body.deadline).toBe(before.body.deadline);
    expect((await runs.answer(option('a'))).body.outcome).toBe('stored');
    await runs.finish();
    expect(await points(made)).toEqual([3, 0]);
  });

  test('that ends during the correction is scored by the new key in any order', async () => {
    const names = Array.from({ length: 8 }, (_, n) => `Ученик ${n}`);
    const made = await startClass(server, names);
    for (const device of made.devices) await device.answer(option('a'));
    const [corrected, ...finished] = await Promise.all([
      correct(made),
      ...made.devices.map((device) => device.finish()),
    ]);
    expect([corrected, ...finished].map(({ status }) => status)).toEqual(Array(9).fill(200));
    expect(await points(made)).toEqual(Array(8).fill(1));
  });

  test('that starts at the moment of the correction gets the new key', async () => {
    const names = Array.from({ length: 8 }, (_, n) => `Ученик ${n}`);
    const made = await startClass(server, names, { attemptsCount: 2 });
    for (const device of made.devices) await device.finish();
    const second = made.devices.map((device) => new TestDevice(server, device.student));
    const [corrected, ...started] = await Promise.all([
      correct(made),
      ...second.map((device) => device.start(made.testId)),
    ]);
    expect([corrected, ...started].map(({ status }) => status)).toEqual(Array(9).fill(200));
    for (const device of second) await sit(device, [option('a')]);
    expect(await points({ ...made, devices: second })).toEqual(Array(8).fill(1));
  });

  test('lost by a restore is recovered with the corrected key', async () => {
    const made = await startClass(server, ['Алёшина']);
    const device = nth(made.devices, 0);
    const headers = device.operation();
    const receipt = (await device.answer(option('a'), headers)).body;
    await correct(made);
    await server.pool.query(`delete from start_keys where reply ->> 'attemptId' = $1`, [
      device.attemptId,
    ]);
    await server.pool.query('delete from attempts where id = $1', [device.attemptId]);
    server.deps.state.epoch = 2;
    await device.answer(option('a'), { ...headers, [HEADER.receipt]: JSON.stringify(receipt) });
    server.deps.state.epoch = 1;
    await device.finish();
    expect(await points(made)).toEqual([1]);
  });
});

test('the marks equal those of a whole recomputation, including late and waiting answers', async () => {
  const made = await startClass(server, ['Алёшина', 'Волков', 'Громов']);
  const [first, second, third] = made.devices as [TestDevice, TestDevice, TestDevice];
  const essay: Answer = { questionId: Q.essay, kind: 'open', text: 'Опыт' };
  await sit(first, [RIGHT.open, option('a'), RIGHT.matching, essay]);
  await sit(second, [option('b'), RIGHT.several]);
  await sit(third, [essay]);
  const held = await holdAnswer(second, option('a'));
  await server.send(
    decideTestHeld,
    { params: { id: made.testId }, body: { operationIds: [held], decision: 'accepted' } },
    { as: made.teacher },
  );
  await correct(made);
  const open = smallTest[0] as Extract<Question, { kind: 'open' }>;
  // From a key to none: the answers wait for a grade.
  await correct(made, { ...open, accepted: [] });
  for (const device of made.devices) {
    const attempt = await findAttempt(server.pool, device.attemptId);
    if (!attempt) throw new Error('gone');
    const { withLate, withoutLate } = await computeMarks(server.pool, attempt);
    const row = await one(
      server.pool,
      `select points, points_without_late as "withoutLate", graded_max as "gradedMax"
       from attempts where id = $1`,
      [device.attemptId],
    );
    expect(row).toEqual({
      points: withLate.points,
      withoutLate: withoutLate.points,
      gradedMax: withLate.gradedMax,
    });
  }
  expect(await points(made)).toEqual([4, 3, 0]);
});

test('two concurrent corrections both take effect', async () => {
  const made = await work();
  const several = smallTest[2] as Choice;
  const other: Choice = {
    ...several,
    options: several.options.map((o) => ({ ...o, isRight: o.optionId === 'b' })),
  };
  const replies = await Promise.all([correct(made), correct(made, other)]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  const read = await server.send(getTest, { params: { id: made.testId } }, { as: made.teacher });
  expect(read.body.questions.slice(1, 3)).toEqual([mended, other]);
  expect(await points(made)).toEqual([1, 1, 0]);
});

describe('a question with a mistake', () => {
  const resultOf = async ({ devices }: ClassWork, index: number) => {
    const { attemptId, student } = nth(devices, index);
    const reply = await server.send(getResult, { params: { attemptId } }, { as: student });
    return reply.body;
  };
  const waiting = async ({ teacher, testId }: ClassWork) => {
    const query = { show: 'pending' as const };
    const reply = await server.send(
      listGrading,
      { params: { id: testId }, query },
      { as: teacher },
    );
    return reply.body.items.map(({ questionId }) => questionId);
  };

  test('is credited to everybody, answered or not, and reverted when the key counts again', async () => {
    const made = await work();
    await correct(made, { ...single, credit: 'everybody' });
    expect(await points(made)).toEqual([3, 1, 1]);
    expect((await resultOf(made, 0)).items[1]).toMatchObject({
      points: 1,
      maxPoints: 1,
      verdict: 'right',
      credit: 'everybody',
    });
    await correct(made, single);
    expect(await points(made)).toEqual([2, 0, 1]);
    const records = await rows(
      server.pool,
      'select 1 from key_corrections where test_id = $1 and reason = $2',
      [made.testId, REASON],
    );
    expect(records).toHaveLength(2);
  });

  test('is left out: of the marks, of the maximum, of the attempts that begin later', async () => {
    const made = await work();
    const whole = (await resultOf(made, 0)).maxScore;
    await correct(made, { ...single, credit: 'nobody' });
    expect(await points(made)).toEqual([2, 0, 0]);
    const result = await resultOf(made, 2);
    expect(result).toMatchObject({ maxScore: whole - 1, gradedMaxScore: expect.any(Number) });
    expect(result.items[1]).toMatchObject({ points: 0, maxPoints: 0, credit: 'nobody' });
    expect(result.items[1]?.verdict).toBe('right');
    expect((await resultOf(made, 0)).items[1]?.verdict).toBe('wrong');
    const late = await server.user();
    await execute(
      server.pool,
      'insert into assignments (id, test_id, user_id, created_at) values ($1, $2, $3, $4)',
      [server.deps.newId(), made.testId, late.userId, server.clock.now],
    );
    const device = new TestDevice(server, late);
    await device.start(made.testId);
    await sit(device, [option('b')]);
    expect((await stored(device))?.points).toBe(0);
  });

  test('waits for no grade, and the grades that were given come back with the key', async () => {
    const made = await startClass(server, ['Алёшина']);
    const [device] = made.devices as [TestDevice];
    const essay = smallTest.find(({ questionId }) => questionId === Q.essay);
    if (!essay) throw new Error('an essay');
    await sit(device, [{ questionId: Q.essay, kind: 'open', text: 'Инерция' }]);
    expect(await waiting(made)).toEqual([Q.essay]);
    const params = { attemptId: device.attemptId };
    const body = { questionId: Q.essay, points: 1, comment: '', reason: '' };
    await server.send(gradeItem, { params, body }, { as: made.teacher });
    await correct(made, { ...essay, credit: 'everybody' });
    expect(await waiting(made)).toEqual([]);
    expect((await stored(device))?.points).toBe(essay.points);
    await correct(made, essay);
    expect((await stored(device))?.points).toBe(1);
  });

  test('is not left out where nothing would remain', async () => {
    const alone = { questions: [single] };
    const made = await startClass(server, ['Алёшина'], alone);
    const reply = await correct(made, { ...single, credit: 'nobody' });
    expect(reply.status).toBe(400);
    expect(reply.text).toContain('Засчитайте его всем');
  });

  test('has no credit in a copy of the test', async () => {
    const made = await work();
    await correct(made, { ...single, credit: 'everybody' });
    const copy = await server.send(
      duplicateTest,
      { params: { id: made.testId } },
      { as: made.teacher },
    );
    const read = await server.send(getTest, { params: { id: copy.body } }, { as: made.teacher });
    expect(read.body.questions[1]).not.toHaveProperty('credit');
    const own = await server.send(getTest, { params: { id: made.testId } }, { as: made.teacher });
    expect(own.body.questions[1]).toHaveProperty('credit', 'everybody');
  });
});
