import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { ROLE, type RoleNumber, type SignedIn } from '#contract/auth.ts';
import { ADDED_CONTENT } from '#domain/needed-version.ts';
import { buildApp } from '#server/app.ts';
import { deviceKeyOf } from '#server/auth/device-key.ts';
import { closeSession, openSession } from '#server/auth/sessions.ts';
import { execute } from '#server/db/query.ts';
import { type Deps, PASSING_LIMITS, type Settings } from '#server/deps.ts';
import { diskBlobs } from '#server/files/store/disk.ts';
import { makeLog } from '#server/log.ts';
import { BrokenInvariant } from '#server/passing/invariant.ts';
import { clearFiles } from './backup.ts';
import { createFaultyDatabase, type FaultyDatabase } from './database.ts';

/** A request as it reaches the server. */
export interface WireRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: string | Buffer | null;
}

export interface WireReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface SimulatedPerson {
  readonly userId: string;
  readonly userName: string;
  readonly email: string;
  readonly role: RoleNumber;
}

/** The real server on a real database, with clock and random numbers per run. */
export interface SimulatedServer {
  /** Without faults: for the checker and for the set-up. */
  readonly pool: Pool;
  readonly database: FaultyDatabase;
  readonly deps: Deps;
  deliver(request: WireRequest): Promise<WireReply>;
  /** Resets for a new run: its clock, a deterministic id sequence, no files, epoch 1. */
  begin(now: () => number): Promise<void>;
  /** Time by the server's clock. */
  schoolTime(): number;
  /** Sets the server's clock forward or back. */
  stepClock(ms: number): void;
  /** Restarts the process, which loses its memory. */
  restart(): Promise<void>;
  addPerson(role: RoleNumber, userName: string): Promise<SimulatedPerson>;
  signIn(person: SimulatedPerson): Promise<SignedIn>;
  signOut(token: string): Promise<void>;
  /** Invariants that broke in the server since the last call. */
  brokenInvariants(): string[];
  close(): Promise<void>;
}

const settings: Settings = {
  version: '0.0.0+simulation',
  schoolTimezone: 'Europe/Moscow',
  registration: 'open',
  sessionDays: 7,
  publicUrl: null,
  secure: false,
  trustProxy: false,
  clientDir: null,
  apiDocs: 'admin',
  metricsToken: null,
  backupDir: null,
  ai: null,
  limits: PASSING_LIMITS,
  diskReserveBytes: 0,
};

const SESSION_DAYS = 7;

/** A log that stores only which invariants broke. */
function createInvariantLog(): { log: Logger; take: () => string[] } {
  let broken: string[] = [];
  const write = (line: string): void => {
    const { err } = JSON.parse(line) as { err?: { type: string; message: string } };
    if (err?.type === BrokenInvariant.name) broken.push(err.message);
  };
  const take = (): string[] => {
    const found = broken;
    broken = [];
    return found;
  };
  return { log: makeLog('error', { write }), take };
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

/** Accounts and their sign-ins, past the API. */
function createAccounts(
  pool: Pool,
  deps: Deps,
): Pick<SimulatedServer, 'addPerson' | 'signIn' | 'signOut'> {
  return {
    addPerson: async (role, userName) => {
      const userId = deps.newId();
      const email = `${userId}@school.test`;
      await execute(
        pool,
        `insert into users (id, email, user_name, role, password_hash, created_at)
         values ($1, $2, $3, $4, 'none', $5)`,
        [userId, email, userName, role, deps.clock()],
      );
      return { userId, userName, email, role };
    },
    signIn: async ({ userId, userName, email, role }) => {
      const user = { id: userId, user_name: userName, email, role };
      const signedIn = await openSession(pool, user, deps.clock(), SESSION_DAYS);
      return { ...signedIn, deviceKey: deviceKeyOf(deps.state.sealKey, userId) };
    },
    signOut: (token) => closeSession(pool, createHash('sha256').update(token).digest()),
  };
}

async function deliver(
  app: FastifyInstance,
  { method, url, headers, payload }: WireRequest,
): Promise<WireReply> {
  const reply = await app.inject({
    method: method as 'GET',
    url,
    headers: { ...headers },
    ...(payload === null ? {} : { payload }),
  });
  const entries = Object.entries(reply.headers).map(([name, value]) => [name, String(value)]);
  return { status: reply.statusCode, headers: Object.fromEntries(entries), text: reply.payload };
}

export async function startServer(pool: Pool): Promise<SimulatedServer> {
  const database = createFaultyDatabase(pool);
  const dataDir = await mkdtemp(join(tmpdir(), 'exam-room-simulation-'));
  const invariants = createInvariantLog();
  let now = (): number => Date.now();
  let skew = 0;
  let runs = 0;
  let ids = 0;
  // Unique, and in the same order in every run of the same seed.
  const newId = (): string => {
    ids += 1;
    return `${hex(runs, 8)}-0000-7000-8000-${hex(ids, 12)}`;
  };
  const deps: Deps = {
    addedContent: ADDED_CONTENT,
    pool: database.pool,
    clock: () => new Date(now() + skew),
    newId,
    dataDir,
    freeBytes: () => Promise.resolve(null),
    blobs: diskBlobs(dataDir),
    // Defines the shuffled order: the same in every run of the same seed.
    state: { epoch: 1, sealKey: Buffer.alloc(32, 'simulation') },
    settings,
    log: invariants.log,
  };
  let app: FastifyInstance = await buildApp(deps);

  return {
    pool,
    database,
    deps,
    deliver: (request) => deliver(app, request),
    begin: async (clock) => {
      now = clock;
      skew = 0;
      runs += 1;
      ids = 0;
      deps.state.epoch = 1;
      invariants.take();
      database.fail(null);
      database.rewrite((statement) => statement);
      // Ids generated by pages repeat with the same seed.
      await execute(pool, 'delete from attempts');
      await execute(pool, 'delete from stray_operations');
      await clearFiles(dataDir);
    },
    schoolTime: () => now() + skew,
    stepClock: (ms) => {
      skew += ms;
    },
    restart: async () => {
      const old = app;
      app = await buildApp(deps);
      await old.close();
    },
    ...createAccounts(pool, deps),
    brokenInvariants: invariants.take,
    close: async () => {
      await app.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export const TEACHER = ROLE.teacher;
export const STUDENT = ROLE.student;
