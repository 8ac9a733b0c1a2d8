import { expect, test } from 'vitest';
import { createMemoryStorage } from '#app/storage/memory.ts';
import type { AttemptRow, OperationRow } from '#app/storage/rows.ts';
import { queueMissedFinishes } from './write.ts';
import { ANNA, BORIS, START } from './fake-server.ts';
import { attempt, createTestCore, holding, OLDER, operation } from './test-rows.ts';

const row = (changes: Partial<AttemptRow> = {}): AttemptRow =>
  attempt({
    owner: ANNA,
    state: 'running',
    finishedAt: null,
    deadline: START - 5_000,
    streams: [holding()],
    ...changes,
  });
const finish = (changes: Partial<OperationRow> = {}) =>
  operation({ owner: ANNA, kind: 'finish', answer: null, questionId: null, ...changes });

async function desk(changes: Partial<AttemptRow>, operations: OperationRow[] = []) {
  const made = await createTestCore({ attempts: [row(changes)], operations });
  made.core.clock.observe({ serverTime: START, receivedWall: START, rttMs: 0 });
  return made;
}
const finishes = async ({ all }: Awaited<ReturnType<typeof desk>>) =>
  (await all('operations')).filter((one) => one.kind === 'finish');

test('a deadline passed while closed finishes the attempt five seconds later', async () => {
  const made = await desk({}, [operation({ owner: ANNA })]);
  await queueMissedFinishes(made.core, ANNA);
  expect(await finishes(made)).toMatchObject([{ finishReason: 'deadline', state: 'waiting' }]);
  const early = await desk({ deadline: START - 4_999 });
  await queueMissedFinishes(early.core, ANNA);
  expect(await finishes(early)).toEqual([]);
});

test.each<[string, Partial<AttemptRow>]>([
  ['finished', { state: 'finished' }],
  ['taken over', { takenOver: true }],
  ['deleted', { gone: true }],
  ['of another student', { owner: BORIS }],
])('an attempt that is %s is not finished by the clock', async (_, changes) => {
  const made = await desk(changes);
  await queueMissedFinishes(made.core, ANNA);
  expect(await finishes(made)).toEqual([]);
});

test('before the first reply nothing is finished, since server time is unknown', async () => {
  const made = await createTestCore({ attempts: [row({ deadline: 0 })] });
  await queueMissedFinishes(made.core, ANNA);
  expect(await made.all('operations')).toEqual([]);
});

test.each(['waiting', 'setAside', 'acknowledged'] as const)(
  'an existing finish (%s) is enough',
  async (state) => {
    const made = await desk({}, [finish({ state })]);
    await queueMissedFinishes(made.core, ANNA);
    expect(await finishes(made)).toHaveLength(1);
  },
);

test.each([
  ['that was dropped for a moved deadline', { state: 'dropped' as const }],
  ['of an earlier stream', { stream: OLDER }],
  ['of another attempt', { attemptId: 'another' }],
])('a finish %s is not enough', async (_, changes) => {
  const made = await desk({}, [finish(changes)]);
  await queueMissedFinishes(made.core, ANNA);
  expect(await finishes(made)).toHaveLength(2);
});

test('a take-over at that moment is no error; a programming error is thrown', async () => {
  const inner = createMemoryStorage({ durable: true });
  let before = async (): Promise<void> => undefined;
  const storage = {
    ...inner,
    write: async (...[stores, run]: Parameters<typeof inner.write>) => {
      await before();
      return inner.write(stores, run);
    },
  } as typeof inner;
  const made = await createTestCore({ attempts: [row()] }, { storage });
  made.core.clock.observe({ serverTime: START, receivedWall: START, rttMs: 0 });
  before = () => inner.write(['attempts'], (tx) => tx.put('attempts', row({ takenOver: true })));
  await queueMissedFinishes(made.core, ANNA);
  expect(await made.all('operations')).toEqual([]);
  before = () => Promise.reject(new Error('a mistake'));
  await inner.write(['attempts'], (tx) => tx.put('attempts', row()));
  await expect(queueMissedFinishes(made.core, ANNA)).rejects.toThrow('a mistake');
});
