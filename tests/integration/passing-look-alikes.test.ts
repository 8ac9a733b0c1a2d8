import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { getAttemptPreview } from '#contract/results.ts';
import { getAnalysis } from '#contract/statistics.ts';
import { makeSchool, TestDevice } from '#tests/school.ts';
import { testServer, type TestServer } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const open = (key: string): Question => ({
  questionId: server.deps.newId(),
  kind: 'open',
  input: 'line',
  text: 'Вопрос',
  points: 1,
  accepted: [{ text: key, share: 1 }],
  tolerance: 0,
});

/** Keys as earlier versions stored them, and answers as any client may send them. */
const RIGHT = [
  ['ле\u00ADс', 'лес\u200B'],
  ['10²', '10^2'],
  ['кот', 'KOT'],
  ['−5', '\u200E–5'],
] as const;
const WRONG = [
  ['10²', '102'],
  ['x₂', 'x2'],
] as const;

test('row 45: what looks equal earns its points, in the result, the review and the statistics', async () => {
  const pairs = [...RIGHT, ...WRONG];
  const questions = pairs.map(([key]) => open(key));
  const { student, teacher, testId } = await makeSchool(server, { questions });
  const device = new TestDevice(server, student);
  await device.start(testId);
  for (const [index, { questionId }] of questions.entries())
    await device.answer({ questionId, kind: 'open', text: pairs[index]?.[1] ?? '' });
  expect((await device.finish()).status).toBe(200);
  const params = { attemptId: device.attemptId };
  const preview = await server.send(getAttemptPreview, { params }, { as: teacher });
  expect(preview.body).toMatchObject({
    items: pairs.map((_, index) => ({
      points: index < RIGHT.length ? 1 : 0,
      verdict: index < RIGHT.length ? 'right' : 'wrong',
    })),
  });
  const analysis = await server.send(
    getAnalysis,
    { params: { id: testId }, query: {} },
    { as: teacher },
  );
  expect(analysis.body).toMatchObject({
    items: pairs.map((_, index) => ({ choices: [{ isRight: index < RIGHT.length, count: 1 }] })),
  });
});
