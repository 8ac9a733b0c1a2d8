import { afterAll, beforeAll, expect, test } from 'vitest';
import { listGrading, listMissing } from '#contract/grading.ts';
import { HEADER } from '#contract/headers.ts';
import { type ClassWork, MINUTE_MS, nth, sit, startClass } from '#tests/class-work.ts';
import { makeGroup, RIGHT, TestDevice } from '#tests/school.ts';
import { testServer, type TestServer } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const missingOf = async ({ teacher, testId }: ClassWork, groupId?: string) => {
  const query = groupId === undefined ? {} : { groupId };
  const params = { id: testId };
  const listed = (await server.send(listMissing, { params, query }, { as: teacher })).body;
  const queue = (await server.send(listGrading, { params, query }, { as: teacher })).body;
  // The queue's count is of the same list.
  expect(queue.missing).toBe(listed.total);
  return listed;
};

const quick = { passMinutes: 10, windowMinutes: 1 };

test('an attempt that the server closed is listed, with what is known of its device', async () => {
  const work = await startClass(server, ['Алёшина', 'Волков'], quick);
  const [silent, done] = work.devices as [TestDevice, TestDevice];
  await sit(done, [RIGHT.single]);
  await silent.answer(RIGHT.single);
  server.clock.advance(2 * MINUTE_MS);
  const said = server.clock.now.toISOString();
  await silent.answer(RIGHT.several, silent.operation({ [HEADER.head]: '5' }));
  expect((await missingOf(work)).items).toEqual([]);
  server.clock.advance(20 * MINUTE_MS);
  expect((await missingOf(work)).items).toMatchObject([
    {
      userName: 'Алёшина',
      end: 'closed',
      answered: 2,
      totalQuestions: 6,
      missing: 3,
      missingAt: said,
      lastSeenAt: said,
      stray: 0,
    },
  ]);
});

test('what was folded, set aside or arrived after all is not missing', async () => {
  const work = await startClass(server, ['Алёшина'], quick);
  const device = nth(work.devices, 0);
  await device.answer(RIGHT.single, {
    ...device.operation({ [HEADER.sequence]: '2', [HEADER.head]: '4' }),
    [HEADER.folded]: '1',
  });
  server.clock.advance(12 * MINUTE_MS);
  expect((await missingOf(work)).items).toMatchObject([{ end: 'closed', missing: 2 }]);
  await device.answer(RIGHT.several, device.operation({ [HEADER.sequence]: '3' }));
  expect((await missingOf(work)).items).toMatchObject([{ missing: 1, answered: 1 }]);
  await device.answer(RIGHT.matching, device.operation({ [HEADER.sequence]: '4' }));
  expect((await missingOf(work)).items).toMatchObject([{ missing: 0, end: 'closed' }]);
});

test('a finished attempt is listed while another of its devices still has answers', async () => {
  const work = await startClass(server, ['Алёшина']);
  const phone = nth(work.devices, 0);
  await phone.answer(RIGHT.single, phone.operation({ [HEADER.head]: '3' }));
  const tablet = new TestDevice(server, phone.student);
  await tablet.start(work.testId, { [HEADER.takeOver]: phone.attemptId });
  await sit(tablet, [RIGHT.several]);
  expect((await missingOf(work)).items).toMatchObject([{ end: 'finished', missing: 2 }]);
});

test('a running one is not listed: its answers may still be in transit', async () => {
  const work = await startClass(server, ['Алёшина']);
  const device = nth(work.devices, 0);
  await device.answer(RIGHT.single, device.operation({ [HEADER.head]: '4' }));
  expect((await missingOf(work)).total).toBe(0);
});

test('operations of an attempt that a restored database does not know are listed', async () => {
  const work = await startClass(server, ['Алёшина', 'Волков']);
  const device = nth(work.devices, 0);
  await server.pool.query('delete from attempts where id = $1', [device.attemptId]);
  server.deps.state.epoch = 2;
  await device.answer(RIGHT.single);
  await device.answer(RIGHT.several);
  server.deps.state.epoch = 1;
  expect((await missingOf(work)).items).toMatchObject([
    { userName: 'Алёшина', attemptId: null, attemptNumber: null, stray: 2, missing: 0 },
  ]);
});

test('one class at a time, paged on the server', async () => {
  const work = await startClass(server, ['Алёшина', 'Волков', 'Громов'], quick);
  const [, second] = work.devices as [TestDevice, TestDevice];
  const groupId = await makeGroup(server, work.teacher, [second.student]);
  server.clock.advance(20 * MINUTE_MS);
  expect((await missingOf(work)).total).toBe(3);
  const ofClass = await missingOf(work, groupId);
  expect([ofClass.items.map(({ userName }) => userName), ofClass.total]).toEqual([['Волков'], 1]);
  const page = await server.send(
    listMissing,
    { params: { id: work.testId }, query: { page: 2, pageSize: 2 } },
    { as: work.teacher },
  );
  expect(page.body.items.map(({ userName }) => userName)).toEqual(['Громов']);
});
