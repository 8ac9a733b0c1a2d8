import { expect, test } from 'vitest';
import { createMemoryStorage } from '#app/storage/memory.ts';
import type { FileRow, OperationRow } from '#app/storage/rows.ts';
import { StorageFailure, type Storage } from '#app/storage/storage.ts';
import { unsentOf } from './attempts.ts';
import { ANNA, BORIS, id } from './fake-server.ts';
import { fillGaps } from './fill-gaps.ts';
import { acknowledge, retrySetAside, retryAtStartup } from './settle.ts';
import {
  ATTEMPT,
  attempt,
  createTestCore,
  file,
  holding,
  OLDER,
  operation,
  RECEIPT,
  type TestCore,
  watchedStorage,
} from './test-rows.ts';

const refusal = (code: string) => ({ status: 410, code, message: '' });
const answer = (changes: Partial<OperationRow> = {}) => operation({ owner: ANNA, ...changes });
const aside = (changes: Partial<OperationRow> = {}) =>
  answer({ state: 'setAside', failures: 3, refusal: refusal('FORBIDDEN'), ...changes });
const fresh = { state: 'waiting', failures: 0, poisoned: false, refusal: null };

test('only operations that were set aside are reset and resent', async () => {
  const one = aside();
  const poisoned = answer({ poisoned: true, failures: 8 });
  const others = [
    answer({ failures: 2 }),
    answer({ state: 'acknowledged', poisoned: true, failures: 8 }),
    answer({ state: 'folded' }),
    aside({ attemptId: 'another' }),
  ];
  const made = await createTestCore({ operations: [one, poisoned, ...others] });
  const { backoffs, seenSuccesses } = made.core.runtime;
  for (const { operationId } of [one, ...others]) {
    backoffs.failed(operationId, 90_000);
    seenSuccesses.set(operationId, 4);
  }
  await retrySetAside(made.core, ATTEMPT);
  expect(await made.operation(one)).toEqual({ ...one, ...fresh });
  expect(await made.operation(poisoned)).toEqual({ ...poisoned, ...fresh });
  for (const other of others) expect(await made.operation(other)).toEqual(other);
  expect(backoffs.isDue(one.operationId)).toBe(true);
  expect(seenSuccesses.has(one.operationId)).toBe(false);
  for (const { operationId } of others) expect(backoffs.isDue(operationId)).toBe(false);
  expect(made.events).toEqual([
    { kind: 'changed', attemptId: ATTEMPT },
    { kind: 'written', attemptId: ATTEMPT },
  ]);
});

test('row 26: retrying an answer restarts its set-aside file at once', async () => {
  const refused = file({ state: 'setAside', mismatches: 3, refusal: refusal('CHECKSUM_MISMATCH') });
  const whole = file({ state: 'complete', mismatches: 1 });
  const made = await createTestCore({
    operations: [
      aside({ fileId: refused.fileId }),
      aside({ fileId: whole.fileId }),
      aside({ fileId: 'lost' }),
    ],
    files: [refused, whole],
  });
  const { backoffs } = made.core.runtime;
  for (const { fileId } of [refused, whole]) backoffs.failed(fileId, 90_000);
  backoffs.failed('null', 90_000);
  await retrySetAside(made.core, ATTEMPT);
  expect(await made.file(refused)).toEqual({
    ...refused,
    state: 'unchecked',
    mismatches: 0,
    refusal: null,
  });
  expect(await made.file(whole)).toEqual(whole);
  expect(await made.all('files')).toHaveLength(2);
  expect(backoffs.isDue(refused.fileId)).toBe(true);
});

test.each([
  ['closes the running attempt', { kind: 'finish' as const }, {}, 'finishing'],
  [
    'of an earlier holding closes nothing',
    { kind: 'finish' as const, stream: OLDER },
    {},
    'running',
  ],
  [
    'after the end changes nothing',
    { kind: 'finish' as const },
    { state: 'finished' as const },
    'finished',
  ],
  ['that is an answer closes nothing', {}, {}, 'running'],
])('a resent operation %s', async (_, changes, row, state) => {
  const made = await createTestCore({
    attempts: [attempt({ state: 'running', ...row })],
    operations: [aside(changes)],
  });
  await retrySetAside(made.core, ATTEMPT);
  expect((await made.attempt())?.state).toBe(state);
});

test('row 10: a refused finish is resent although its attempt’s row was lost', async () => {
  const made = await createTestCore({ operations: [aside({ kind: 'finish' })] });
  await retrySetAside(made.core, ATTEMPT);
  expect((await made.all('operations'))[0]?.state).toBe('waiting');
  expect(await made.all('attempts')).toEqual([]);
});

