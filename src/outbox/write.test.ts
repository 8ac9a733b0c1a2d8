import { expect, test } from 'vitest';
import { createMemoryStorage } from '#app/storage/memory.ts';
import type { OperationRow } from '#app/storage/rows.ts';
import { StorageFailure, type Storage } from '#app/storage/storage.ts';
import { ANNA, id, open, QUESTIONS, START } from './fake-server.ts';
import {
  ATTEMPT,
  attempt,
  createTestCore,
  file,
  holding,
  OLDER,
  operation,
  RECEIPT,
  STREAM,
} from './test-rows.ts';
import { noteSequence, takeSequence, writeAnswer, writeFinish } from './write.ts';

const running = (changes = {}) =>
  attempt({ owner: ANNA, state: 'running', finishedAt: null, streams: [holding()], ...changes });
const answer = (changes: Partial<OperationRow> = {}) => operation({ owner: ANNA, ...changes });
const finish = (changes: Partial<OperationRow> = {}) =>
  answer({ kind: 'finish', answer: null, questionId: null, sequence: 9, ...changes });

/** A storage that fails writes while it is full. */
function small(): { storage: Storage; isFull: boolean } {
  const inner = createMemoryStorage({ durable: true });
  const state: { storage: Storage; isFull: boolean } = {
    isFull: false,
    storage: {
      ...inner,
      write: (stores, run) =>
        state.isFull ? Promise.reject(new StorageFailure('quota')) : inner.write(stores, run),
    },
  };
  return state;
}

const sample = { serverTime: START + 5_000, receivedWall: START, rttMs: 0 };

test('an answer is stored with its sequence, its time, and no failures', async () => {
  const made = await createTestCore({ attempts: [running()] });
  made.core.clock.observe(sample);
  const stored = await writeAnswer(made.core, ATTEMPT, open('да'));
  expect(stored).toEqual({
    operationId: stored.operationId,
    stream: STREAM,
    sequence: 10,
    saved: true,
  });
  expect(await made.all('operations')).toEqual([
    answer({
      operationId: stored.operationId,
      sequence: 10,
      writtenWall: START,
      writtenServer: START + 5_000,
      seenServerTime: '2026-05-21T07:00:05.000Z',
    }),
  ]);
  expect(await made.attempt()).toEqual(running({ streams: [holding({ nextSequence: 11 })] }));
  expect(made.events).toEqual([
    { kind: 'changed', attemptId: ATTEMPT },
    { kind: 'written', attemptId: ATTEMPT },
  ]);
  expect([...made.core.storage.unsaved]).toEqual([]);
});

test('before the first reply an answer is stored without a server time', async () => {
  const made = await createTestCore({ attempts: [running()] });
  await writeAnswer(made.core, ATTEMPT, open('да'));
  const [row] = await made.all('operations');
  expect(row).toMatchObject({ writtenServer: null, seenServerTime: null });
});

test('a finish is stored with its reason and closes the inputs', async () => {
  const made = await createTestCore({ attempts: [running()] });
  const stored = await writeFinish(made.core, ATTEMPT, 'deadline');
  expect(await made.all('operations')).toEqual([
    finish({
      operationId: stored.operationId,
      sequence: 10,
      finishReason: 'deadline',
      writtenWall: START,
      writtenServer: null,
    }),
  ]);
  expect(await made.attempt()).toMatchObject({
    state: 'finishing',
    streams: [{ nextSequence: 11 }],
  });
  await expect(writeAnswer(made.core, ATTEMPT, open('поздно'))).rejects.toMatchObject({
    reason: 'finished',
  });
});

