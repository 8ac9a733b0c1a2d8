import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  deleteTest,
  duplicateTest,
  getTestSettings,
  setLifecycle,
  updateTest,
} from '#contract/authoring.ts';
import {
  changeStartCode,
  getOfferFile,
  getStartCode,
  makeOffer,
  revealStartCode,
} from '#contract/offers.ts';
import { uploadPicture } from '#contract/pictures.ts';
import { getTestDetails, listMyTests } from '#contract/tests.ts';
import { isGradedByHand } from '#domain/scoring.ts';
import { deviceKeyOf } from '#server/auth/device-key.ts';
import { inTurn } from '#server/auth/passwords.ts';
import { execute, one, rows } from '#server/db/query.ts';
import { ensureCode } from '#server/offline/start-code.ts';
import {
  decrypt,
  makeOfflineSchool,
  OfflineDevice,
  openOffer,
  renewCode,
  showCode,
} from '#tests/offline-device.ts';
import { SAMPLES } from '#tests/sample-pictures.ts';
import {
  CANARY,
  errorOf,
  makeSchool,
  makeTest,
  type PlannedTest,
  Q,
  smallTest,
  TestDevice,
} from '#tests/school.ts';
import { testServer, urlOf, type TestServer } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const MINUTE = 60_000;

/** Does something while no hash can be computed. */
async function whileTurnsAreUsed<T>(act: () => Promise<T>): Promise<T> {
  let free = (): void => undefined;
  const isFree = new Promise<void>((resolve) => {
    free = resolve;
  });
  const turns = [1, 2, 3].map((n) => inTurn({ account: `student ${n}` }, () => isFree));
  // After a failure too.
  onTestFinished(free);
  const result = await act();
  free();
  await Promise.all(turns);
  return result;
}

