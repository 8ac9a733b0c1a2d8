import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { ROLE } from '#contract/auth.ts';
import { deleteAttempt, gradeItem, restoreAttempt } from '#contract/attempts.ts';
import { listGradeLog, listGrading } from '#contract/grading.ts';
import { getResult } from '#contract/results.ts';
import type { CallInput } from '#contract/route.ts';
import { type ClassWork, holdAnswer, nth, sit, startClass } from '#tests/class-work.ts';
import { decideTestHeld } from '#contract/grading.ts';
import { errorOf, makeSchool, Q, RIGHT, TestDevice } from '#tests/school.ts';
import { rows } from '#server/db/query.ts';
import { testServer, type TestServer, type TestUser } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const essay = (text: string): Answer => ({ questionId: Q.essay, kind: 'open', text });
type Body = CallInput<typeof gradeItem>['body'];

interface Sat extends ClassWork {
  readonly device: TestDevice;
}

async function sat(answers: readonly Answer[] = [RIGHT.single, essay('Опыт')]): Promise<Sat> {
  const work = await startClass(server, ['Алёшина']);
  const device = nth(work.devices, 0);
  await sit(device, answers);
  return { ...work, device };
}

const grade = ({ device, teacher }: Sat, body: Body, as: TestUser = teacher) =>
  server.send(gradeItem, { params: { attemptId: device.attemptId }, body }, { as });

const entryOf = async ({ device, teacher, testId }: Sat, questionId: string) =>
  (
    await server.send(
      listGrading,
      { params: { id: testId }, query: { show: 'all', attemptId: device.attemptId, questionId } },
      { as: teacher },
    )
  ).body.items[0];

const logOf = async ({ device, teacher }: Sat) =>
  (await server.send(listGradeLog, { params: { attemptId: device.attemptId } }, { as: teacher }))
    .body.items;

const fieldsOf = (reply: Parameters<typeof errorOf>[0]) =>
  (errorOf(reply).details as { fields: { field: string; message: string }[] }).fields;

describe('points', () => {
  test.each([
    [5.01, 'За этот вопрос не больше 5'],
    [-1, 'Баллы не бывают отрицательными'],
    [2.345, 'Не больше двух знаков после запятой'],
  ])('of %s are refused at their field, and nothing is written', async (points, message) => {
    const work = await sat();
    const reply = await grade(work, { questionId: Q.essay, points });
    expect([reply.status, fieldsOf(reply)]).toEqual([400, [{ field: 'points', message }]]);
    expect(await entryOf(work, Q.essay)).toMatchObject({ points: null, gradedBy: 'nobody' });
    expect((await logOf(work)).filter((entry) => entry.questionId !== null)).toEqual([]);
  });

  test.each([0, 0.01, 2.29, 4.35, 5])('of %s are accepted', async (points) => {
    const work = await sat();
    const reply = await grade(work, { questionId: Q.essay, points });
    expect(reply.body.score).toBeCloseTo(1 + points, 10);
    expect(await entryOf(work, Q.essay)).toMatchObject({ points });
  });

  test('for what is not in the attempt, and in a running attempt, are refused', async () => {
    const work = await sat();
    const strange = await grade(work, { questionId: server.deps.newId(), points: 1 });
    expect([strange.status, errorOf(strange).code]).toEqual([422, 'UNKNOWN_QUESTION']);
    const other = await startClass(server, ['Волков']);
    const device = nth(other.devices, 0);
    await device.answer(essay('Пишу'));
    const early = await grade({ ...other, device }, { questionId: Q.essay, points: 1 });
    expect([early.status, errorOf(early).code]).toEqual([409, 'ATTEMPT_NOT_RUNNING']);
    expect(errorOf(early).message).toBe('Попытка ещё идёт: оценить её можно после завершения');
  });

  test('come only from the test’s teacher or an administrator', async () => {
    const work = await sat();
    const body = { questionId: Q.essay, points: 1 };
    const stranger = await server.user({ role: ROLE.teacher });
    const admin = await server.user({ role: ROLE.admin });
    expect((await grade(work, body, stranger)).status).toBe(404);
    expect((await grade(work, body, work.device.student)).status).toBe(403);
    expect((await grade(work, body, admin)).status).toBe(200);
  });
});

