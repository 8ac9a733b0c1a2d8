import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROLE } from '#contract/auth.ts';
import { deleteAttempt } from '#contract/attempts.ts';
import { getSavedAnswers, getUpload } from '#contract/passing.ts';
import { execute } from '#server/db/query.ts';
import { errorOf, makeSchool, makeTest, RIGHT, TestDevice } from '#tests/school.ts';
import { testServer, type TestServer, type TestUser } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

async function answered() {
  const school = await makeSchool(server);
  const device = new TestDevice(server, school.student);
  await device.start(school.testId);
  await device.answer(RIGHT.single);
  return { ...school, device };
}

const saved = ({ attemptId }: TestDevice, as: TestUser) =>
  server.send(getSavedAnswers, { params: { id: attemptId } }, { as });

test('a deleted attempt is gone for its student, answers and files alike, and not for its teacher', async () => {
  const { device, student, teacher } = await answered();
  const { attemptId } = device;
  await server.send(deleteAttempt, { params: { attemptId } }, { as: teacher });
  const upload = await server.send(
    getUpload,
    { params: { id: attemptId, fileId: server.deps.newId() } },
    { as: student },
  );
  for (const reply of [await saved(device, student), upload])
    expect([reply.status, errorOf(reply).code]).toEqual([410, 'GONE']);
  expect((await saved(device, teacher)).body.variantAnswers).toHaveLength(1);
});

test('answers are read by the teacher of their test, and by no teacher of another', async () => {
  const { device, teacher } = await answered();
  const other = await server.user({ role: ROLE.teacher });
  await makeTest(server, other);
  expect((await saved(device, teacher)).status).toBe(200);
  expect((await saved(device, other)).status).toBe(404);
  expect((await saved(device, await server.user({ role: ROLE.admin }))).status).toBe(200);
});

test('a former teacher reads nothing of the tests that they still own', async () => {
  const { device, teacher } = await answered();
  await execute(server.pool, 'update users set role = $2 where id = $1', [
    teacher.userId,
    ROLE.student,
  ]);
  expect((await saved(device, teacher)).status).toBe(404);
});
