import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { v7 } from 'uuid';
import { ROLE, type RoleNumber } from '#contract/auth.ts';
import type { CallInput, ReplyOf, Route } from '#contract/route.ts';
import { ADDED_CONTENT } from '#domain/needed-version.ts';
import { buildApp } from '#server/app.ts';
import { hashToken } from '#server/auth/caller.ts';
import { confirmSession, openSession } from '#server/auth/sessions.ts';
import { execute } from '#server/db/query.ts';
import { type Deps, PASSING_LIMITS, type Settings } from '#server/deps.ts';
import { createFreeBytesReader } from '#server/files/disk-reserve.ts';
import type { BlobStore } from '#server/files/store/blob-store.ts';
import { diskBlobs } from '#server/files/store/disk.ts';
import { makeLog } from '#server/log.ts';
import { loadState } from '#server/state.ts';
import { createTestDatabase } from './database.ts';
import type { TestDatabase } from './postgres.ts';

/** A clock that moves only on demand. */
export interface TestClock {
  now: Date;
  advance(ms: number): void;
}

export interface TestUser {
  userId: string;
  userName: string;
  email: string;
  role: RoleNumber;
  token: string;
}

/** What came back; `body` is the JSON, or undefined when it is none. */
export interface Answered<T> {
  status: number;
  headers: Record<string, string | undefined>;
  body: T;
  text: string;
}

export interface RawRequest {
  method?: string;
  url: string;
  headers?: Record<string, string>;
  payload?: string | Buffer;
  token?: string;
  remoteAddress?: string;
}

export interface SendOptions {
  /** Token or user to call as; absent: nobody. */
  as?: TestUser | string;
  headers?: Record<string, string>;
}

export interface TestServer {
  app: FastifyInstance;
  deps: Deps;
  pool: Pool;
  clock: TestClock;
  /** Lines of the log, parsed. */
  logged: Record<string, unknown>[];
  /**
   * A signed-in user, created without the screens; no password opens the account. The identity counts as
   * freshly proved, unless `mustConfirm`: then as after any sign-in.
   */
  user(of?: { role?: RoleNumber; userName?: string; mustConfirm?: boolean }): Promise<TestUser>;
  /** Calls a route of the contract with its parts; the body is typed as a successful reply. */
  send<R extends Route>(
    route: R,
    input: CallInput<R>,
    options?: SendOptions,
  ): Promise<Answered<ReplyOf<R>>>;
  /** Any request at all. */
  raw(request: RawRequest): Promise<Answered<unknown>>;
  close(): Promise<void>;
}

const YEAR_MS = 365 * 86_400_000;
const TEST_START = new Date('2026-03-02T06:00:00.000Z');

const settings: Settings = {
  version: '0.0.0+test',
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

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

interface Parts {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  bytes?: Uint8Array;
  files?: Record<string, Blob>;
}

/** The URL of a route with its params and query filled in. */
export function urlOf(route: Route, { params = {}, query = {} }: Parts): string {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)]),
  );
  return search.size > 0 ? `${path}?${search}` : path;
}

/** A multipart form as a browser would send it. */
async function formOf({
  body = {},
  files = {},
}: Parts): Promise<Pick<RawRequest, 'payload' | 'headers'>> {
  const form = new FormData();
  for (const [name, value] of Object.entries(body as Record<string, unknown>))
    form.append(name, String(value));
  for (const [name, file] of Object.entries(files))
    form.append(name, file, file instanceof File ? file.name : `${name}.bin`);
  const encoded = new Response(form);
  return {
    payload: Buffer.from(await encoded.arrayBuffer()),
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
  };
}

async function payloadOf(
  route: Route,
  { body, bytes, files = {} }: Parts,
): Promise<Pick<RawRequest, 'payload' | 'headers'>> {
  if (route.bodyType === 'form') return formOf({ body, files });
  if (bytes)
    return { payload: Buffer.from(bytes), headers: { 'content-type': 'application/octet-stream' } };
  if (!route.body) return {};
  return { payload: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

/**
 * The real server on a database of its own, without a port. The clock starts at TEST_START. `close` it after
 * the tests of the file.
 */
export async function testServer(
  options: {
    settings?: Partial<Settings>;
    poolSize?: number;
    blobs?: BlobStore;
    freeBytes?: Deps['freeBytes'];
    addedContent?: Deps['addedContent'];
    /** Absent: an empty one. */
    database?: TestDatabase;
  } = {},
): Promise<TestServer> {
  const database =
    options.database ??
    (await createTestDatabase(options.poolSize ? { poolSize: options.poolSize } : {}));
  const dataDir = await mkdtemp(join(tmpdir(), 'exam-room-data-'));
  const clock: TestClock = {
    now: TEST_START,
    advance(ms) {
      clock.now = new Date(clock.now.getTime() + ms);
    },
  };
  const logged: Record<string, unknown>[] = [];
  const deps: Deps = {
    pool: database.pool,
    clock: () => clock.now,
    newId: () => v7(),
    dataDir,
    freeBytes: options.freeBytes ?? createFreeBytesReader(dataDir),
    blobs: options.blobs ?? diskBlobs(dataDir),
    state: await loadState(database.pool),
    settings: { ...settings, ...options.settings },
    addedContent: options.addedContent ?? ADDED_CONTENT,
    log: makeLog('debug', { write: (line) => void logged.push(JSON.parse(line)) }),
  };
  const app = await buildApp(deps);

  async function raw(request: RawRequest): Promise<Answered<unknown>> {
    const { method = 'GET', url, headers = {}, payload, token, remoteAddress } = request;
    const response = await app.inject({
      method: method as 'GET',
      url,
      headers: token === undefined ? headers : { authorization: `Bearer ${token}`, ...headers },
      ...(payload === undefined ? {} : { payload }),
      ...(remoteAddress === undefined ? {} : { remoteAddress }),
    });
    return {
      status: response.statusCode,
      headers: response.headers as Record<string, string | undefined>,
      body: jsonOf(response.payload),
      text: response.payload,
    };
  }

  return {
    app,
    deps,
    pool: database.pool,
    clock,
    logged,
    raw,
    async user({ role = ROLE.student, userName = 'Пётр Смирнов', mustConfirm = false } = {}) {
      const id = deps.newId();
      const email = `${id}@school.test`;
      await execute(
        database.pool,
        `insert into users (id, email, user_name, role, password_hash, created_at)
         values ($1, $2, $3, $4, 'none', $5)`,
        [id, email, userName, role, clock.now],
      );
      const row = { id, email, user_name: userName, role };
      const { token } = await openSession(database.pool, row, clock.now, 7);
      if (!mustConfirm)
        await confirmSession(
          database.pool,
          hashToken(token),
          new Date(clock.now.getTime() + YEAR_MS),
        );
      return { userId: id, userName, email, role, token };
    },
    async send<R extends Route>(route: R, input: CallInput<R>, { as, headers }: SendOptions = {}) {
      const parts = input as Parts;
      const sent = await payloadOf(route, parts);
      const token = typeof as === 'object' ? as.token : as;
      const answered = await raw({
        method: route.method,
        url: urlOf(route, parts),
        ...sent,
        headers: { ...sent.headers, ...headers },
        ...(token === undefined ? {} : { token }),
      });
      return answered;
    },
    async close() {
      await app.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
