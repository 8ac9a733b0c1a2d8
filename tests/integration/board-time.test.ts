import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteAttempt } from '#contract/attempts.ts';
import { addTimeToMany } from '#contract/board.ts';
import { decideHolds } from '#contract/offers.ts';
import { rows } from '#server/db/query.ts';
import { makeOfflineSchool, OfflineDevice, showCode } from '#tests/offline-device.ts';
import {
  errorOf,
  makeSchool,
  makeTest,
  RIGHT,
  TestDevice,
  type PlannedTest,
} from '#tests/school.ts';
import { type TestServer, testServer } from '#tests/server.ts';

const MINUTE = 60_000;

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

/** Students in a running attempt each, on one test of forty minutes. */
async function classroom(count: number, attemptsCount = 1, plan: PlannedTest = {}) {
  const { teacher, student, testId: _own } = await makeSchool(server);
  const others = await Promise.all(
    Array.from({ length: count - 1 }, () => server.user({ userName: 'Одноклассник' })),
  );
  const students = [student, ...others];
  const testId = await makeTest(server, teacher, { ...plan, students, attemptsCount });
  const devices: TestDevice[] = [];
  for (const one of students) {
    const device = new TestDevice(server, one);
    await device.start(testId);
    devices.push(device);
  }
  const add = (body: { key: string; minutes: number; attemptIds: string[] }) =>
    server.send(addTimeToMany, { params: { id: testId }, body }, { as: teacher });
  return { teacher, students, testId, devices, add };
}

const deadlines = async (testId: string) =>
  (
    await rows<{ deadline: Date }>(
      server.pool,
      'select deadline from attempts where test_id = $1 order by id',
      [testId],
    )
  ).map(({ deadline }) => deadline.toISOString());

const inMinutes = (minutes: number) =>
  new Date(server.clock.now.getTime() + minutes * MINUTE).toISOString();

test('several get the same minutes at once; a repeat of the key has no second effect', async () => {
  const { testId, devices, add } = await classroom(3);
  const attemptIds = devices.slice(0, 2).map(({ attemptId }) => attemptId);
  const body = { key: server.deps.newId(), minutes: 10, attemptIds };
  const first = await add(body);
  expect(first.status, first.text).toBe(200);
  expect(first.body.skipped).toEqual([]);
  expect(new Set(first.body.extended)).toEqual(
    new Set(attemptIds.map((attemptId) => ({ attemptId, deadline: inMinutes(50) }))),
  );
  expect(await deadlines(testId)).toEqual([inMinutes(50), inMinutes(50), inMinutes(40)]);
  const repeats = await Promise.all([
    add(body),
    add({ ...body, attemptIds: attemptIds.reverse() }),
  ]);
  for (const repeat of repeats) expect(repeat.body).toEqual(first.body);
  expect(await deadlines(testId)).toEqual([inMinutes(50), inMinutes(50), inMinutes(40)]);
});

test('copies that arrive at the same moment add the minutes once', async () => {
  const { testId, devices, add } = await classroom(2);
  const attemptIds = devices.map(({ attemptId }) => attemptId);
  const body = { key: server.deps.newId(), minutes: 5, attemptIds };
  const replies = await Promise.all([add(body), add(body), add(body), add(body)]);
  for (const reply of replies) {
    expect(reply.status, reply.text).toBe(200);
    expect(reply.body).toEqual(replies[0]?.body);
  }
  expect(await deadlines(testId)).toEqual([inMinutes(45), inMinutes(45)]);
});

