import { join } from 'node:path';
import { hash } from '@node-rs/argon2';
import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { v7 } from 'uuid';
import { currentUser, login, logout } from '#contract/auth.ts';
import { addTimeToMany, type Board, watchBoard } from '#contract/board.ts';
import { HEADER } from '#contract/headers.ts';
import { getSavedAnswers, saveAnswer, startAttempt } from '#contract/passing.ts';
import { createPool } from '#server/db/connect.ts';
import { type EmbeddedServer, launchEmbedded } from '#server/db/embedded/launch.ts';
import { closeDueAttempts } from '#server/passing/close.ts';
import { createRandom } from '#simulation/random.ts';
import { AnsweringStudent, type Target } from '#tests/answering-student.ts';
import { type Balancer, startBalancer } from '#tests/balancer.ts';
import { eventsOf } from '#tests/events.ts';
import { clear, openFolder, until } from '#tests/folders.ts';
import { checkAfterKills } from '#tests/kill-checks.ts';
import { liveCall } from '#tests/live-call.ts';
import { type LiveSchool, makeLiveSchool, startLive } from '#tests/live-school.ts';
import { type LiveServer, startLiveServer } from '#tests/programs/live-server.ts';
import { Q } from '#tests/school.ts';

const PASSWORD = 'Kolokol7';
const STUDENTS = 12;

let folder: string;
let postgres: EmbeddedServer;
let servers: LiveServer[];
let balancer: Balancer;
let pool: Pool;
let school: LiveSchool;

/** One of three machines: a process of its own; the files are shared. */
const startServer = () =>
  startLiveServer({ dataDir: join(folder, 'shared'), databaseUrl: postgres.url });

const balanceAll = () => balancer.serve(servers.map(({ url }) => url));

beforeAll(async () => {
  folder = await openFolder();
  const dataDir = join(folder, 'database');
  postgres = await launchEmbedded({ dataDir, say: () => undefined, maxConnections: 150 });
  // All at once, on an empty database.
  servers = await Promise.all([startServer(), startServer(), startServer()]);
  balancer = await startBalancer();
  balanceAll();
  pool = createPool(postgres.url, 4, () => undefined);
  const passwordHash = await hash(PASSWORD, { memoryCost: 8, timeCost: 1 });
  school = await makeLiveSchool(pool, STUDENTS, passwordHash);
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.end('SIGKILL')));
  await balancer.close();
  await pool.end();
  await postgres.stop();
  await clear(folder, postgres.cluster);
});

/** The server of a number, whatever number. */
function nth(number: number): LiveServer {
  const server = servers[number % servers.length];
  if (!server) throw new Error('no server runs');
  return server;
}

const signIn = (number: number, email: string, password = PASSWORD) =>
  liveCall(nth(number).url, login, { body: { email, password } });
const whoAmI = async (number: number, token: string) =>
  (await liveCall(nth(number).url, currentUser, {}, { token })).status;

const emailOf = (number: number): string => school.students[number]?.email ?? '';

test('one of three is killed and one replaced under load: nothing acknowledged is lost, doubled or changed', async () => {
  const random = createRandom(20_261_123);
  const violations: string[] = [];
  let receipts = 0;
  const target: Target = {
    up: async () => balancer.url,
    acknowledged: () => void (receipts += 1),
    violated: (what) => void violations.push(what),
  };
  const progress = (more: number) => {
    const count = receipts + more;
    return until(() => receipts >= count);
  };
  const students = await Promise.all(
    school.students.map(
      async (user) =>
        new AnsweringStudent(
          user,
          await startLive(balancer.url, user, school.testId),
          target,
          random.fork(user.userId),
        ),
    ),
  );
  const underWay = () => students.reduce((sum, { inFlight }) => sum + inFlight.size, 0);

  let isOver = false;
  async function changeServers(): Promise<void> {
    await progress(200);
    expect(underWay()).toBeGreaterThan(0);
    await servers[0]?.end('SIGKILL');
    // The balancer still knows its address.
    await progress(200);
    servers[0] = await startServer();
    balanceAll();
    await progress(200);
    const replacement = await startServer();
    const replaced = servers[1];
    expect(underWay()).toBeGreaterThan(0);
    expect(await replaced?.end('SIGTERM')).toBe(0);
    await progress(50);
    servers[1] = replacement;
    balanceAll();
    await progress(200);
  }
  const changing = changeServers().finally(() => {
    isOver = true;
  });
  await Promise.all([changing, ...students.map((each) => each.answerUntil(() => isOver, 2))]);

  await checkAfterKills({
    violations,
    students,
    databaseUrl: async () => postgres.url,
    up: target.up,
  });
  for (const { url } of servers) {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/answers_received_total\{outcome="stored"\} [1-9]/);
  }
});

test('a sign-out holds at the next call of every server', async () => {
  const signedIn = await signIn(0, emailOf(0));
  const { token } = signedIn.body;
  const everywhere = () => Promise.all([0, 1, 2].map((number) => whoAmI(number, token)));
  expect(await everywhere()).toEqual([200, 200, 200]);
  await liveCall(nth(1).url, logout, {}, { token });
  expect(await everywhere()).toEqual([401, 401, 401]);
});

