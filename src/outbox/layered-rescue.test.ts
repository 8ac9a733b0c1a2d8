import { expect, test } from 'vitest';
import { NO_SAVED_ANSWERS } from '#contract/answers.ts';
import { createMemoryStorage } from '#app/storage/memory.ts';
import type { AttemptRow, OperationRow, StoreName } from '#app/storage/rows.ts';
import { StorageFailure, type Storage } from '#app/storage/storage.ts';
import { ANNA, id } from './fake-server.ts';
import {
  ATTEMPT,
  attempt,
  createTestCore,
  file,
  holding,
  operation,
  type TestCore,
} from './test-rows.ts';

const row = (changes: Partial<AttemptRow> = {}): AttemptRow =>
  attempt({ owner: ANNA, state: 'running', finishedAt: null, streams: [holding()], ...changes });
const answer = (changes: Partial<OperationRow> = {}) => operation({ owner: ANNA, ...changes });
const content = { attemptId: ATTEMPT, questions: [], saved: null };

const inMemory = async ({ memory }: TestCore) => {
  const stores = ['attempts', 'contents', 'operations', 'files', 'fileBytes'] as const;
  return memory.read(stores, async (tx) => {
    const all = await Promise.all(stores.map((store) => tx.all(store)));
    return Object.fromEntries(stores.map((store, at) => [store, all[at]?.length ?? 0]));
  });
};
const NOTHING = { attempts: 0, contents: 0, operations: 0, files: 0, fileBytes: 0 };

/** A storage that fails writes to some object stores. */
function narrow(): { storage: Storage; fails: readonly StoreName[]; failure: Error } {
  const inner = createMemoryStorage({ durable: true });
  const state: { storage: Storage; fails: readonly StoreName[]; failure: Error } = {
    fails: [],
    failure: new StorageFailure('quota'),
    storage: {
      ...inner,
      write: (stores, run) =>
        inner.write(stores, (tx) =>
          run({
            ...tx,
            put: async (store, one) => {
              if (state.fails.includes(store)) throw state.failure;
              return tx.put(store, one);
            },
          }),
        ),
    },
  };
  return state;
}

const heavyRows = () => {
  const heavy = answer({ sequence: 11, fileId: id() });
  const sheet = file({
    owner: ANNA,
    fileId: heavy.fileId ?? '',
    operationId: heavy.operationId,
  });
  const parts = [0, 1].map((part) => ({
    fileId: sheet.fileId,
    part,
    bytes: Uint8Array.of(part).buffer,
  }));
  return { sheet, parts, heavy };
};

test('row 9: once there is space everything moves to the device, and nothing stays in memory', async () => {
  const made = await createTestCore({ attempts: [row()] });
  const light = answer({ sequence: 10 });
  const { sheet, parts, heavy } = heavyRows();
  const later = row({ streams: [holding({ nextSequence: 12 })] });
  await made.putInMemory({
    attempts: [later],
    contents: [content],
    operations: [light, heavy],
    files: [sheet],
    fileBytes: parts,
  });
  expect(await made.core.storage.storeAttempt(ATTEMPT)).toBe(true);
  expect(await made.all('attempts')).toEqual([later]);
  expect(await made.all('contents')).toEqual([content]);
  expect(await made.all('operations')).toEqual([light, heavy]);
  expect(await made.all('files')).toEqual([sheet]);
  expect(await made.all('fileBytes')).toStrictEqual(parts);
  expect(await inMemory(made)).toEqual(NOTHING);
  expect([...made.core.storage.unsaved, ...made.core.storage.copies]).toEqual([]);
  expect(made.events).toEqual([{ kind: 'changed', attemptId: ATTEMPT }]);
  expect(await made.core.storage.storeAttempt(ATTEMPT), 'nothing more to move').toBe(true);
  expect(made.events).toHaveLength(1);
});

test('questions stored on the device are not overwritten from memory', async () => {
  const known = { ...content, saved: null, questions: [] };
  const fresher = {
    ...known,
    saved: {
      ...NO_SAVED_ANSWERS,
    },
  };
  const made = await createTestCore({ attempts: [row()], contents: [fresher] });
  await made.putInMemory({ attempts: [row()], contents: [known] });
  await made.core.storage.storeAttempt(ATTEMPT);
  expect(await made.all('contents')).toEqual([fresher]);
});

