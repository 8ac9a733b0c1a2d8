import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { test as base } from '@playwright/test';
import type { Pool } from 'pg';
import { v7 } from 'uuid';
import { ROLE, type RoleNumber } from '#contract/auth.ts';
import { hashPassword } from '#server/auth/passwords.ts';
import { execute, one } from '#server/db/query.ts';
import { cloneDatabase } from '#tests/postgres.ts';
import { makeTest, type PlannedTest, smallTest } from '#tests/school.ts';
import { openNetwork, type Network } from './network.ts';

/** The build under test; `E2E_DIST` selects another one than the project's own. */
export const DIST = process.env['E2E_DIST'] ?? fileURLToPath(new URL('../dist', import.meta.url));
const PROGRAM = join(DIST, 'server', 'main.js');
export const PASSWORD = 'Kolokol26';

export interface Person {
  userId: string;
  userName: string;
  email: string;
  role: RoleNumber;
}

/** A separate school for one test: production build, database, and a network that can be cut. */
export interface TestSchool {
  readonly network: Network;
  readonly pool: Pool;
  /** Another line to the same server, which can be cut separately: one per device. */
  line(): Promise<Network>;
  person(of?: { role?: RoleNumber; userName?: string }): Promise<Person>;
  /** A published test of a teacher, assigned to the students. Returns its id. */
  test(teacher: Person, plan: SchoolTest): Promise<string>;
  stopServer(): Promise<void>;
  /** Restarts, optionally with other settings. */
  startServer(settings?: Readonly<Record<string, string>>): Promise<void>;
  /** The attempt of a student, when there is just one. */
  attempt(
    student: Person,
  ): Promise<{ id: string; ended: string | null; points: number | null } | null>;
  close(): Promise<void>;
}

export interface SchoolTest extends Omit<PlannedTest, 'students'> {
  students: readonly Person[];
  name?: string;
  /** Finer than minutes, for deadlines that pass during a test. */
  passSeconds?: number;
}

/** Below the ephemeral ports of systems, and separate for each of the runner's workers. */
const FIRST_PORT = 12_000 + Number(process.env['TEST_PARALLEL_INDEX'] ?? 0) * 2_000;
let portsTried = 0;

async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + (portsTried % 2_000);
    portsTried += 1;
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false));
      probe.listen(port, '127.0.0.1', () => resolve(true));
    });
    await new Promise((resolve) => probe.close(resolve));
    if (isFree) return port;
  }
}

/** Until this very server says that it works: on its port another program might answer. */
async function untilReady(server: ChildProcess & { stdout: Readable }): Promise<void> {
  const deadline = AbortSignal.timeout(90_000);
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: server.stdout }).on('line', (line) => {
      if (line.startsWith('Сервер работает: ')) resolve();
    });
    server.once('exit', (code) => reject(new Error(`server ended with ${code}`)));
    deadline.addEventListener('abort', () => reject(new Error('no server in 90 s')));
  });
}

let passwordHash: Promise<string> | undefined;

async function openRoom(): Promise<TestSchool> {
  const postgresUrl = process.env['E2E_POSTGRES_URL'];
  if (!postgresUrl) throw new Error('E2E_POSTGRES_URL is set by e2e/global-setup.ts');
  const database = await cloneDatabase(postgresUrl, 4);
  const dataDir = await mkdtemp(join(tmpdir(), 'exam-room-e2e-'));
  const port = await freePort();
  let server: ChildProcess | null = null;

  async function startServer(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    const started = spawn(process.execPath, [PROGRAM], {
      env: {
        ...process.env,
        WEB_CONCURRENCY: '1',
        PORT: String(port),
        HOST: '127.0.0.1',
        DATABASE_URL: database.url,
        ALLOW_FSYNC_OFF: '1',
        DATA_DIR: dataDir,
        LOG_LEVEL: 'warn',
        ADMIN_EMAIL: 'root@school.test',
        ADMIN_PASSWORD: PASSWORD,
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    server = started;
    await untilReady(started);
  }

  async function stopServer(): Promise<void> {
    const running = server;
    server = null;
    if (!running || running.exitCode !== null) return;
    const gone = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGKILL');
    await gone;
  }

  await startServer();
  const network = await openNetwork(port);
  const lines = [network];
  const { pool } = database;
  const builder = {
    pool,
    deps: { newId: () => v7() },
    // A prepared school may wait a while for its test.
    clock: {
      get now() {
        return new Date();
      },
    },
  };

  return {
    network,
    pool,
    startServer,
    stopServer,
    async line() {
      const opened = await openNetwork(port);
      lines.push(opened);
      return opened;
    },
    async person({ role = ROLE.student, userName = 'Анна Кузнецова' } = {}) {
      passwordHash ??= hashPassword(PASSWORD);
      const userId = v7();
      const email = `${userId.slice(-8)}@school.test`;
      await execute(
        pool,
        `insert into users (id, email, user_name, role, password_hash, created_at)
         values ($1, $2, $3, $4, $5, now())`,
        [userId, email, userName, role, await passwordHash],
      );
      return { userId, userName, email, role };
    },
    async test(teacher, { passSeconds, name, ...plan }) {
      const id = await makeTest(builder, teacher, { questions: smallTest, ...plan });
      if (passSeconds !== undefined) {
        await execute(pool, 'update tests set pass_seconds = $2 where id = $1', [id, passSeconds]);
      }
      if (name !== undefined)
        await execute(pool, 'update tests set name = $2 where id = $1', [id, name]);
      return id;
    },
    attempt: (student) =>
      one(pool, 'select id, ended, points from attempts where user_id = $1', [student.userId]),
    async close() {
      await Promise.all(lines.map((line) => line.close()));
      await stopServer();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

interface Rooms {
  take(): Promise<TestSchool>;
  close(): Promise<void>;
}

/** A school takes more than a second to start: the next one starts during the present test. */
function openRooms(): Rooms {
  let next: Promise<TestSchool> | null = null;
  const open = () => {
    const opening = openRoom();
    // The caller that awaits it gets the failure.
    opening.catch(() => undefined);
    return opening;
  };
  return {
    async take() {
      const school = await (next ?? open());
      next = open();
      return school;
    },
    async close() {
      await next?.then((school) => school.close());
    },
  };
}

/** Each test gets its own school, so that faults do not affect others. */
export const test = base.extend<{ school: TestSchool; leftBehind: undefined }, { rooms: Rooms }>({
  // Further pages opened by a test would continue to call until the end of the run.
  leftBehind: [
    async ({ browser }, use) => {
      await use(undefined);
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
    { auto: true },
  ],
  rooms: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures off this pattern
    async ({}, use) => {
      const rooms = openRooms();
      await use(rooms);
      await rooms.close();
    },
    { scope: 'worker' },
  ],
  school: async ({ rooms }, use) => {
    const school = await rooms.take();
    await use(school);
    await school.close();
  },
});

export { expect } from '@playwright/test';
