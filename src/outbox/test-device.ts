import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import type { Answer, SavedAnswer, SavedAnswers } from '#contract/answers.ts';
import { ERRORS, type ErrorCode } from '#contract/errors.ts';
import { HEADER } from '#contract/headers.ts';
import type { Receipt, Started, UploadState } from '#contract/passing.ts';
import { ApiFailure, type FailureParts } from '#app/api/failure.ts';
import type { ReplyFacts } from '#app/api/facts.ts';
import { openStorage } from '#app/storage/open.ts';
import { mirrorSession } from '#app/storage/session-mirror.ts';
import type { Storage } from '#app/storage/storage.ts';
import type { Locks } from './locks.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import type { Sent, Transport } from './transport.ts';
import type { Timers } from './surroundings.ts';
import type { OutboxEnvironment, OutboxEvent } from './types.ts';

/** A scripted server, a virtual clock and whole devices, for the outbox's tests. */

export const START = Date.parse('2026-05-21T07:00:00.000Z');
const MINUTE = 60_000;

let lastId = 0;
export function id(): string {
  lastId += 1;
  return `0197f0a0-0000-7000-8000-${String(lastId).padStart(12, '0')}`;
}

export const TEST_ID = id();
export const QUESTIONS = [id(), id(), id(), id()] as const;
export const ANNA = id();
export const BORIS = id();

export const open = (text: string, question = 0): Answer => ({
  questionId: QUESTIONS[question] ?? QUESTIONS[0],
  kind: 'open',
  text,
});

/** Real time of the whole little world, milliseconds. */
export interface World {
  now: number;
}

type Headers = Readonly<Record<string, string>>;

export interface Call {
  readonly name: keyof Transport;
  readonly token: string;
  readonly headers: Headers;
  readonly answer: Answer | null;
  readonly offset: number;
  readonly length: number;
}

/** `loseRequest`: the server never sees it. `loseReply`: it does, the device does not hear. */
export type Fault =
  | 'loseRequest'
  | 'loseReply'
  | 'timeOut'
  | 'html'
  | ErrorCode
  | { code: ErrorCode; details?: unknown; retryAfterMs?: number };

interface Entry {
  readonly receipt: Receipt;
  readonly answer: Answer | null;
  readonly body: string;
}

interface Upload {
  bytes: number[];
  size: number;
  complete: boolean;
}

/** Enough of the server's rules for the client's to be tried: one attempt, one user. */
export class FakeServer {
  readonly attemptId = id();
  readonly calls: Call[] = [];
  epoch = 1;
  deadline: number;
  activeStream = '';
  streams = new Map<string, number>();
  journal = new Map<string, Entry>();
  spare = new Set<string>();
  uploads = new Map<string, Upload>();
  finished: Receipt | null = null;
  /** What goes wrong with a call; null: nothing. */
  fault: (call: Call) => Fault | null | Promise<Fault | null> = () => null;
  readonly world: World;

  constructor(world: World) {
    this.world = world;
    this.deadline = world.now + 40 * MINUTE;
  }

  get answersSent(): string[] {
    return this.calls.flatMap((call) => (call.answer?.kind === 'open' ? [call.answer.text] : []));
  }

  count(name: keyof Transport): number {
    return this.calls.filter((call) => call.name === name).length;
  }

  /** The text that counts for a question, by (epoch, sequence). */
  text(question = 0): string | null {
    const best = this.counting().get(QUESTIONS[question] ?? '');
    return best?.answer?.kind === 'open' ? best.answer.text : null;
  }

  counting(): Map<string, Entry> {
    const found = new Map<string, Entry>();
    for (const entry of this.journal.values()) {
      if (!entry.answer) continue;
      const old = found.get(entry.answer.questionId);
      const isGreater = !old || this.rank(entry.receipt) > this.rank(old.receipt);
      if (isGreater) found.set(entry.answer.questionId, entry);
    }
    return found;
  }

  private rank(receipt: Receipt): number {
    return receipt.epoch * 1e6 + (receipt.sequence ?? 0);
  }

