import { afterAll, beforeAll, expect, test } from 'vitest';
import { currentUser } from '#contract/auth.ts';
import { deleteAttempt } from '#contract/attempts.ts';
import { updateProfile } from '#contract/profile.ts';
import { awaitBlocked } from '#tests/locks.ts';
import { errorOf, makeSchool, TestDevice } from '#tests/school.ts';
import { type TestServer, type TestUser, testServer } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const rename = (as: TestUser, userName = 'Чужое Имя') =>
  server.send(updateProfile, { body: { userName } }, { as });
const nameOf = async (as: TestUser) =>
  (await server.send(currentUser, {}, { as })).body.user.userName;

test('a student cannot change the name while an attempt runs, and may afterwards', async () => {
  const { student, testId } = await makeSchool(server);
  const device = new TestDevice(server, student);
  await device.start(testId);
  const refused = await rename(student);
  expect([refused.status, errorOf(refused).code]).toEqual([409, 'ATTEMPT_RUNNING']);
  expect(errorOf(refused).message).toMatch(/имя не изменить/);
  expect(await nameOf(student)).toBe(student.userName);
  // Sent unchanged, the name is no change.
  expect((await rename(student, student.userName)).status).toBe(200);
  await device.finish();
  expect((await rename(student)).status).toBe(200);
  expect(await nameOf(student)).toBe('Чужое Имя');
});

test('neither an ended attempt nor a deleted one blocks the name', async () => {
  const { student, teacher, testId } = await makeSchool(server, { passMinutes: 10 });
  await new TestDevice(server, student).start(testId);
  server.clock.advance(10 * 60_000);
  expect((await rename(student)).status).toBe(200);
  const other = await makeSchool(server);
  const device = new TestDevice(server, other.student);
  await device.start(other.testId);
  await server.send(
    deleteAttempt,
    { params: { attemptId: device.attemptId } },
    { as: other.teacher },
  );
  expect((await rename(other.student)).status).toBe(200);
  expect((await rename(teacher, 'Учитель Новый')).status).toBe(200);
});

test('a new name concurrent with a start waits for it and is refused', async () => {
  const { student, testId } = await makeSchool(server);
  const client = await server.pool.connect();
  try {
    await client.query('begin');
    // A start waits for this lock while it holds the account.
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `${testId}/${student.userId}`,
    ]);
    const started = new TestDevice(server, student).start(testId);
    await awaitBlocked(server.pool, 1);
    const renamed = rename(student);
    await Promise.race([awaitBlocked(server.pool, 2), renamed]);
    await client.query('commit');
    expect((await started).status).toBe(200);
    expect((await renamed).status).toBe(409);
  } finally {
    client.release();
  }
  expect(await nameOf(student)).toBe(student.userName);
});
