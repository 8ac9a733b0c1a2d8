import { expect, test } from 'vitest';
import { createMemoryStorage } from '#app/storage/memory.ts';
import type { AttemptRow, EncryptedRow, OperationRow } from '#app/storage/rows.ts';
import { StorageFailure, type Storage } from '#app/storage/storage.ts';
import { deleteExpiredAttempts, isOver, computeRetentionEnd } from './attempts.ts';
import { ANNA, BORIS, id } from './fake-server.ts';
import { ATTEMPT, attempt, createTestCore, file, operation } from './test-rows.ts';

const DAY = 86_400_000;
const elsewhere = attempt({ state: 'running', finishedAt: null, takenOver: true });

const withoutFiles = (row: AttemptRow | null, operations: OperationRow[]) => ({
  attempt: row,
  operations,
  files: [],
});

test('waiting and set-aside operations are never deleted with their attempt', () => {
  for (const state of ['waiting', 'setAside'] as const) {
    const rows = [operation({ state: 'acknowledged' }), operation({ state })];
    expect(computeRetentionEnd(withoutFiles(attempt(), rows))).toBeNull();
    expect(computeRetentionEnd(withoutFiles(elsewhere, rows))).toBeNull();
    expect(isOver(withoutFiles(attempt(), rows))).toBe(false);
  }
});

test('a file that follows its delivered answer is never deleted with their attempt', () => {
  const operations = [operation({ state: 'acknowledged' })];
  for (const state of ['unchecked', 'uploading'] as const) {
    const rows = { attempt: attempt(), operations, files: [file({ state, wanted: true })] };
    expect(computeRetentionEnd(rows)).toBeNull();
    expect(isOver(rows)).toBe(false);
  }
});

test('a file that was refused after its answer was delivered is retained, unless a later answer replaces it', () => {
  const refused = file({ state: 'setAside' });
  const { fileId } = refused;
  const named = operation({ state: 'acknowledged', fileId });
  const rows = { attempt: attempt(), operations: [named], files: [refused] };
  expect(computeRetentionEnd(rows)).toBeNull();
  expect(isOver(rows)).toBe(false);
  const { questionId } = named;
  for (const [sequence, isReplaced] of [
    [named.sequence - 1, false],
    [named.sequence + 1, true],
  ] as const) {
    const other = operation({ questionId, state: 'acknowledged', sequence });
    expect(isOver({ ...rows, operations: [named, other] })).toBe(isReplaced);
  }
});

test('delivered answers are deleted 7 days after the finish, 30 days if the attempt ended elsewhere', () => {
  const rows = (['acknowledged', 'folded', 'dropped'] as const).map((state) =>
    operation({ state }),
  );
  expect(computeRetentionEnd(withoutFiles(attempt(), rows))).toBe(1_000 + 7 * DAY);
  expect(computeRetentionEnd(withoutFiles(elsewhere, rows))).toBe(200 + 30 * DAY);
  expect(isOver(withoutFiles(attempt(), rows))).toBe(true);
  expect(isOver(withoutFiles(elsewhere, rows))).toBe(true);
  expect(isOver(withoutFiles(attempt({ state: 'running', gone: true }), []))).toBe(true);
});

test('a running attempt or one with a lost row is retained', () => {
  const runs = attempt({ state: 'running', finishedAt: null });
  expect(computeRetentionEnd(withoutFiles(runs, []))).toBeNull();
  expect(isOver(withoutFiles(runs, []))).toBe(false);
  expect(isOver(withoutFiles(attempt({ state: 'finishing' }), []))).toBe(false);
  expect(computeRetentionEnd(withoutFiles(null, []))).toBeNull();
  expect(isOver(withoutFiles(null, []))).toBe(false);
});

const NOW = Date.parse('2026-05-21T07:00:00.000Z');
const settled = (changes = {}) => operation({ owner: ANNA, state: 'acknowledged', ...changes });
const over = (changes = {}) => attempt({ owner: ANNA, finishedAt: NOW - 7 * DAY, ...changes });

