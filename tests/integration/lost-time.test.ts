import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { addTime } from '#contract/attempts.ts';
import { ROLE } from '#contract/auth.ts';
import { addTimeToMany, getBoard } from '#contract/board.ts';
import { HEADER } from '#contract/headers.ts';
import { getLostTime, getSilence, giveTimeBack } from '#contract/lost-time.ts';
import { silenceOf } from '#domain/silence.ts';
import { readLostTime, readSilences } from '#server/board/lost-time.ts';
import { readOutages, recordUptime } from '#server/board/uptime.ts';
import { execute, one, rows } from '#server/db/query.ts';
import { runHousekeeping } from '#server/housekeeping/job.ts';
import { OfflineDevice, showCode } from '#tests/offline-device.ts';
import { makeTest, RIGHT, TestDevice, type PlannedTest } from '#tests/school.ts';
import { type TestServer, testServer } from '#tests/server.ts';

const SECOND = 1_000;
const MINUTE = 60_000;

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());
// Outages belong to the whole server, so each test has its own.
beforeEach(() => execute(server.pool, 'delete from server_uptime'));

/** As a running server does it every 15 s. */
async function run(minutes: number): Promise<void> {
  for (let beat = 0; beat < minutes * 4; beat += 1) {
    await recordUptime(server.pool, server.clock.now);
    server.clock.advance(15 * SECOND);
  }
  await recordUptime(server.pool, server.clock.now);
}

/** No server runs; then one starts. */
async function fail(minutes: number): Promise<void> {
  server.clock.advance(minutes * MINUTE);
  await recordUptime(server.pool, server.clock.now);
}

const inMinutes = (minutes: number) =>
  new Date(server.clock.now.getTime() + minutes * MINUTE).toISOString();

