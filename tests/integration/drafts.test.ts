import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLE } from '#contract/auth.ts';
import {
  createTest,
  duplicateTest,
  getTestSettings,
  setLifecycle,
  updateTest,
} from '#contract/authoring.ts';
import {
  discardDraft,
  getDraft,
  getDraftVersion,
  publishDraft,
  saveDraft,
} from '#contract/drafts.ts';
import { correctKey } from '#contract/grading.ts';
import type { Question } from '#contract/questions.ts';
import { getTest } from '#contract/full-test.ts';
import { storedForm } from '#server/authoring/stored-form.ts';
import { errorOf, makeSchool, makeTest, Q, smallTest, TestDevice } from '#tests/school.ts';
import { type TestServer, type TestUser, testServer } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const teacherOf = () => server.user({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
const ids = (questions: readonly { questionId: string }[]) => questions.map((q) => q.questionId);

/** A question of the small test with another text. */
function worded(questionId: string, text: string): Question {
  const question = smallTest.find((each) => each.questionId === questionId);
  if (!question) throw new Error('no such question');
  return { ...question, text };
}

async function draftOf(as: TestUser, testId: string) {
  const reply = await server.send(getDraft, { params: { id: testId } }, { as });
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

interface Save {
  draftVersion: number;
  order: string[];
  changed: Question[];
}

const save = (as: TestUser, testId: string, body: Save) =>
  server.send(saveDraft, { params: { id: testId }, body }, { as });

/** Changes the text of one question over the present version. */
async function reword(as: TestUser, testId: string, questionId: string, text: string) {
  const { draftVersion, questions } = await draftOf(as, testId);
  const reply = await save(as, testId, {
    draftVersion,
    order: ids(questions),
    changed: [worded(questionId, text)],
  });
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

const fieldsOf = (reply: { body: unknown }) =>
  (reply.body as { details: { fields: { field: string; message: string }[] } }).details.fields;

const published = async (as: TestUser, testId: string) =>
  (await server.send(getTest, { params: { id: testId } }, { as })).body.questions;

describe('the working copy of a published test', () => {
  test('is what is published until the first edit, and then its own', async () => {
    const { teacher, testId } = await makeSchool(server);
    const first = await draftOf(teacher, testId);
    expect(first).toMatchObject({
      testId,
      draftVersion: 1,
      hasUnpublished: false,
      lifecycle: 'active',
    });
    expect(first.questions).toEqual(smallTest);
    server.clock.advance(1_000);
    const saved = await reword(teacher, testId, Q.open, 'Другие слова');
    expect(saved).toEqual({ draftVersion: 2, updatedAt: server.clock.now.toISOString() });
    const next = await draftOf(teacher, testId);
    expect(next).toMatchObject({ draftVersion: 2, hasUnpublished: true });
    expect(next.updatedBy).toBe('О. В. Лаптева');
    expect(next.questions[0]).toEqual(worded(Q.open, 'Другие слова'));
    expect(await published(teacher, testId)).toEqual(smallTest);
    const current = await server.send(getDraftVersion, { params: { id: testId } }, { as: teacher });
    expect(current.body).toMatchObject({ draftVersion: 2, hasUnpublished: true });
  });

  test('reaches the next attempt once published; the running one retains its questions', async () => {
    const { teacher, student, testId } = await makeSchool(server, { attemptsCount: 2 });
    const running = new TestDevice(server, student);
    await running.start(testId);
    await reword(teacher, testId, Q.open, 'Другие слова');
    const reply = await server.send(
      publishDraft,
      { params: { id: testId }, body: { draftVersion: 2 } },
      { as: teacher },
    );
    expect(reply.body).toMatchObject({ draftVersion: 2, version: 2 });
    expect((await draftOf(teacher, testId)).hasUnpublished).toBe(false);
    const unchanged = await server.send(getTest, { params: { id: testId } }, { as: student });
    expect(unchanged.text).toContain('Ускорение тела');
    expect(unchanged.text).not.toContain('Другие слова');
    await running.finish();
    const next = new TestDevice(server, student);
    const started = await next.start(testId);
    expect(started.text).toContain('Другие слова');
  });

  test('is not published with problems, and names the question with them', async () => {
    const { teacher, testId } = await makeSchool(server);
    await reword(teacher, testId, Q.open, ' ');
    const reply = await server.send(
      publishDraft,
      { params: { id: testId }, body: { draftVersion: 2 } },
      { as: teacher },
    );
    expect(errorOf(reply)).toMatchObject({
      code: 'TEST_NOT_READY',
      details: { problems: [{ questionId: Q.open, message: 'Вопрос 1: нет текста' }] },
    });
    expect(await published(teacher, testId)).toEqual(smallTest);
  });

  test('is reset to what is published, as a newer version', async () => {
    const { teacher, testId } = await makeSchool(server);
    await reword(teacher, testId, Q.open, 'Ошибка');
    const reply = await server.send(
      discardDraft,
      { params: { id: testId }, body: { draftVersion: 2 } },
      { as: teacher },
    );
    expect(reply.body.draftVersion).toBe(3);
    const back = await draftOf(teacher, testId);
    expect(back).toMatchObject({ hasUnpublished: false, draftVersion: 3 });
    expect(back.questions).toEqual(smallTest);
  });

  test('is published when the archived test is restored', async () => {
    const teacher = await teacherOf();
    const testId = await makeTest(server, teacher, { lifecycle: 'archived' });
    await reword(teacher, testId, Q.open, 'Новые слова');
    const reply = await server.send(
      setLifecycle,
      { params: { id: testId }, body: { lifecycle: 'active' } },
      { as: teacher },
    );
    expect(reply.body).toEqual({ lifecycle: 'active', version: 2 });
    expect((await published(teacher, testId))[0]?.text).toBe('Новые слова');
    expect((await draftOf(teacher, testId)).hasUnpublished).toBe(false);
  });

  test('includes a corrected key too: beside another text, and not where an editor gave another key', async () => {
    const { teacher, testId } = await makeSchool(server);
    await reword(teacher, testId, Q.several, 'Другие слова');
    const [, single] = smallTest;
    if (single?.kind !== 'variant') throw new Error('no choice');
    const flipped = single.options.map((each) => ({ ...each, isRight: !each.isRight }));
    const several = smallTest[2];
    if (several?.kind !== 'variant') throw new Error('no choice');
    const other = several.options.map((each) => ({ ...each, isRight: each.optionId === 'd' }));
    for (const question of [
      { ...single, options: flipped },
      { ...several, options: other },
    ]) {
      const reply = await server.send(
        correctKey,
        { params: { id: testId }, body: { question, reason: 'Опечатка', dryRun: false } },
        { as: teacher },
      );
      expect(reply.status, reply.text).toBe(200);
    }
    const { questions, draftVersion } = await draftOf(teacher, testId);
    expect(draftVersion).toBe(4);
    expect(questions[1]).toMatchObject({ options: flipped });
    expect(questions[2]).toMatchObject({ text: 'Другие слова', options: other });
    const unchanged = {
      ...several,
      options: several.options.map((o) => ({ ...o, isRight: true })),
    };
    await save(teacher, testId, { draftVersion, order: ids(questions), changed: [unchanged] });
    await server.send(
      correctKey,
      { params: { id: testId }, body: { question: several, reason: 'Назад', dryRun: false } },
      { as: teacher },
    );
    expect((await draftOf(teacher, testId)).questions[2]).toEqual(unchanged);
  });
});

describe('two concurrent edits', () => {
  test('one wins, the other gets the author of the newer version, and nothing of the first is lost', async () => {
    const { teacher, testId } = await makeSchool(server);
    const order = ids(smallTest);
    const replies = await Promise.all(
      ['Один', 'Другой'].map((text) =>
        save(teacher, testId, { draftVersion: 1, order, changed: [worded(Q.open, text)] }),
      ),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const lost = replies.find(({ status }) => status === 409);
    expect(lost && errorOf(lost)).toMatchObject({
      code: 'STALE_VERSION',
      details: { version: 2, updatedBy: 'О. В. Лаптева' },
    });
    const won = replies.findIndex(({ status }) => status === 200);
    expect((await draftOf(teacher, testId)).questions[0]?.text).toBe(['Один', 'Другой'][won]);
  });

  test('publishing and resetting need the newest version as well', async () => {
    const { teacher, testId } = await makeSchool(server);
    await reword(teacher, testId, Q.open, 'Новее');
    for (const route of [publishDraft, discardDraft]) {
      const reply = await server.send(
        route,
        { params: { id: testId }, body: { draftVersion: 1 } },
        { as: teacher },
      );
      expect(errorOf(reply).code).toBe('STALE_VERSION');
    }
  });
});

describe('a save', () => {
  test('without changes retains the version and may be repeated', async () => {
    const { teacher, testId } = await makeSchool(server);
    const reply = await save(teacher, testId, {
      draftVersion: 1,
      order: ids(smallTest),
      changed: smallTest.slice(0, 1),
    });
    expect(reply.body).toMatchObject({ draftVersion: 1 });
    expect((await draftOf(teacher, testId)).draftVersion).toBe(1);
  });

  test('removes, adds and reorders', async () => {
    const { teacher, testId } = await makeSchool(server);
    const added = { ...worded(Q.essay, 'Ещё один'), questionId: server.deps.newId() };
    const order = [Q.essay, added.questionId, Q.open];
    const reply = await save(teacher, testId, { draftVersion: 1, order, changed: [added] });
    expect(reply.status, reply.text).toBe(200);
    expect(ids((await draftOf(teacher, testId)).questions)).toEqual(order);
  });

  test('that names an unknown question is refused and changes nothing', async () => {
    const { teacher, testId } = await makeSchool(server);
    const order = [Q.open, server.deps.newId()];
    const reply = await save(teacher, testId, { draftVersion: 1, order, changed: [] });
    expect(reply.status).toBe(422);
    expect(errorOf(reply).code).toBe('UNKNOWN_QUESTION');
    expect((await draftOf(teacher, testId)).draftVersion).toBe(1);
  });

  const group = '00000000-0000-4000-8000-0000000000aa';
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      ...worded(Q.essay, 'Вопрос'),
      questionId: `00000000-0000-4000-8000-${String(1_000 + index).padStart(12, '0')}`,
    }));
  test.each<[string, string[], Question[], RegExp]>([
    ['a question twice', [Q.open, Q.open], [], /не должны повторяться/],
    ['an edit twice', [Q.open], [worded(Q.open, '1'), worded(Q.open, '2')], /повторяются/],
    ['an edit of a question that is left out', [Q.open], [worded(Q.essay, '1')], /не назван/],
    ['thousandths of points', [Q.open], [{ ...worded(Q.open, '1'), points: 1.001 }], /двух знаков/],
    [
      'alternatives apart',
      [Q.open, Q.essay, Q.single],
      [
        { ...worded(Q.open, '1'), variantOf: group },
        { ...worded(Q.single, '2'), variantOf: group },
      ],
      /рядом/,
    ],
    ['301 questions', ids(many(301)), many(301), /Не больше 300/],
  ])('with %s is a 400 in Russian', async (_, order, changed, words) => {
    const { teacher, testId } = await makeSchool(server);
    const reply = await save(teacher, testId, { draftVersion: 1, order, changed });
    expect(reply.status, reply.text).toBe(400);
    expect(fieldsOf(reply)[0]?.message).toMatch(words);
    expect((await draftOf(teacher, testId)).draftVersion).toBe(1);
  });

  test('is for the owner and admins alone', async () => {
    const { teacher, student, testId } = await makeSchool(server);
    const body = { draftVersion: 1, order: ids(smallTest), changed: [] };
    expect((await save(await teacherOf(), testId, body)).status).toBe(404);
    expect((await save(student, testId, body)).status).toBe(403);
    expect((await save(await server.user({ role: ROLE.admin }), testId, body)).status).toBe(200);
    expect((await save(teacher, testId, body)).status).toBe(200);
  });
});

describe('a test that is a draft', () => {
  test('has edits at once, and concurrent settings still save', async () => {
    const teacher = await teacherOf();
    const testId = await makeTest(server, teacher, { lifecycle: 'draft' });
    const before = await server.send(getTestSettings, { params: { id: testId } }, { as: teacher });
    const reply = await save(teacher, testId, {
      draftVersion: 1,
      order: [Q.open],
      changed: [worded(Q.open, 'Новые слова')],
    });
    expect(reply.status, reply.text).toBe(200);
    expect(await published(teacher, testId)).toEqual([worded(Q.open, 'Новые слова')]);
    expect((await draftOf(teacher, testId)).hasUnpublished).toBe(false);
    const settings = await server.send(
      getTestSettings,
      { params: { id: testId } },
      { as: teacher },
    );
    expect(settings.body).toMatchObject({ totalQuestions: 1, maxPoints: 2 });
    const { version } = before.body;
    const named = await server.send(
      updateTest,
      { body: { id: testId, version, name: 'Имя' } },
      { as: teacher },
    );
    expect(named.status, named.text).toBe(200);
    const stale = await server.send(
      updateTest,
      { body: { id: testId, version, name: 'Другое имя' } },
      { as: teacher },
    );
    expect(errorOf(stale).code).toBe('STALE_VERSION');
  });

  test('accepts questions sent whole as its working copy, but not over unread edits', async () => {
    const teacher = await teacherOf();
    const testId = await makeTest(server, teacher, { lifecycle: 'draft' });
    await reword(teacher, testId, Q.open, 'Напечатано');
    const send = (version: number, questions: Question[]) =>
      server.send(updateTest, { body: { id: testId, version, questions } }, { as: teacher });
    expect((await send(1, [worded(Q.single, 'Поверх')])).status).toBe(409);
    expect((await send(2, [worded(Q.single, 'Поверх')])).status).toBe(200);
    expect(await draftOf(teacher, testId)).toMatchObject({
      draftVersion: 3,
      questions: [{ text: 'Поверх' }],
    });
  });
});

test('questions equal to the published ones leave the working copy unchanged', async () => {
  const { teacher, testId } = await makeSchool(server);
  await reword(teacher, testId, Q.open, 'Напечатано');
  const reply = await server.send(
    updateTest,
    { body: { id: testId, version: 1, name: 'Имя', questions: smallTest } },
    { as: teacher },
  );
  expect(reply.status, reply.text).toBe(200);
  expect((await draftOf(teacher, testId)).questions[0]?.text).toBe('Напечатано');
});

test("a copy of a test has the working copy's questions, alternatives together", async () => {
  const { teacher, testId } = await makeSchool(server);
  const alternatives = [
    { ...worded(Q.open, 'Первый'), variantOf: Q.open },
    { ...worded(Q.single, 'Второй'), variantOf: Q.open },
  ];
  const order = [Q.open, Q.single];
  await save(teacher, testId, { draftVersion: 1, order, changed: alternatives });
  const copied = await server.send(duplicateTest, { params: { id: testId } }, { as: teacher });
  const { questions } = await draftOf(teacher, copied.body);
  expect(questions.map(({ text }) => text)).toEqual(['Первый', 'Второй']);
  expect(questions[0]?.variantOf).toBe(questions[0]?.questionId);
  expect(questions[1]?.variantOf).toBe(questions[0]?.questionId);
  expect(questions[0]?.questionId).not.toBe(Q.open);
});

test('a test created with questions has them in its working copy', async () => {
  const teacher = await teacherOf();
  const reply = await server.send(
    createTest,
    {
      body: {
        name: 'Тест',
        description: '',
        theme: '',
        difficulty: '',
        attemptsCount: 1,
        startTestTime: null,
        endTestTime: null,
        passTestTime: '01:00:00',
        questions: smallTest,
      },
    },
    { as: teacher },
  );
  expect((await draftOf(teacher, reply.body)).questions).toEqual(smallTest.map(storedForm));
});