test('row 34: when the app opens, its owner’s operations refused as GONE are resent, and no other refused ones', async () => {
  const gone = aside({ refusal: refusal('GONE') });
  const others = [
    aside(),
    aside({ refusal: null }),
    aside({ owner: BORIS, refusal: refusal('GONE') }),
  ];
  const made = await createTestCore({ operations: [gone, ...others] });
  await retryAtStartup(made.core, ANNA);
  expect(await made.operation(gone)).toEqual({ ...gone, ...fresh });
  for (const other of others) expect(await made.operation(other)).toEqual(other);
});

test('row 34: when the app opens, files of its owner that were refused as GONE follow their answers again', async () => {
  const gone = file({ owner: ANNA, state: 'setAside', refusal: refusal('GONE') });
  const others = [
    file({ owner: ANNA, state: 'setAside', refusal: refusal('FILE_REFUSED') }),
    file({ owner: BORIS, state: 'setAside', refusal: refusal('GONE') }),
    file({ owner: ANNA, state: 'complete' }),
  ];
  const operations = [gone, ...others].map(({ fileId, owner }) =>
    operation({ owner, fileId, state: 'acknowledged', acknowledgedAt: 1, questionId: id() }),
  );
  const made = await createTestCore({ operations, files: [gone, ...others] });
  await retryAtStartup(made.core, ANNA);
  const again = { ...gone, state: 'unchecked', wanted: true, refusal: null };
  expect(await made.file(gone)).toEqual(again);
  for (const other of others) expect(await made.file(other)).toEqual(other);
});

test('row 36: when the app opens poisoned operations are due, and once failed ones still wait', async () => {
  const poisoned = answer({ poisoned: true, failures: 8 });
  const exhausted = answer({ failures: 2 });
  const refused = aside();
  const made = await createTestCore({ operations: [poisoned, exhausted, refused] });
  const { backoffs } = made.core.runtime;
  for (const one of [poisoned, exhausted, refused]) backoffs.failed(one.operationId, 90_000);
  await retryAtStartup(made.core, ANNA);
  expect(backoffs.isDue(poisoned.operationId)).toBe(true);
  expect(backoffs.isDue(exhausted.operationId)).toBe(false);
  expect(backoffs.isDue(refused.operationId)).toBe(false);
  expect((await made.operation(poisoned))?.poisoned, 'it is still marked as poisoned').toBe(true);
});

test.each([
  ['was acknowledged meanwhile', { state: 'acknowledged' as const }],
  ['was resent meanwhile', { failures: 1 }],
  ['was deleted meanwhile', null],
])('an operation that %s stays unchanged', async (_, meanwhile) => {
  const device = watchedStorage();
  const one = aside();
  const made = await createTestCore({ operations: [one] }, { storage: device.storage });
  const now = meanwhile && answer({ operationId: one.operationId, ...meanwhile });
  device.before = () =>
    device.inner.write(['operations'], (tx) =>
      now ? tx.put('operations', now) : tx.delete('operations', one.operationId),
    );
  await retrySetAside(made.core, ATTEMPT);
  expect(await made.all('operations')).toEqual(now ? [now] : []);
});

test('row 9: on a full device it stays set aside; a programming error is thrown', async () => {
  const device = watchedStorage();
  const one = aside();
  const made = await createTestCore({ operations: [one] }, { storage: device.storage });
  made.core.runtime.backoffs.failed(one.operationId, 90_000);
  device.before = () => Promise.reject(new StorageFailure('quota'));
  await retrySetAside(made.core, ATTEMPT);
  expect(await made.operation(one)).toEqual(one);
  expect(made.core.runtime.backoffs.isDue(one.operationId)).toBe(false);
  device.before = () => Promise.reject(new Error('a mistake'));
  await expect(retrySetAside(made.core, ATTEMPT)).rejects.toThrow('a mistake');
});

test('row 18: what a full device could not mark for resending is never declared lost', async () => {
  const device = watchedStorage();
  const last = answer({ kind: 'finish', questionId: null, answer: null, sequence: 9 });
  const one = answer({ sequence: 1, state: 'acknowledged', receipt: RECEIPT });
  const whole = file({ state: 'complete', received: 3 });
  const made = await createTestCore(
    {
      attempts: [attempt({ state: 'finishing', streams: [holding()] })],
      operations: [last, one],
      files: [whole],
    },
    { storage: device.storage },
  );
  for (const _ of [1, 2, 3, 4]) {
    device.before = () => Promise.reject(new StorageFailure('quota'));
    await expect(fillGaps(made.core, last, [1], [whole.fileId])).rejects.toMatchObject({
      kind: 'quota',
    });
  }
  device.before = async () => undefined;
  expect(await fillGaps(made.core, last, [1], [whole.fileId])).toBe(true);
  expect(await made.operation(one)).toMatchObject({ state: 'waiting' });
  expect((await made.attempt())?.streams).toMatchObject([{ notHere: [], filesNotHere: [] }]);
});