describe('where the key has decided', () => {
  test.each([Q.open, Q.single, Q.several, Q.matching])(
    "a person's points for %s need a reason",
    async (questionId) => {
      const work = await sat([RIGHT.open, RIGHT.single, RIGHT.several, RIGHT.matching]);
      const silent = await grade(work, { questionId, points: 0.5, reason: '  ' });
      expect([silent.status, fieldsOf(silent)[0]?.field]).toEqual([400, 'reason']);
      const graded = await grade(work, { questionId, points: 0.5, reason: 'Спорная формулировка' });
      expect(graded.status).toBe(200);
      expect(await entryOf(work, questionId)).toMatchObject({
        points: 0.5,
        gradedBy: 'person',
        reason: 'Спорная формулировка',
      });
    },
  );

  test('after a withdrawal the key decides again; where only a person can, the answer waits again', async () => {
    const work = await sat();
    await grade(work, { questionId: Q.single, points: 0, reason: 'Опечатка в варианте' });
    await grade(work, { questionId: Q.essay, points: 5, comment: 'Отлично' });
    const back = { questionId: Q.single, points: null, reason: 'Опечатки нет' };
    expect((await grade(work, back)).body.score).toBe(6);
    expect((await grade(work, { questionId: Q.essay, points: null })).body.score).toBe(1);
    expect(await entryOf(work, Q.single)).toMatchObject({ points: 1, gradedBy: 'key', reason: '' });
    expect(await entryOf(work, Q.essay)).toMatchObject({ points: null, gradedBy: 'nobody' });
  });
});

describe('the answer that was seen', () => {
  test('is graded, or the grader learns that another one counts by now', async () => {
    const work = await sat([essay('Первый')]);
    const seen = (await entryOf(work, Q.essay))?.operationId ?? null;
    const heldId = await holdAnswer(work.device, essay('Второй'));
    const accept = { operationIds: [heldId], decision: 'accepted' as const };
    await server.send(
      decideTestHeld,
      { params: { id: work.testId }, body: accept },
      { as: work.teacher },
    );
    const body = { questionId: Q.essay, points: 5, operationId: seen };
    const reply = await grade(work, body);
    expect([reply.status, errorOf(reply).code]).toEqual([409, 'ANSWER_CHANGED']);
    expect(await entryOf(work, Q.essay)).toMatchObject({
      points: null,
      operationId: heldId,
      answer: { text: 'Второй' },
    });
    expect((await grade(work, { ...body, operationId: heldId })).status).toBe(200);
  });

  test('may be none: zero for a blank one, and 409 once there is an answer', async () => {
    const work = await sat([RIGHT.single]);
    const body = { questionId: Q.essay, points: 2, operationId: null };
    expect((await grade(work, body)).body.score).toBe(3);
    const heldId = await holdAnswer(work.device, essay('Всё же есть'));
    await server.send(
      decideTestHeld,
      { params: { id: work.testId }, body: { operationIds: [heldId], decision: 'accepted' } },
      { as: work.teacher },
    );
    expect(errorOf(await grade(work, body)).code).toBe('ANSWER_CHANGED');
    expect(await entryOf(work, Q.essay)).toMatchObject({ points: null, gradedBy: 'nobody' });
  });
});

test('of two teachers who grade the same answer the last one applies and learns of the other', async () => {
  const work = await sat();
  const admin = await server.user({ role: ROLE.admin, userName: 'Завуч' });
  const mine = { questionId: Q.essay, points: 3, comment: 'Неплохо', seenGradedAt: null };
  expect((await grade(work, mine)).body.replaced).toBeNull();
  const theirs = { questionId: Q.essay, points: 4, seenGradedAt: null };
  expect((await grade(work, theirs, admin)).body).toMatchObject({
    score: 5,
    replaced: { grader: 'О. В. Лаптева', points: 3, comment: 'Неплохо' },
  });
  const seenGradedAt = (await entryOf(work, Q.essay))?.gradedAt ?? null;
  const again = await grade(work, { questionId: Q.essay, points: 5, seenGradedAt });
  expect(again.body).toMatchObject({ score: 6, replaced: null });
});

test('a grader learns of a grade that is newer than the one seen, and of none of their own', async () => {
  const work = await sat();
  const admin = await server.user({ role: ROLE.admin, userName: 'Завуч' });
  const give = (points: number, seenGradedAt: string | null, as?: TestUser) =>
    grade(work, { questionId: Q.essay, points, seenGradedAt }, as);
  await give(1, null);
  const seen = (await entryOf(work, Q.essay))?.gradedAt ?? null;
  expect((await give(2, null)).body.replaced).toBeNull();
  server.clock.advance(1_000);
  await give(3, seen, admin);
  expect((await give(4, seen)).body.replaced).toEqual({
    grader: 'Завуч',
    points: 3,
    comment: '',
    gradedAt: server.clock.now.toISOString(),
  });
});