test('failed sign-ins are counted together: the limit of one device holds on every server', async () => {
  const email = emailOf(1);
  const statuses: number[] = [];
  for (let number = 0; number < 10; number += 1)
    statuses.push((await signIn(number, email, 'Nope1234')).status);
  expect(statuses).toEqual(Array.from({ length: 10 }, () => 401));
  // The right password is refused as well: whether it is right remains unknown.
  for (const number of [0, 1, 2]) expect((await signIn(number, email)).status).toBe(429);

  // At once: beyond the limit passes at most what the servers were checking at that moment, three each.
  const atOnce = await Promise.all(
    Array.from({ length: 60 }, (_, number) => signIn(number, emailOf(2), 'Nope1234')),
  );
  const checked = atOnce.filter(({ status }) => status === 401);
  expect(checked.length).toBeGreaterThanOrEqual(10);
  expect(checked.length).toBeLessThanOrEqual(10 + 3 * 3 - 1);
  expect((await signIn(1, emailOf(2))).status).toBe(429);
});

test('the live view of one server shows an answer to another, and minutes that a third one added', async () => {
  const { teacher, students, testId } = await makeLiveSchool(pool, 1);
  const [student] = students;
  if (!student) throw new Error('the school has no student');
  const attempt = await startLive(nth(0).url, student, testId);
  const path = watchBoard.path.replace('{id}', testId);
  const authorization = `Bearer ${teacher.token}`;
  const stream = await fetch(`${nth(1).url}${path}`, { headers: { authorization } });
  const boards = eventsOf(stream) as AsyncGenerator<Board, undefined>;
  const rowOnce = async (isExpected: (row: Board['rows'][number]) => boolean) => {
    for (;;) {
      const next = await boards.next();
      if (next.done === true) throw new Error('the live view ended');
      const row = next.value.rows.find(({ userId }) => userId === student.userId);
      if (row && isExpected(row)) return row;
    }
  };
  await rowOnce(({ answered }) => answered === 0);

  const params = { id: attempt.userTestId };
  const saved = await liveCall(
    nth(2).url,
    saveAnswer,
    { params, body: { questionId: Q.open, kind: 'open', text: '4,9' } },
    {
      token: student.token,
      headers: {
        [HEADER.idempotencyKey]: v7(),
        [HEADER.stream]: attempt.stream,
        [HEADER.epoch]: String(attempt.epoch),
        [HEADER.sequence]: '1',
        [HEADER.head]: '1',
        [HEADER.age]: '0',
      },
    },
  );
  expect(saved.status).toBe(200);
  const { deadline } = await rowOnce(({ answered }) => answered === 1);

  const body = { key: v7(), minutes: 30, attemptIds: [attempt.userTestId] };
  const added = await liveCall(
    nth(0).url,
    addTimeToMany,
    { params: { id: testId }, body },
    { token: teacher.token },
  );
  // A repeat of the call that reaches another server adds nothing.
  const repeated = await liveCall(
    nth(2).url,
    addTimeToMany,
    { params: { id: testId }, body },
    { token: teacher.token },
  );
  expect(repeated.body).toEqual(added.body);
  const longer = await rowOnce((row) => row.deadline !== deadline);
  expect(longer.deadline).toBe(added.body.extended[0]?.deadline);
  const again = await liveCall(
    nth(1).url,
    startAttempt,
    { params: { id: testId } },
    {
      token: student.token,
      headers: { [HEADER.idempotencyKey]: v7(), [HEADER.stream]: attempt.stream },
    },
  );
  expect(again.body).toMatchObject({ userTestId: attempt.userTestId, deadline: longer.deadline });
  await boards.return(undefined);

  const own = await liveCall(nth(1).url, getSavedAnswers, { params }, { token: student.token });
  expect(Object.values(own.body).flat()).toHaveLength(1);
});

test('several servers that close due attempts at once close each once', async () => {
  const due = await makeLiveSchool(pool, 8);
  const attempts = await Promise.all(
    due.students.map((user, number) => startLive(nth(number).url, user, due.testId)),
  );
  const ids = attempts.map(({ userTestId }) => userTestId);
  await pool.query(
    `update attempts set started_at = now() - interval '3 hours', deadline = now() - interval '2 hours',
       late_window_seconds = 0 where id = any($1)`,
    [ids],
  );
  const pools = [1, 2, 3].map(() => createPool(postgres.url, 2, () => undefined));
  const now = new Date();
  await Promise.all(pools.map((each) => closeDueAttempts(each, now, due.testId)));
  await Promise.all(pools.map((each) => each.end()));
  const { rows } = await pool.query(
    `select ended, (select count(*) from score_changes s where s.attempt_id = x.id) as changes
     from attempts x where id = any($1)`,
    [ids],
  );
  expect(rows).toEqual(ids.map(() => ({ ended: 'closed', changes: 1 })));
});