  start(stream: string): Started {
    if (!this.streams.has(stream)) this.streams.set(stream, this.streams.size + 1);
    this.activeStream = stream;
    const iso = (ms: number): string => new Date(ms).toISOString();
    return {
      userTestId: this.attemptId,
      testId: TEST_ID,
      title: 'Проба',
      attemptNumber: 1,
      attemptsCount: 1,
      stream,
      epoch: this.streams.get(stream) ?? 1,
      leftTestTime: '00:40:00',
      startedAt: iso(START),
      deadline: iso(this.deadline),
      countsUntil: iso(this.deadline + 15 * MINUTE),
      serverTime: iso(this.world.now),
      expiresAt: iso(this.deadline + 60 * MINUTE),
      totalQuestions: QUESTIONS.length,
      questions: QUESTIONS.map((questionId, index) =>
        index === 3
          ? { questionId, text: 'Файл', points: 1, kind: 'file', maxBytes: 1e6, accept: [] }
          : { questionId, text: 'Вопрос', points: 1, kind: 'open', input: 'line' },
      ),
    };
  }

  receive(
    headers: Headers,
    answer: Answer | null,
  ): Receipt | ErrorCode | { code: ErrorCode; details: unknown } {
    const operationId = headers[HEADER.idempotencyKey] ?? id();
    const stream = headers[HEADER.stream] ?? '';
    const sequence = Number(headers[HEADER.sequence]);
    const body = JSON.stringify(answer);
    const known = this.journal.get(operationId);
    if (known) return known.body === body ? known.receipt : 'OPERATION_REUSED';
    const taken = [...this.journal.values()].some(
      (entry) => entry.receipt.stream === stream && entry.receipt.sequence === sequence,
    );
    if (taken) return 'SEQUENCE_TAKEN';
    const spared = [headers[HEADER.folded], headers[HEADER.setAside]].flatMap(expand);
    if (!answer) {
      const missing = [];
      for (let n = 1; n < sequence; n += 1) {
        const has = [...this.journal.values()].some(
          (entry) => entry.receipt.stream === stream && entry.receipt.sequence === n,
        );
        if (!has && !this.spare.has(`${stream}/${n}`) && !spared.includes(n)) missing.push(n);
      }
      const givenUp = (headers[HEADER.filesSetAside] ?? '').split(',');
      const files = [...this.counting().values()].flatMap(({ answer: one, receipt }) => {
        const fileId = one?.kind === 'file' && receipt.stream === stream ? one.fileId : null;
        const isThere = fileId === null || this.uploads.get(fileId)?.complete;
        return isThere || givenUp.includes(fileId) ? [] : [fileId];
      });
      const isDeadline = headers[HEADER.finishReason] === 'deadline';
      if (stream === this.activeStream) {
        if (isDeadline && this.world.now < this.deadline) {
          this.spare.add(`${stream}/${sequence}`);
          return {
            code: 'DEADLINE_MOVED',
            details: { deadline: new Date(this.deadline).toISOString() },
          };
        }
        if (missing.length + files.length > 0)
          return { code: 'INCOMPLETE', details: { missing, files } };
      }
    }
    for (const n of spared) this.spare.add(`${stream}/${n}`);
    const receipt: Receipt = {
      operationId,
      stream,
      epoch: this.streams.get(stream) ?? Number(headers[HEADER.epoch]),
      sequence,
      outcome: !answer && stream !== this.activeStream ? 'superseded' : 'stored',
      receivedLate: false,
      writtenAt: null,
      receivedAt: new Date(this.world.now).toISOString(),
      seal: `seal-${operationId}`,
    };
    this.journal.set(operationId, { receipt, answer, body });
    if (!answer && receipt.outcome === 'stored') this.finished = receipt;
    return receipt;
  }

  takeChunk(
    fileId: string,
    offset: number,
    size: number,
    bytes: Uint8Array,
  ): UploadState | ErrorCode | { code: ErrorCode; details: unknown } {
    const upload = this.uploads.get(fileId) ?? { bytes: [], size, complete: false };
    if (offset !== upload.bytes.length) {
      return { code: 'CHUNK_OUT_OF_PLACE', details: { received: upload.bytes.length } };
    }
    for (const byte of bytes) upload.bytes.push(byte);
    upload.complete = upload.bytes.length === size;
    this.uploads.set(fileId, upload);
    return { fileId, received: upload.bytes.length, size, complete: upload.complete };
  }

