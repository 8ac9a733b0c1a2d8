import { v7 } from 'uuid';
import type { Answer } from '#contract/answers.ts';
import type { BoardRow } from '#contract/board.ts';
import { HEADER } from '#contract/headers.ts';
import { finishAttempt, saveAnswer, startAttempt } from '#contract/passing.ts';
import { getPassing } from '#contract/tests.ts';
import type { Question } from '#contract/questions.ts';
import type { Random } from '#simulation/random.ts';
import { liveCall } from '#tests/live-call.ts';
import type { Person } from './test-school.ts';

interface Written {
  readonly sequence: number;
  readonly body: Answer;
  hasArrived: boolean;
}

/** One stream of the attempt, with the operations written in it. */
interface Holding {
  readonly stream: string;
  readonly epoch: number;
  readonly written: Written[];
  /** The highest sequence reported to the server. */
  reported: number;
}

const TRIES = 6;

/** Repeats the call when no reply arrived, as a device does: its headers name the same operation. */
export async function insistent<T>(make: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await make();
    } catch (error) {
      if (tries === TRIES) throw error;
    }
  }
}

const textOf = (random: Random) => random.pick(['4,9', '4.9', '5', '4,95', 'не знаю']);

/** An answer of a student with partial knowledge. */
function answerTo(question: Question, random: Random): Answer {
  const { questionId } = question;
  switch (question.kind) {
    case 'open':
      return { questionId, kind: 'open', text: textOf(random) };
    case 'variant': {
      const ids = question.options.map(({ optionId }) => optionId);
      const optionIds = question.multiple
        ? ids.filter(() => random.chance(0.5))
        : [random.pick(ids)];
      return { questionId, kind: 'variant', optionIds };
    }
    case 'compliance': {
      const pairs = question.left
        .map(({ leftId }) => ({ leftId, rightId: random.pick(question.right).rightId }))
        .filter(() => random.chance(0.8));
      return { questionId, kind: 'compliance', pairs };
    }
    default:
      throw new Error('no such questions here');
  }
}

const saysSomething = (answer: Answer): boolean => {
  if (answer.kind === 'open') return answer.text.trim().length > 0;
  if (answer.kind === 'variant') return answer.optionIds.length > 0;
  return answer.kind === 'compliance' && answer.pairs.length > 0;
};

/**
 * A student with a device scripted by the test, over real HTTP. Records what was written, what arrived and what was
 * reported to the server, to check the board and the marks.
 */
export class ScriptedStudent {
  readonly person: Person;
  private readonly token: string;
  private readonly base: string;
  private readonly random: Random;
  private readonly questions: readonly Question[];
  private readonly holdings: Holding[] = [];
  private attemptId = '';
  private state: BoardRow['state'] = 'notStarted';
  /** The last contact was between these, by this machine's clock; milliseconds. */
  contact = { from: 0, to: 0 };

  constructor(
    person: Person,
    token: string,
    base: string,
    questions: readonly Question[],
    random: Random,
  ) {
    this.person = person;
    this.token = token;
    this.base = base;
    this.questions = questions;
    this.random = random;
  }

  get isRunning(): boolean {
    return this.state === 'running';
  }

  private get here(): Holding {
    const holding = this.holdings.at(-1);
    if (!holding) throw new Error(`${this.person.userName} has not started`);
    return holding;
  }

  /** Starts, or continues at another device, leaving the old one's unsent operations there. */
  async start(testId: string): Promise<void> {
    const headers = {
      [HEADER.idempotencyKey]: v7(),
      [HEADER.stream]: v7(),
      ...(this.attemptId === '' ? {} : { [HEADER.takeOver]: this.attemptId }),
    };
    const reply = await this.timedCall(() =>
      liveCall(this.base, startAttempt, { params: { id: testId } }, { token: this.token, headers }),
    );
    const { userTestId, stream, epoch } = reply.body;
    this.attemptId = userTestId;
    this.holdings.push({ stream, epoch, written: [], reported: 0 });
    this.state = 'running';
  }

  /** Writes on the device; nothing is sent yet. */
  write(): void {
    const { written } = this.here;
    const body = answerTo(this.random.pick(this.questions), this.random);
    written.push({ sequence: written.length + 1, body, hasArrived: false });
  }

  /** Sends what waits on the present device, not always in order. */
  async send(holding = this.here): Promise<void> {
    const waiting = holding.written.filter(({ hasArrived }) => !hasArrived);
    if (this.random.chance(0.3)) waiting.reverse();
    for (const one of waiting) {
      const input = { params: { id: this.attemptId }, body: one.body };
      const headers = this.operation(holding, one.sequence);
      await this.timedCall(() =>
        liveCall(this.base, saveAnswer, input, { token: this.token, headers }),
      );
      one.hasArrived = true;
      holding.reported = Math.max(holding.reported, holding.written.length);
    }
  }

  /** The last report before the network fails: the number of written operations. */
  async tell(): Promise<void> {
    const { stream, written } = this.here;
    const headers = { [HEADER.stream]: stream, [HEADER.head]: String(written.length) };
    const input = { params: { attemptId: this.attemptId } };
    await this.timedCall(() =>
      liveCall(this.base, getPassing, input, { token: this.token, headers }),
    );
    this.here.reported = written.length;
  }

  /** A device that was believed dead sends its operations. */
  async revive(): Promise<void> {
    const [old] = this.holdings;
    if (old && old !== this.here) await this.send(old);
  }

  async finish(): Promise<void> {
    const { here } = this;
    await this.send();
    const sequence = here.written.length + 1;
    const headers = this.operation(here, sequence, sequence);
    const input = { params: { id: this.attemptId } };
    await this.timedCall(() =>
      liveCall(this.base, finishAttempt, input, { token: this.token, headers }),
    );
    this.state = 'finished';
  }

  /** The server's own end of it. */
  closed(): void {
    this.state = 'closed';
  }

  /** The answers that count by question: of the newest stream the newest answer. Empty ones are separate. */
  counting(): Map<string, Answer> {
    const found = new Map<string, Answer>();
    for (const { written } of this.holdings)
      for (const { body, hasArrived } of written) if (hasArrived) found.set(body.questionId, body);
    return found;
  }

  /** The expected board row. */
  expected(): Partial<BoardRow> {
    const missing = this.holdings.map(
      ({ reported, written }) =>
        reported - written.filter((one) => one.hasArrived && one.sequence <= reported).length,
    );
    return {
      state: this.state,
      answered: [...this.counting().values()].filter(saysSomething).length,
      totalQuestions: this.questions.length,
      unsent: missing.reduce((sum, n) => sum + n, 0),
      devices: this.holdings.length,
      held: 0,
      filesUnderway: 0,
    };
  }

  private operation(holding: Holding, sequence: number, head = holding.written.length) {
    return {
      [HEADER.idempotencyKey]: v7(),
      [HEADER.stream]: holding.stream,
      [HEADER.epoch]: String(holding.epoch),
      [HEADER.sequence]: String(sequence),
      [HEADER.head]: String(head),
      [HEADER.age]: '1000',
    };
  }

  private async timedCall<T extends { readonly status: number; readonly body: unknown }>(
    make: () => Promise<T>,
  ): Promise<T> {
    const from = Date.now();
    const reply = await insistent(make);
    if (reply.status !== 200)
      throw new Error(`${this.person.userName}: ${reply.status} ${JSON.stringify(reply.body)}`);
    this.contact = { from, to: Date.now() };
    return reply;
  }
}
