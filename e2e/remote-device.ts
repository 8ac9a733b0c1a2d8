import { v7 } from 'uuid';
import type { Answer } from '#contract/answers.ts';
import { HEADER } from '#contract/headers.ts';
import { finishAttempt, saveAnswer, startAttempt } from '#contract/passing.ts';
import { liveCall } from '#tests/live-call.ts';
import { expect, type Person, type TestSchool } from './test-school.ts';
import { openSignIn } from './visitor.ts';

/** Another device of a student: not a browser, only its calls over the network. */
export interface RemoteDevice {
  readonly attemptId: string;
  answer(answer: Answer): Promise<void>;
  finish(): Promise<void>;
}

/** Starts a test on another device, or takes its running attempt over there. */
export async function startElsewhere(
  school: TestSchool,
  person: Person,
  testId: string,
  takeOver?: string,
): Promise<RemoteDevice> {
  const { token } = await openSignIn(school, person);
  const base = school.network.url;
  const start = await liveCall(
    base,
    startAttempt,
    { params: { id: testId } },
    {
      token,
      headers: {
        [HEADER.idempotencyKey]: v7(),
        [HEADER.stream]: v7(),
        ...(takeOver === undefined ? {} : { [HEADER.takeOver]: takeOver }),
      },
    },
  );
  expect(start.status).toBe(200);
  const { userTestId: id, stream, epoch } = start.body;
  let sequence = 0;
  const headers = () => ({
    [HEADER.idempotencyKey]: v7(),
    [HEADER.stream]: stream,
    [HEADER.epoch]: String(epoch),
    [HEADER.sequence]: String((sequence += 1)),
    [HEADER.age]: '0',
  });
  return {
    attemptId: id,
    async answer(body) {
      const input = { params: { id }, body };
      const saved = await liveCall(base, saveAnswer, input, { token, headers: headers() });
      expect(saved.status).toBe(200);
    },
    async finish() {
      const input = { params: { id } };
      const finished = await liveCall(base, finishAttempt, input, { token, headers: headers() });
      expect(finished.status).toBe(200);
    },
  };
}

/** Passes a whole test on another device. Returns the attempt's id. */
export async function takeElsewhere(
  school: TestSchool,
  person: Person,
  testId: string,
  answers: readonly Answer[],
): Promise<string> {
  const device = await startElsewhere(school, person, testId);
  for (const answer of answers) await device.answer(answer);
  await device.finish();
  return device.attemptId;
}