  saved(): SavedAnswers {
    const all = [...this.counting().values()].map(({ answer, receipt }) => {
      const { operationId, epoch, sequence, receivedAt, receivedLate } = receipt;
      return { ...answer, operationId, epoch, sequence, receivedAt, receivedLate } as SavedAnswer;
    });
    return {
      openAnswers: all.filter((one) => one.kind === 'open'),
      variantAnswers: [],
      complianceAnswers: [],
      fileAnswers: all.filter((one) => one.kind === 'file'),
    };
  }
}

function expand(list: string | undefined): number[] {
  return (list ?? '').split(',').flatMap((part) => {
    if (part === '') return [];
    const [from = 0, to = from] = part.split('-').map(Number);
    return Array.from({ length: to - from + 1 }, (_unused, index) => from + index);
  });
}

/** The way to the server, with the device's wall clock in its facts. */
export function fakeTransport(server: FakeServer, wall: () => number): Transport {
  const facts = (route: string): ReplyFacts => ({
    route,
    status: 200,
    serverTime: server.world.now,
    serverEpoch: server.epoch,
    activeStream: server.activeStream === '' ? null : server.activeStream,
    receivedWall: wall(),
    rttMs: 20,
  });

  function failed(parts: Omit<FailureParts, 'method' | 'url'>): { ok: false; failure: ApiFailure } {
    return { ok: false, failure: new ApiFailure({ method: 'POST', url: '/', ...parts }) };
  }

  function refusal(name: string, code: ErrorCode, details?: unknown, retryAfterMs?: number) {
    const { status, message } = ERRORS[code];
    const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
    return failed({
      kind: 'refused',
      status,
      code,
      message,
      details,
      facts: { ...facts(name), status },
      ...wait,
    });
  }

  async function deliver<T>(
    call: Call,
    effect: () => T | ErrorCode | { code: ErrorCode; details: unknown },
  ): Promise<Sent<T>> {
    server.calls.push(call);
    const fault = await server.fault(call);
    if (fault === 'loseRequest') return failed({ kind: 'unreachable' });
    if (fault === 'timeOut') return failed({ kind: 'unreachable', timedOut: true });
    if (fault === 'html') return failed({ kind: 'notOurs', status: 200 });
    if (typeof fault === 'string' && fault !== 'loseReply') return refusal(call.name, fault);
    if (typeof fault === 'object' && fault !== null) {
      return refusal(call.name, fault.code, fault.details, fault.retryAfterMs);
    }
    const value = effect();
    if (fault === 'loseReply') return failed({ kind: 'unreachable', timedOut: true });
    if (typeof value === 'string') return refusal(call.name, value as ErrorCode);
    if (typeof value === 'object' && value !== null && 'code' in value) {
      return refusal(call.name, value.code as ErrorCode, value.details);
    }
    return { ok: true, value: value as T, facts: facts(call.name) };
  }

  const base = { headers: {}, answer: null, offset: 0, length: 0 };
  return {
    start: (token, _testId, headers) =>
      deliver({ ...base, name: 'start', token, headers }, () =>
        server.start(headers[HEADER.stream] ?? id()),
      ),
    answer: (token, _attemptId, answer, headers) =>
      deliver({ ...base, name: 'answer', token, headers, answer }, () =>
        server.receive(headers, answer),
      ),
    finish: (token, _attemptId, headers) =>
      deliver({ ...base, name: 'finish', token, headers }, () => server.receive(headers, null)),
    uploadChunk: (token, chunk, headers) => {
      const { fileId, offset, size, bytes } = chunk;
      const call: Call = {
        ...base,
        name: 'uploadChunk',
        token,
        headers,
        offset,
        length: bytes.length,
      };
      return deliver(call, () => server.takeChunk(fileId, offset, size, bytes));
    },
    getUpload: (token, _attemptId, fileId, headers) =>
      deliver({ ...base, name: 'getUpload', token, headers }, () => {
        const upload = server.uploads.get(fileId);
        if (!upload) return 'NOT_FOUND' as const;
        return {
          fileId,
          received: upload.bytes.length,
          size: upload.size,
          complete: upload.complete,
        };
      }),
    savedAnswers: (token, _attemptId, headers) =>
      deliver({ ...base, name: 'savedAnswers', token, headers }, () => server.saved()),
    probe: () => deliver({ ...base, name: 'probe', token: '' }, () => ({ status: 'ok' })),
  };
}

