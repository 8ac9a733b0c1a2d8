import { expect, test } from 'vitest';
import { createMemoryStorage } from '#app/storage/memory.ts';
import { StorageFailure } from '#app/storage/storage.ts';
import { ANNA, BORIS, id, QUESTIONS } from './fake-server.ts';
import { ATTEMPT, attempt, createTestCore, operation } from './test-rows.ts';
import { readUnsentAttempts } from './unsent-attempts.ts';

/** The texts of «Где мои ответы» and of the sign-out about unsent answers. */

const mine = attempt({ owner: ANNA });
const states = async (made: Awaited<ReturnType<typeof createTestCore>>, owner = ANNA) =>
  (await readUnsentAttempts(made.core, owner)).map(({ attemptId, operations }) => ({
    attemptId,
    operations: operations.map(({ state, isStored, isWaiting }) => ({
      state,
      isStored,
      isWaiting,
    })),
  }));

test('lists what waits and what was refused, by attempt, and nothing of others', async () => {
  const later = attempt({ attemptId: id(), owner: ANNA, startedAt: 5 });
  const other = attempt({ attemptId: id(), owner: BORIS });
  const made = await createTestCore({
    attempts: [mine, later, other],
    operations: [
      operation({ owner: ANNA }),
      operation({ owner: ANNA, state: 'acknowledged' }),
      operation({ owner: ANNA, attemptId: later.attemptId, state: 'setAside' }),
      operation({ owner: BORIS, attemptId: other.attemptId }),
    ],
  });
  expect(await states(made)).toEqual([
    {
      attemptId: later.attemptId,
      operations: [{ state: 'setAside', isStored: true, isWaiting: false }],
    },
    { attemptId: ATTEMPT, operations: [{ state: 'device', isStored: true, isWaiting: true }] },
  ]);
});

test('says what is in memory only, also while the device cannot be read', async () => {
  const waiting = operation({ owner: ANNA });
  const refused = operation({
    owner: ANNA,
    state: 'setAside',
    questionId: QUESTIONS[1],
    sequence: 2,
  });
  const storage = createMemoryStorage({ durable: true });
  const made = await createTestCore({ attempts: [mine] }, { storage });
  await made.putInMemory({ attempts: [mine], operations: [waiting, refused] });
  const inMemory = [
    {
      attemptId: ATTEMPT,
      operations: [
        { state: 'unsaved', isStored: false, isWaiting: true },
        { state: 'setAside', isStored: false, isWaiting: false },
      ],
    },
  ];
  expect(await states(made)).toEqual(inMemory);
  storage.read = () => Promise.reject(new StorageFailure('silent'));
  expect(await states(made)).toEqual(inMemory);
  await expect(readUnsentAttempts(made.core, BORIS)).rejects.toThrow(StorageFailure);
});

test('an answer that failed too often is set aside and sent again all the same', async () => {
  const poisoned = operation({ owner: ANNA, poisoned: true });
  const made = await createTestCore({ attempts: [mine], operations: [poisoned] });
  expect(await states(made)).toEqual([
    { attemptId: ATTEMPT, operations: [{ state: 'setAside', isStored: true, isWaiting: true }] },
  ]);
});