test('row 9: a large file that does not fit blocks neither answers nor sequences', async () => {
  const device = narrow();
  const made = await createTestCore({ attempts: [row()] }, { storage: device.storage });
  const light = answer({ sequence: 10 });
  const { sheet, parts, heavy } = heavyRows();
  const later = row({ streams: [holding({ nextSequence: 12 })] });
  await made.putInMemory({
    attempts: [later],
    operations: [light, heavy],
    files: [sheet],
    fileBytes: parts,
  });
  device.fails = ['fileBytes'];
  expect(await made.core.storage.storeAttempt(ATTEMPT)).toBe(true);
  expect(await made.all('operations')).toEqual([light]);
  expect(await made.all('files')).toEqual([]);
  expect(await made.attempt()).toEqual(later);
  expect(await inMemory(made)).toEqual({
    ...NOTHING,
    attempts: 1,
    operations: 1,
    files: 1,
    fileBytes: 2,
  });
  expect([...made.core.storage.unsaved]).toEqual([heavy.operationId]);
  expect([...made.core.storage.copies]).toEqual([ATTEMPT]);
  device.fails = [];
  await made.core.storage.store();
  expect(await made.all('operations')).toEqual([light, heavy]);
  expect(await inMemory(made)).toEqual(NOTHING);
});

test('row 9: on a device that stays full everything stays in memory, without a change event', async () => {
  const device = narrow();
  const made = await createTestCore({ attempts: [row()] }, { storage: device.storage });
  const light = answer({ sequence: 10 });
  await made.putInMemory({ attempts: [row()], operations: [light] });
  device.fails = ['operations'];
  expect(await made.core.storage.storeAttempt(ATTEMPT)).toBe(false);
  expect(await made.all('operations')).toEqual([]);
  expect([...made.core.storage.unsaved]).toEqual([light.operationId]);
  expect(made.events).toEqual([]);
  device.failure = new Error('a mistake');
  await expect(made.core.storage.storeAttempt(ATTEMPT)).rejects.toThrow('a mistake');
  device.fails = [];
  expect(await made.core.storage.storeAttempt(ATTEMPT), 'one mistake stops no later try').toBe(
    true,
  );
});

test('a copy without rows in memory is forgotten', async () => {
  const made = await createTestCore({ attempts: [row()] });
  made.core.storage.copies.add(ATTEMPT);
  expect(await made.core.storage.storeAttempt(ATTEMPT)).toBe(true);
  expect([...made.core.storage.copies]).toEqual([]);
  expect(await made.all('attempts')).toEqual([row()]);
});

test('an answer written to memory during the move retains the copy of its attempt', async () => {
  const device = narrow();
  const made = await createTestCore({ attempts: [row()] }, { storage: device.storage });
  const late = answer({ sequence: 12 });
  await made.putInMemory({ attempts: [row()], operations: [answer({ sequence: 10 })] });
  const { write } = device.storage;
  device.storage.write = async (stores, run) => {
    const value = await write(stores, run);
    await made.memory.write(['operations'], (tx) => tx.put('operations', late));
    return value;
  };
  await made.core.storage.storeAttempt(ATTEMPT);
  expect([...made.core.storage.copies]).toEqual([ATTEMPT]);
  expect(await inMemory(made)).toMatchObject({ attempts: 1, operations: 1 });
});

test('an answer acknowledged right after its move is not moved a second time', async () => {
  const device = narrow();
  const made = await createTestCore({ attempts: [row()] }, { storage: device.storage });
  const light = answer({ sequence: 10 });
  await made.putInMemory({ attempts: [row()], operations: [light] });
  const { write } = device.storage;
  const settled = { ...light, state: 'acknowledged' } as const;
  let isMoved = false;
  device.storage.write = async (stores, run) => {
    const value = await write(stores, run);
    if (!isMoved) await write(['operations'], (tx) => tx.put('operations', settled));
    isMoved = true;
    return value;
  };
  await made.core.storage.storeAttempt(ATTEMPT);
  expect(await made.operation(light)).toEqual(settled);
});

test('row 9: a finish that waits in memory closes the attempt on the device', async () => {
  const made = await createTestCore({ attempts: [row()] });
  const finish = answer({ kind: 'finish', answer: null, questionId: null, sequence: 10 });
  await made.putInMemory({ attempts: [row({ state: 'finishing' })], operations: [finish] });
  await made.core.storage.storeAttempt(ATTEMPT);
  expect((await made.attempt())?.state).toBe('finishing');
});

test('rows shown last are shown while the device does not answer, and forgotten at the sign-out', async () => {
  const storage = createMemoryStorage({ durable: true });
  const rows = { attempts: [row()], contents: [content], operations: [answer()] };
  const { core } = await createTestCore(rows, { storage });
  const shown = async () => (await core.storage.readRecords(ATTEMPT)).operations.length;
  expect(await shown()).toBe(1);
  storage.read = () => Promise.reject(new StorageFailure('silent'));
  expect(await shown()).toBe(1);
  core.storage.forgetRecords();
  expect(await shown()).toBe(0);
});
