import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { HEADER } from '#contract/headers.ts';
import { uploadChunk } from '#contract/passing.ts';
import type { Question } from '#contract/questions.ts';
import { rows } from '#server/db/query.ts';
import { errorOf, makeSchool, makeTest, Q, smallTest, TestDevice } from '#tests/school.ts';
import { testServer, type TestServer } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const SECOND = '00000000-0000-4000-8000-000000000007';
const questions = smallTest.flatMap((question): Question[] =>
  question.kind === 'file' ? [question, { ...question, questionId: SECOND }] : [question],
);
const file = Buffer.from('%PDF-1.4 решение задачи');
const sha256 = createHash('sha256').update(file).digest('hex');

async function running() {
  const school = await makeSchool(server, { questions });
  const device = new TestDevice(server, school.student);
  await device.start(school.testId);
  return { ...school, device };
}

const upload = (device: TestDevice, fileId: string, bytes = file) =>
  server.send(
    uploadChunk,
    {
      params: { id: device.attemptId, fileId },
      query: {
        offset: 0,
        size: file.length,
        sha256,
        name: 'решение.pdf',
        mimeType: 'application/pdf',
        questionId: Q.file,
      },
      bytes,
    },
    { as: device.student },
  );

const answerOf = (fileId: string, changed: Partial<Answer> = {}) =>
  ({
    questionId: Q.file,
    kind: 'file',
    fileId,
    name: 'решение.pdf',
    mimeType: 'application/pdf',
    size: file.length,
    sha256,
    ...changed,
  }) as Answer;

const missing = async (device: TestDevice) => errorOf(await device.finish()).details;

test('a finish waits for the rest of an incomplete file', async () => {
  const { device } = await running();
  const fileId = server.deps.newId();
  await upload(device, fileId, file.subarray(0, 10));
  expect((await device.answer(answerOf(fileId))).status).toBe(200);
  expect(await missing(device)).toEqual({ missing: [], files: [fileId] });
});

test('a whole file does not satisfy an answer that names other bytes or another question', async () => {
  for (const changed of [{ sha256: '0'.repeat(64) }, { questionId: SECOND }]) {
    const { device } = await running();
    const fileId = server.deps.newId();
    expect((await upload(device, fileId)).body.complete).toBe(true);
    expect((await device.answer(answerOf(fileId, changed))).status).toBe(200);
    expect(await missing(device)).toEqual({ missing: [], files: [fileId] });
  }
});

test('a file of another attempt does not satisfy this one', async () => {
  const { device, student, teacher } = await running();
  const other = new TestDevice(server, student);
  await other.start(await makeTest(server, teacher, { students: [student] }));
  const fileId = server.deps.newId();
  await upload(other, fileId);
  await device.answer(answerOf(fileId));
  expect(await missing(device)).toEqual({ missing: [], files: [fileId] });
});

test('a finish waits for no file of another stream', async () => {
  const { device, student, testId } = await running();
  await device.answer(answerOf(server.deps.newId()));
  const tablet = new TestDevice(server, student);
  await tablet.start(testId, { [HEADER.takeOver]: device.attemptId });
  expect((await tablet.finish()).body.outcome).toBe('stored');
});

test('files are set aside in the own attempt alone', async () => {
  const { device } = await running();
  const stranger = await running();
  const own = server.deps.newId();
  const foreign = server.deps.newId();
  await upload(device, own, file.subarray(0, 10));
  await upload(stranger.device, foreign, file.subarray(0, 10));
  await device.answer(answerOf(own));
  const headers = device.operation({ [HEADER.filesSetAside]: `${own},${foreign}` });
  expect((await device.finish(headers)).body.outcome).toBe('stored');
  const aside = await rows(
    server.pool,
    'select id, set_aside from uploads where id = any($1) order by set_aside',
    [[own, foreign]],
  );
  expect(aside).toEqual([
    { id: foreign, set_aside: false },
    { id: own, set_aside: true },
  ]);
});