test('a grade of an answer that no longer counts is none: the same points for the new one are a change', async () => {
  const work = await sat([essay('Первый')]);
  const body = { questionId: Q.essay, points: 3, comment: 'Где вывод?' };
  await grade(work, body);
  const heldId = await holdAnswer(work.device, essay('Второй'));
  const accept = { operationIds: [heldId], decision: 'accepted' as const };
  await server.send(
    decideTestHeld,
    { params: { id: work.testId }, body: accept },
    { as: work.teacher },
  );
  const other = await server.user({ role: ROLE.admin });
  const again = await grade(work, { ...body, seenGradedAt: null }, other);
  expect(again.body).toEqual({ score: 3, replaced: null });
  expect(await entryOf(work, Q.essay)).toMatchObject({ points: 3, operationId: heldId });
  const log = (await logOf(work)).filter((entry) => entry.questionId !== null);
  expect(log.map((entry) => [entry.oldPoints, entry.newPoints])).toEqual([
    [null, 3],
    [null, 3],
  ]);
});

test('a new comment with the same points is stored and logged', async () => {
  const work = await sat();
  await grade(work, { questionId: Q.essay, points: 3, comment: 'Где вывод?' });
  await grade(work, { questionId: Q.essay, points: 3, comment: 'Вывод есть' });
  expect(await entryOf(work, Q.essay)).toMatchObject({ points: 3, comment: 'Вывод есть' });
  const log = (await logOf(work)).filter((entry) => entry.questionId !== null);
  expect(log.map((entry) => [entry.oldPoints, entry.newPoints, entry.comment])).toEqual([
    [3, 3, 'Вывод есть'],
    [null, 3, 'Где вывод?'],
  ]);
});

test('a grade that was never given is withdrawn without effect: the log has no entry', async () => {
  const work = await sat();
  expect((await grade(work, { questionId: Q.essay, points: null })).body.score).toBe(1);
  expect((await logOf(work)).filter((entry) => entry.questionId !== null)).toEqual([]);
});

