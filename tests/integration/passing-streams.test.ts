import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { HEADER } from '#contract/headers.ts';
import { getSavedAnswers } from '#contract/passing.ts';
import { rows, transaction } from '#server/db/query.ts';
import { addStream, createCallRecorder, recordContact } from '#server/passing/streams.ts';
import { MINUTE_MS, nth, startClass } from '#tests/class-work.ts';
import { makeSchool, RIGHT, TestDevice } from '#tests/school.ts';
import { testServer, type TestServer } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

async function running(): Promise<TestDevice> {
  const { student, testId } = await makeSchool(server);
  const device = new TestDevice(server, student);
  await device.start(testId);
  return device;
}

const inMinutes = (minutes: number) => new Date(server.clock.now.getTime() + minutes * MINUTE_MS);

const streamsOf = ({ attemptId }: TestDevice) =>
  rows(
    server.pool,
    `select id, epoch, created_at as "beganAt", last_heard_at as "lastSeenAt" from streams
     where attempt_id = $1 order by epoch`,
    [attemptId],
  );

const headOf = async ({ attemptId, stream }: TestDevice) =>
  nth(
    await rows(
      server.pool,
      `select head, head_at as at, head_since as since, last_heard_at as "lastSeenAt" from streams
       where attempt_id = $1 and id = $2`,
      [attemptId, stream],
    ),
    0,
  );

const ownerOf = ({ attemptId }: TestDevice) =>
  rows(
    server.pool,
    'select active_stream as stream, active_epoch as epoch from attempts where id = $1',
    [attemptId],
  );

test("a stream issued for a classmate's attempt is unknown to one's own", async () => {
  const { devices } = await startClass(server, ['Пётр', 'Анна']);
  const own = nth(devices, 0);
  const foreign = { [HEADER.stream]: nth(devices, 1).stream };
  const reply = await own.answer(RIGHT.single, own.operation(foreign));
  expect(reply.body).toMatchObject({ outcome: 'held', receivedLate: true });
});

test("a device's report about one attempt does not affect another with the same stream name", async () => {
  const first = await running();
  const { student, testId } = await makeSchool(server);
  const second = new TestDevice(server, student);
  second.stream = first.stream;
  await second.start(testId);
  await server.send(
    getSavedAnswers,
    { params: { id: first.attemptId } },
    { as: first.student, headers: { [HEADER.stream]: first.stream, [HEADER.head]: '7' } },
  );
  expect(await headOf(first)).toMatchObject({ head: 7 });
  expect(await headOf(second)).toMatchObject({ head: 0 });
});

test('a head has the time of its last report and the age of its first; a smaller one, or an older call, changes nothing', async () => {
  const device = await running();
  const says = (head: number, minutes: number) =>
    recordContact(server.pool, device.attemptId, device.stream, head, inMinutes(minutes));
  await says(3, 1);
  await says(3, 2);
  expect(await headOf(device)).toMatchObject({ head: 3, at: inMinutes(2), since: inMinutes(1) });
  await says(2, 4);
  expect(await headOf(device)).toEqual({
    head: 3,
    at: inMinutes(2),
    since: inMinutes(1),
    lastSeenAt: inMinutes(4),
  });
  await says(0, 3);
  expect(await headOf(device)).toMatchObject({ lastSeenAt: inMinutes(4) });
});

describe('reports that arrive together', () => {
  const says = (device: TestDevice, head: number) => ({
    attempt: { id: device.attemptId, defaultStream: device.stream },
    headers: { [HEADER.head]: head },
  });

  test('share a statement, and each stream gets its own', async () => {
    const { devices } = await startClass(server, ['Пётр', 'Анна', 'Иван', 'Ольга', 'Лев']);
    const record = createCallRecorder(server.pool);
    const query = vi.spyOn(server.pool, 'query');
    await Promise.all(
      devices.map((device, index) => {
        const { attempt, headers } = says(device, index + 1);
        return record(attempt, headers, inMinutes(index));
      }),
    );
    // The first starts at once, and the others during its run.
    expect(query).toHaveBeenCalledTimes(2);
    query.mockRestore();
    for (const [index, device] of devices.entries()) {
      const at = inMinutes(index);
      expect(await headOf(device)).toMatchObject({
        head: index + 1,
        at,
        since: at,
        lastSeenAt: at,
      });
    }
  });

  test('of one stream follow one another, and none lowers its head', async () => {
    const device = await running();
    const record = createCallRecorder(server.pool);
    const report = (head: number, minutes: number) => {
      const { attempt, headers } = says(device, head);
      return record(attempt, headers, inMinutes(minutes));
    };
    await Promise.all([report(3, 1), report(5, 2), report(4, 3)]);
    expect(await headOf(device)).toMatchObject({
      head: 5,
      since: inMinutes(2),
      lastSeenAt: inMinutes(3),
    });
  });

  test('wait for no operation that holds one of their streams', async () => {
    const { devices } = await startClass(server, ['Пётр', 'Анна']);
    const busy = nth(devices, 0);
    const free = nth(devices, 1);
    const record = createCallRecorder(server.pool);
    await transaction(server.pool, async (client) => {
      await recordContact(client, busy.attemptId, busy.stream, 2, inMinutes(1));
      await Promise.all(
        [busy, free].map((device) => {
          const { attempt, headers } = says(device, 1);
          return record(attempt, headers, inMinutes(1));
        }),
      );
      expect(await headOf(free)).toMatchObject({ head: 1 });
    });
    expect(await headOf(busy)).toMatchObject({ head: 2 });
  });

  test('without a stream or a head are none', async () => {
    const device = await running();
    const before = await headOf(device);
    const { attempt } = says(device, 1);
    await createCallRecorder(server.pool)(attempt, {}, inMinutes(5));
    expect(await headOf(device)).toEqual(before);
  });
});

test('the greatest epoch owns an attempt: a lesser or equal one does not, and a known stream retains its own', async () => {
  const device = await running();
  const made = (stream: string, epoch: number) =>
    transaction(server.pool, (client) =>
      addStream(client, device.attemptId, stream, epoch, inMinutes(1)),
    );
  const next = server.deps.newId();
  await made(next, 3);
  expect(await ownerOf(device)).toEqual([{ stream: next, epoch: 3 }]);
  await made(server.deps.newId(), 2);
  await made(server.deps.newId(), 3);
  await made(device.stream, 3);
  expect(await ownerOf(device)).toEqual([{ stream: next, epoch: 3 }]);
  expect(nth(await streamsOf(device), 0)).toMatchObject({ id: device.stream, epoch: 1 });
});

test('a recreated stream began when its attempt did, and its last contact is now', async () => {
  const device = await running();
  const stream = server.deps.newId();
  const { attemptId } = device;
  await transaction(server.pool, (client) =>
    addStream(client, attemptId, stream, 2, inMinutes(9), server.clock.now),
  );
  expect(nth(await streamsOf(device), 1)).toMatchObject({
    id: stream,
    beganAt: server.clock.now,
    lastSeenAt: inMinutes(9),
  });
});
