import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { ROLE } from '#contract/auth.ts';
import { addTime, decideHeld, deleteAttempt, listHeld } from '#contract/attempts.ts';
import { decideTestHeld, listTestHeld } from '#contract/grading.ts';
import { HEADER } from '#contract/headers.ts';
import { getResult } from '#contract/results.ts';
import { rows } from '#server/db/query.ts';
import { type ClassWork, holdAnswer, MINUTE_MS, nth, sit, startClass } from '#tests/class-work.ts';
import { errorOf, makeGroup, Q, RIGHT, type TestDevice } from '#tests/school.ts';
import { testServer, type TestServer, type TestUser } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

type Decision = 'accepted' | 'refused';
const WRONG: Answer = { questionId: Q.single, kind: 'variant', optionIds: ['a'] };

const heldOf = async ({ teacher, testId }: ClassWork) =>
  (await server.send(listTestHeld, { params: { id: testId } }, { as: teacher })).body;

const decide = (
  { teacher, testId }: ClassWork,
  operationIds: string[],
  decision: Decision,
  as: TestUser = teacher,
) =>
  server.send(decideTestHeld, { params: { id: testId }, body: { operationIds, decision } }, { as });

/** Each has one right answer in time, and two held: one right, one that spoils the first. */
async function classWithHeld(names = ['Алёшина', 'Волков', 'Громов']) {
  const work = await startClass(server, names);
  const held: string[][] = [];
  for (const device of work.devices) {
    await sit(device, [RIGHT.single]);
    held.push([await holdAnswer(device, RIGHT.matching), await holdAnswer(device, WRONG)]);
  }
  return { ...work, held };
}

const scores = ({ items }: Awaited<ReturnType<typeof heldOf>>) =>
  items.map((item) => [item.score, item.scoreIfAccepted, item.scoreIfRefused]);

