import { v7 } from 'uuid';
import type { Answer } from '#contract/answers.ts';
import { HEADER } from '#contract/headers.ts';
import { finishAttempt, saveAnswer, type Receipt, type Started } from '#contract/passing.ts';
import type { Random } from '#simulation/random.ts';
import { liveCall } from './live-call.ts';
import { Q } from './school.ts';
import type { TestUser } from './server.ts';

/** One answer as its device wrote it, with every reply to it. */
export interface WrittenAnswer {
  readonly id: string;
  readonly sequence: number;
  readonly body: Answer;
  /** The first receipt; a repeat must return the same. */
  receipt: Receipt | null;
  /** When the server was last killed under it, in ms. */
  killedAt: number | null;
}

/** The server that the student calls. */
export interface Target {
  /** Address of the server as soon as it runs. */
  up(): Promise<string>;
  /** An operation got its first receipt. */
  acknowledged(answer: WrittenAnswer): void;
  /** An invalid reply arrived. */
  violated(what: string): void;
}

/** Clients back off with jitter when the server is unavailable; ms. */
const BACK_OFF = { from: 20, to: 120 };

/** Bodies that differ from one sequence to the next, for four kinds of questions. */
const write: readonly ((sequence: number) => Answer)[] = [
  (n) => ({ questionId: Q.open, kind: 'open', text: String(n) }),
  (n) => ({
    questionId: Q.essay,
    kind: 'open',
    text: `Опыт ${n}. ${'Тело падает. '.repeat(n % 20)}`,
  }),
  (n) => ({
    questionId: Q.several,
    kind: 'variant',
    optionIds: ['a', 'b', 'c', 'd'].filter((_, bit) => (n >> bit) % 2 === 1),
  }),
  (n) => ({
    questionId: Q.matching,
    kind: 'compliance',
    pairs: [
      { leftId: '1', rightId: ['a', 'b', 'c', 'd'][n % 4] ?? 'a' },
      { leftId: '2', rightId: ['a', 'b', 'c', 'd'][(n >> 2) % 4] ?? 'a' },
    ],
  }),
];

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A student with a device that repeats every operation with the same id until a receipt names it. */
export class AnsweringStudent {
  readonly written: WrittenAnswer[] = [];
  /** Sent, without a reply yet. */
  readonly inFlight = new Set<WrittenAnswer>();
  readonly user: TestUser;
  readonly attempt: Started;
  private readonly target: Target;
  private readonly random: Random;

  constructor(user: TestUser, attempt: Started, target: Target, random: Random) {
    this.user = user;
    this.attempt = attempt;
    this.target = target;
    this.random = random;
  }

  /** Answers until stopped, some concurrently and so out of order; resolves when all are receipted. */
  async answerUntil(stopped: () => boolean, atOnce: number): Promise<void> {
    const lane = async () => {
      while (!stopped()) await this.answerOne();
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
  }

  private async answerOne(): Promise<void> {
    const sequence = this.written.length + 1;
    const body = this.random.pick(write)(sequence);
    const answer: WrittenAnswer = { id: v7(), sequence, body, receipt: null, killedAt: null };
    this.written.push(answer);
    // some are sent twice at once, as after a premature time-out
    const copies = this.random.chance(0.1) ? 2 : 1;
    await Promise.all(Array.from({ length: copies }, () => this.deliver(answer)));
    const earlier = this.random.pick(this.written);
    if (earlier.receipt && this.random.chance(0.1)) await this.deliver(earlier);
  }

  /** Sends the same operation until a receipt names it. */
  async deliver(answer: WrittenAnswer): Promise<void> {
    for (;;) {
      const base = await this.target.up();
      this.inFlight.add(answer);
      const reply = await this.send(base, answer).catch(() => null);
      this.inFlight.delete(answer);
      if (reply?.status === 200) return this.take(answer, reply.body);
      if (reply && reply.status !== 503)
        return this.target.violated(`${reply.status} ${JSON.stringify(reply.body)}`);
      if (reply) await pause(this.random.between(BACK_OFF.from, BACK_OFF.to));
    }
  }

  private take(answer: WrittenAnswer, receipt: Receipt): void {
    if (receipt.operationId !== answer.id)
      this.target.violated(`a receipt of ${receipt.operationId} came for ${answer.id}`);
    if (answer.receipt === null) {
      answer.receipt = receipt;
      this.target.acknowledged(answer);
    } else if (JSON.stringify(answer.receipt) !== JSON.stringify(receipt)) {
      const { outcome, receivedAt } = answer.receipt;
      this.target.violated(
        `a repeat changed the receipt of ${answer.id}: ${outcome} ${receivedAt} is now ${receipt.outcome} ${receipt.receivedAt}`,
      );
    }
  }

  private headers(id: string, sequence: number): Record<string, string> {
    return {
      [HEADER.idempotencyKey]: id,
      [HEADER.stream]: this.attempt.stream,
      [HEADER.epoch]: String(this.attempt.epoch),
      [HEADER.sequence]: String(sequence),
      [HEADER.head]: String(this.written.length),
      [HEADER.age]: '0',
    };
  }

  /** One try; throws when no reply came within the time-out. */
  send(base: string, answer: Pick<WrittenAnswer, 'id' | 'sequence' | 'body'>) {
    const input = { params: { id: this.attempt.userTestId }, body: answer.body };
    const headers = this.headers(answer.id, answer.sequence);
    return liveCall(base, saveAnswer, input, { token: this.user.token, headers });
  }

  finish(base: string) {
    const input = { params: { id: this.attempt.userTestId } };
    const headers = this.headers(v7(), this.written.length + 1);
    return liveCall(base, finishAttempt, input, { token: this.user.token, headers });
  }

  /** What counts for each question if nothing was lost: the answer with the greatest sequence. */
  greatest(): Map<string, WrittenAnswer> {
    return new Map(this.written.map((answer) => [answer.body.questionId, answer]));
  }
}
