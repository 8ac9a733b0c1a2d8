import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLE } from '#contract/auth.ts';
import { listReadiness, reportReadiness, type StudentReadiness } from '#contract/readiness.ts';
import { execute, one } from '#server/db/query.ts';
import { makeOfflineSchool, OfflineDevice, renewCode } from '#tests/offline-device.ts';
import {
  errorOf,
  makeGroup,
  makeSchool,
  makeTest,
  TestDevice,
  type School,
} from '#tests/school.ts';
import { testServer, type TestServer, type TestUser } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const HOUR = 3_600_000;

const report = (testId: string, as: TestUser, changes: Readonly<Record<string, unknown>> = {}) =>
  server.send(
    reportReadiness,
    {
      params: { id: testId },
      body: {
        deviceId: server.deps.newId(),
        problems: [],
        appVersion: '1.0.0+test',
        ...changes,
      },
    },
    { as },
  );

const listed = ({ testId, teacher }: Pick<School, 'testId' | 'teacher'>, as = teacher) =>
  server.send(listReadiness, { params: { id: testId } }, { as });

async function rowOf(
  school: School,
  { userId }: TestUser = school.student,
): Promise<StudentReadiness> {
  const { body } = await listed(school);
  const row = body.items.find((item) => item.userId === userId);
  if (!row) throw new Error('the student is not in the list');
  return row;
}

const countReports = async (testId: string) =>
  (
    await one<{ count: number }>(
      server.pool,
      'select count(*) as count from readiness_reports where test_id = $1',
      [testId],
    )
  )?.count;

describe('a report of readiness', () => {
  test('is listed for the teacher with its problems, version and time', async () => {
    const school = await makeOfflineSchool(server);
    expect(await rowOf(school)).toEqual({
      userId: school.student.userId,
      userName: school.student.userName,
      groups: [],
      begun: false,
      offerMadeAt: null,
      offerCurrent: false,
      devices: [],
      lastSeenAt: null,
    });
    const problems = ['notFetched', 'lowSpace', 'lowSpace'];
    const reply = await report(school.testId, school.student, { problems });
    const reportedAt = server.clock.now.toISOString();
    expect(reply.body).toEqual({ reportedAt });
    expect(await rowOf(school)).toMatchObject({
      devices: [
        {
          ready: false,
          problems: ['notFetched', 'lowSpace'],
          reportedAt,
          appVersion: '1.0.0+test',
        },
      ],
      lastSeenAt: reportedAt,
    });
  });

  test('of one device replaces its last one, and another device does not overwrite it', async () => {
    const school = await makeOfflineSchool(server);
    const { testId, student } = school;
    const [phone, tablet] = [server.deps.newId(), server.deps.newId()];
    await report(testId, student, { deviceId: phone, problems: ['notFetched'] });
    await report(testId, student, { deviceId: phone, problems: ['notPersisted'] });
    server.clock.now = new Date(server.clock.now.getTime() + HOUR);
    await report(testId, student, { deviceId: tablet, problems: ['noWorker'] });
    const { devices, lastSeenAt } = await rowOf(school);
    expect(devices.map(({ ready, problems }) => [ready, problems])).toEqual([
      [true, ['notPersisted']],
      [false, ['noWorker']],
    ]);
    expect(lastSeenAt).toBe(server.clock.now.toISOString());
  });

  test('is stored for the newest devices only', async () => {
    const school = await makeOfflineSchool(server);
    for (let visit = 0; visit < 10; visit += 1) {
      server.clock.now = new Date(server.clock.now.getTime() + 1_000);
      await report(school.testId, school.student);
    }
    expect(await countReports(school.testId)).toBe(8);
    expect((await rowOf(school)).lastSeenAt).toBe(server.clock.now.toISOString());
  });

  test('is refused for a foreign test, without the setting, and after the end', async () => {
    const school = await makeOfflineSchool(server);
    const stranger = await server.user();
    expect((await report(school.testId, stranger)).status).toBe(404);
    expect((await report(school.testId, school.teacher)).status).toBe(403);
    const plain = await makeSchool(server);
    const refused = await report(plain.testId, plain.student);
    expect(errorOf(refused).code).toBe('OFFLINE_START_OFF');
    await execute(server.pool, 'update tests set end_time = $2 where id = $1', [
      school.testId,
      server.clock.now,
    ]);
    expect(errorOf(await report(school.testId, school.student)).code).toBe('TEST_CLOSED');
    expect(await countReports(school.testId)).toBe(0);
  });

  test.each([
    ['an unknown problem', { problems: ['tired'] }],
    ['too many problems', { problems: Array.from({ length: 21 }, () => 'noClock') }],
    ['no device', { deviceId: undefined }],
    ['a version that is a text', { appVersion: '<b>' }],
    ['a long version', { appVersion: '1'.repeat(65) }],
    ['a field of another student', { userId: '00000000-0000-4000-8000-0000000000aa' }],
  ])('with %s is a 400', async (_, changes) => {
    const { testId, student } = await makeOfflineSchool(server);
    expect((await report(testId, student, changes)).status).toBe(400);
    expect(await countReports(testId)).toBe(0);
  });

  test('goes with the account of its student', async () => {
    const { testId, student } = await makeOfflineSchool(server);
    await report(testId, student, { problems: ['lowSpace'] });
    await execute(server.pool, 'delete from users where id = $1', [student.userId]);
    expect(await countReports(testId)).toBe(0);
  });
});

