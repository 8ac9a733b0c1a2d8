import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer, GapAnswer } from '#contract/answers.ts';
import { getSavedAnswers } from '#contract/passing.ts';
import type { Question } from '#contract/questions.ts';
import { getAttemptPreview } from '#contract/results.ts';
import { getAnalysis } from '#contract/statistics.ts';
import { one } from '#server/db/query.ts';
import { isAnsweredSql } from '#server/db/answered-sql.ts';
import { errorOf, makeSchool, Q, TestDevice } from '#tests/school.ts';
import { testServer, type TestServer } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const water: Extract<Question, { kind: 'gaps' }> = {
  questionId: Q.matching,
  kind: 'gaps',
  text: 'Вода кипит при [[1]] °C и становится [[2]], лёд – [[3]].',
  points: 4,
  gaps: [
    {
      gapId: '1',
      weight: 2,
      input: 'number',
      accepted: [{ text: '100', share: 1 }],
      tolerance: 1,
    },
    {
      gapId: '2',
      weight: 1,
      input: 'choice',
      options: ['паром', 'газом', 'льдом'].map((text, index) => ({
        optionId: `o${index + 1}`,
        text,
        isRight: index === 0,
      })),
    },
    { gapId: '3', weight: 1, input: 'line', accepted: [{ text: 'водой', share: 1 }], tolerance: 0 },
  ],
};
const filled = (...gaps: GapAnswer[]): Answer => ({
  questionId: water.questionId,
  kind: 'gaps',
  gaps,
});

async function taking() {
  const school = await makeSchool(server, { questions: [water] });
  const device = new TestDevice(server, school.student);
  const started = await device.start(school.testId);
  return { school, device, started };
}

test('gaps are saved, read back, scored by their weights, shown with their keys and counted', async () => {
  const { school, device, started } = await taking();
  const [shown] = started.body.questions;
  expect(shown).toMatchObject({ kind: 'gaps', text: water.text });
  // The right option was typed first; the list stands in alphabetical order.
  expect(shown).toHaveProperty('gaps', [
    { gapId: '1', input: 'number' },
    {
      gapId: '2',
      input: 'choice',
      options: [
        { optionId: 'o2', text: 'газом' },
        { optionId: 'o3', text: 'льдом' },
        { optionId: 'o1', text: 'паром' },
      ],
    },
    { gapId: '3', input: 'line' },
  ]);
  const gaps: GapAnswer[] = [
    { gapId: '1', text: '99,5' },
    { gapId: '2', optionId: 'o3' },
    { gapId: '3', text: ' Водой' },
  ];
  await device.answer(filled(...gaps));
  const saved = await server.send(
    getSavedAnswers,
    { params: { id: device.attemptId } },
    { as: school.student },
  );
  expect(saved.body.gapsAnswers).toMatchObject([{ gaps }]);
  await device.finish();
  const preview = await server.send(
    getAttemptPreview,
    { params: { attemptId: device.attemptId } },
    { as: school.teacher },
  );
  expect(preview.body.items[0]).toMatchObject({
    answer: { gaps },
    answered: true,
    points: 3,
    verdict: 'partial',
  });
  const analysis = await server.send(
    getAnalysis,
    { params: { id: school.testId }, query: {} },
    { as: school.teacher },
  );
  expect(analysis.body.items[0]).toMatchObject({
    kind: 'gaps',
    answered: 1,
    // The app names the gaps itself, in the text and for screen readers.
    text: water.text,
  });
  expect(analysis.body.items[0]?.choices).toMatchObject([
    { text: '(1) 99,5', isRight: true, count: 1 },
    { text: '(2) паром', isRight: true, count: 0 },
    { text: '(2) газом', isRight: false, count: 0 },
    { text: '(2) льдом', isRight: false, count: 1, share: 1 },
    { text: '(3) водой', isRight: true, count: 1 },
  ]);
  expect(analysis.body.items[0]?.gaps).toEqual([
    { gapId: '1', facility: 1 },
    { gapId: '2', facility: 0 },
    { gapId: '3', facility: 1 },
  ]);
});

test.each<[string, GapAnswer[]]>([
  ['an unknown gap', [{ gapId: '4', text: 'x' }]],
  [
    'a gap twice',
    [
      { gapId: '1', text: '1' },
      { gapId: '1', text: '2' },
    ],
  ],
  ['a foreign option', [{ gapId: '2', optionId: 'o9' }]],
  ['a text where a list stands', [{ gapId: '2', text: 'паром' }]],
])('an answer with %s is refused', async (_, gaps) => {
  const { device } = await taking();
  const refused = await device.answer(filled(...gaps));
  expect([refused.status, errorOf(refused).code]).toEqual([422, 'INVALID_ANSWER']);
});

test.each([
  ['a gap without a number', { gapId: 'x', text: '' }],
  ['both a text and an option', { gapId: '1', text: '', optionId: 'o1' }],
  ['a text beyond the limit', { gapId: '1', text: 'а'.repeat(501) }],
])('%s is no answer', async (_, gap) => {
  const { device } = await taking();
  const refused = await device.answer(filled(gap));
  expect([refused.status, errorOf(refused).code]).toEqual([422, 'INVALID_ANSWER']);
});

test('blanks alone leave the question open, for the boards that count by SQL, too', async () => {
  const { school, device } = await taking();
  await device.answer(filled({ gapId: '1', text: ' \u00a0' }, { gapId: '3', text: '' }));
  await device.finish();
  const preview = await server.send(
    getAttemptPreview,
    { params: { attemptId: device.attemptId } },
    { as: school.teacher },
  );
  expect(preview.body.items[0]).toMatchObject({ answered: false, points: 0 });
  const counted = async (answer: Answer) => {
    const row = await one<{ is: boolean }>(
      server.pool,
      `select ${isAnsweredSql('b.body')} as is from (select $1::jsonb as body) b`,
      [JSON.stringify(answer)],
    );
    return row?.is;
  };
  expect(await counted(filled({ gapId: '1', text: ' \u00a0' }))).toBe(false);
  expect(await counted(filled())).toBe(false);
  expect(await counted(filled({ gapId: '1', text: '' }, { gapId: '2', optionId: 'o1' }))).toBe(
    true,
  );
  expect(await counted(filled({ gapId: '1', text: '0' }))).toBe(true);
});
