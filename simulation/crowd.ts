import { HEADER } from '#contract/headers.ts';
import { Receipt, saveAnswer, startAttempt } from '#contract/passing.ts';
import type { Answer } from '#contract/answers.ts';
import { makeTest, Q } from '#tests/school.ts';
import * as v from 'valibot';
import { canonical, type CrowdAnswer } from './evidence.ts';
import type { Random } from './random.ts';
import { STUDENT, TEACHER, type SimulatedServer, type WireReply } from './server.ts';

/**
 * Classmates with answers that reach the server together with a student's, so that they share a statement of the
 * database with it: new answers, repeats of an answer with a lost reply, and answers to no question. They have a test,
 * attempts and random numbers of their own, so that the schedule of the others does not change. Backups leave them out.
 */
export interface Crowd {
  readonly userIds: readonly string[];
  readonly answers: readonly CrowdAnswer[];
  /** Makes a call of a student amid calls of the crowd. */
  surround(call: () => Promise<WireReply>): Promise<WireReply>;
}

const SIZE = 6;
/** One statement runs at a time: this classmate's answer occupies it, so that the others share the next one. */
const AHEAD = 1;
/** Longer than the time of a run. */
const PASS_MINUTES = 60 * 24 * 30;

interface Classmate {
  readonly userId: string;
  readonly token: string;
  readonly attemptId: string;
  readonly stream: string;
  readonly epoch: string;
  sequence: number;
  /** Sent again next time, since its reply was lost. */
  unsure: Omit<CrowdAnswer, 'status' | 'receipt'> | null;
}

async function seat(server: SimulatedServer, random: Random, now: number): Promise<Classmate[]> {
  const teacher = await server.addPerson(TEACHER, 'Учитель параллели');
  const people = await Promise.all(
    Array.from({ length: SIZE }, (_, i) => server.addPerson(STUDENT, `Одноклассник ${i + 1}`)),
  );
  const testId = await makeTest(
    { pool: server.pool, deps: server.deps, clock: { now: new Date(now) } },
    teacher,
    { students: people, passMinutes: PASS_MINUTES, windowMinutes: 0 },
  );
  const classmates: Classmate[] = [];
  for (const person of people) {
    const { token } = await server.signIn(person);
    const stream = random.uuid();
    const { text } = await server.deliver({
      method: startAttempt.method,
      url: startAttempt.path.replace('{id}', testId),
      headers: {
        authorization: `Bearer ${token}`,
        [HEADER.idempotencyKey]: random.uuid(),
        [HEADER.stream]: stream,
      },
      payload: null,
    });
    const { userTestId: attemptId, epoch } = v.parse(startAttempt.reply, JSON.parse(text));
    const { userId } = person;
    const common = { userId, token, attemptId, stream, epoch: String(epoch) };
    classmates.push({ ...common, sequence: 0, unsure: null });
  }
  return classmates;
}

function receiptOf({ status, text }: WireReply): Receipt | null {
  if (status !== 200) return null;
  const parsed = v.safeParse(Receipt, JSON.parse(text || 'null'));
  return parsed.success ? parsed.output : null;
}

export async function createCrowd(
  server: SimulatedServer,
  random: Random,
  now: number,
): Promise<Crowd> {
  const classmates = await seat(server, random, now);
  const answers: CrowdAnswer[] = [];
  let isSending = false;

  function write(classmate: Classmate): Omit<CrowdAnswer, 'status' | 'receipt'> {
    classmate.sequence += 1;
    const isValid = random.chance(0.8);
    const body: Answer = {
      questionId: isValid ? Q.open : random.uuid(),
      kind: 'open',
      text: `ответ ${classmate.sequence}`,
    };
    const { attemptId, stream, sequence } = classmate;
    return {
      operationId: random.uuid(),
      attemptId,
      stream,
      sequence,
      isValid,
      body: canonical(body),
    };
  }

  async function send(classmate: Classmate): Promise<void> {
    const { attemptId, token, stream, epoch } = classmate;
    const answer = classmate.unsure ?? write(classmate);
    const isReplyLost = random.chance(0.5);
    const reply = await server.deliver({
      method: saveAnswer.method,
      url: saveAnswer.path.replace('{id}', attemptId),
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        [HEADER.idempotencyKey]: answer.operationId,
        [HEADER.stream]: stream,
        [HEADER.epoch]: epoch,
        [HEADER.sequence]: String(answer.sequence),
      },
      payload: answer.body,
    });
    // Without a verdict the answer is sent again, as a device would.
    classmate.unsure = isReplyLost || reply.status >= 500 ? answer : null;
    answers.push({ ...answer, status: reply.status, receipt: receiptOf(reply) });
  }

  return {
    userIds: classmates.map(({ userId }) => userId),
    answers,
    surround: async (call) => {
      // The order of the two replies would decide what is sent next: runs of the same seed could differ.
      if (isSending) return call();
      isSending = true;
      const [ahead, beside] = [classmates.slice(0, AHEAD), classmates.slice(AHEAD)];
      const sent = ahead.map(send);
      const own = call();
      try {
        await Promise.all([...sent, ...beside.map(send), own.catch(() => undefined)]);
      } finally {
        isSending = false;
      }
      return own;
    },
  };
}