test('a file is stored in parts beside the answer that names it, and a text names none', async () => {
  const made = await createTestCore({ attempts: [running()] });
  const { owner: _owner, stream: _stream, operationId: _id, ...row } = file({ fileId: id() });
  const parts = [Uint8Array.of(1, 2).buffer, Uint8Array.of(3).buffer];
  const { questionId, fileId, name, size, mimeType } = row;
  const named = { questionId, kind: 'file', fileId, name, size, mimeType, sha256: '0'.repeat(64) };
  const { operationId } = await writeAnswer(made.core, ATTEMPT, named as never, [{ row, parts }]);
  const [one] = await made.all('operations');
  expect(one).toMatchObject({ operationId, fileId });
  const { stream } = running();
  expect(await made.all('files')).toEqual([{ ...row, owner: ANNA, stream, operationId }]);
  expect(await made.all('fileBytes')).toStrictEqual(
    parts.map((bytes, part) => ({ fileId, part, bytes })),
  );
});

test.each([
  [{ takenOver: true }, 'takenOver', 'takenOver'],
  [{ state: 'finishing' as const }, 'finished', null],
  [{ state: 'finished' as const }, 'finished', 'finished'],
])('in an attempt with %j an answer is refused: %s, a finish: %s', async (row, one, last) => {
  const made = await createTestCore({ attempts: [running(row)] });
  await expect(writeAnswer(made.core, ATTEMPT, open('да'))).rejects.toMatchObject({ reason: one });
  const written = writeFinish(made.core, ATTEMPT, 'student');
  if (last === null) expect(await written).toMatchObject({ sequence: 10 });
  else await expect(written).rejects.toMatchObject({ reason: last });
});

test('nothing is written to an attempt that is not on this device', async () => {
  const made = await createTestCore();
  const written = writeAnswer(made.core, ATTEMPT, open('да'));
  await expect(written).rejects.toMatchObject({ reason: 'unknownAttempt' });
  expect(made.events).toEqual([]);
});

test('an invalid answer is refused before anything is stored', async () => {
  const made = await createTestCore({ attempts: [running()] });
  await expect((async () => writeAnswer(made.core, ATTEMPT, {} as never))()).rejects.toThrow();
  expect(await made.all('operations')).toEqual([]);
});

test('row 17: a waiting finish is returned, and nothing else is written', async () => {
  const waiting = finish();
  const made = await createTestCore({
    attempts: [running()],
    operations: [answer({ sequence: 1 }), waiting],
  });
  const returned = await writeFinish(made.core, ATTEMPT, 'student');
  expect(returned).toEqual({
    operationId: waiting.operationId,
    stream: STREAM,
    sequence: 9,
    saved: true,
  });
  await expect(writeAnswer(made.core, ATTEMPT, open('да'))).rejects.toMatchObject({
    reason: 'finished',
  });
  expect(await made.all('operations')).toHaveLength(2);
  expect(made.events, 'no event is emitted').toEqual([]);
});

test.each([
  ['of another attempt', { attemptId: id() }],
  ['of an earlier stream', { stream: OLDER }],
  ['that was refused', { state: 'setAside' as const }],
  ['of another student', { owner: id() }],
])('a finish %s blocks neither answers nor the finish', async (_, changes) => {
  const made = await createTestCore({ attempts: [running()], operations: [finish(changes)] });
  expect(await writeAnswer(made.core, ATTEMPT, open('да'))).toMatchObject({ sequence: 10 });
  expect(await writeFinish(made.core, ATTEMPT, 'student')).toMatchObject({ sequence: 11 });
});

test('a waiting answer that was never sent is folded into the newer one', async () => {
  const older = answer();
  const made = await createTestCore({ attempts: [running()], operations: [older] });
  const { operationId } = await writeAnswer(made.core, ATTEMPT, open('новый'));
  expect(await made.operation(older)).toEqual({
    ...older,
    state: 'folded',
    foldedInto: operationId,
  });
});

test.each([
  ['of another question', { questionId: QUESTIONS[1] }],
  ['of an earlier stream', { stream: OLDER }],
  ['of another attempt', { attemptId: id() }],
  ['that has been sent', { sent: true }],
  ['that is resent after a restore', { receipt: RECEIPT }],
  ['that is on the server', { state: 'acknowledged' as const }],
  ['that was refused', { state: 'setAside' as const }],
])('an answer %s is not folded', async (_, changes) => {
  const older = answer(changes);
  const made = await createTestCore({ attempts: [running()], operations: [older] });
  await writeAnswer(made.core, ATTEMPT, open('новый'));
  expect(await made.operation(older)).toEqual(older);
});