test("two teachers' extensions of the same class in opposite orders both succeed", async () => {
  const { testId, devices, add } = await classroom(6);
  const ids = devices.map(({ attemptId }) => attemptId);
  const replies = await Promise.all(
    Array.from({ length: 6 }, (_, n) =>
      add({
        key: server.deps.newId(),
        minutes: 1,
        attemptIds: n % 2 === 0 ? ids : ids.toReversed(),
      }),
    ),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
  expect(new Set(await deadlines(testId))).toEqual(new Set([inMinutes(46)]));
});

test('an attempt that cannot get time is skipped with the reason; the others get theirs', async () => {
  const { devices, add, testId } = await classroom(3, 2);
  const [done, again, writing] = devices;
  if (!done || !again || !writing) throw new Error('three devices');
  await done.finish();
  await again.finish();
  const next = new TestDevice(server, again.student);
  await next.start(testId);
  const reply = await add({
    key: server.deps.newId(),
    minutes: 15,
    attemptIds: devices.map(({ attemptId }) => attemptId),
  });
  expect(reply.body.extended).toEqual([{ attemptId: writing.attemptId, deadline: inMinutes(55) }]);
  const skipped = new Map(
    reply.body.skipped.map(({ attemptId, message }) => [attemptId, message] as const),
  );
  expect(skipped.get(done.attemptId)).toBe('Эта попытка уже не идёт');
  expect(skipped.get(again.attemptId)).toBe(
    'Следующая попытка уже начата: время прежней не продлить',
  );
});

/** An attempt begun without a network, and one begun later with one that is over when the first begin arrives. */
async function beginOfBefore(endLater: (later: TestDevice) => Promise<unknown>) {
  const school = await makeOfflineSchool(server, { attemptsCount: 2 });
  const { student, teacher, testId } = school;
  const device = new OfflineDevice(server, student);
  await device.fetch(testId);
  await device.open(await showCode(server, school));
  server.clock.advance(10 * MINUTE);
  const later = new TestDevice(server, student);
  await later.start(testId);
  await endLater(later);
  server.clock.advance(10 * MINUTE);
  expect((await device.begin(20 * MINUTE)).body.beginHold).toBe('otherAttempt');
  const of = { params: { id: testId } };
  const add = ({ attemptId }: TestDevice) => {
    const body = { key: server.deps.newId(), minutes: 10, attemptIds: [attemptId] };
    return server.send(addTimeToMany, { ...of, body }, { as: teacher });
  };
  const accept = () => {
    const body = { decision: 'accept' as const, attemptIds: [device.attemptId] };
    return server.send(decideHolds, { ...of, body }, { as: teacher });
  };
  return { device, later, add, accept };
}

test('an attempt that runs gets time, though one that began later is over', async () => {
  const { device, add, accept } = await beginOfBefore((later) => later.finish());
  const { attemptId } = device;
  for (const minutes of [30, 40]) {
    const reply = await add(device);
    const extended = [{ attemptId, deadline: inMinutes(minutes) }];
    expect(reply.body).toEqual({ extended, skipped: [] });
    await accept();
  }
});

test('an attempt whose time is over gets none beside one that runs, though that began earlier', async () => {
  const { later, add, accept } = await beginOfBefore(({ attemptId }) =>
    rows(
      server.pool,
      `update attempts set deadline = started_at + interval '5 min' where id = $1`,
      [attemptId],
    ),
  );
  await accept();
  expect((await add(later)).body).toMatchObject({
    extended: [],
    skipped: [{ message: 'Следующая попытка уже начата: время прежней не продлить' }],
  });
});

test('a deleted later attempt does not prevent more time', async () => {
  const { devices, add, teacher, testId } = await classroom(1, 2);
  const [device] = devices;
  if (!device) throw new Error('one device');
  server.clock.advance(60 * MINUTE);
  const next = new TestDevice(server, device.student);
  await next.start(testId);
  const params = { attemptId: next.attemptId };
  await server.send(deleteAttempt, { params }, { as: teacher });
  const key = server.deps.newId();
  const reply = await add({ key, minutes: 10, attemptIds: [device.attemptId] });
  expect(reply.body).toEqual({
    extended: [{ attemptId: device.attemptId, deadline: inMinutes(10) }],
    skipped: [],
  });
});

const HIDDEN = { ownAnswers: 'never', points: 'never', correctAnswers: 'never' };

test.each([
  ['counts where no result shows', { visibility: HIDDEN }, 'stored'],
  ['waits for the teacher where its student could see the result', {}, 'held'],
])('an attempt that the server closed runs again; its late answer %s', async (_, plan, outcome) => {
  const { devices, add } = await classroom(1, 1, plan);
  const [device] = devices;
  if (!device) throw new Error('one device');
  server.clock.advance(60 * MINUTE);
  const held = await device.answer(RIGHT.open, { ...device.operation(), 'x-operation-age': '0' });
  expect(held.body.outcome).toBe('held');
  const reply = await add({
    key: server.deps.newId(),
    minutes: 10,
    attemptIds: [device.attemptId],
  });
  expect(reply.body.extended).toEqual([{ attemptId: device.attemptId, deadline: inMinutes(10) }]);
  const [stored] = await rows<{ outcome: string }>(
    server.pool,
    'select outcome from operations where attempt_id = $1',
    [device.attemptId],
  );
  expect(stored?.outcome).toBe(outcome);
});

test('an attempt of another test is not found, and no time is added', async () => {
  const here = await classroom(1);
  const elsewhere = await classroom(1);
  const attemptIds = [...here.devices, ...elsewhere.devices].map(({ attemptId }) => attemptId);
  const before = await deadlines(here.testId);
  const key = server.deps.newId();
  const reply = await here.add({ key, minutes: 10, attemptIds });
  expect(reply.status).toBe(404);
  expect(await deadlines(here.testId)).toEqual(before);
  const own = here.devices.map(({ attemptId }) => attemptId);
  expect((await here.add({ key, minutes: 10, attemptIds: own })).status).toBe(200);
});

test('a key that was used for something else is refused', async () => {
  const { devices, add, testId } = await classroom(3);
  const all = devices.map(({ attemptId }) => attemptId);
  const ids = all.slice(0, 2);
  const key = server.deps.newId();
  await add({ key, minutes: 5, attemptIds: ids });
  const before = await deadlines(testId);
  for (const other of [
    { key, minutes: 10, attemptIds: ids },
    { key, minutes: 5, attemptIds: ids.slice(0, 1) },
    { key, minutes: 5, attemptIds: all },
    { key, minutes: 5, attemptIds: all.slice(1) },
  ]) {
    const reply = await add(other);
    expect(reply.status).toBe(400);
    expect(errorOf(reply).details).toEqual({
      fields: [
        {
          field: 'key',
          message: 'Под этим ключом время уже добавляли иначе. Обновите страницу и повторите',
        },
      ],
    });
  }
  expect(await deadlines(testId)).toEqual(before);
});

test.each([0, -5, 1.5, 1_441, '10'])('%s minutes are refused at the field', async (minutes) => {
  const { add, devices } = await classroom(1);
  const attemptIds = devices.map(({ attemptId }) => attemptId);
  const reply = await add({ key: server.deps.newId(), minutes: minutes as number, attemptIds });
  expect(reply.status).toBe(400);
  expect(errorOf(reply).details).toMatchObject({ fields: [{ field: 'minutes' }] });
});