describe('held answers of a test', () => {
  test('are listed with the mark as it is, with all of them and with none', async () => {
    const work = await classWithHeld();
    const listed = await heldOf(work);
    expect(listed.total).toBe(3);
    expect(scores(listed)).toEqual(work.devices.map(() => [1, 3, 1]));
    expect(listed.items[0]?.answers).toMatchObject([
      { number: 2, answerText: 'Паскаль', questionText: 'Единица силы?', decision: null },
      { number: 4, answerText: 'Сила – Н; Мощность – Вт; Давление – Па', decision: null },
    ]);
  });

  test('of a deleted attempt are not decided', async () => {
    const work = await classWithHeld(['Алёшина', 'Волков']);
    const { attemptId } = nth(work.devices, 0);
    await server.send(deleteAttempt, { params: { attemptId } }, { as: work.teacher });
    const refused = await decide(work, nth(work.held, 0), 'accepted');
    expect([refused.status, errorOf(refused).code]).toEqual([404, 'NOT_FOUND']);
    const both = await decide(work, work.held.flat(), 'accepted');
    expect(both.body).toMatchObject({ decided: 2, attempts: [{ score: 3 }] });
  });

  test('show when they were written and received, and until when they would have counted', async () => {
    const work = await startClass(server, ['Алёшина'], { passMinutes: 10, windowMinutes: 0 });
    const device = nth(work.devices, 0);
    const start = server.clock.now.getTime();
    server.clock.advance(40 * MINUTE_MS);
    await device.answer(RIGHT.single, device.operation({ [HEADER.age]: String(35 * MINUTE_MS) }));
    const { items } = await heldOf(work);
    expect(items).toMatchObject([
      {
        deadline: new Date(start + 10 * MINUTE_MS).toISOString(),
        score: 0,
        scoreIfAccepted: 1,
        answers: [
          {
            writtenAt: new Date(start + 5 * MINUTE_MS).toISOString(),
            receivedAt: server.clock.now.toISOString(),
          },
        ],
      },
    ]);
  });

  test('are decided one by one, for one student, or for the class at once', async () => {
    const work = await classWithHeld();
    const first = nth(work.held, 0);
    const others = work.held.slice(1).flat();
    const one = await decide(work, [nth(first, 0)], 'accepted');
    expect(one.body).toEqual({
      decided: 1,
      attempts: [{ attemptId: work.devices[0]?.attemptId, score: 4 }],
    });
    const rest = await decide(work, [...others, nth(first, 1)], 'accepted');
    expect(rest.body.decided).toBe(5);
    expect(rest.body.attempts.map(({ score }) => score)).toEqual([3, 3, 3]);
    const acts = await rows(
      server.pool,
      `select details, times from audit_log where act = 'heldDecided' and subject_id = any($1)
       order by details`,
      [work.devices.map(({ attemptId }) => attemptId)],
    );
    const accepted = (answers: number) => ({ answers, decision: 'accepted' });
    // The same decision on one of the first student, twice in an hour, is one entry.
    expect(acts).toEqual([
      { details: accepted(1), times: 2 },
      { details: accepted(2), times: 1 },
      { details: accepted(2), times: 1 },
    ]);
    const listed = await heldOf(work);
    expect(scores(listed)).toEqual(work.devices.map(() => [3, 3, 1]));
  });

  test('a decision can be changed later; the marks follow and each change is logged', async () => {
    const work = await classWithHeld(['Алёшина']);
    const ids = nth(work.held, 0);
    for (const decision of ['accepted', 'refused', 'accepted'] as const)
      await decide(work, ids, decision);
    expect(scores(await heldOf(work))).toEqual([[3, 3, 1]]);
    const log = await rows(
      server.pool,
      `select reason, old_points as old, new_points as new, actor_id as who from score_changes
       where attempt_id = $1 order by id`,
      [work.devices[0]?.attemptId],
    );
    const who = work.teacher.userId;
    expect(log).toEqual([
      { reason: 'finished', old: null, new: 1, who: null },
      { reason: 'held:accepted', old: 1, new: 3, who },
      { reason: 'held:refused', old: 3, new: 1, who },
      { reason: 'held:accepted', old: 1, new: 3, who },
    ]);
  });

  test('are listed one class at a time, paged on the server', async () => {
    const work = await classWithHeld();
    const groupId = await makeGroup(server, work.teacher, [nth(work.devices, 1).student]);
    const of = async (query: object) => {
      const params = { id: work.testId };
      const { body } = await server.send(listTestHeld, { params, query }, { as: work.teacher });
      return [body.items.map(({ userName }) => userName), body.total];
    };
    expect(await of({ groupId })).toEqual([['Волков'], 1]);
    expect(await of({ page: 2, pageSize: 2 })).toEqual([['Громов'], 3]);
  });

  test('undecided ones come first', async () => {
    const work = await classWithHeld(['Алёшина', 'Волков']);
    await decide(work, nth(work.held, 0), 'refused');
    const names = (await heldOf(work)).items.map(({ userName }) => userName);
    expect(names).toEqual(['Волков', 'Алёшина']);
  });

  test('of a running attempt are decided, and it has no mark yet', async () => {
    const work = await startClass(server, ['Алёшина']);
    const device = nth(work.devices, 0);
    const held = await holdAnswer(device, RIGHT.matching);
    expect(scores(await heldOf(work))).toEqual([[null, null, null]]);
    const reply = await decide(work, [held], 'accepted');
    expect(reply.body.attempts).toEqual([{ attemptId: device.attemptId, score: null }]);
    await device.finish();
    expect(scores(await heldOf(work))).toEqual([[3, 3, 0]]);
  });

  test('of other tests, of strangers, and those not held at all are ignored', async () => {
    const mine = await classWithHeld(['Алёшина']);
    const theirs = await classWithHeld(['Волков']);
    const foreign = await decide(mine, nth(theirs.held, 0), 'accepted');
    expect([foreign.status, errorOf(foreign).code]).toEqual([404, 'NOT_FOUND']);
    const mixed = await decide(mine, [...mine.held, ...theirs.held].flat(), 'accepted');
    expect(mixed.body.decided).toBe(2);
    expect(scores(await heldOf(theirs))).toEqual([[1, 3, 1]]);
    const stranger = await server.user({ role: ROLE.teacher });
    expect((await decide(mine, mine.held.flat(), 'refused', stranger)).status).toBe(404);
  });
});

