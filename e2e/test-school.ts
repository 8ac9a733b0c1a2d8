import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from '@playwright/test';
import type { Pool } from 'pg';
import { v7 } from 'uuid';
import { ROLE, type RoleNumber } from '#contract/auth.ts';
import { hashPassword } from '#server/auth/passwords.ts';
import { execute, one } from '#server/db/query.ts';
import { cloneDatabase } from '#tests/postgres.ts';
import { makeTest, type PlannedTest, smallTest } from '#tests/school.ts';
import { openNetwork, type Network } from './network.ts';
import {
  createServerHost,
  startProgram,
  type ServerHost,
  type ServerProcess,
} from './server-process.ts';

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

let passwordHash: Promise<string> | undefined;

async function addUser(pool: Pool, { userId, email, userName, role }: Person): Promise<void> {
  passwordHash ??= hashPassword(PASSWORD);
  await execute(
    pool,
    `insert into users (id, email, user_name, role, password_hash, created_at)
     values ($1, $2, $3, $4, $5, now())`,
    [userId, email, userName, role, await passwordHash],
  );
}

/** Prepares a school; its server does not run yet. */
async function prepareSchool(host: ServerHost): Promise<TestSchool> {
  const postgresUrl = process.env['E2E_POSTGRES_URL'];
  if (!postgresUrl) throw new Error('E2E_POSTGRES_URL is set by e2e/global-setup.ts');
  const database = await cloneDatabase(postgresUrl, 4);
  const dataDir = await mkdtemp(join(tmpdir(), 'exam-room-e2e-'));
  const settingsOfSchool = {
    WEB_CONCURRENCY: '1',
    // Any free one.
    PORT: '0',
    HOST: '127.0.0.1',
    DATABASE_URL: database.url,
    ALLOW_FSYNC_OFF: '1',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
  };
  let server: ServerProcess | null = null;
  let wasStarted = false;
  // The server makes the first administrator where there is none, and hashes a password for it.
  await addUser(database.pool, {
    userId: v7(),
    email: 'root@school.test',
    userName: 'Администратор',
    role: ROLE.admin,
  });

  async function startServer(settings?: Readonly<Record<string, string>>): Promise<void> {
    const start = settings || wasStarted ? startProgram : host.start;
    wasStarted = true;
    server = await start({ ...settingsOfSchool, ...settings });
  }

  async function stopServer(): Promise<void> {
    const running = server;
    server = null;
    await running?.kill();
  }

  const openLine = () => openNetwork(() => server?.port ?? null);
  const network = await openLine();
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
      const opened = await openLine();
      lines.push(opened);
      return opened;
    },
    async person({ role = ROLE.student, userName = 'Анна Кузнецова' } = {}) {
      const userId = v7();
      const person = { userId, userName, email: `${userId.slice(-8)}@school.test`, role };
      await addUser(pool, person);
      return person;
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
      await server?.release();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

interface Rooms {
  take(): Promise<TestSchool>;
  close(): Promise<void>;
}

/** The next school is prepared during the present test. Schools of a worker are served one after another. */
function openRooms(): Rooms {
  const host = createServerHost();
  let next: Promise<TestSchool> | null = null;
  const prepare = () => {
    const preparing = prepareSchool(host);
    // The caller that awaits it gets the failure.
    preparing.catch(() => undefined);
    return preparing;
  };
  return {
    async take() {
      const school = await (next ?? prepare());
      await school.startServer();
      next = prepare();
      return school;
    },
    async close() {
      await next?.then((school) => school.close());
      await host.close();
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