test('a finish folds nothing', async () => {
  // No question id, like a finish.
  const older = answer({ questionId: null });
  const made = await createTestCore({ attempts: [running()], operations: [older] });
  await writeFinish(made.core, ATTEMPT, 'student');
  expect(await made.operation(older)).toEqual(older);
});

test('a page never allocates a sequence twice, even if the stored row has lost it', async () => {
  const before = running({ streams: [holding({ stream: OLDER, nextSequence: 40 }), holding()] });
  const made = await createTestCore({ attempts: [before] });
  await writeAnswer(made.core, ATTEMPT, open('один'));
  await made.put({ attempts: [before] });
  expect(await writeAnswer(made.core, ATTEMPT, open('два', 1))).toMatchObject({ sequence: 11 });
  expect((await made.attempt())?.streams).toEqual([
    holding({ stream: OLDER, nextSequence: 40 }),
    holding({ nextSequence: 12 }),
  ]);
});

test('noting a lower sequence later changes nothing', async () => {
  const { core } = await createTestCore();
  noteSequence(core, answer({ sequence: 14 }));
  noteSequence(core, answer({ sequence: 3 }));
  expect(takeSequence(core, running(), holding().stream)[1]).toBe(15);
  expect(takeSequence(core, running({ attemptId: id() }), holding().stream)[1]).toBe(10);
});

test('an unknown stream allocates no sequences', async () => {
  const { core } = await createTestCore();
  expect(() => takeSequence(core, running(), OLDER)).toThrow(OLDER);
});

test('row 9: an answer that does not fit is reported as unsaved, stays in memory, and moves to the device once there is space', async () => {
  const device = small();
  const made = await createTestCore({ attempts: [running()] }, { storage: device.storage });
  device.isFull = true;
  const first = await writeAnswer(made.core, ATTEMPT, open('один'));
  const second = await writeAnswer(made.core, ATTEMPT, open('два', 1));
  expect([first, second]).toMatchObject([
    { sequence: 10, saved: false },
    { sequence: 11, saved: false },
  ]);
  expect([...made.core.storage.unsaved]).toEqual([first.operationId, second.operationId]);
  expect(await made.all('operations')).toEqual([]);
  device.isFull = false;
  expect(await writeAnswer(made.core, ATTEMPT, open('три', 2))).toMatchObject({
    sequence: 12,
    saved: true,
  });
  expect((await made.all('operations')).map(({ sequence }) => sequence)).toEqual([10, 11, 12]);
  expect([...made.core.storage.unsaved]).toEqual([]);
});

test('row 9: while memory is ahead of the device, only memory is written to', async () => {
  const device = small();
  const { storage } = device;
  const made = await createTestCore({ attempts: [running()] }, { storage });
  device.isFull = true;
  await writeAnswer(made.core, ATTEMPT, open('один'));
  const { write } = storage;
  // Space is freed between the attempt to move memory's rows and the next write.
  storage.write = (stores, run) => {
    const failing = write(stores, run);
    device.isFull = false;
    return failing;
  };
  expect(await writeAnswer(made.core, ATTEMPT, open('два', 1))).toMatchObject({
    sequence: 11,
    saved: false,
  });
  expect(await made.all('operations')).toEqual([]);
});

test('row 13: without a database an answer is not reported as saved, and is stored only once', async () => {
  const made = await createTestCore({ attempts: [running()] }, { storage: createMemoryStorage() });
  const { saved } = await writeAnswer(made.core, ATTEMPT, open('один'));
  expect(saved).toBe(false);
  expect([...made.core.storage.unsaved]).toEqual([]);
  expect(await made.all('operations')).toHaveLength(1);
});
