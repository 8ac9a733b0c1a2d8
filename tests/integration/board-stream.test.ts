import type { AddressInfo } from 'node:net';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { logout, ROLE } from '#contract/auth.ts';
import { deleteTest } from '#contract/authoring.ts';
import { Board, watchBoard } from '#contract/board.ts';
import { HEADER } from '#contract/headers.ts';
import { execute } from '#server/db/query.ts';
import { eventsOf } from '#tests/events.ts';
import { makeSchool, RIGHT, TestDevice, type School } from '#tests/school.ts';
import { type TestServer, type TestUser, testServer, urlOf } from '#tests/server.ts';

let server: TestServer;
let base: string;
beforeAll(async () => {
  server = await testServer();
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  base = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

/** A client, with everything received so far. */
class Listener {
  readonly boards: Board[] = [];
  isOver = false;
  readonly response: Response;
  private readonly abort: AbortController;

  private constructor(response: Response, abort: AbortController) {
    this.response = response;
    this.abort = abort;
  }

  static async open(
    school: School,
    as: TestUser = school.teacher,
    query = {},
    { isRead } = { isRead: true },
  ): Promise<Listener> {
    const abort = new AbortController();
    const response = await fetch(
      base + urlOf(watchBoard, { params: { id: school.testId }, query }),
      {
        headers: { authorization: `Bearer ${as.token}`, 'accept-encoding': 'gzip, br' },
        signal: abort.signal,
      },
    );
    const listener = new Listener(response, abort);
    listeners.push(listener);
    if (isRead) void listener.read();
    return listener;
  }

  get latest(): Board | undefined {
    return this.boards.at(-1);
  }

  close(): void {
    this.abort.abort();
  }

  private async read(): Promise<void> {
    try {
      for await (const data of eventsOf(this.response)) this.boards.push(v.parse(Board, data));
    } catch {
      // Aborted by the test itself.
    }
    this.isOver = true;
  }
}

const listeners: Listener[] = [];
afterEach(() => {
  for (const listener of listeners.splice(0)) listener.close();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function started(school: School): Promise<TestDevice> {
  const device = new TestDevice(server, school.student);
  await device.start(school.testId);
  return device;
}

test('the first event is the whole board; a proxy must not buffer', async () => {
  const school = await makeSchool(server);
  const listener = await Listener.open(school);
  expect(listener.response.status).toBe(200);
  const headers = Object.fromEntries(listener.response.headers);
  expect(headers['content-type']).toBe('text/event-stream; charset=utf-8');
  expect(headers['x-accel-buffering']).toBe('no');
  expect(headers['cache-control']).toBe('no-store, no-transform');
  expect(headers['content-encoding']).toBeUndefined();
  expect(headers[HEADER.serverTime]).toBe(server.clock.now.toISOString());
  await expect.poll(() => listener.latest?.rows[0]?.state).toBe('notStarted');
});

test('each change arrives as a later board, in order, to every watcher', async () => {
  const school = await makeSchool(server);
  const [one, two] = [await Listener.open(school), await Listener.open(school)];
  await expect.poll(() => one.boards.length).toBe(1);
  const device = await started(school);
  for (const listener of [one, two])
    await expect.poll(() => listener.latest?.rows[0]?.state).toBe('running');
  server.clock.advance(1_000);
  await device.answer(RIGHT.open);
  for (const listener of [one, two])
    await expect.poll(() => listener.latest?.rows[0]?.answered).toBe(1);
  const times = one.boards.map(({ serverTime }) => Date.parse(serverTime));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  const states = one.boards.map(({ rows }) => `${rows[0]?.state} ${rows[0]?.answered}`);
  expect(states).toEqual(['notStarted 0', 'running 0', 'running 1']);
});

test('trials are sent only to those who requested them', async () => {
  const school = await makeSchool(server, { openToAll: true });
  await new TestDevice(server, school.teacher).start(school.testId);
  const once = { once: '1' };
  const of = async (query: object) => {
    const listener = await Listener.open(school, school.teacher, { ...once, ...query });
    await expect.poll(() => listener.isOver).toBe(true);
    return listener.boards.map(({ rows }) => rows.map(({ userName, trial }) => [userName, trial]));
  };
  const student = [school.student.userName, false];
  expect(await of({})).toEqual([[student]]);
  const [withTrials] = await of({ trials: '1' });
  expect(withTrials?.toSorted()).toEqual([['О. В. Лаптева', true], student].toSorted());
});

test('once=1 gives one board and ends', async () => {
  const school = await makeSchool(server);
  const listener = await Listener.open(school, school.teacher, { once: '1' });
  await expect.poll(() => listener.isOver).toBe(true);
  expect(listener.boards).toHaveLength(1);
});

test('reports that the board is current while nothing changes', async () => {
  // Time passes for the measure of silence alone.
  vi.useFakeTimers({ toFake: ['performance'] });
  const school = await makeSchool(server);
  const { response } = await Listener.open(school, school.teacher, {}, { isRead: false });
  const reader = response.body?.getReader();
  const next = async () => Buffer.from((await reader?.read())?.value ?? []).toString();
  expect(await next()).toMatch(/^data: \{/u);
  vi.advanceTimersByTime(10_000);
  expect(await next()).toBe(': ok\n\n');
});

test('the stream ends with the test, before its right is checked again', async () => {
  vi.spyOn(globalThis, 'setInterval').mockImplementation(() => setTimeout(() => undefined, 0));
  const school = await makeSchool(server);
  const listener = await Listener.open(school);
  await expect.poll(() => listener.boards.length).toBe(1);
  await server.send(deleteTest, { params: { id: school.testId } }, { as: school.teacher });
  await expect.poll(() => listener.isOver).toBe(true);
});

test('the stream ends with the sign-in', async () => {
  const school = await makeSchool(server);
  const listener = await Listener.open(school);
  await expect.poll(() => listener.boards.length).toBe(1);
  await server.send(logout, {}, { as: school.teacher });
  await expect.poll(() => listener.isOver).toBe(true);
});

test('the stream ends when the account is blocked, and when its role changes', async () => {
  const school = await makeSchool(server);
  const admin = await server.user({ role: ROLE.admin });
  const [blocked, demoted] = [await Listener.open(school), await Listener.open(school, admin)];
  await expect.poll(() => blocked.boards.length + demoted.boards.length).toBe(2);
  await execute(server.pool, 'update users set blocked_at = $2 where id = $1', [
    school.teacher.userId,
    server.clock.now,
  ]);
  await expect.poll(() => blocked.isOver).toBe(true);
  expect(demoted.isOver).toBe(false);
  // Still a teacher, but no longer the owner of the test.
  await execute(server.pool, 'update users set role = $2 where id = $1', [
    admin.userId,
    ROLE.teacher,
  ]);
  await expect.poll(() => demoted.isOver).toBe(true);
});

test('one account has so many streams; a disconnected client frees its slot', async () => {
  const school = await makeSchool(server);
  const open = [];
  for (let n = 0; n < 6; n += 1) open.push(await Listener.open(school));
  const refused = await Listener.open(school);
  expect(refused.response.status).toBe(429);
  expect(refused.response.headers.get('retry-after')).toBe('30');
  open[0]?.close();
  await expect.poll(async () => (await Listener.open(school)).response.status).toBe(200);
});

test('streams are excluded from the durations of calls', async () => {
  const school = await makeSchool(server);
  const listener = await Listener.open(school, school.teacher, { once: '1' });
  await expect.poll(() => listener.isOver).toBe(true);
  const metrics = await server.raw({ url: '/metrics' });
  expect(metrics.text).toContain('http_request_duration_seconds_count');
  expect(metrics.text).not.toContain('board/events');
});

test('a server that stops ends its streams at once', async () => {
  const other = await testServer();
  try {
    await other.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = other.app.server.address() as AddressInfo;
    const school = await makeSchool(other, { openToAll: true });
    await new TestDevice(other, school.teacher).start(school.testId);
    const open = async (query: Record<string, string>) => {
      const url = urlOf(watchBoard, { params: { id: school.testId }, query });
      const headers = { authorization: `Bearer ${school.teacher.token}` };
      return eventsOf(await fetch(`http://127.0.0.1:${port}${url}`, { headers }));
    };
    const streams = [await open({}), await open({ trials: '1' })];
    const peopleOf = async (stream: AsyncGenerator) =>
      v.parse(Board, (await stream.next()).value).rows.length;
    expect(await Promise.all(streams.map(peopleOf))).toEqual([1, 2]);
    const ends = streams.map((stream) => stream.next());
    await other.app.close();
    for (const end of ends) expect((await end).done).toBe(true);
  } finally {
    await other.close();
  }
});