async function clocked(rows: Parameters<typeof createTestCore>[0], storage?: Storage) {
  const made = await createTestCore(rows, storage ? { storage } : {});
  made.core.clock.observe({ serverTime: NOW, receivedWall: NOW, rttMs: 0 });
  return made;
}
const left = async (made: Awaited<ReturnType<typeof createTestCore>>) =>
  Promise.all(
    (['attempts', 'contents', 'operations', 'files', 'fileBytes'] as const).map(
      async (store) => (await made.all(store)).length,
    ),
  );
const whole = (row: AttemptRow) => {
  const sheet = file({ owner: ANNA });
  return {
    attempts: [row],
    contents: [{ attemptId: ATTEMPT, questions: [], saved: null }],
    operations: [settled()],
    files: [sheet],
    fileBytes: [0, 1].map((part) => ({
      fileId: sheet.fileId,
      part,
      bytes: Uint8Array.of(part).buffer,
    })),
  };
};

test('an expired attempt is deleted with all its rows and bytes, to the day, and nothing of another', async () => {
  const made = await clocked(whole(over()));
  const other = file({ attemptId: 'other' });
  const others = {
    operations: [settled({ attemptId: 'other' })],
    files: [other],
    fileBytes: [{ fileId: other.fileId, part: 0, bytes: new ArrayBuffer(1) }],
  };
  await made.put(others);
  await deleteExpiredAttempts(made.core, ANNA);
  expect(await left(made)).toEqual([0, 0, 1, 1, 1]);
  const early = await clocked(whole(over({ finishedAt: NOW - 7 * DAY + 1 })));
  await deleteExpiredAttempts(early.core, ANNA);
  expect(await left(early)).toEqual([1, 1, 1, 1, 2]);
});

test('attempts of another student, and those with waiting operations, stay', async () => {
  const made = await clocked(whole(over({ owner: BORIS })));
  await deleteExpiredAttempts(made.core, ANNA);
  expect(await left(made)).toEqual([1, 1, 1, 1, 2]);
  await made.put({ attempts: [over()], operations: [operation({ owner: ANNA })] });
  await deleteExpiredAttempts(made.core, ANNA);
  expect(await left(made)).toEqual([1, 1, 2, 1, 2]);
});

test('before the first reply nothing expires', async () => {
  const made = await createTestCore({ ...whole(over({ finishedAt: -40 * DAY })) });
  await deleteExpiredAttempts(made.core, ANNA);
  expect(await left(made)).toEqual([1, 1, 1, 1, 2]);
});

const encrypted = (changes: Partial<EncryptedRow>): EncryptedRow => ({
  id: id(),
  owner: BORIS,
  kind: 'attempt',
  fileIds: [],
  fileId: null,
  part: 0,
  waits: false,
  outlivedAt: NOW,
  iv: new ArrayBuffer(0),
  cipher: new ArrayBuffer(0),
  ...changes,
});

test('expired encrypted rows of any owner are deleted with their bytes, and nothing else', async () => {
  const retained = [
    encrypted({ outlivedAt: NOW + 1 }),
    encrypted({ outlivedAt: null, waits: true }),
    encrypted({ kind: 'bytes', fileId: 'another', outlivedAt: null }),
    encrypted({ kind: 'broken', outlivedAt: null }),
  ];
  const made = await clocked({
    encrypted: [
      encrypted({ fileIds: ['a', 'b'] }),
      ...['a', 'a', 'b'].map((fileId) => encrypted({ kind: 'bytes', fileId, outlivedAt: null })),
      ...retained,
    ],
  });
  await deleteExpiredAttempts(made.core, ANNA);
  expect(await made.all('encrypted')).toEqual(retained);
});

test('a full device deletes nothing and blocks nothing; a programming error is thrown', async () => {
  const inner = createMemoryStorage({ durable: true });
  let failure: Error | null = null;
  const made = await clocked(whole(over()), {
    ...inner,
    write: (stores, run) => (failure ? Promise.reject(failure) : inner.write(stores, run)),
  });
  failure = new StorageFailure('lost');
  await deleteExpiredAttempts(made.core, ANNA);
  expect(await left(made)).toEqual([1, 1, 1, 1, 2]);
  failure = new Error('a mistake');
  await expect(deleteExpiredAttempts(made.core, ANNA)).rejects.toThrow('a mistake');
});
