import { expect, test } from 'vitest';
import { RESCUE_FORMAT } from '#contract/limits.ts';
import type { EncryptedRow } from '#app/storage/rows.ts';
import { StorageFailure } from '#app/storage/storage.ts';
import { ANNA, BORIS, id, QUESTIONS, START } from './fake-server.ts';
import { ATTEMPT, attempt, createTestCore, file, operation, RECEIPT, STREAM } from './test-rows.ts';
import { exportUnsent } from './view.ts';

/** The file of unsent answers that a student saves for the teacher. */

const parsed = async (made: Awaited<ReturnType<typeof createTestCore>>, owner = ANNA) =>
  JSON.parse(await exportUnsent(made.core, owner)) as unknown;

const mine = attempt({ owner: ANNA, startedAt: START, deadline: START + 60_000 });

test('holds the answers that wait or were set aside, with what the server needs to judge them', async () => {
  const refusal = { status: 422, code: 'INVALID_ANSWER', message: 'нет' };
  const waiting = operation({ owner: ANNA, sequence: 1, writtenServer: START + 1_000 });
  const poisoned = operation({ owner: ANNA, sequence: 2, poisoned: true, writtenServer: null });
  const setAside = operation({
    owner: ANNA,
    sequence: 3,
    state: 'setAside',
    refusal,
    receipt: RECEIPT,
    seenServerTime: '2026-05-21T07:00:00.000Z',
  });
  const made = await createTestCore({
    attempts: [mine],
    operations: [
      waiting,
      poisoned,
      setAside,
      operation({ owner: ANNA, sequence: 4, state: 'acknowledged' }),
      operation({ owner: ANNA, sequence: 5, state: 'folded' }),
    ],
  });
  const common = { stream: STREAM, epoch: 2, kind: 'answer', finishReason: null };
  const one = (of: typeof waiting, rest: object) => ({
    ...common,
    operationId: of.operationId,
    sequence: of.sequence,
    answer: of.answer,
    seenServerTime: null,
    refusal: null,
    receipt: null,
    ...rest,
  });
  expect(await parsed(made)).toEqual({
    format: RESCUE_FORMAT,
    version: 1,
    exportedAt: new Date(START).toISOString(),
    owner: ANNA,
    attempts: [
      {
        attemptId: ATTEMPT,
        testId: mine.testId,
        title: 'Проба',
        startedAt: new Date(START).toISOString(),
        deadline: new Date(START + 60_000).toISOString(),
        operations: [
          one(waiting, { state: 'waiting', writtenAt: new Date(START + 1_000).toISOString() }),
          one(poisoned, { state: 'setAside', writtenAt: null }),
          one(setAside, {
            state: 'setAside',
            writtenAt: new Date(100).toISOString(),
            refusal,
            receipt: RECEIPT,
            seenServerTime: '2026-05-21T07:00:00.000Z',
          }),
        ],
        files: [],
      },
    ],
    broken: [],
  });
});

test('leaves out attempts without any, and those of other people', async () => {
  const other = attempt({ attemptId: id(), owner: BORIS });
  const sent = attempt({ attemptId: id(), owner: ANNA });
  const made = await createTestCore({
    attempts: [mine, other, sent],
    operations: [
      operation({ owner: ANNA }),
      operation({ owner: BORIS, attemptId: other.attemptId }),
      operation({ owner: ANNA, attemptId: sent.attemptId, state: 'acknowledged' }),
    ],
  });
  expect(await parsed(made)).toMatchObject({ attempts: [{ attemptId: ATTEMPT }] });
});

test('holds the bytes of files that unsent answers name, and says where they are gone', async () => {
  const whole = file({ owner: ANNA, size: 3, sha256: 'a' });
  const gone = file({ owner: ANNA, size: 3 });
  const unnamed = file({ owner: ANNA });
  const naming = (fileId: string, sequence: number) =>
    operation({ owner: ANNA, sequence, fileId, questionId: QUESTIONS[3] });
  const made = await createTestCore({
    attempts: [mine],
    operations: [naming(whole.fileId, 1), naming(gone.fileId, 2)],
    files: [whole, gone, unnamed],
    fileBytes: [{ fileId: whole.fileId, part: 0, bytes: new Uint8Array([1, 2, 255]).buffer }],
  });
  const content = await parsed(made);
  expect(content).toMatchObject({
    attempts: [
      {
        files: [
          { fileId: whole.fileId, name: 'а.txt', size: 3, sha256: 'a', base64: 'AQL/' },
          { fileId: gone.fileId, base64: null },
        ],
      },
    ],
  });
  expect(JSON.stringify(content)).not.toContain(unnamed.fileId);
});

test('holds rows that cannot be read or decrypted as they are, only those of the owner', async () => {
  const encrypted: Omit<EncryptedRow, 'id' | 'owner'> = {
    kind: 'attempt',
    fileIds: [],
    fileId: null,
    part: 0,
    waits: true,
    outlivedAt: null,
    iv: new Uint8Array([1]).buffer,
    cipher: new Uint8Array([2, 3]).buffer,
  };
  const broken = { id: 'a', store: 'operations', original: { x: 1 }, issue: 'x' } as const;
  const made = await createTestCore({
    broken: [broken],
    encrypted: [
      { ...encrypted, id: 'mine', owner: ANNA },
      { ...encrypted, id: 'part', owner: ANNA, kind: 'bytes' },
      { ...encrypted, id: 'other', owner: BORIS },
    ],
  });
  expect(await parsed(made)).toMatchObject({
    attempts: [],
    broken: [broken, { id: 'mine', store: 'encrypted', iv: 'AQ==', cipher: 'AgM=' }],
  });
  expect(await parsed(made)).toHaveProperty('broken.length', 2);
});

test('is dated by the server’s clock, and made all the same where encrypted rows cannot be read', async () => {
  const made = await createTestCore({ attempts: [mine], operations: [operation({ owner: ANNA })] });
  made.core.clock.observe({ serverTime: START + 50_000, receivedWall: START, rttMs: 0 });
  const { read } = made.core.storage;
  made.core.storage.read = (stores, run) =>
    stores.some((store) => store === 'encrypted')
      ? Promise.reject(new StorageFailure('silent'))
      : read(stores, run);
  expect(await parsed(made)).toMatchObject({
    exportedAt: new Date(START + 50_000).toISOString(),
    attempts: [{ attemptId: ATTEMPT }],
    broken: [],
  });
});

test('is made though the bytes of a file cannot be read', async () => {
  const photo = file({ owner: ANNA, size: 3 });
  const made = await createTestCore({
    attempts: [mine],
    operations: [operation({ owner: ANNA, fileId: photo.fileId, questionId: QUESTIONS[3] })],
    files: [photo],
  });
  const { read } = made.core.storage;
  made.core.storage.layerOf = () => ({
    ...made.core.storage,
    read: (stores, run) =>
      stores.includes('fileBytes')
        ? Promise.reject(new StorageFailure('silent'))
        : read(stores, run),
  });
  expect(await parsed(made)).toMatchObject({
    attempts: [{ operations: [{ kind: 'answer' }], files: [{ base64: null }] }],
  });
});

test('holds no row of another person that cannot be read', async () => {
  const row = (owner: string) =>
    ({ id: owner, store: 'operations', original: { owner, x: 1 }, issue: 'x' }) as const;
  const made = await createTestCore({ broken: [row(ANNA), row(BORIS)] });
  expect(await parsed(made)).toMatchObject({ broken: [{ id: ANNA }] });
  expect(await parsed(made)).toHaveProperty('broken.length', 1);
});
