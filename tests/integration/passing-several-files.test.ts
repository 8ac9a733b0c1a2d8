import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AnswerFile } from '#contract/answers.ts';
import { getBoard } from '#contract/board.ts';
import { getFile } from '#contract/files.ts';
import { listGrading } from '#contract/grading.ts';
import { HEADER } from '#contract/headers.ts';
import { getSavedAnswers, uploadChunk } from '#contract/passing.ts';
import type { Question } from '#contract/questions.ts';
import { getAttemptPreview } from '#contract/results.ts';
import { answerFiles, fileAnswer } from '#domain/answer-files.ts';
import { PASSING_LIMITS } from '#server/deps.ts';
import { errorOf, makeSchool, Q, smallTest, TestDevice } from '#tests/school.ts';
import { testServer, type TestServer } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  const limits = { ...PASSING_LIMITS, replacedFilesPerAttempt: 1 };
  server = await testServer({ settings: { limits } });
});
afterAll(() => server.close());

const questions = smallTest.map((question): Question =>
  question.kind === 'file' ? { ...question, maxFiles: 3 } : question,
);

async function running() {
  const school = await makeSchool(server, { questions });
  const device = new TestDevice(server, school.student);
  await device.start(school.testId);
  return { ...school, device };
}

const bytesOf = (name: string) => Buffer.from(`%PDF-1.4 ${name}`);

const described = (name: string): AnswerFile => ({
  fileId: server.deps.newId(),
  name,
  size: bytesOf(name).length,
  mimeType: 'application/pdf',
  sha256: createHash('sha256').update(bytesOf(name)).digest('hex'),
});

const upload = (device: TestDevice, { fileId, ...file }: AnswerFile) =>
  server.send(
    uploadChunk,
    {
      params: { id: device.attemptId, fileId },
      query: { offset: 0, questionId: Q.file, ...file },
      bytes: bytesOf(file.name),
    },
    { as: device.student },
  );

const hand = (device: TestDevice, ...files: AnswerFile[]) =>
  device.answer(fileAnswer(Q.file, files));

test('three photos are handed in, the finish waits for each, and the teacher sees them in order', async () => {
  const { device, student, teacher, testId } = await running();
  const [a, b, c] = [described('a'), described('b'), described('c')] as const;
  await upload(device, b);
  expect((await hand(device, a, b, c)).body.outcome).toBe('stored');
  const board = await server.send(getBoard, { params: { id: testId } }, { as: teacher });
  expect(board.body.rows.map(({ filesUnderway }) => filesUnderway)).toEqual([2]);

  // Another order is another answer.
  expect((await hand(device, c, a, b)).body.outcome).toBe('stored');
  const finish = device.operation();
  const missing = async () => errorOf(await device.finish(finish)).details;
  expect(await missing()).toEqual({ missing: [], files: [c.fileId, a.fileId] });
  await upload(device, c);
  expect(await missing()).toEqual({ missing: [], files: [a.fileId] });
  await upload(device, a);
  const saved = await server.send(
    getSavedAnswers,
    { params: { id: device.attemptId } },
    { as: student },
  );
  expect(answerFiles(saved.body?.fileAnswers[0])).toEqual([c, a, b]);
  expect((await device.finish(finish)).body.outcome).toBe('stored');
  const grading = await server.send(
    listGrading,
    { params: { id: testId }, query: { questionId: Q.file } },
    { as: teacher },
  );
  const [entry] = grading.body.items;
  expect(answerFiles(entry?.answer)).toEqual([c, a, b]);
  for (const [who, { fileId, name }] of [
    [teacher, c],
    [teacher, b],
    [student, a],
  ] as const) {
    const read = await server.send(getFile, { query: { path: fileId } }, { as: who });
    expect(Buffer.from(read.body.item1, 'base64').toString()).toBe(bytesOf(name).toString());
  }
  const stranger = await running();
  const refused = await server.send(
    getFile,
    { query: { path: b.fileId } },
    { as: stranger.student },
  );
  expect(refused.status).toBe(404);
  const preview = await server.send(
    getAttemptPreview,
    { params: { attemptId: device.attemptId } },
    { as: student },
  );
  const shown = preview.body.items.find(({ question }) => question.questionId === Q.file);
  expect(answerFiles(shown?.answer)).toEqual([c, a, b]);
});

test('a file given up at the finish blocks it no longer, the others do', async () => {
  const { device } = await running();
  const [a, b] = [described('a'), described('b')] as const;
  await hand(device, a, b);
  const headers = device.operation({ [HEADER.filesSetAside]: b.fileId });
  expect(errorOf(await device.finish(headers)).details).toEqual({ missing: [], files: [a.fileId] });
  await upload(device, a);
  expect((await device.finish(headers)).body.outcome).toBe('stored');
});

test.each([
  [
    'more files than the question takes',
    () => fileAnswer(Q.file, ['a', 'b', 'c', 'd'].map(described)),
  ],
  [
    'a file twice',
    () => {
      const file = described('a');
      return fileAnswer(Q.file, [file, file]);
    },
  ],
  ['files after none', () => ({ ...fileAnswer(Q.file, []), more: [described('a')] })],
])('an answer with %s is refused', async (_, answer) => {
  const { device } = await running();
  expect(errorOf(await device.answer(answer())).code).toBe('INVALID_ANSWER');
});

test('a question accepts as many files as it allows and refuses more', async () => {
  const { device } = await running();
  for (const name of ['a', 'b', 'c', 'd'])
    expect((await upload(device, described(name))).body.complete).toBe(true);
  expect(errorOf(await upload(device, described('e'))).code).toBe('TOO_MANY_FILES');
});
