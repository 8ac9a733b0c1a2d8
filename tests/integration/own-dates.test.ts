import { afterAll, beforeAll, expect, test } from 'vitest';
import { getTestSettings, updateTest, type UpdateTestBody } from '#contract/authoring.ts';
import { getResult } from '#contract/results.ts';
import { getTestDetails } from '#contract/tests.ts';
import { nth, sit, startClass } from '#tests/class-work.ts';
import { errorOf, makeSchool, makeTest, RIGHT, TestDevice } from '#tests/school.ts';
import { testServer, type TestServer, type TestUser } from '#tests/server.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const after = (ms: number) => new Date(server.clock.now.getTime() + ms).toISOString();

async function change(as: TestUser, testId: string, part: Partial<UpdateTestBody>) {
  const params = { id: testId };
  const { version } = (await server.send(getTestSettings, { params }, { as })).body;
  const reply = await server.send(updateTest, { body: { ...part, id: testId, version } }, { as });
  expect(reply.status, reply.text).toBe(200);
}

const own = ({ userId }: TestUser, startTestTime: string | null, endTestTime: string | null) => ({
  personalTerms: [{ userId, extraMinutes: 0, attemptsCount: null, startTestTime, endTestTime }],
});

test('a student takes a test closed for others only within the own dates', async () => {
  const { teacher, student } = await makeSchool(server);
  const other = await server.user();
  const testId = await makeTest(server, teacher, {
    students: [student, other],
    startTime: new Date(server.clock.now.getTime() - 2 * DAY_MS),
    endTime: new Date(server.clock.now.getTime() - DAY_MS),
  });
  await change(teacher, testId, own(student, after(HOUR_MS), after(1.5 * HOUR_MS)));

  const begin = async (who: TestUser) => new TestDevice(server, who).start(testId);
  expect(errorOf(await begin(student)).code).toBe('NOT_OPEN_YET');
  const details = async (as: TestUser) =>
    (await server.send(getTestDetails, { params: { id: testId } }, { as })).body;
  expect(await details(student)).toMatchObject({ status: 'scheduled', startDate: after(HOUR_MS) });
  expect(await details(other)).toMatchObject({ status: 'overdue' });

  server.clock.advance(HOUR_MS);
  expect(errorOf(await begin(other)).code).toBe('TEST_CLOSED');
  const started = await begin(student);
  expect(started.status, started.text).toBe(200);
  // The overview promises exactly the time that a start gives: the own end shortens it.
  expect(started.body.deadline).toBe(after(HOUR_MS / 2));
});

test('own dates are for everybody’s settings, not for the teacher’s own view of them', async () => {
  const { teacher, testId } = await makeSchool(server);
  await change(teacher, testId, own(teacher, after(DAY_MS), after(2 * DAY_MS)));
  const { body } = await server.send(getTestSettings, { params: { id: testId } }, { as: teacher });
  expect(body.personalTerms).toMatchObject([{ startTestTime: after(DAY_MS) }]);
  expect(body.startTestTime).not.toBe(after(DAY_MS));
  expect(body.endTestTime).not.toBe(after(2 * DAY_MS));
});

test('what shows after the test closes waits for the last own date', async () => {
  const made = await startClass(server, ['Алёшина', 'Волков'], {
    endTime: new Date(server.clock.now.getTime() + HOUR_MS),
  });
  const [first, second] = [nth(made.devices, 0), nth(made.devices, 1)];
  await change(made.teacher, made.testId, {
    visibility: { ownAnswers: 'atOnce', points: 'atOnce', correctAnswers: 'afterClose' },
    ...own(second.student, null, after(3 * DAY_MS)),
  });
  await sit(first, [RIGHT.single]);
  const shownFrom = async () => {
    const params = { attemptId: first.attemptId };
    const { body } = await server.send(getResult, { params }, { as: first.student });
    return Date.parse(body.correctAnswersFrom ?? '');
  };
  expect(await shownFrom()).toBeGreaterThan(server.clock.now.getTime() + 3 * DAY_MS);
  await change(made.teacher, made.testId, { personalTerms: [] });
  expect(await shownFrom()).toBeLessThan(server.clock.now.getTime() + DAY_MS);
});
