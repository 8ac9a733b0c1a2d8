import type { OpenedOffer } from './begin.ts';
import { ANNA, type FakeServer, id, MINUTE, QUESTIONS, START, TEST_ID } from './fake-server.ts';
import { device, drain, observeReply, type DeviceOptions, type TestDevice } from './test-device.ts';

/** Attempts that begin without a network, for the outbox's tests. */

export const opened = (changes: Partial<OpenedOffer> = {}): OpenedOffer => ({
  owner: ANNA,
  attemptId: id(),
  testId: TEST_ID,
  title: 'Проба',
  language: undefined,
  attemptNumber: 1,
  attemptsCount: 1,
  questions: QUESTIONS.map((questionId) => ({
    questionId,
    text: 'Вопрос',
    points: 1,
    kind: 'open',
    input: 'line',
  })),
  stream: id(),
  proof: 'proof',
  durationMs: 40 * MINUTE,
  endsAt: null,
  countsUntil: (deadline) => deadline + 15 * MINUTE,
  ...changes,
});

/** A device that knows the server's time and is without a network since. */
export async function offline(options: DeviceOptions = {}) {
  const made = await device(options);
  const { server } = made;
  await observeReply(made);
  const line = { isUp: false };
  server.fault = () => (line.isUp ? null : 'loseRequest');
  return { ...made, line };
}

export const begin = async ({ outbox }: Pick<TestDevice, 'outbox'>, offer: OpenedOffer) =>
  (await outbox.begins()).store(offer);

/** A begin that the server holds, without answers. */
export async function heldBegin(hold: FakeServer['hold']) {
  const made = await offline();
  const offer = opened();
  await begin(made, offer);
  made.server.hold = hold;
  made.line.isUp = true;
  await drain(made);
  return { made, offer };
}

export const callsOf = ({ server }: Pick<TestDevice, 'server'>) =>
  server.calls.map(({ name }) => name);

/** Ends of the attempt on the device, in minutes after `START`. */
export async function endsOf({ outbox }: Pick<TestDevice, 'outbox'>, attemptId: string) {
  const view = await outbox.snapshot(attemptId);
  const minutes = (at: number | undefined) => ((at ?? 0) - START) / MINUTE;
  return { deadline: minutes(view?.deadline), countsUntil: minutes(view?.countsUntil) };
}