describe('held answers of one attempt', () => {
  const listOf = async ({ teacher }: ClassWork, { attemptId }: TestDevice) =>
    (await server.send(listHeld, { params: { attemptId } }, { as: teacher })).body;
  const decideOne = (
    { teacher }: ClassWork,
    { attemptId }: TestDevice,
    operationIds: string[],
    decision: Decision,
  ) =>
    server.send(
      decideHeld,
      { params: { attemptId }, body: { operationIds, decision } },
      { as: teacher },
    );

  test('are listed without those of others; either decision changes the mark', async () => {
    const work = await classWithHeld(['Алёшина', 'Волков']);
    const device = nth(work.devices, 0);
    const [right, wrong] = nth(work.held, 0);
    const listed = await listOf(work, device);
    expect(listed).toMatchObject({
      items: [
        { operationId: right, questionId: Q.matching, answer: RIGHT.matching, decision: null },
        { operationId: wrong, questionId: Q.single, answer: WRONG, decision: null },
      ],
      total: 2,
    });
    const ids = nth(work.held, 0);
    expect((await decideOne(work, device, ids.slice(0, 1), 'accepted')).body).toEqual({ score: 4 });
    expect((await decideOne(work, device, ids, 'refused')).body).toEqual({ score: 1 });
    const decisions = (await listOf(work, device)).items.map(({ decision }) => decision);
    expect(decisions).toEqual(['refused', 'refused']);
  });

  test('are decided while the attempt runs, and it has no mark yet', async () => {
    const work = await startClass(server, ['Алёшина']);
    const device = nth(work.devices, 0);
    const held = await holdAnswer(device, RIGHT.matching);
    expect((await decideOne(work, device, [held], 'accepted')).body).toEqual({ score: null });
    expect(scores(await heldOf(work))).toEqual([[null, null, null]]);
  });

  test('are not found among those of a classmate, and nothing is decided', async () => {
    const work = await classWithHeld(['Алёшина', 'Волков']);
    const reply = await decideOne(work, nth(work.devices, 0), nth(work.held, 1), 'accepted');
    expect([reply.status, errorOf(reply).code]).toEqual([404, 'NOT_FOUND']);
    expect(scores(await heldOf(work))).toEqual(work.devices.map(() => [1, 3, 1]));
  });

  test('and those that count already are never decided about', async () => {
    const work = await classWithHeld(['Алёшина']);
    const device = nth(work.devices, 0);
    const [counted] = await rows<{ id: string }>(
      server.pool,
      `select id from operations where attempt_id = $1 and outcome = 'stored' and kind = 'answer'`,
      [device.attemptId],
    );
    const ids = [counted?.id ?? ''];
    for (const decision of ['accepted', 'refused'] as const) {
      expect((await decideOne(work, device, ids, decision)).status).toBe(404);
      expect((await decide(work, ids, decision)).status).toBe(404);
    }
    const [stored] = await rows(server.pool, 'select decision from operations where id = $1', ids);
    expect(stored).toEqual({ decision: null });
  });
});

test('two teachers who decide for the same class at the same moment never deadlock', async () => {
  const names = Array.from({ length: 8 }, (_, n) => `Ученик ${n}`);
  const work = await classWithHeld(names);
  const admin = await server.user({ role: ROLE.admin });
  const all = work.held.flat();
  const rounds = Array.from({ length: 6 }, (_, n) => {
    const ids = n % 2 === 0 ? all : all.toReversed();
    const decision: Decision = n % 3 === 0 ? 'accepted' : 'refused';
    return decide(work, ids, decision, n % 2 === 0 ? work.teacher : admin);
  });
  const minutes = work.devices.map((device) =>
    server.send(
      addTime,
      { params: { attemptId: device.attemptId }, body: { minutes: 5 } },
      { as: work.teacher },
    ),
  );
  const replies = await Promise.all(rounds);
  await Promise.all(minutes);
  expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(200));
  // The last decision applies to all alike, and the marks agree with it.
  const { items } = await heldOf(work);
  const decisions = new Set(items.flatMap((item) => item.answers.map(({ decision }) => decision)));
  expect(decisions.size).toBe(1);
  for (const item of items)
    expect(item.score).toBe(decisions.has('accepted') ? item.scoreIfAccepted : item.scoreIfRefused);
});

test('a decision is in the student’s result at once, with and without late answers', async () => {
  const work = await classWithHeld(['Алёшина']);
  const device = nth(work.devices, 0);
  await decide(work, [nth(nth(work.held, 0), 0)], 'accepted');
  const result = await server.send(
    getResult,
    { params: { attemptId: device.attemptId } },
    { as: device.student },
  );
  expect(result.body).toMatchObject({ score: 4, scoreWithoutLate: 1, receivedLate: 1, held: 1 });
});
