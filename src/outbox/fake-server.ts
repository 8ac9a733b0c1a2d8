import { answerFiles } from '#domain/answer-files.ts';
import { isFinishOf } from '#domain/deadline.ts';
import type { Answer, SavedAnswer, SavedAnswers } from '#contract/answers.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { HEADER } from '#contract/headers.ts';
import type { Receipt, Started, UploadState } from '#contract/passing.ts';
import { groupSaved } from '#domain/saved-answers.ts';
import type { Transport } from './transport.ts';

/** A scripted server with enough of the protocol to test the client's rules. */

export const START = Date.parse('2026-05-21T07:00:00.000Z');
export const MINUTE = 60_000;

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

/** Simulated real time, milliseconds. */
export interface FakeWorld {
  now: number;
}

type Headers = Readonly<Record<string, string>>;

export interface FakeCall {
  readonly name: keyof Transport;
  readonly token: string;
  readonly headers: Headers;
  readonly answer: Answer | null;
  readonly offset: number;
  readonly length: number;
}

/** `loseRequest`: the server never receives it. `loseReply`: the device never receives the reply. */
export type FakeFault =
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

/** One attempt of one user. */
export class FakeServer {
  /** Of a begin: its offer's id. */
  attemptId = id();
  readonly calls: FakeCall[] = [];
  epoch = 1;
  deadline: number;
  activeStream = '';
  streams = new Map<string, number>();
  journal = new Map<string, Entry>();
  spare = new Set<string>();
  uploads = new Map<string, Upload>();
  finished: Receipt | null = null;
  /** Proofs of begins by their keys. */
  begins = new Map<string, string>();
  hold: Started['beginHold'];
  /** The stream whose begin was held. */
  heldStream: string | null = null;
  holdsAnswers = false;
  /** The fault injected into a call; null: none. */
  fault: (call: FakeCall) => FakeFault | null | Promise<FakeFault | null> = () => null;
  readonly world: FakeWorld;

  constructor(world: FakeWorld) {
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

  times(): { deadline: string; countsUntil: string } {
    const iso = (at: number) => new Date(at).toISOString();
    return { deadline: iso(this.deadline), countsUntil: iso(this.deadline + 15 * MINUTE) };
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
          ? {
              questionId,
              text: 'Файл',
              points: 1,
              kind: 'file',
              maxBytes: 1e7,
              accept: [],
              maxFiles: 4,
            }
          : { questionId, text: 'Вопрос', points: 1, kind: 'open', input: 'line' },
      ),
    };
  }

  /** An attempt that began on the device; a repeat has no effect. */
  begin(headers: Headers): Started {
    const [key = '', stream = ''] = [headers[HEADER.idempotencyKey], headers[HEADER.stream]];
    this.attemptId = headers[HEADER.offer] ?? '';
    this.begins.set(key, headers[HEADER.offerProof] ?? '');
    const { hold } = this;
    const started = this.start(stream);
    this.heldStream = hold === undefined ? null : stream;
    if (hold !== undefined) this.activeStream = '';
    return { ...started, ...(hold !== undefined && { beginHold: hold }) };
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
        const named = receipt.stream === stream ? answerFiles(one) : [];
        return named.flatMap(({ fileId }) =>
          this.uploads.get(fileId)?.complete || givenUp.includes(fileId) ? [] : [fileId],
        );
      });
      const isDeadline = headers[HEADER.finishReason] === 'deadline';
      const receivedAt = this.world.now;
      const age = Number(headers[HEADER.age] ?? 0);
      const writtenAt = Number.isNaN(age) ? null : receivedAt - age;
      const isEarly =
        receivedAt < this.deadline || !isFinishOf(this.deadline, { receivedAt, writtenAt });
      if (stream === this.activeStream) {
        if (isDeadline && isEarly) {
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
      outcome:
        !answer && stream !== this.activeStream && stream !== this.heldStream
          ? 'superseded'
          : this.holdsAnswers || stream === this.heldStream
            ? 'held'
            : 'stored',
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
    return groupSaved(all);
  }
}

function expand(list: string | undefined): number[] {
  return (list ?? '').split(',').flatMap((part) => {
    if (part === '') return [];
    const [from = 0, to = from] = part.split('-').map(Number);
    return Array.from({ length: to - from + 1 }, (_unused, index) => from + index);
  });
}
