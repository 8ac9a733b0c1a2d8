import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { expect, test } from 'vitest';
import { ANNA, FakeServer, id, MINUTE, open, QUESTIONS, START, TEST_ID } from './fake-server.ts';
import { laterFactory } from '#app/storage/later-factory.ts';
import { device, drain, newWorld } from './test-device.ts';

/** Stores of a database version 1 without `encrypted` and `deviceKeys`, which the upgrade adds. */
const STORES: Readonly<
  Record<string, [key: string | string[], indexes: [string, string | string[]][]]>
> = {
  session: ['key', []],
  device: ['key', []],
  attempts: ['attemptId', [['owner', 'owner']]],
  contents: ['attemptId', []],
  operations: [
    'operationId',
    [
      ['attempt', 'attemptId'],
      ['ownerState', ['owner', 'state']],
      ['state', 'state'],
      ['foldedInto', 'foldedInto'],
    ],
  ],
  files: [
    'fileId',
    [
      ['attempt', 'attemptId'],
      ['owner', 'owner'],
    ],
  ],
  fileBytes: [['fileId', 'part'], [['file', 'fileId']]],
  leases: ['name', []],
  broken: ['id', []],
};

/** A database with these rows, as the app of version 1 left it, opened as version 2. */
async function formerDatabase(rows: Readonly<Record<string, readonly object[]>>) {
  const factory = new IDBFactory();
  await new Promise<void>((resolve, reject) => {
    const request = factory.open('exam-room', 1);
    request.addEventListener('upgradeneeded', () => {
      for (const [name, [keyPath, indexes]] of Object.entries(STORES)) {
        const store = request.result.createObjectStore(name, { keyPath });
        for (const [index, path] of indexes) store.createIndex(index, path);
        for (const row of rows[name] ?? []) store.put(row);
      }
    });
    request.addEventListener('error', () => reject(new Error('the former database did not open')));
    request.addEventListener('success', () => {
      request.result.close();
      resolve();
    });
  });
  return laterFactory(factory);
}

const STREAM = id();
const written = (attemptId: string, sequence: number, changes: object) => ({
  operationId: id(),
  owner: ANNA,
  attemptId,
  stream: STREAM,
  epoch: 1,
  sequence,
  formerSequences: [],
  kind: 'answer',
  questionId: QUESTIONS[0],
  answer: open('первый'),
  fileId: null,
  finishReason: null,
  writtenEra: 0,
  writtenWall: START - MINUTE,
  writtenServer: START - MINUTE,
  seenServerTime: new Date(START - MINUTE).toISOString(),
  state: 'waiting',
  sent: false,
  failures: 0,
  poisoned: false,
  foldedInto: null,
  refusal: null,
  receipt: null,
  acknowledgedAt: null,
  serverEpoch: null,
  ...changes,
});

test('row 32: answers and a finish that an app of database version 1 left waiting are shown and sent', async () => {
  const server = new FakeServer(newWorld());
  server.start(STREAM);
  const { attemptId } = server;
  const factory = await formerDatabase({
    attempts: [
      {
        attemptId,
        owner: ANNA,
        testId: TEST_ID,
        title: 'Проба',
        attemptNumber: 1,
        attemptsCount: 1,
        totalQuestions: QUESTIONS.length,
        stream: STREAM,
        streams: [{ stream: STREAM, epoch: 1, nextSequence: 4, notHere: [], filesNotHere: [] }],
        startedAt: START - 2 * MINUTE,
        deadline: START + 40 * MINUTE,
        countsUntil: START + 55 * MINUTE,
        state: 'finishing',
        finishedAt: null,
        takenOver: false,
        gone: false,
        marks: [],
        lastQuestionId: null,
      },
    ],
    contents: [
      {
        attemptId,
        questions: [
          { questionId: QUESTIONS[0], kind: 'open', text: 'Вопрос', points: 1, input: 'line' },
        ],
        saved: null,
      },
    ],
    operations: [
      written(attemptId, 1, {}),
      written(attemptId, 2, { questionId: QUESTIONS[1], answer: open('второй', 1), sent: true }),
      written(attemptId, 3, {
        kind: 'finish',
        questionId: null,
        answer: null,
        finishReason: 'student',
      }),
    ],
  });

  const { outbox, ...page } = await device({ server, factory });
  expect(await outbox.unsentCount(ANNA)).toBe(3);
  await drain({ outbox, ...page });
  expect(await outbox.unsentCount(ANNA)).toBe(0);
  expect([server.text(0), server.text(1)]).toEqual(['первый', 'второй']);
  expect(server.finished).not.toBeNull();
  expect(await outbox.snapshot(attemptId)).toMatchObject({
    state: 'finished',
    counts: { total: 1, broken: 0 },
    answers: [{ answer: open('первый'), stage: 'server' }],
  });
});