async function classroom(count = 2, plan: PlannedTest = {}) {
  const teacher = await server.user({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const students = await Promise.all(Array.from({ length: count }, () => server.user()));
  const testId = await makeTest(server, teacher, { ...plan, students });
  const devices = students.map((student) => new TestDevice(server, student));
  const params = { id: testId };
  return {
    teacher,
    testId,
    devices,
    start: async () => {
      for (const device of devices) expect((await device.start(testId)).status).toBe(200);
    },
    lost: async () => (await server.send(getLostTime, { params }, { as: teacher })).body.items,
    giveBack: (attemptIds: string[], withSilence = false, key = server.deps.newId()) =>
      server.send(
        giveTimeBack,
        { params, body: { key, attemptIds, withSilence } },
        { as: teacher },
      ),
    silence: async (attemptId: string) =>
      server.send(getSilence, { params, query: { attemptId } }, { as: teacher }),
    deadlines: async () =>
      (
        await rows<{ deadline: Date }>(
          server.pool,
          'select deadline from attempts where test_id = $1 order by user_id',
          [testId],
        )
      ).map(({ deadline }) => deadline.toISOString()),
  };
}

type Classroom = Awaited<ReturnType<typeof classroom>>;
const idsOf = ({ devices }: Classroom) => devices.map(({ attemptId }) => attemptId);
const summary = async (room: Classroom) =>
  (await room.lost()).map(({ minutes, minutesWithSilence, causes }) => ({
    minutes,
    minutesWithSilence,
    causes: causes.map(({ cause }) => cause),
  }));

test('a server that runs, restarts quickly or shares its database has no outage', async () => {
  await run(2);
  await fail(0.5);
  const both = server.clock.now;
  await Promise.all([recordUptime(server.pool, both), recordUptime(server.pool, both)]);
  expect(await readOutages(server.pool, new Date(0))).toEqual([]);
  // A clock that was set back records no outage and takes nothing back.
  await recordUptime(server.pool, new Date(both.getTime() - 10 * MINUTE));
  const row = await one<{ last: Date; count: number }>(
    server.pool,
    'select max(last_seen_at) as last, count(*) as count from server_uptime',
  );
  expect(row).toEqual({ last: both, count: 1 });
});

test('the time between two runs of the server is an outage, old records are removed', async () => {
  await run(1);
  const from = server.clock.now.getTime();
  await fail(7);
  await run(1);
  const outage = { from, to: from + 7 * MINUTE };
  expect(await readOutages(server.pool, new Date(0))).toEqual([outage]);
  expect(await readOutages(server.pool, new Date(outage.to))).toEqual([]);
  server.clock.advance(31 * 24 * 60 * MINUTE);
  const removed = await runHousekeeping(server.deps, { attemptDays: null, auditDays: 365 });
  expect(removed).toMatchObject({ uptime: 2 });
});

test('an outage is given back once, in one act, whatever is repeated, and is logged with its reason', async () => {
  const room = await classroom();
  await run(1);
  await room.start();
  const deadline = inMinutes(40);
  await run(3);
  expect(await room.lost()).toEqual([]);
  await fail(6.5);
  const lost = await room.lost();
  expect(lost).toHaveLength(2);
  expect(lost[0]).toMatchObject({
    minutes: 7,
    minutesWithSilence: 7,
    causes: [{ cause: 'outage', periods: [{ from: inMinutes(-6.5), to: inMinutes(0) }] }],
  });
  const later = new Date(Date.parse(deadline) + 7 * MINUTE).toISOString();
  const key = server.deps.newId();
  const given = await room.giveBack(idsOf(room), false, key);
  expect(given.status, given.text).toBe(200);
  expect(given.body.skipped).toEqual([]);
  expect(given.body.extended.map((one) => one.deadline)).toEqual([later, later]);
  expect((await room.giveBack(idsOf(room), false, key)).body).toEqual(given.body);
  expect(await room.lost()).toEqual([]);
  // A colleague who had the list open gives nothing twice.
  const again = await room.giveBack(idsOf(room));
  expect(again.body.extended).toEqual([]);
  expect(again.body.skipped[0]?.message).toBe('Возвращать уже нечего');
  expect(await room.deadlines()).toEqual([later, later]);
  const acts = await rows<{ details: object; times: number }>(
    server.pool,
    `select details, times from audit_log where act = 'timeAdded' and subject_id = any($1)`,
    [idsOf(room)],
  );
  expect(acts).toEqual([
    { details: { minutes: 7, reasons: 'outage' }, times: 1 },
    { details: { minutes: 7, reasons: 'outage' }, times: 1 },
  ]);
});

test('two teachers who give back the same outage at once do so once', async () => {
  const room = await classroom(1);
  await run(1);
  await room.start();
  await fail(5);
  const replies = await Promise.all([1, 2, 3].map(() => room.giveBack(idsOf(room))));
  expect(replies.map(({ body }) => body.extended.length).toSorted()).toEqual([0, 0, 1]);
  expect(await room.deadlines()).toEqual([inMinutes(40)]);
});

test('a further outage is suggested alone', async () => {
  const room = await classroom(1);
  await run(1);
  await room.start();
  await fail(5);
  await room.giveBack(idsOf(room));
  await run(2);
  await fail(3);
  expect(await summary(room)).toEqual([{ minutes: 3, minutesWithSilence: 3, causes: ['outage'] }]);
});

test('an attempt that ran out and was closed during an outage gets what it lost of its time, and no more', async () => {
  const room = await classroom(1);
  await run(1);
  await room.start();
  await run(30);
  await fail(60);
  // The board closes what is due.
  await server.send(getBoard, { params: { id: room.testId }, query: {} }, { as: room.teacher });
  expect(
    await one(server.pool, 'select ended from attempts where test_id = $1', [room.testId]),
  ).toEqual({ ended: 'closed' });
  expect(await summary(room)).toEqual([
    { minutes: 10, minutesWithSilence: 10, causes: ['outage'] },
  ]);
  expect((await room.giveBack(idsOf(room))).body.extended).toEqual([
    { attemptId: idsOf(room)[0], deadline: inMinutes(10) },
  ]);
  expect(await room.lost()).toEqual([]);
});

test.each(['one', 'many'])(
  'minutes added for %s after the deadline make no loss of the time before them',
  async (kind) => {
    const room = await classroom(1);
    await run(1);
    await room.start();
    await run(30);
    await fail(15);
    const [attemptId = ''] = idsOf(room);
    const added =
      kind === 'one'
        ? await server.send(
            addTime,
            { params: { attemptId }, body: { minutes: 20 } },
            { as: room.teacher },
          )
        : await server.send(
            addTimeToMany,
            {
              params: { id: room.testId },
              body: { key: server.deps.newId(), minutes: 20, attemptIds: [attemptId] },
            },
            { as: room.teacher },
          );
    expect(added.status).toBe(200);
    await run(10);
    expect((await summary(room))[0]).toMatchObject({ minutes: 10 });
  },
);

test('who was closed while the server ran, finished, or is deleted is not listed', async () => {
  const room = await classroom(3);
  await run(1);
  await room.start();
  await fail(5);
  await run(1);
  const [finished, deleted, closed] = room.devices;
  await finished?.finish();
  await execute(server.pool, 'update attempts set deleted_at = $2 where id = $1', [
    deleted?.attemptId,
    server.clock.now,
  ]);
  expect((await room.lost()).map(({ attemptId }) => attemptId)).toEqual([closed?.attemptId]);
  await run(60);
  expect(await room.lost()).toEqual([]);
});

test('a start that an outage delayed gets back what the end of the test took', async () => {
  const opens = server.clock.now;
  const room = await classroom(1, {
    startTime: opens,
    endTime: new Date(opens.getTime() + 45 * MINUTE),
  });
  await run(1);
  await fail(9);
  await room.start();
  expect(await summary(room)).toEqual([
    { minutes: 5, minutesWithSilence: 5, causes: ['lateStart'] },
  ]);
  expect((await room.giveBack(idsOf(room))).body.extended).toEqual([
    { attemptId: idsOf(room)[0], deadline: inMinutes(40) },
  ]);
  expect(await room.lost()).toEqual([]);
});

test('who began without a network needs the server only once the begin has come', async () => {
  const room = await classroom(1, { offlineStart: true });
  const [student] = room.devices.map((device) => device.student);
  if (!student) throw new Error('one student');
  const device = new OfflineDevice(server, student);
  await device.fetch(room.testId);
  await device.open(await showCode(server, room));
  await run(1);
  await fail(20);
  expect((await device.begin(20 * MINUTE)).status).toBe(200);
  expect(await room.lost()).toEqual([]);
  await device.answer(RIGHT.open, device.operation({ [HEADER.age]: String(10 * MINUTE) }));
  expect(await summary(room)).toEqual([
    { minutes: 0, minutesWithSilence: 10, causes: ['silence'] },
  ]);
  await run(1);
  await fail(3);
  const both = [{ minutes: 3, minutesWithSilence: 13, causes: ['outage', 'silence'] }];
  expect(await summary(room)).toEqual(both);
  // A restore lost the begin; later a receipt proves the attempt.
  await execute(server.pool, 'delete from begins where attempt_id = $1', [device.attemptId]);
  expect((await summary(room))[0]?.minutes).toBe(0);
  await execute(server.pool, 'update attempts set recovered_at = $2 where id = $1', [
    device.attemptId,
    inMinutes(-4),
  ]);
  expect(await summary(room)).toEqual(both);
});

test('a replaced device costs the time from its last sign to the next device', async () => {
  const room = await classroom(1);
  await room.start();
  const [first] = room.devices;
  if (!first) throw new Error('one device');
  server.clock.advance(3 * MINUTE);
  await first.answer(RIGHT.open);
  server.clock.advance(8 * MINUTE);
  const second = new TestDevice(server, first.student);
  await second.start(room.testId, { [HEADER.takeOver]: first.attemptId });
  expect(await summary(room)).toEqual([
    { minutes: 8, minutesWithSilence: 8, causes: ['takeOver'] },
  ]);
  server.clock.advance(MINUTE);
  await first.answer(RIGHT.single, first.operation({ [HEADER.age]: String(6 * MINUTE) }));
  // Written without a network: the old device was used until then. Its late arrival is no sign of use.
  expect((await room.lost())[0]?.causes[0]).toEqual({
    cause: 'takeOver',
    periods: [{ from: inMinutes(-6), to: inMinutes(-1) }],
  });
});

test('a device that changes at once costs nothing', async () => {
  const room = await classroom(1);
  await room.start();
  server.clock.advance(50 * SECOND);
  const [first] = room.devices;
  if (!first) throw new Error('one device');
  await new TestDevice(server, first.student).start(room.testId, {
    [HEADER.takeOver]: first.attemptId,
  });
  expect(await room.lost()).toEqual([]);
});

test('silence is listed apart, given back only on request, and read for one attempt', async () => {
  const room = await classroom(2);
  await room.start();
  const [device, other] = room.devices;
  if (!device || !other) throw new Error('two devices');
  server.clock.advance(15 * MINUTE);
  for (const [answer, age] of [
    [RIGHT.open, 12],
    [RIGHT.single, 4],
  ] as const)
    await device.answer(answer, device.operation({ [HEADER.age]: String(age * MINUTE) }));
  expect(await summary(room)).toEqual([
    { minutes: 0, minutesWithSilence: 12, causes: ['silence'] },
  ]);
  const periods = [{ from: inMinutes(-12), to: inMinutes(0) }];
  expect((await room.silence(device.attemptId)).body).toEqual({ periods, isAgeUnknown: false });
  expect((await room.silence(other.attemptId)).body).toEqual({ periods: [], isAgeUnknown: false });
  expect((await room.giveBack([device.attemptId])).body.extended).toEqual([]);
  expect((await room.giveBack([device.attemptId], true)).body.extended).toHaveLength(1);
  expect(await room.lost()).toEqual([]);
  await other.answer(RIGHT.open, other.operation({ [HEADER.age]: 'unknown' }));
  expect((await room.silence(other.attemptId)).body.isAgeUnknown).toBe(true);
});

test('a silence costs one row, however many answers waited for its end', async () => {
  const room = await classroom(1);
  await room.start();
  const [device] = room.devices;
  if (!device) throw new Error('one device');
  server.clock.advance(15 * MINUTE);
  for (let i = 0; i < 12; i += 1)
    await device.answer(RIGHT.open, device.operation({ [HEADER.age]: String(12 * MINUTE) }));
  const client = await server.pool.connect();
  const query = vi.spyOn(client, 'query');
  await readLostTime(client, room.testId, server.clock.now);
  const results: unknown[] = await Promise.all(query.mock.results.map(({ value }) => value));
  query.mockRestore();
  client.release();
  const read = results.flatMap((result) => (result instanceof pg.Result ? result.rows : []));
  // The attempt itself, and its silence.
  expect(read).toHaveLength(2);
});

test('the silences of a class, computed in the database, are those of the rule', async () => {
  const seconds = fc.integer({ min: 0, max: 400 });
  const delivery = fc.record({
    received: seconds,
    age: fc.option(seconds),
    seenAgo: fc.option(seconds),
  });
  const room = await classroom(1);
  await room.start();
  const from = server.clock.now.getTime();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(delivery, { maxLength: 8 }), { maxLength: 6 }),
      async (all) => {
        const attempts = all.map((deliveries) => ({
          id: server.deps.newId(),
          deliveries: deliveries.map(({ received, age, seenAgo }) => {
            const receivedAt = from + received * SECOND;
            const before = (ago: number | null) =>
              ago === null ? null : receivedAt - ago * SECOND;
            return { receivedAt, writtenAt: before(age), seenServerAt: before(seenAgo) };
          }),
        }));
        const given = attempts.flatMap(({ id, deliveries }) =>
          deliveries.map((each) => ({ id, ...each })),
        );
        const ids = attempts.map(({ id }) => id);
        const at = (ms: number | null) => (ms === null ? null : new Date(ms));
        await execute(
          server.pool,
          `with copied as (
           insert into attempts (id, test_id, user_id, content_id, number, started_at, deadline,
             late_window_seconds, default_stream, active_stream, active_epoch, deleted_at)
           select given.id, a.test_id, a.user_id, a.content_id, 1000 + (select max(number) from attempts)
             + place, a.started_at, a.deadline, 0, given.id, given.id, 1, now()
           from unnest($2::uuid[]) with ordinality as given(id, place), attempts a where a.id = $1)
         insert into operations (attempt_id, id, stream, epoch, rank, kind, body_digest, outcome,
           received_at, written_at, seen_server_at)
         select given.id, gen_random_uuid(), given.id, 1, 1, 'answer', '\\x00', 'stored', received, written, seen
         from unnest($3::uuid[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[])
           as given(id, received, written, seen)`,
          [
            room.devices[0]?.attemptId,
            ids,
            given.map(({ id }) => id),
            given.map(({ receivedAt }) => at(receivedAt)),
            given.map(({ writtenAt }) => at(writtenAt)),
            given.map(({ seenServerAt }) => at(seenServerAt)),
          ],
        );
        const silences = await readSilences(server.pool, ids);
        for (const { id, deliveries } of attempts)
          expect(silences(id)).toEqual(silenceOf(deliveries).periods);
      },
    ),
    { numRuns: 60 },
  );
});

test('attempts of another test are not found, and a key of other minutes is refused', async () => {
  const room = await classroom(1);
  const elsewhere = await classroom(1);
  await run(1);
  await room.start();
  await elsewhere.start();
  await fail(5);
  const ids = idsOf(elsewhere);
  expect((await room.giveBack([...idsOf(room), ...ids])).status).toBe(404);
  expect((await room.silence(ids[0] ?? '')).status).toBe(404);
  expect(await room.lost()).toHaveLength(1);
  const key = server.deps.newId();
  await server.send(
    addTimeToMany,
    { params: { id: room.testId }, body: { key, minutes: 5, attemptIds: idsOf(room) } },
    { as: room.teacher },
  );
  expect((await room.giveBack(idsOf(room), false, key)).status).toBe(400);
});
