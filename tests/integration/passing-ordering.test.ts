import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { getSavedAnswers } from '#contract/passing.ts';
import type { Question } from '#contract/questions.ts';
import { getAttemptPreview } from '#contract/results.ts';
import { getAnalysis } from '#contract/statistics.ts';
import { errorOf, makeSchool, Q, TestDevice } from '#tests/school.ts';
import { testServer, type TestServer } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const rulers: Extract<Question, { kind: 'ordering' }> = {
  questionId: Q.matching,
  kind: 'ordering',
  text: 'Кто правил раньше?',
  points: 3,
  items: ['Рюрик', 'Ольга', 'Владимир', 'Ярослав'].map((text, index) => ({
    itemId: `i${index + 1}`,
    text,
  })),
};
const order = (...itemIds: string[]): Answer => ({
  questionId: rulers.questionId,
  kind: 'ordering',
  itemIds,
});

test('an order is saved, read back, scored by neighbours, shown with its key and counted', async () => {
  const school = await makeSchool(server, { questions: [rulers] });
  const device = new TestDevice(server, school.student);
  const started = await device.start(school.testId);
  const [shown] = started.body.questions;
  if (shown?.kind !== 'ordering') throw new Error('another kind');
  expect(shown.items.map(({ itemId }) => itemId).toSorted()).toEqual(['i1', 'i2', 'i3', 'i4']);
  await device.answer(order('i2', 'i3', 'i4', 'i1'));
  const saved = await server.send(
    getSavedAnswers,
    { params: { id: device.attemptId } },
    { as: school.student },
  );
  expect(saved.body.orderingAnswers).toMatchObject([{ itemIds: ['i2', 'i3', 'i4', 'i1'] }]);
  await device.finish();
  const preview = await server.send(
    getAttemptPreview,
    { params: { attemptId: device.attemptId } },
    { as: school.teacher },
  );
  expect(preview.body.items[0]).toMatchObject({
    question: { items: rulers.items },
    answer: { itemIds: ['i2', 'i3', 'i4', 'i1'] },
    answered: true,
    points: 2,
    verdict: 'partial',
  });
  const analysis = await server.send(
    getAnalysis,
    { params: { id: school.testId }, query: {} },
    { as: school.teacher },
  );
  expect(analysis.body.items[0]).toMatchObject({ kind: 'ordering', answered: 1 });
  expect(analysis.body.items[0]?.choices).toMatchObject([
    { text: '1 → 2 → 3 → 4', isRight: true, count: 0 },
    { text: '2 → 3 → 4 → 1', isRight: false, count: 1, share: 1 },
  ]);
});

test.each([
  ['a part of the items', ['i1', 'i2']],
  ['an item twice', ['i1', 'i1', 'i2', 'i3']],
  ['a foreign item', ['i1', 'i2', 'i3', 'i5']],
])('an order with %s is refused', async (_, itemIds) => {
  const school = await makeSchool(server, { questions: [rulers] });
  const device = new TestDevice(server, school.student);
  await device.start(school.testId);
  const refused = await device.answer(order(...itemIds));
  expect([refused.status, errorOf(refused).code]).toEqual([422, 'INVALID_ANSWER']);
});

test('before the first answer the question is open, and an empty order opens it again', async () => {
  const school = await makeSchool(server, { questions: [rulers] });
  const device = new TestDevice(server, school.student);
  await device.start(school.testId);
  await device.answer(order('i1', 'i2', 'i3', 'i4'));
  await device.answer(order());
  await device.finish();
  const preview = await server.send(
    getAttemptPreview,
    { params: { attemptId: device.attemptId } },
    { as: school.teacher },
  );
  expect(preview.body.items[0]).toMatchObject({ answered: false, points: 0 });
});
