import { expect, test } from 'vitest';
import type { AttemptRow } from '#app/storage/rows.ts';
import { ANNA, BORIS, MINUTE, QUESTIONS, START } from './fake-server.ts';
import { device, running, type TestDevice } from './test-device.ts';
import { attempt } from './test-rows.ts';

const store = ({ storage }: TestDevice, rows: readonly AttemptRow[]): Promise<unknown> =>
  storage.write(['attempts'], async (tx) => {
    for (const row of rows) await tx.put('attempts', row);
  });

const row = (attemptId: string, changes: Partial<AttemptRow> = {}): AttemptRow =>
  attempt({
    attemptId,
    owner: ANNA,
    state: 'running',
    finishedAt: null,
    deadline: START + 30 * MINUTE,
    ...changes,
  });

const id = (digit: number) => `00000000-0000-7000-8000-00000000000${digit}`;

test('an attempt is found by its test and its owner', async () => {
  const made = await device();
  await store(made, [
    row(id(1), { testId: id(7) }),
    row(id(2), { testId: id(8) }),
    row(id(3), { testId: id(8), owner: BORIS }),
  ]);
  expect((await made.outbox.attemptByTest(ANNA, id(7)))?.attemptId).toBe(id(1));
  expect((await made.outbox.attemptByTest(ANNA, id(8)))?.attemptId).toBe(id(2));
  expect(await made.outbox.attemptByTest(ANNA, id(9))).toBeNull();
});

test('of two attempts of one test the later one is found', async () => {
  const made = await device();
  await store(made, [
    row(id(1), { testId: id(7), attemptNumber: 1 }),
    row(id(2), { testId: id(7), attemptNumber: 2 }),
  ]);
  expect((await made.outbox.attemptByTest(ANNA, id(7)))?.attemptId).toBe(id(2));
});

test('an attempt runs here until its deadline, its finish, a take-over or its end elsewhere', async () => {
  const made = await device();
  await store(made, [
    row(id(1)),
    row(id(2), { state: 'finished', finishedAt: START }),
    row(id(3), { takenOver: true }),
    row(id(4), { gone: true }),
    row(id(5), { deadline: START }),
    row(id(6), { deadline: START + 1 }),
    row(id(7), { owner: BORIS }),
  ]);
  const ids = (await made.outbox.runningAttempts(ANNA)).map(({ attemptId }) => attemptId);
  expect(ids.toSorted()).toEqual([id(1), id(6)]);
});

test('a question is marked once, and its mark goes without the others', async () => {
  const { outbox, storage, attemptId } = await running();
  const marks = () =>
    storage.read(['attempts'], async (tx) => (await tx.get('attempts', attemptId))?.marks);
  await outbox.setMark(attemptId, QUESTIONS[0], true);
  await outbox.setMark(attemptId, QUESTIONS[1], true);
  await outbox.setMark(attemptId, QUESTIONS[0], true);
  expect(await marks()).toEqual([QUESTIONS[1], QUESTIONS[0]]);
  await outbox.setMark(attemptId, QUESTIONS[1], false);
  expect(await marks()).toEqual([QUESTIONS[0]]);
});