test('concurrent grades are all logged, and the last one is the mark', async () => {
  const work = await sat();
  const replies = await Promise.all(
    [0, 1, 2, 3, 4, 5].map((points) => grade(work, { questionId: Q.essay, points })),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(200));
  const log = (await logOf(work)).filter((entry) => entry.questionId === Q.essay);
  expect(log.map((entry) => entry.newPoints).toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
  for (const [index, entry] of log.entries())
    expect(entry.oldPoints).toBe(log[index + 1]?.newPoints ?? null);
  expect(await entryOf(work, Q.essay)).toMatchObject({ points: log[0]?.newPoints });
});

test('the log has every change with author, reason, the old points and the new ones', async () => {
  const work = await sat();
  await grade(work, { questionId: Q.essay, points: 3, comment: 'Где вывод?' });
  await grade(work, { questionId: Q.essay, points: 3, comment: 'Где вывод?' });
  await grade(work, {
    questionId: Q.essay,
    points: 4,
    comment: 'Вывод есть',
    reason: 'Перечитано',
  });
  await grade(work, { questionId: Q.essay, points: null });
  const log = await logOf(work);
  const own = log.filter((entry) => entry.questionId !== null);
  expect(own.map((e) => [e.oldPoints, e.newPoints, e.comment, e.reason])).toEqual([
    [4, null, '', ''],
    [3, 4, 'Вывод есть', 'Перечитано'],
    [null, 3, 'Где вывод?', ''],
  ]);
  expect(new Set(own.map((entry) => entry.actor))).toEqual(new Set(['О. В. Лаптева']));
  const whole = log.filter((entry) => entry.questionId === null);
  expect(whole.map((e) => [e.reason, e.oldPoints, e.newPoints])).toEqual([
    ['graded', 5, 1],
    ['graded', 4, 5],
    ['graded', 1, 4],
    ['finished', null, 1],
  ]);
});

test("a grade is in the student's result at once", async () => {
  const work = await sat();
  await grade(work, { questionId: Q.essay, points: 2.5, comment: 'Где вывод?' });
  const result = await server.send(
    getResult,
    { params: { attemptId: work.device.attemptId } },
    { as: work.device.student },
  );
  expect(result.body).toMatchObject({ score: 3.5, pendingNumbers: [] });
  expect(result.body.items.at(-1)).toMatchObject({ points: 2.5, comment: 'Где вывод?' });
});

test('a deleted attempt is restored with its grades', async () => {
  const work = await sat();
  await grade(work, { questionId: Q.essay, points: 2 });
  const params = { attemptId: work.device.attemptId };
  await server.send(deleteAttempt, { params }, { as: work.teacher });
  expect(await entryOf(work, Q.essay)).toBeUndefined();
  await server.send(restoreAttempt, { params }, { as: work.teacher });
  expect(await entryOf(work, Q.essay)).toMatchObject({ points: 2 });
});

test('a deleted attempt is restored though another replaced it; a further one is not granted', async () => {
  const school = await makeSchool(server, { attemptsCount: 1 });
  const first = new TestDevice(server, school.student);
  await first.start(school.testId);
  await first.finish();
  const params = { attemptId: first.attemptId };
  await server.send(deleteAttempt, { params }, { as: school.teacher });
  const second = new TestDevice(server, school.student);
  expect((await second.start(school.testId)).status).toBe(200);
  await second.finish();
  const restored = await server.send(restoreAttempt, { params }, { as: school.teacher });
  expect(restored.status, restored.text).toBe(200);
  const third = await new TestDevice(server, school.student).start(school.testId);
  expect([third.status, errorOf(third).code]).toEqual([409, 'NO_ATTEMPTS_LEFT']);
});

test('a deleted attempt that would still run cannot be restored beside the next one', async () => {
  const school = await makeSchool(server, { attemptsCount: 2 });
  const first = new TestDevice(server, school.student);
  await first.start(school.testId);
  const params = { attemptId: first.attemptId };
  await server.send(deleteAttempt, { params }, { as: school.teacher });
  const second = new TestDevice(server, school.student);
  await second.start(school.testId);
  const early = await server.send(restoreAttempt, { params }, { as: school.teacher });
  expect([early.status, errorOf(early).code]).toEqual([409, 'NEXT_ATTEMPT_EXISTS']);
  expect(errorOf(early).message).toBe(
    'Следующая попытка уже идёт. Верните эту, когда она закончится',
  );

  await second.finish();
  const later = await server.send(restoreAttempt, { params }, { as: school.teacher });
  expect(later.status).toBe(200);
});

test('a deleted attempt that has ended is restored while the next one runs', async () => {
  const school = await makeSchool(server, { attemptsCount: 2 });
  const first = new TestDevice(server, school.student);
  await first.start(school.testId);
  await first.finish();
  const params = { attemptId: first.attemptId };
  await server.send(deleteAttempt, { params }, { as: school.teacher });
  await new TestDevice(server, school.student).start(school.testId);
  const restored = await server.send(restoreAttempt, { params }, { as: school.teacher });
  expect(restored.status, restored.text).toBe(200);
});

test('a later attempt that is also deleted does not prevent a restore', async () => {
  const school = await makeSchool(server, { attemptsCount: 2 });
  const devices = [1, 2].map(() => new TestDevice(server, school.student));
  for (const device of devices) {
    await device.start(school.testId);
    const params = { attemptId: device.attemptId };
    await server.send(deleteAttempt, { params }, { as: school.teacher });
  }
  const params = { attemptId: nth(devices, 0).attemptId };
  const restored = await server.send(restoreAttempt, { params }, { as: school.teacher });
  expect(restored.status, restored.text).toBe(200);
});

test('a second deletion changes nothing: the attempt is deleted since the first, and logged once', async () => {
  const work = await sat();
  const params = { attemptId: work.device.attemptId };
  const stored = () =>
    rows(
      server.pool,
      `select a.deleted_at, (select sum(times) from audit_log
         where subject_id = a.id and act = 'attemptDeleted') as acts
       from attempts a where a.id = $1`,
      [work.device.attemptId],
    );
  await server.send(deleteAttempt, { params }, { as: work.teacher });
  const first = await stored();
  expect(first).toMatchObject([{ acts: 1 }]);
  server.clock.advance(60_000);
  await server.send(deleteAttempt, { params }, { as: work.teacher });
  expect(await stored()).toEqual(first);
});
