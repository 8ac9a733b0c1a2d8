import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { addTime, deleteAttempt, gradeItem } from '#contract/attempts.ts';
import { ROLE } from '#contract/auth.ts';
import { getFile } from '#contract/files.ts';
import { uploadChunk } from '#contract/passing.ts';
import { getAttemptPreview, getResult, listResults } from '#contract/results.ts';
import type { DisclosureTime } from '#contract/tests.ts';
import { execute } from '#server/db/query.ts';
import {
  CANARY,
  errorOf,
  makeSchool,
  Q,
  RIGHT,
  smallTest,
  TEACHER_CANARY,
  TestDevice,
} from '#tests/school.ts';
import type { PlannedTest } from '#tests/school.ts';
import { testServer, type TestServer, type TestUser } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const WINDOW_MINUTES = 15;
const ESSAY: Answer = { questionId: Q.essay, kind: 'open', text: 'Опыт с пружиной' };
const WRONG: Answer = { questionId: Q.single, kind: 'variant', optionIds: ['a'] };
/** Texts that reveal a right answer; the canary is only in keys and explanations. */
const KEYS = [
  CANARY,
  'isRight',
  'accepted',
  'tolerance',
  'explanation',
  'feedback',
  '"leftId":"2","rightId"',
];

const show = (
  ownAnswers: DisclosureTime,
  points: DisclosureTime,
  correctAnswers: DisclosureTime,
) => ({
  visibility: { ownAnswers, points, correctAnswers },
});

async function running(plan: PlannedTest = {}) {
  const school = await makeSchool(server, { windowMinutes: WINDOW_MINUTES, ...plan });
  const device = new TestDevice(server, school.student);
  await device.start(school.testId);
  await device.answer(RIGHT.open);
  await device.answer(WRONG);
  await device.answer({ ...RIGHT.matching, pairs: RIGHT.matching.pairs.slice(0, 1) });
  await device.answer(ESSAY);
  return { ...school, device };
}

async function finished(plan: PlannedTest = {}) {
  const scene = await running(plan);
  await scene.device.finish();
  return scene;
}

const previewFor = (as: TestUser, device: TestDevice) =>
  server.send(getAttemptPreview, { params: { attemptId: device.attemptId } }, { as });

const expectNoKeys = (text: string) => {
  for (const key of KEYS) expect(text, key).not.toContain(key);
};