describe('an offer', () => {
  test('opens with the code on the device of its student, and shows what a start shows', async () => {
    const school = await makeOfflineSchool(server);
    const device = new OfflineDevice(server, school.student);
    const offered = await device.fetch(school.testId);
    expect(offered.status, offered.text).toBe(200);
    expect(offered.body).toMatchObject({
      testId: school.testId,
      attemptNumber: 1,
      attemptsCount: 1,
      totalQuestions: 6,
      duration: '00:40:00',
      lateWindow: '00:15:00',
      offlineWindow: null,
      files: [],
    });
    const opened = await device.open(await showCode(server, school));
    expect(opened.questions).toHaveLength(6);
    expect(JSON.stringify(opened.questions)).not.toContain(CANARY);
    expect(JSON.stringify(opened.questions)).not.toContain('isRight');
  });

  test('shows nothing of the questions, and the code is in no reply before it is shown', async () => {
    const school = await makeOfflineSchool(server);
    const device = new OfflineDevice(server, school.student);
    const offered = await device.fetch(school.testId);
    const state = await server.send(
      getStartCode,
      { params: { id: school.testId } },
      { as: school.teacher },
    );
    expect(state.body).toMatchObject({ code: null, shownAt: null, offers: 1, begun: 0 });
    const code = await showCode(server, school);
    for (const { text } of [offered, state]) expect(text).not.toContain(code);
    for (const { text } of smallTest) expect(offered.text).not.toContain(text);
    expect(offered.text).not.toContain('Ньютон?');
  });

  test('does not open with another code, on another device, or after a change of one byte', async () => {
    const school = await makeOfflineSchool(server);
    const device = new OfflineDevice(server, school.student);
    const { body: offer } = await device.fetch(school.testId);
    const code = await showCode(server, school);
    const { sealKey } = server.deps.state;
    const own = deviceKeyOf(sealKey, school.student.userId);
    const stranger = deviceKeyOf(sealKey, (await server.user()).userId);
    const other = code.startsWith('C') ? `H${code.slice(1)}` : `C${code.slice(1)}`;
    const damaged = Buffer.from(offer.content, 'base64url');
    damaged[20] = (damaged[20] ?? 0) ^ 1;
    const cases = [
      () => openOffer(offer, other, own),
      () => openOffer(offer, code, stranger),
      () => openOffer({ ...offer, content: damaged.toString('base64url') }, code, own),
      () => openOffer({ ...offer, offerId: server.deps.newId() }, code, own),
    ];
    for (const opening of cases) await expect(opening()).rejects.toThrow();
  });

  test('stays the same until the content, the terms or the code change', async () => {
    const school = await makeOfflineSchool(server);
    const { testId } = school;
    const device = new OfflineDevice(server, school.student);
    const fetched = async () => (await device.fetch(testId)).body.offerId;
    const first = await fetched();
    expect(await fetched()).toBe(first);
    await execute(server.pool, 'update tests set pass_seconds = 1800 where id = $1', [testId]);
    const second = await fetched();
    await server.send(
      updateTest,
      { body: { id: testId, version: 1, questions: smallTest.slice(1) } },
      { as: school.teacher },
    );
    const third = await fetched();
    await renewCode(server, school);
    const fourth = await fetched();
    expect(new Set([first, second, third, fourth]).size).toBe(4);
    expect(device.ownOffer).toMatchObject({ duration: '00:30:00', totalQuestions: 5 });
    const current = await rows(
      server.pool,
      'select id from offers where test_id = $1 and replaced_at is null',
      [testId],
    );
    expect(current).toEqual([{ id: fourth }]);
  });

  test('that is not used takes no attempt', async () => {
    const { student, testId } = await makeOfflineSchool(server);
    await new OfflineDevice(server, student).fetch(testId);
    const details = await server.send(getTestDetails, { params: { id: testId } }, { as: student });
    expect(details.body).toMatchObject({ leftAttempts: 1, running: null, offlineStart: true });
    expect((await new TestDevice(server, student).start(testId)).status).toBe(200);
  });

  test('comes with the word that points of some answers wait for a teacher, if they do', async () => {
    const hasWord = async (plan: PlannedTest) => {
      const { student, testId } = await makeOfflineSchool(server, plan);
      const params = { id: testId };
      return (await server.send(getTestDetails, { params }, { as: student })).body.gradedByHand;
    };
    const byHand = smallTest.filter((question) => isGradedByHand(question));
    const byMachine = smallTest.filter((question) => !isGradedByHand(question));
    expect(byHand.map(({ questionId }) => questionId)).toEqual([Q.file, Q.essay]);
    for (const question of byHand)
      expect(await hasWord({ questions: [...byMachine, question] })).toBe(true);
    expect(await hasWord({ questions: byMachine })).toBeUndefined();
    expect(await hasWord({ offlineStart: false })).toBeUndefined();
  });

  test('is made before the opening, and has the student’s own time and dates', async () => {
    const opens = new Date(server.clock.now.getTime() + 60 * MINUTE);
    const { student, testId } = await makeOfflineSchool(server, {
      startTime: opens,
      endTime: null,
    });
    await execute(
      server.pool,
      'insert into personal_terms (test_id, user_id, extra_seconds) values ($1, $2, 600)',
      [testId, student.userId],
    );
    const { body } = await new OfflineDevice(server, student).fetch(testId);
    expect(body).toMatchObject({
      duration: '00:50:00',
      opensAt: opens.toISOString(),
      endsAt: null,
    });
  });

  test('for each of thirty students who ask at once is made with one code', async () => {
    const { teacher } = await makeSchool(server);
    const students = await Promise.all(Array.from({ length: 30 }, () => server.user()));
    const testId = await makeTest(server, teacher, { offlineStart: true, students });
    const offers = await Promise.all(
      students.map((student) => new OfflineDevice(server, student).fetch(testId)),
    );
    expect(new Set(offers.map(({ body }) => body.offerId)).size).toBe(30);
    expect(
      await rows(server.pool, 'select 1 from start_codes where test_id = $1', [testId]),
    ).toHaveLength(1);
  });

  test('of a class that asks together costs one computation, and no connection while it waits for its turn', async () => {
    const { testId } = await makeOfflineSchool(server);
    const { pool, deps } = server;
    const newId = vi.fn(deps.newId);
    const makings = await whileTurnsAreUsed(async () => {
      const firsts = Array.from({ length: 40 }, () =>
        ensureCode({ ...deps, newId }, { testId, groupId: null }, server.clock.now),
      );
      // Sign-ins need connections within their turns; these go in the order in which they were asked for.
      for (const _ of firsts) await pool.query('select 1');
      return firsts;
    });
    await Promise.all(makings);
    expect(newId).toHaveBeenCalledTimes(1);
  });

  test('brings its pictures encrypted, for its student alone', async () => {
    const school = await makeOfflineSchool(server);
    const { teacher, student, testId } = school;
    const bytes = SAMPLES['image/png'];
    const { body: picture } = await server.send(uploadPicture, { bytes }, { as: teacher });
    const [first, ...others] = smallTest;
    if (!first) throw new Error('the small test has questions');
    const questions = [{ ...first, text: `Схема ![](file:${picture.key})` }, ...others];
    await server.send(updateTest, { body: { id: testId, version: 1, questions } }, { as: teacher });
    const device = new OfflineDevice(server, student);
    await device.fetch(testId);
    expect(device.ownOffer.files).toEqual([
      { key: picture.key, bytes: expect.any(Number) as number },
    ]);
    const params = { id: testId, offerId: device.ownOffer.offerId, key: picture.key };
    const file = await server.app.inject({
      method: 'GET',
      url: urlOf(getOfferFile, { params }),
      headers: { authorization: `Bearer ${student.token}` },
    });
    const { contentKey } = await device.open(await showCode(server, school));
    const purpose = `offer-file/${params.offerId}/${params.key}`;
    const opened = JSON.parse(decrypt(contentKey, file.rawPayload, purpose).toString()) as {
      item1: string;
      item2: string;
    };
    expect(opened.item2).toMatch(/^image\//);
    expect(Buffer.from(opened.item1, 'base64').length).toBeGreaterThan(0);
    for (const as of [await server.user(), teacher])
      expect((await server.send(getOfferFile, { params }, { as })).status).toBe(404);
  });
});

describe('no offer', () => {
  const refused = async (plan: object, code: string) => {
    const { student, testId } = await makeOfflineSchool(server, plan);
    const reply = await new OfflineDevice(server, student).fetch(testId);
    expect(errorOf(reply).code).toBe(code);
    expect(errorOf(reply).message).toMatch(/[а-я]/);
  };

  test('where a begin without a network is off', () =>
    refused({ offlineStart: false }, 'OFFLINE_START_OFF'));
  test('of a test that is over', () => refused({ endTime: server.clock.now }, 'TEST_CLOSED'));
  test('of an archived test', () => refused({ lifecycle: 'archived' }, 'TEST_CLOSED'));
  test('of a test without questions', () => refused({ questions: [] }, 'TEST_EMPTY'));

  test('while an attempt runs, and when none is left', async () => {
    const { student, testId } = await makeOfflineSchool(server, { attemptsCount: 1 });
    const device = new OfflineDevice(server, student);
    await device.start(testId);
    const running = errorOf(await device.fetch(testId));
    expect(running).toMatchObject({
      code: 'ATTEMPT_RUNNING',
      message: expect.stringContaining('Этот тест сейчас идёт') as string,
    });
    await device.finish();
    expect(errorOf(await device.fetch(testId)).code).toBe('NO_ATTEMPTS_LEFT');
  });

  test('for a stranger, to whom the test does not exist', async () => {
    const { testId } = await makeOfflineSchool(server);
    const as = await server.user();
    expect((await server.send(makeOffer, { params: { id: testId } }, { as })).status).toBe(404);
  });
});

describe('the start code', () => {
  test('is shown from the chosen moment on; its first showing is recorded for ever', async () => {
    const { teacher, testId } = await makeOfflineSchool(server);
    const params = { id: testId };
    const from = new Date(server.clock.now.getTime() + MINUTE);
    const showFrom = from.toISOString();
    const set = await server.send(changeStartCode, { params, body: { showFrom } }, { as: teacher });
    expect(set.body).toMatchObject({ showFrom, code: null });
    const reveal = () => server.send(revealStartCode, { params }, { as: teacher });
    expect(errorOf(await reveal())).toMatchObject({
      code: 'CODE_NOT_YET',
      message: expect.stringContaining('Код ещё нельзя показать') as string,
    });
    server.clock.advance(MINUTE);
    const shown = await reveal();
    expect(shown.body.code).toMatch(/^[CHKMPTX2-9]{12}$/);
    server.clock.advance(MINUTE);
    expect((await reveal()).body).toEqual(shown.body);
    expect(shown.body.shownAt).toBe(from.toISOString());
    const logged = await rows(
      server.pool,
      `select act, subject_id as "testId" from audit_log where act = 'startCodeShown'
         and subject_id = $1`,
      [testId],
    );
    expect(logged).toHaveLength(1);
  });

  test('can be renewed until it was used', async () => {
    const school = await makeOfflineSchool(server);
    const first = await showCode(server, school);
    const renewed = await renewCode(server, school);
    expect(renewed.body).toMatchObject({ code: null, shownAt: null, offers: 0 });
    const code = await showCode(server, school);
    expect(code).not.toBe(first);
    const device = new OfflineDevice(server, school.student);
    await device.fetch(school.testId);
    await device.open(code);
    expect((await device.begin(0)).status).toBe(200);
    const refused = await renewCode(server, school);
    expect(errorOf(refused).code).toBe('CODE_IN_USE');
    expect(await showCode(server, school)).toBe(code);
  });

  test('in use is refused without a computation', async () => {
    const school = await makeOfflineSchool(server);
    const device = new OfflineDevice(server, school.student);
    await device.fetch(school.testId);
    await device.open(await showCode(server, school));
    await device.begin(0);
    const refused = await whileTurnsAreUsed(() => renewCode(server, school));
    expect(errorOf(refused).code).toBe('CODE_IN_USE');
  });

  test('is not used by a begin that was made up without it', async () => {
    const school = await makeOfflineSchool(server);
    const device = new OfflineDevice(server, school.student);
    await device.fetch(school.testId);
    device.proof = Buffer.alloc(32, 7).toString('base64url');
    expect((await device.begin(0)).body.beginHold).toBe('proof');
    const second = new OfflineDevice(server, school.student);
    second.offer = device.ownOffer;
    second.proof = device.proof;
    expect((await second.begin(0)).body.beginHold).toBe('proof');
    expect((await renewCode(server, school)).status).toBe(200);
  });

  test('does not exist where a begin without a network is off', async () => {
    const { teacher, testId } = await makeSchool(server);
    const reply = await server.send(getStartCode, { params: { id: testId } }, { as: teacher });
    expect(errorOf(reply).code).toBe('OFFLINE_START_OFF');
  });
});

test.each([
  { what: 'was shown', isRenewed: false, hold: 'testClosed' },
  { what: 'was shown and then replaced', isRenewed: true, hold: 'replacedOffer' },
])(
  'a test whose code $what is archived instead of deleted, and is no draft again',
  async ({ isRenewed, hold }) => {
    const school = await makeOfflineSchool(server);
    const { teacher, student, testId } = school;
    const params = { id: testId };
    const device = new OfflineDevice(server, student);
    await device.fetch(testId);
    const code = await showCode(server, school);
    if (isRenewed) expect((await renewCode(server, school)).status).toBe(200);
    const draft = await server.send(
      setLifecycle,
      { params, body: { lifecycle: 'draft' } },
      { as: teacher },
    );
    expect(errorOf(draft)).toMatchObject({
      code: 'TEST_HAS_ATTEMPTS',
      message: expect.stringContaining('начать без сети') as string,
    });
    const deleted = await server.send(deleteTest, { params }, { as: teacher });
    expect(deleted.body).toEqual({ outcome: 'archived' });
    await device.open(code);
    expect((await device.begin(0)).body.beginHold).toBe(hold);
  },
);

test('a test with offers whose code nobody saw is deleted with them', async () => {
  const { teacher, student, testId } = await makeOfflineSchool(server);
  await new OfflineDevice(server, student).fetch(testId);
  const deleted = await server.send(deleteTest, { params: { id: testId } }, { as: teacher });
  expect(deleted.body).toEqual({ outcome: 'deleted' });
  expect(await rows(server.pool, 'select 1 from offers where test_id = $1', [testId])).toEqual([]);
});

describe('the setting', () => {
  test('is stored, copied, and named to the student', async () => {
    const { teacher, student, testId } = await makeSchool(server);
    const listed = async () =>
      (await server.send(listMyTests, {}, { as: student })).body.items[0]?.offlineStart;
    expect(await listed()).toBeUndefined();
    const body = { id: testId, version: 1, offlineStart: true, offlineWindow: '02:00:00' };
    expect((await server.send(updateTest, { body }, { as: teacher })).status).toBe(200);
    expect(await listed()).toBe(true);
    const copy = await server.send(duplicateTest, { params: { id: testId } }, { as: teacher });
    for (const id of [testId, copy.body]) {
      const read = await server.send(getTestSettings, { params: { id } }, { as: teacher });
      expect(read.body).toMatchObject({ offlineStart: true, offlineWindow: '02:00:00' });
    }
    const cleared = { id: testId, version: 2, offlineWindow: null };
    expect((await server.send(updateTest, { body: cleared }, { as: teacher })).status).toBe(200);
    expect(
      await one(
        server.pool,
        `select offline_start as "on", offline_window_seconds as "seconds" from tests where id = $1`,
        [testId],
      ),
    ).toEqual({ on: true, seconds: null });
  });

  test('of more than a week is refused', async () => {
    const { teacher, testId } = await makeSchool(server);
    const body = { id: testId, version: 1, offlineWindow: '200:00:00' };
    const refused = await server.send(updateTest, { body }, { as: teacher });
    expect(errorOf(refused).details).toEqual({
      fields: [{ field: 'offlineWindow', message: 'Не больше 7 дней' }],
    });
  });
});
