import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import type { Question } from '#contract/questions.ts';
import { getAttemptPreview } from '#contract/results.ts';
import { getAnalysis } from '#contract/statistics.ts';
import { makeSchool, Q, TestDevice } from '#tests/school.ts';
import { testServer, type TestServer } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const animals: Extract<Question, { kind: 'compliance' }> = {
  questionId: Q.matching,
  kind: 'compliance',
  shuffle: true,
  reuse: true,
  text: 'К какому классу относится животное?',
  points: 3,
  left: ['кит', 'крот', 'сом'].map((text, index) => ({ leftId: `${index + 1}`, text })),
  right: ['звери', 'рыбы', 'птицы'].map((text) => ({ rightId: text, text })),
  pairs: [
    { leftId: '1', rightId: 'звери' },
    { leftId: '2', rightId: 'звери' },
    { leftId: '3', rightId: 'рыбы' },
  ],
};
const sorted = (...rightIds: string[]): Answer => ({
  questionId: Q.matching,
  kind: 'compliance',
  pairs: rightIds.map((rightId, index) => ({ leftId: `${index + 1}`, rightId })),
});

test('one right item for several left ones is answered, scored by left items, shown and counted', async () => {
  const school = await makeSchool(server, { questions: [animals] });
  const device = new TestDevice(server, school.student);
  const started = await device.start(school.testId);
  expect(started.body.questions[0]).toMatchObject({ kind: 'compliance', reuse: true });
  await device.answer(sorted('звери', 'звери', 'звери'));
  await device.finish();
  const params = { attemptId: device.attemptId };
  const preview = await server.send(getAttemptPreview, { params }, { as: school.teacher });
  expect(preview.body.items[0]).toMatchObject({
    question: { reuse: true, pairs: [{ rightId: 'звери' }, { rightId: 'звери' }, {}] },
    answer: { pairs: [{ rightId: 'звери' }, { rightId: 'звери' }, { rightId: 'звери' }] },
    points: 2,
    verdict: 'partial',
  });
  const analysis = await server.send(
    getAnalysis,
    { params: { id: school.testId }, query: {} },
    { as: school.teacher },
  );
  expect(analysis.body.items[0]?.choices).toMatchObject([
    { text: 'кит – звери', isRight: true, count: 1 },
    { text: 'крот – звери', isRight: true, count: 1 },
    { text: 'сом – звери', isRight: false, count: 1 },
    { text: 'сом – рыбы', isRight: true, count: 0 },
  ]);
});
