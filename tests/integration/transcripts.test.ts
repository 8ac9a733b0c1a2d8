import { afterAll, beforeAll, expect, test } from 'vitest';
import { duplicateTest } from '#contract/authoring.ts';
import type { Question } from '#contract/questions.ts';
import { getAttemptPreview } from '#contract/results.ts';
import { getTest } from '#contract/full-test.ts';
import { listBank } from '#contract/bank.ts';
import { makeSchool, smallTest, TestDevice } from '#tests/school.ts';
import { testServer, type TestServer } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const OF_QUESTION = 'Поезд отходит в девять вечера';
const OF_PASSAGE = 'Билеты продаются у входа';

const withTranscripts = (transcriptShown: boolean | undefined): Question[] =>
  smallTest.map((question): Question => {
    const rule = transcriptShown === undefined ? {} : { transcriptShown };
    const transcribed = (text: string) => ({ transcript: `${text} (${question.kind})`, ...rule });
    return {
      ...question,
      ...transcribed(OF_QUESTION),
      passage: { passageId: question.questionId, text: 'Диалог', ...transcribed(OF_PASSAGE) },
    };
  });

/** Everything that the server sends to the student of an attempt on such a test, as text. */
async function sentToStudent(transcriptShown: boolean | undefined): Promise<string[]> {
  const school = await makeSchool(server, {
    questions: withTranscripts(transcriptShown),
    visibility: { ownAnswers: 'atOnce', points: 'atOnce', correctAnswers: 'atOnce' },
  });
  const as = school.student;
  const device = new TestDevice(server, as);
  const started = await device.start(school.testId);
  const running = await server.send(getTest, { params: { id: school.testId } }, { as });
  const params = { attemptId: device.attemptId };
  const during = await server.send(getAttemptPreview, { params }, { as });
  await device.finish();
  const afterwards = await server.send(getAttemptPreview, { params }, { as });
  expect(afterwards.body.shows.correctAnswers).toBe(true);
  return [started, running, during, afterwards].map(({ text }) => text);
}

test.each([undefined, false])(
  'no reply to a student holds a transcript while its rule is %s',
  async (transcriptShown) => {
    for (const text of await sentToStudent(transcriptShown)) {
      expect(text).toContain('Диалог');
      expect(text).not.toMatch(/transcript|Поезд отходит|Билеты продаются/);
    }
  },
);

test('a transcript that the teacher shows comes with the test and with its review', async () => {
  for (const text of await sentToStudent(true)) {
    for (const { kind } of smallTest)
      for (const spoken of [OF_QUESTION, OF_PASSAGE]) expect(text).toContain(`${spoken} (${kind})`);
    expect(text).not.toContain('transcriptShown');
  }
});

test('the teacher has it in the copy of a test, in the bank and its search', async () => {
  const school = await makeSchool(server, { questions: withTranscripts(false) });
  const as = school.teacher;
  const copy = await server.send(duplicateTest, { params: { id: school.testId } }, { as });
  const { body } = await server.send(getTest, { params: { id: copy.body } }, { as });
  for (const [index, question] of withTranscripts(false).entries()) {
    const { transcript, transcriptShown, passage } = question;
    expect(body.questions[index]).toMatchObject({ transcript, transcriptShown, passage });
  }
  for (const spoken of [OF_QUESTION, OF_PASSAGE]) {
    const found = await server.send(listBank, { query: { searchQuery: spoken } }, { as });
    expect(found.body.total).toBe(smallTest.length);
    expect(found.text).toContain(spoken);
  }
});