const SENT = { state: 'acknowledged', receipt: RECEIPT, acknowledgedAt: 1 } as const;
const FOLDED = { state: 'folded', foldedInto: id() } as const;
const refusedFile = () =>
  file({ owner: ANNA, state: 'setAside', refusal: refusal('FILE_REFUSED') });

const confirm = ({ core }: TestCore, operation: OperationRow) => {
  const { operationId, stream } = operation;
  return acknowledge(core, { operation }, { ...RECEIPT, operationId, stream }, { serverEpoch: 1 });
};

/** A full device: an answer in memory names a file that an earlier one stored. */
async function acrossLayers(
  named: FileRow,
  stored: Partial<OperationRow>,
  later: Partial<OperationRow>,
  storage?: Storage,
) {
  const row = attempt({ owner: ANNA, state: 'running', finishedAt: null, streams: [holding()] });
  const { fileId, operationId, questionId } = named;
  const earlier = operation({ owner: ANNA, questionId, operationId, fileId, ...stored });
  const inMemory = operation({ owner: ANNA, questionId, fileId, sequence: 2, ...later });
  const rows = { attempts: [row], operations: [earlier], files: [named] };
  const made = await createTestCore(rows, storage && { storage });
  await made.putInMemory({ attempts: [row], operations: [inMemory] });
  return { ...made, inMemory };
}

test('on a full device a later answer in memory takes the place of one with a refused file', async () => {
  const { core } = await acrossLayers(refusedFile(), SENT, { ...SENT, fileId: null });
  expect(await unsentOf(ANNA, core.storage.readEvery)).toEqual([]);
});

test('on a full device the refused file of an answer in memory is sent again from storage', async () => {
  const named = refusedFile();
  const made = await acrossLayers(named, FOLDED, SENT);
  await retrySetAside(made.core, ATTEMPT);
  expect(await made.file(named)).toMatchObject({ state: 'unchecked', wanted: true });
});

test('on a full device a file in storage follows its answer in memory once that is confirmed', async () => {
  const named = file({ owner: ANNA, state: 'uploading' });
  const made = await acrossLayers(named, FOLDED, {});
  await confirm(made, made.inMemory);
  expect(await made.file(named)).toMatchObject({ wanted: true });
  expect(await unsentOf(ANNA, made.core.storage.readEvery)).toMatchObject([{ state: 'waiting' }]);
});

test('an answer in memory is not confirmed while the device cannot tell what becomes of its file', async () => {
  const storage = createMemoryStorage({ durable: true });
  const { read } = storage;
  const named = file({ owner: ANNA, state: 'unchecked' });
  const made = await acrossLayers(named, FOLDED, {}, storage);
  storage.read = () => Promise.reject(new StorageFailure('lost'));
  await expect(confirm(made, made.inMemory)).rejects.toThrow(StorageFailure);
  storage.read = read;
  await confirm(made, made.inMemory);
  expect(await made.file(named)).toMatchObject({ wanted: true });
});

test.each([
  ['is there', { state: 'complete' }],
  ['follows already', { state: 'unchecked', wanted: true }],
] as const)(
  'a device that cannot be written holds up no answer in memory if its file %s',
  async (_, changes) => {
    const watched = watchedStorage();
    const named = file({ owner: ANNA, ...changes });
    const made = await acrossLayers(named, SENT, {}, watched.storage);
    watched.before = () => Promise.reject(new StorageFailure('failed'));
    expect(await confirm(made, made.inMemory)).toBe('acknowledged');
  },
);

test('a repeated receipt sends no file again that was refused since', async () => {
  const named = refusedFile();
  const sent = operation({ owner: ANNA, fileId: named.fileId, ...SENT });
  const made = await createTestCore({ operations: [sent], files: [named] });
  await confirm(made, sent);
  expect(await made.file(named)).toEqual(named);
  const full = await acrossLayers(named, FOLDED, SENT);
  await confirm(full, full.inMemory);
  expect(await full.file(named)).toEqual(named);
});