describe('what the student sees of the answers', () => {
  const at = { ended: 0, closed: DAY + WINDOW_MINUTES * MINUTE } as const;
  const MOMENTS: readonly DisclosureTime[] = ['atOnce', 'afterClose', 'never'];
  const isShown = (moment: DisclosureTime, when: keyof typeof at) =>
    moment === 'atOnce' || (moment === 'afterClose' && when === 'closed');

  test.each(MOMENTS)(
    'each part that the teacher shows %s, right after the finish and once the test is closed',
    async (moment) => {
      for (const part of ['ownAnswers', 'points', 'correctAnswers'] as const) {
        const visibility = { ownAnswers: 'never', points: 'never', correctAnswers: 'never' };
        const { device, student } = await finished({
          visibility: { ...visibility, [part]: moment },
        });
        for (const when of ['ended', 'closed'] as const) {
          server.clock.advance(at[when]);
          const { body, text } = await previewFor(student, device);
          const expected = { ownAnswers: false, points: false, correctAnswers: false };
          expect(body.shows, when).toEqual({ ...expected, [part]: isShown(moment, when) });
          expect(
            body.items.some(({ answer }) => answer !== null),
            `${part} ${when}: answers`,
          ).toBe(body.shows.ownAnswers);
          expect(
            body.items.some(({ points, verdict }) => points !== null || verdict !== null),
            `${part} ${when}: points`,
          ).toBe(body.shows.points);
          expect(body.score === null, `${part} ${when}: score`).toBe(!body.shows.points);
          expect(text).not.toContain(TEACHER_CANARY);
          if (body.shows.correctAnswers) expect(text).toContain(CANARY);
          else expectNoKeys(text);
          expect(body.items.map(({ question }) => question.text)).toEqual(
            smallTest.map(({ text: words }) => words),
          );
        }
      }
    },
  );

  test('the moment from which a hidden part shows is returned; never is null', async () => {
    const { device, student } = await finished(show('atOnce', 'afterClose', 'never'));
    const endedAt = server.clock.now.toISOString();
    const { body } = await previewFor(student, device);
    const closes = new Date(server.clock.now.getTime() + DAY + WINDOW_MINUTES * MINUTE);
    expect([body.ownAnswersFrom, body.pointsFrom, body.correctAnswersFrom]).toEqual([
      endedAt,
      closes.toISOString(),
      null,
    ]);
    server.clock.advance(DAY + WINDOW_MINUTES * MINUTE - 1);
    expect((await previewFor(student, device)).body.shows.points).toBe(false);
    server.clock.advance(1);
    expect((await previewFor(student, device)).body.shows.points).toBe(true);
  });

  test('of a running attempt own answers alone, whatever the teacher shows at once', async () => {
    const { device, student } = await running(show('atOnce', 'atOnce', 'atOnce'));
    const { body, text } = await previewFor(student, device);
    expect(body).toMatchObject({
      state: 1,
      score: null,
      shows: { ownAnswers: true, points: false, correctAnswers: false },
    });
    expect(body.items[1]).toMatchObject({ answer: WRONG, points: null, verdict: null });
    expectNoKeys(text);
  });

  test('between deadline and close nothing of points or keys', async () => {
    const { device, student, testId } = await running({
      ...show('atOnce', 'atOnce', 'atOnce'),
      passMinutes: 10,
    });
    server.clock.advance(10 * MINUTE);
    const params = { attemptId: device.attemptId };
    const preview = await previewFor(student, device);
    expect(preview.body).toMatchObject({ state: 2, score: null });
    for (const item of preview.body.items) {
      expect(item).toMatchObject({ points: null, verdict: null, comment: null });
    }
    expectNoKeys(preview.text);
    const result = await server.send(getResult, { params }, { as: student });
    expect(result.body).toMatchObject({ state: 2, score: null, items: [], pendingNumbers: [] });
    const list = await server.send(listResults, { params: { id: testId } }, { as: student });
    expect(list.body.attempts).toMatchObject([{ state: 2, score: null, counts: false }]);
    expect(list.body.mark).toBeNull();

    server.clock.advance(WINDOW_MINUTES * MINUTE);
    expect((await previewFor(student, device)).text).toContain(CANARY);
    expect((await server.send(getResult, { params }, { as: student })).body.score).toBe(3);
  });

  test('points and keys that were shown are hidden again while added minutes let the attempt continue', async () => {
    const { device, student, teacher } = await running({
      ...show('atOnce', 'atOnce', 'atOnce'),
      passMinutes: 10,
    });
    server.clock.advance((10 + WINDOW_MINUTES) * MINUTE);
    expect((await previewFor(student, device)).text).toContain(CANARY);
    const params = { attemptId: device.attemptId };
    await server.send(addTime, { params, body: { minutes: 5 } }, { as: teacher });
    const again = await previewFor(student, device);
    expect(again.body).toMatchObject({ state: 1, score: null });
    expectNoKeys(again.text);
  });

  test('verdict, points and the teacher’s comment come together', async () => {
    const { device, student, teacher } = await finished(show('atOnce', 'atOnce', 'never'));
    const params = { attemptId: device.attemptId };
    const before = await previewFor(student, device);
    expect(before.body.items.map(({ verdict }) => verdict)).toEqual([
      'right',
      'wrong',
      'unanswered',
      'partial',
      'unanswered',
      'pending',
    ]);
    const body = { questionId: Q.essay, points: 3, comment: 'Нет вывода' };
    await server.send(gradeItem, { params, body }, { as: teacher });
    expect((await previewFor(student, device)).body.items[5]).toMatchObject({
      answer: ESSAY,
      points: 3,
      verdict: 'partial',
      comment: 'Нет вывода',
    });
    await execute(
      server.pool,
      `update tests set visibility = visibility || '{"points":"never"}'
       where id = (select test_id from attempts where id = $1)`,
      [device.attemptId],
    );
    const hidden = await previewFor(student, device);
    expect(hidden.body.items[5]).toMatchObject({ points: null, verdict: null, comment: null });
    expect(hidden.text).not.toContain('Нет вывода');
  });

  test("the parts of a question are in the student's order, with the key and without", async () => {
    const scene = await running(show('atOnce', 'atOnce', 'never'));
    const { device, student, teacher } = scene;
    const started = await device.start(scene.testId);
    const shown = started.body.questions.find(({ questionId }) => questionId === Q.matching);
    const orderFor = async (as: TestUser) => {
      const { body } = await previewFor(as, device);
      const question = body.items[3]?.question;
      return question?.kind === 'compliance' ? question.right.map(({ rightId }) => rightId) : [];
    };
    const order = shown?.kind === 'compliance' ? shown.right.map(({ rightId }) => rightId) : [];
    expect(order).toHaveLength(4);
    expect(await orderFor(student)).toEqual(order);
    expect(await orderFor(teacher)).toEqual(order);
  });

  test('a late answer is marked', async () => {
    const { device, student } = await running({ passMinutes: 10 });
    server.clock.advance(10 * MINUTE + 5 * MINUTE);
    const reply = await device.answer(
      RIGHT.several,
      device.operation({ 'X-Operation-Age': String(6 * MINUTE) }),
    );
    expect(reply.body).toMatchObject({ outcome: 'stored', receivedLate: true });
    const { body } = await previewFor(student, device);
    expect(body.items.map(({ receivedLate }) => receivedLate)).toEqual([
      false,
      false,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('what others see of an attempt', () => {
  test('its teacher and an admin see everything of an ended one', async () => {
    const { device, teacher } = await finished(show('never', 'never', 'never'));
    const admin = await server.user({ role: ROLE.admin });
    for (const reader of [teacher, admin]) {
      const { body, text } = await previewFor(reader, device);
      expect(body.shows).toEqual({ ownAnswers: true, points: true, correctAnswers: true });
      expect(body).toMatchObject({ score: 3, userName: device.student.userName });
      expect(body.items[1]).toMatchObject({ answer: WRONG, points: 0, verdict: 'wrong' });
      expect(text).toContain(CANARY);
      expect([body.ownAnswersFrom, body.correctAnswersFrom]).toEqual([null, null]);
    }
  });

  test('its teacher sees of a running one the answers so far, without points', async () => {
    const { device, teacher } = await running();
    const { body } = await previewFor(teacher, device);
    expect(body).toMatchObject({ state: 1, score: null });
    expect(body.items[1]).toMatchObject({ answer: WRONG, points: null, verdict: null });
  });

  test('for anybody else it looks like one that does not exist', async () => {
    const { device } = await finished();
    const strangers = [
      await server.user(),
      await server.user({ role: ROLE.teacher, userName: 'Другой Учитель' }),
    ];
    for (const stranger of strangers) {
      const theirs = await previewFor(stranger, device);
      const params = { attemptId: server.deps.newId() };
      const nothing = await server.send(getAttemptPreview, { params }, { as: stranger });
      expect([theirs.status, nothing.status]).toEqual([404, 404]);
      expect(errorOf(theirs).message).toBe(errorOf(nothing).message);
    }
  });

  test('a deleted attempt is 410 for its student and stays readable for its teacher', async () => {
    const { device, student, teacher } = await finished();
    const params = { attemptId: device.attemptId };
    await server.send(deleteAttempt, { params }, { as: teacher });
    const gone = await previewFor(student, device);
    expect([gone.status, errorOf(gone).code]).toEqual([410, 'GONE']);
    expect((await previewFor(teacher, device)).status).toBe(200);
  });
});

test('a handed-in file opens for its student when own answers do, for its teacher always', async () => {
  const { device, student, teacher } = await running(show('afterClose', 'never', 'never'));
  const bytes = Buffer.concat([
    Buffer.from('ffd8ffe000104a46494600010100', 'hex'),
    Buffer.alloc(99),
  ]);
  const fileId = server.deps.newId();
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const file = { name: 'решение.jpg', mimeType: 'image/jpeg' };
  const query = { offset: 0, size: bytes.length, sha256, questionId: Q.file, ...file };
  const params = { id: device.attemptId, fileId };
  await server.send(uploadChunk, { params, query, bytes }, { as: student });
  await device.answer({
    questionId: Q.file,
    kind: 'file',
    fileId,
    size: bytes.length,
    sha256,
    ...file,
  });
  await device.finish();
  const open = async (as: TestUser) =>
    (await server.send(getFile, { query: { path: fileId } }, { as })).status;
  expect((await previewFor(student, device)).text).not.toContain(fileId);
  expect([await open(student), await open(teacher)]).toEqual([404, 200]);
  server.clock.advance(DAY + WINDOW_MINUTES * MINUTE);
  expect((await previewFor(student, device)).body.items[4]?.answer).toMatchObject({ fileId });
  expect([await open(student), await open(await server.user())]).toEqual([200, 404]);
});

describe('which of several attempts makes the mark', () => {
  test.each([
    ['best', [true, false], 3],
    ['last', [false, true], 2],
    ['average', [true, true], 2.5],
  ] as const)('%s', async (rule, counts, mark) => {
    const { device, student, testId } = await finished({ attemptsCount: 3 });
    const second = new TestDevice(server, student);
    await second.start(testId);
    await second.answer(RIGHT.several);
    await second.finish();
    const third = new TestDevice(server, student);
    await third.start(testId);
    await execute(server.pool, 'update tests set counted_attempt = $2 where id = $1', [
      testId,
      rule,
    ]);
    const list = () => server.send(listResults, { params: { id: testId } }, { as: student });
    const { body } = await list();
    expect(body).toMatchObject({ countedAttempt: rule, mark, totalAttempts: 3 });
    expect(body.attempts.map((attempt) => attempt.counts)).toEqual([...counts, false]);
    expect(body.attempts[0]).toMatchObject({ attemptId: device.attemptId, pendingReview: true });

    await execute(
      server.pool,
      `update tests set visibility = visibility || '{"points":"never"}' where id = $1`,
      [testId],
    );
    const hidden = await list();
    expect(hidden.body.mark).toBeNull();
    expect(hidden.body.attempts.some((attempt) => attempt.counts)).toBe(false);
  });
});
