import type { Receipt } from '#contract/passing.ts';
import { createMemoryStorage } from '#app/storage/memory.ts';
import type {
  AttemptRow,
  FileRow,
  OperationRow,
  StoredRows,
  StoreName,
  StreamRow,
} from '#app/storage/rows.ts';
import type { Storage } from '#app/storage/storage.ts';
import { createCore, type Core } from './core.ts';
import { FakeServer, id, open, QUESTIONS, START, TEST_ID } from './fake-server.ts';
import { fakeTransport } from './fake-transport.ts';
import { BROKEN_INVARIANT } from './invariants.ts';
import type { BeginRow } from './begin.ts';
import type { OutboxEvent } from './types.ts';
import type { OutboxEnvironment, OutboxLog } from './environment.ts';

/** Rows of one attempt, for tests of rules that need no device. */

export const ATTEMPT = id();
export const STREAM = id();
export const OLDER = id();

export function operation(changes: Partial<OperationRow> = {}): OperationRow {
  return {
    operationId: id(),
    owner: id(),
    attemptId: ATTEMPT,
    stream: STREAM,
    epoch: 2,
    sequence: 1,
    formerSequences: [],
    kind: 'answer',
    questionId: QUESTIONS[0],
    answer: open('да'),
    fileId: null,
    finishReason: null,
    writtenEra: 0,
    writtenWall: 100,
    writtenServer: 100,
    seenServerTime: null,
    state: 'waiting',
    sent: false,
    failures: 0,
    poisoned: false,
    foldedInto: null,
    refusal: null,
    receipt: null,
    acknowledgedAt: null,
    serverEpoch: null,
    ...changes,
  };
}

export function file(changes: Partial<FileRow> = {}): FileRow {
  return {
    fileId: id(),
    owner: id(),
    attemptId: ATTEMPT,
    stream: STREAM,
    questionId: QUESTIONS[3],
    operationId: id(),
    name: 'а.txt',
    size: 3,
    mimeType: 'text/plain',
    sha256: '',
    state: 'uploading',
    received: 0,
    wanted: false,
    mismatches: 0,
    refusal: null,
    ...changes,
  };
}

export const RECEIPT: Receipt = {
  operationId: id(),
  stream: STREAM,
  epoch: 2,
  sequence: 1,
  outcome: 'stored',
  receivedLate: false,
  writtenAt: null,
  receivedAt: '2026-05-21T07:00:00.000Z',
  seal: 's',
};

export function attempt(changes: Partial<AttemptRow> = {}): AttemptRow {
  return {
    attemptId: ATTEMPT,
    owner: id(),
    testId: TEST_ID,
    title: 'Проба',
    attemptNumber: 1,
    attemptsCount: 1,
    totalQuestions: 4,
    stream: STREAM,
    streams: [],
    startedAt: 0,
    deadline: 100,
    countsUntil: 200,
    state: 'finished',
    finishedAt: 1_000,
    takenOver: false,
    gone: false,
    marks: [],
    lastQuestionId: null,
    ...changes,
  };
}

/** A begin that the server does not know yet. */
export const BEGIN: BeginRow = {
  idempotencyKey: id(),
  proof: 'proof',
  stream: STREAM,
  writtenEra: 0,
  writtenWall: 0,
  seenServerTime: null,
  state: 'waiting',
  reason: null,
};

/** One stream of the attempt. */
export function holding(changes: Partial<StreamRow> = {}): StreamRow {
  return {
    stream: STREAM,
    epoch: 2,
    nextSequence: 10,
    notHere: [],
    filesNotHere: [],
    ...changes,
  };
}

/** A storage with writes that can be observed and made to fail. */
export function watchedStorage() {
  const inner = createMemoryStorage({ durable: true });
  const state = { before: async (_stores: readonly string[]): Promise<void> => undefined };
  const storage: Storage = {
    ...inner,
    write: async (stores, run) => {
      await state.before(stores);
      return inner.write(stores, run);
    },
  };
  return Object.assign(state, { storage, inner });
}

/** In a test a broken invariant fails at once, in the transaction that broke it. */
export function failOnBroken({ event, detail }: OutboxLog): void {
  if (event === BROKEN_INVARIANT) throw new Error(`broken invariant: ${detail}`);
}

type AnyRows = { readonly [S in StoreName]?: readonly StoredRows[S][] };

async function putAll(storage: Storage, rows: AnyRows): Promise<void> {
  const stores = Object.keys(rows) as StoreName[];
  await storage.write(stores, async (tx) => {
    for (const store of stores) for (const row of rows[store] ?? []) await tx.put(store, row);
  });
}

/** The core of an outbox over these rows, with its events and log. */
export interface TestCore {
  readonly core: Core;
  /** The second layer of its storage. */
  readonly memory: Storage;
  readonly server: FakeServer;
  readonly events: OutboxEvent[];
  readonly logged: OutboxLog[];
  /** Adds rows to the device, or to the page's memory only. */
  readonly put: (rows: AnyRows) => Promise<void>;
  readonly putInMemory: (rows: AnyRows) => Promise<void>;
  readonly all: <S extends StoreName>(store: S) => Promise<StoredRows[S][]>;
  readonly operation: (one: OperationRow) => Promise<OperationRow | null>;
  readonly attempt: () => Promise<AttemptRow | null>;
  readonly file: (one: FileRow) => Promise<FileRow | null>;
}

/** A core without a page, tabs or a database, for tests of single functions. */
export async function createTestCore(
  rows: AnyRows = {},
  env: Partial<OutboxEnvironment> = {},
): Promise<TestCore> {
  const server = new FakeServer({ now: START });
  const storage = env.storage ?? createMemoryStorage({ durable: true });
  const memory = createMemoryStorage();
  const logged: OutboxLog[] = [];
  const core = createCore(
    {
      transport: fakeTransport(server, () => server.world.now),
      locks: { run: async () => ({ ran: false }), hold: async () => null },
      clock: { wall: () => server.world.now, monotone: () => server.world.now - START },
      timers: { set: () => null, clear: () => undefined },
      random: () => 0.5,
      newId: id,
      ...env,
      log: (event) => {
        failOnBroken(event);
        logged.push(event);
        env.log?.(event);
      },
      storage,
    },
    memory,
  );
  const events: OutboxEvent[] = [];
  core.subscribe((event) => events.push(event));
  await putAll(storage, rows);
  return {
    core,
    memory,
    server,
    events,
    logged,
    put: (more) => putAll(storage, more),
    putInMemory: async (more) => {
      await putAll(memory, more);
      for (const one of more.attempts ?? []) core.storage.copies.add(one.attemptId);
      for (const one of more.operations ?? []) core.storage.unsaved.add(one.operationId);
    },
    all: (store) => storage.read([store], (tx) => tx.all(store)),
    operation: (one) => storage.read(['operations'], (tx) => tx.get('operations', one.operationId)),
    attempt: () => storage.read(['attempts'], (tx) => tx.get('attempts', ATTEMPT)),
    file: (one) => storage.read(['files'], (tx) => tx.get('files', one.fileId)),
  };
}
