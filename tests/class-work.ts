import type { Answer } from '#contract/answers.ts';
import { ROLE } from '#contract/auth.ts';
import { HEADER } from '#contract/headers.ts';
import { makeTest, TestDevice, type PlannedTest } from './school.ts';
import type { TestServer, TestUser } from './server.ts';

export const MINUTE_MS = 60_000;

/** A teacher, students by name, and a test that is assigned to them. */
export interface ClassWork {
  readonly teacher: TestUser;
  readonly testId: string;
  readonly devices: TestDevice[];
}

/** Each student starts; nobody has answered yet. */
export async function startClass(
  server: TestServer,
  names: readonly string[],
  plan: PlannedTest = {},
): Promise<ClassWork> {
  const teacher = await server.user({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const students: TestUser[] = [];
  for (const userName of names) students.push(await server.user({ userName }));
  const testId = await makeTest(server, teacher, { ...plan, students });
  const devices = students.map((student) => new TestDevice(server, student));
  for (const device of devices) {
    const started = await device.start(testId);
    if (started.status !== 200) throw new Error(`start: ${started.text}`);
  }
  return { teacher, testId, devices };
}

/** Answers in this order, and finishes. */
export async function sit(device: TestDevice, answers: readonly Answer[]): Promise<void> {
  for (const answer of answers) await device.answer(answer);
  const finished = await device.finish();
  if (finished.status !== 200) throw new Error(`finish: ${finished.text}`);
}

/** An answer that is held regardless of time: from a stream that the server never issued. Returns its id. */
export async function holdAnswer(device: TestDevice, answer: Answer): Promise<string> {
  const headers = device.operation({
    [HEADER.stream]: device.server.deps.newId(),
    [HEADER.epoch]: '2',
    [HEADER.sequence]: '1',
  });
  // It does not belong to the device's own stream.
  device.sequence -= 1;
  const reply = await device.answer(answer, headers);
  if (reply.body.outcome !== 'held') throw new Error(`not held: ${reply.text}`);
  return reply.body.operationId;
}

/** The item at a position; throws where there is none. */
export function nth<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new Error(`no item ${index} of ${items.length}`);
  return item;
}