describe('the list of readiness', () => {
  test('shows whether the prepared attempt is still the present one', async () => {
    const school = await makeOfflineSchool(server);
    const device = new OfflineDevice(server, school.student);
    const madeAt = server.clock.now.toISOString();
    await device.fetch(school.testId);
    expect(await rowOf(school)).toMatchObject({ offerMadeAt: madeAt, offerCurrent: true });
    await renewCode(server, school);
    expect(await rowOf(school)).toMatchObject({ offerMadeAt: madeAt, offerCurrent: false });
    await device.fetch(school.testId);
    expect(await rowOf(school)).toMatchObject({ offerCurrent: true });
  });

  test('names who has begun, with the contact of the attempt', async () => {
    const school = await makeOfflineSchool(server);
    await new TestDevice(server, school.student).start(school.testId);
    const row = await rowOf(school);
    expect(row).toMatchObject({ begun: true, devices: [] });
    expect(row.lastSeenAt).toBe(server.clock.now.toISOString());
  });

  test('has assigned students and members of assigned classes by name, and no teacher', async () => {
    const teacher = await server.user({ role: ROLE.teacher });
    const [boris, anna, colleague] = await Promise.all([
      server.user({ userName: 'Борис Яковлев' }),
      server.user({ userName: 'Анна Агеева' }),
      server.user({ role: ROLE.teacher, userName: 'Коллега' }),
    ]);
    const groupId = await makeGroup(server, teacher, [anna]);
    const testId = await makeTest(server, teacher, {
      students: [boris, colleague],
      offlineStart: true,
    });
    await execute(
      server.pool,
      'insert into assignments (id, test_id, group_id, created_at) values ($1, $2, $3, now())',
      [server.deps.newId(), testId, groupId],
    );
    const { body } = await listed({ testId, teacher });
    expect(body.total).toBe(2);
    expect(body.items.map(({ userName, groups }) => [userName, groups.length])).toEqual([
      ['Анна Агеева', 1],
      ['Борис Яковлев', 0],
    ]);
  });

  test('is for those who may see the test’s results, and for tests with the setting', async () => {
    const school = await makeOfflineSchool(server);
    expect((await listed(school, school.student)).status).toBe(403);
    expect((await listed(school, await server.user({ role: ROLE.teacher }))).status).toBe(404);
    const plain = await makeSchool(server);
    expect(errorOf(await listed(plain)).code).toBe('OFFLINE_START_OFF');
  });
});