/** One name, one holder, in order of asking: what Web Locks do. */
export function fakeLocks(): Locks {
  const queues = new Map<string, Promise<unknown>>();
  const held = new Set<string>();
  return {
    run: async (name, task) => {
      const mine = (queues.get(name) ?? Promise.resolve()).then(() => task({ valid: () => true }));
      queues.set(
        name,
        mine.catch(() => undefined),
      );
      return { ran: true, value: await mine };
    },
    hold: async (name) => {
      if (held.has(name)) return null;
      held.add(name);
      return () => held.delete(name);
    },
  };
}

/** Timers that fire when the world is moved on. */
export function fakeTimers(world: World): Timers & { advance(ms: number): Promise<void> } {
  const due = new Map<number, { at: number; run: () => void }>();
  let next = 1;
  const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2));
  return {
    set: (run, ms) => {
      due.set(next, { at: world.now + ms, run });
      next += 1;
      return next - 1;
    },
    clear: (timer) => due.delete(timer as number),
    advance: async (ms) => {
      const end = world.now + ms;
      for (;;) {
        await settle();
        const first = [...due].sort(([, a], [, b]) => a.at - b.at)[0];
        if (!first || first[1].at > end) break;
        due.delete(first[0]);
        world.now = Math.max(world.now, first[1].at);
        first[1].run();
      }
      world.now = end;
      await settle();
    },
  };
}

export interface Device {
  readonly outbox: Outbox;
  readonly storage: Storage;
  readonly factory: IDBFactory;
  readonly server: FakeServer;
  readonly world: World;
  readonly events: OutboxEvent[];
  /** The device's wall clock is wrong by this much. */
  readonly skew: { ms: number };
}

export interface DeviceOptions extends Partial<OutboxEnvironment> {
  readonly server?: FakeServer;
  readonly factory?: IDBFactory;
  readonly user?: string | null;
  readonly skew?: { ms: number };
  /** Give the storage instead of opening one. */
  readonly storage?: Storage;
}

export function newWorld(): World {
  return { now: START };
}

/** A page on a device; the same factory again is a reload or a second tab. */
export async function device(options: DeviceOptions = {}): Promise<Device> {
  const {
    user = ANNA,
    skew = { ms: 0 },
    factory = new IDBFactory(),
    server: given,
    ...env
  } = options;
  const server = given ?? new FakeServer(newWorld());
  const { world } = server;
  const storage = env.storage ?? (await openStorage(factory));
  const openedAt = world.now;
  const clock = { wall: () => world.now + skew.ms, monotone: () => world.now - openedAt };
  const outbox = createOutbox({
    transport: fakeTransport(server, clock.wall),
    locks: fakeLocks(),
    clock,
    timers: fakeTimers(world),
    random: () => 0.5,
    newId: id,
    concurrency: 1,
    ...env,
    storage,
  });
  const events: OutboxEvent[] = [];
  outbox.subscribe((event) => events.push(event));
  if (user) await signIn(storage, user);
  return { outbox, storage, factory, server, world, events, skew };
}

export async function signIn(
  storage: Storage,
  userId: string,
  token = `token-${userId}`,
): Promise<void> {
  await mirrorSession(storage, {
    token,
    expiresAt: new Date(START + 600 * MINUTE).toISOString(),
    user: { userId, userName: 'Ученик', email: 'u@demo.ru', role: 0, isAdmin: false },
  });
}

/** A device with a running attempt. */
export async function running(
  options: DeviceOptions = {},
): Promise<Device & { attemptId: string }> {
  const made = await device(options);
  const outcome = await made.outbox.startAttempt(TEST_ID);
  if (outcome.kind !== 'started') throw new Error(`not started: ${outcome.kind}`);
  return { ...made, attemptId: outcome.attempt.attemptId };
}

/** Moves time on and flushes until nothing waits for a time, or `rounds` are over. */
export async function drain(made: Device, rounds = 30): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const report = await made.outbox.flush();
    if (report.nextInMs === null) return;
    made.world.now += report.nextInMs + 1;
  }
}
