import { expect, test } from 'vitest';
import { NO_SAVED_ANSWERS } from '#contract/answers.ts';
import { createMemoryStorage } from '#app/storage/memory.ts';
import type { AttemptRow, SessionRow } from '#app/storage/rows.ts';
import { StorageFailure, type Storage } from '#app/storage/storage.ts';
import {
  adoptDeadline,
  adoptSaved,
  adoptStarted,
  attemptsOf,
  changeAttempt,
  toLocal,
} from './attempts.ts';
import { ANNA, BORIS, FakeServer, MINUTE, START, TEST_ID } from './fake-server.ts';
import {
  ATTEMPT,
  attempt,
  createTestCore,
  holding,
  OLDER,
  operation,
  STREAM,
} from './test-rows.ts';

const started = new FakeServer({ now: START }).start(STREAM);
const NOTHING = {
  ...NO_SAVED_ANSWERS,
};
const row = (changes: Partial<AttemptRow> = {}): AttemptRow =>
  attempt({ owner: ANNA, state: 'running', finishedAt: null, streams: [holding()], ...changes });
/** The reply of a start of that attempt. */
const reply = (changes = {}) => ({ ...started, userTestId: ATTEMPT, epoch: 2, ...changes });
const finish = operation({ kind: 'finish', answer: null, questionId: null });

const session = (owner: string): SessionRow => ({
  key: 'current',
  token: 'token',
  owner,
  user: { userId: owner, userName: '', email: 'a@b.ru', role: 0, isAdmin: false },
  expiresAt: 'before',
});

/** A storage with injected failures. */
function weak(): { storage: Storage; read: Error | null; write: Error | null } {
  const inner = createMemoryStorage({ durable: true });
  const state: { storage: Storage; read: Error | null; write: Error | null } = {
    read: null,
    write: null,
    storage: {
      ...inner,
      read: (stores, run) => (state.read ? Promise.reject(state.read) : inner.read(stores, run)),
      write: (stores, run) =>
        state.write ? Promise.reject(state.write) : inner.write(stores, run),
    },
  };
  return state;
}

test('a first start is stored with everything in its reply', async () => {
  const made = await createTestCore();
  const local = await adoptStarted(made.core, ANNA, reply({ epoch: 1 }));
  const stored = row({
    streams: [holding({ epoch: 1, nextSequence: 1 })],
    startedAt: START,
    deadline: START + 40 * MINUTE,
    countsUntil: START + 55 * MINUTE,
  });
  expect(await made.attempt()).toEqual(stored);
  expect(await made.all('contents')).toEqual([
    { attemptId: ATTEMPT, questions: started.questions, saved: null },
  ]);
  expect(local).toEqual(toLocal(stored));
  expect(made.events).toEqual([{ kind: 'changed', attemptId: ATTEMPT }]);
});

test('a local attempt has its owner, stream and deadline', () => {
  const { marks: _marks, streams: _streams, lastQuestionId: _last, ...rest } = row();
  const { attemptNumber: _n, attemptsCount: _c, totalQuestions: _t, ...fields } = rest;
  expect(toLocal(row())).toEqual({ ...fields, epoch: 2 });
  const streams = [holding({ stream: OLDER, epoch: 1 }), holding({ epoch: 5 })];
  expect(toLocal(row({ streams })).epoch).toBe(5);
  expect(toLocal(row({ streams: [] })).epoch).toBe(1);
});

test('a replayed start preserves sequences, bookmarks and saved answers, and never shortens the time', async () => {
  const known = row({
    deadline: START + 90 * MINUTE,
    countsUntil: START + 95 * MINUTE,
    marks: ['q'],
    lastQuestionId: 'q',
    gone: true,
    takenOver: true,
  });
  const made = await createTestCore({
    attempts: [known],
    contents: [{ attemptId: ATTEMPT, questions: started.questions, saved: NOTHING }],
  });
  await adoptStarted(made.core, ANNA, reply({ questions: [] }));
  const after = { gone: false, takenOver: false, startedAt: START };
  expect(await made.attempt()).toEqual({ ...known, ...after });
  expect(await made.all('contents'), 'a replay after the time brings no questions').toEqual([
    { attemptId: ATTEMPT, questions: started.questions, saved: NOTHING },
  ]);
});

test('an attempt without cached or received questions shows none', async () => {
  const made = await createTestCore();
  await adoptStarted(made.core, ANNA, reply({ questions: [] }));
  expect((await made.all('contents'))[0]?.questions).toEqual([]);
});

test.each<[string, Partial<AttemptRow>, boolean, Partial<AttemptRow>]>([
  ['finished stays so', { state: 'finished', finishedAt: 5 }, false, {}],
  ['running stays so', { state: 'running' }, false, {}],
  ['with a waiting finish is finishing', { state: 'running' }, true, { state: 'finishing' }],
  ['without its finish runs again', { state: 'finishing' }, false, { state: 'running' }],
])('a repeated start of the same stream: what was %s', async (_, known, waits, expected) => {
  const operations = waits ? [finish] : [{ ...finish, state: 'dropped' as const }, operation()];
  const made = await createTestCore({ attempts: [row(known)], operations });
  await adoptStarted(made.core, ANNA, reply());
  expect(await made.attempt()).toMatchObject({ ...known, ...expected });
});

test('after taking an attempt back, the finish of the old stream does not close the new one', async () => {
  const made = await createTestCore({
    attempts: [row({ state: 'finished', finishedAt: 5, takenOver: true })],
    operations: [finish],
  });
  await adoptStarted(made.core, ANNA, reply({ stream: OLDER, epoch: 3 }));
  expect(await made.attempt()).toMatchObject({
    stream: OLDER,
    streams: [holding(), holding({ stream: OLDER, epoch: 3, nextSequence: 1 })],
    state: 'running',
    finishedAt: null,
    takenOver: false,
  });
});

test.each([true, false])(
  'a late reply to an older start leaves the current stream unchanged (takenOver: %s)',
  async (takenOver) => {
    const known = row({
      takenOver,
      streams: [holding({ epoch: 1, stream: 'first' }), holding({ epoch: 4 })],
    });
    const made = await createTestCore({ attempts: [known] });
    await adoptStarted(made.core, ANNA, reply({ stream: OLDER, epoch: 3 }));
    expect(await made.attempt()).toMatchObject({ stream: STREAM, takenOver, state: 'running' });
  },
);

test('row 10: the streams of a lost row are rebuilt from its operations', async () => {
  const made = await createTestCore({ operations: [operation({ sequence: 6 })] });
  await adoptStarted(made.core, ANNA, reply());
  expect((await made.attempt())?.streams).toEqual([holding({ nextSequence: 7 })]);
});

test('a start extends the session of its own user only', async () => {
  const made = await createTestCore({ session: [session(ANNA)] });
  await adoptStarted(made.core, ANNA, reply());
  expect(await made.all('session')).toEqual([{ ...session(ANNA), expiresAt: started.expiresAt }]);
  const other = await createTestCore({ session: [session(BORIS)] });
  await adoptStarted(other.core, ANNA, reply());
  expect(await other.all('session')).toEqual([session(BORIS)]);
  const nobody = await createTestCore();
  await adoptStarted(nobody.core, ANNA, reply());
  expect(await nobody.all('session')).toEqual([]);
});

test('row 9: a start on a full device is merged with the stored attempt', async () => {
  const device = weak();
  const made = await createTestCore(
    { attempts: [row({ marks: ['q'] })] },
    { storage: device.storage },
  );
  device.write = new StorageFailure('quota');
  await adoptStarted(made.core, ANNA, reply({ stream: OLDER, epoch: 3 }));
  const known = { marks: ['q'], stream: OLDER, streams: [holding(), { epoch: 3 }] };
  expect(await made.core.storage.readAttempt(ATTEMPT)).toMatchObject(known);
  expect(await made.attempt()).toEqual(row({ marks: ['q'] }));
});

test('row 9: an attempt is the merge of the device and memory', async () => {
  const made = await createTestCore({ attempts: [row()] });
  const later = row({ streams: [holding({ nextSequence: 20 })] });
  await made.memory.write(['attempts'], (tx) => tx.put('attempts', later));
  expect(await made.core.storage.readAttempt(ATTEMPT), 'a copy that nobody counts on').toEqual(
    row(),
  );
  made.core.storage.copies.add(ATTEMPT);
  expect(await made.core.storage.readAttempt(ATTEMPT)).toEqual(later);
  expect(await attemptsOf(made.core, ANNA)).toEqual([later]);
  expect(await made.core.storage.readAttempt('nowhere')).toBeNull();
  made.core.storage.copies.add('other');
  await made.put({ attempts: [row({ attemptId: 'other' })] });
  expect(await made.core.storage.readAttempt('other')).toEqual(row({ attemptId: 'other' }));
});

test('saved answers are stored in both places and recreate no deleted attempt', async () => {
  const content = { attemptId: ATTEMPT, questions: [], saved: null };
  const made = await createTestCore({ attempts: [row()], contents: [content] });
  await made.memory.write(['contents'], (tx) => tx.put('contents', content));
  await adoptSaved(made.core, ATTEMPT, NOTHING);
  const inMemory = () => made.memory.read(['contents'], (tx) => tx.all('contents'));
  expect(await made.all('contents')).toEqual([{ ...content, saved: NOTHING }]);
  expect(await inMemory(), 'no copy that counts').toEqual([content]);
  made.core.storage.copies.add(ATTEMPT);
  await adoptSaved(made.core, ATTEMPT, NOTHING);
  expect(await inMemory()).toEqual([{ ...content, saved: NOTHING }]);
  await adoptSaved(made.core, 'nowhere', NOTHING);
  expect(await made.all('contents')).toHaveLength(1);
  expect(made.events).toEqual(
    [ATTEMPT, ATTEMPT, 'nowhere'].map((attemptId) => ({ kind: 'changed', attemptId })),
  );
});

test('changing an attempt that is not on the device does nothing', async () => {
  const made = await createTestCore();
  await changeAttempt(made.core, ATTEMPT, (one) => ({ ...one, marks: ['q'] }));
  expect(await made.all('attempts')).toEqual([]);
  expect(made.events).toEqual([{ kind: 'changed', attemptId: ATTEMPT }]);
});

test('row 9: a bookmark that does not fit is lost silently; a programming error is thrown', async () => {
  const device = weak();
  const made = await createTestCore({ attempts: [row()] }, { storage: device.storage });
  const mark = () => changeAttempt(made.core, ATTEMPT, (one) => ({ ...one, marks: ['q'] }));
  device.write = new StorageFailure('quota');
  await mark();
  expect(made.logged).toEqual([{ event: 'storageFailed', attemptId: ATTEMPT, detail: 'quota' }]);
  device.write = new Error('a mistake');
  await expect(mark()).rejects.toThrow('a mistake');
});

test('a repeated deadline only moves later', async () => {
  const made = await createTestCore({ attempts: [row({ deadline: START, countsUntil: START })] });
  const tell = (ms: number) => {
    const at = new Date(START + ms).toISOString();
    return adoptDeadline(made.core, ATTEMPT, { deadline: at, countsUntil: at });
  };
  await tell(-5_000);
  expect(await made.attempt()).toMatchObject({ deadline: START, countsUntil: START });
  await tell(5_000);
  expect(await made.attempt()).toMatchObject({
    deadline: START + 5_000,
    countsUntil: START + 5_000,
  });
});

test('attempts of one student are sorted oldest first, those in memory included', async () => {
  const device = weak();
  const at = (attemptId: string, startedAt: number, owner = ANNA) =>
    row({ attemptId, startedAt, owner });
  const made = await createTestCore(
    { attempts: [at('a', 30), at('b', 10), at('c', 5, BORIS)] },
    { storage: device.storage },
  );
  await made.putInMemory({ attempts: [at('d', 20), at('e', 1, BORIS)] });
  const ids = async () => (await attemptsOf(made.core, ANNA)).map(({ attemptId }) => attemptId);
  expect(await ids()).toEqual(['b', 'd', 'a']);
  for (const one of [at('a', 30), at('b', 10), at('c', 5, BORIS)])
    made.core.storage.rememberAttempt(one);
  device.read = new StorageFailure('silent');
  expect(await ids(), 'as this page saw them last').toEqual(['b', 'd', 'a']);
});

test('an attempt has the test’s number of attempts', async () => {
  const made = await createTestCore();
  await adoptStarted(made.core, ANNA, reply({ attemptNumber: 2, attemptsCount: 3 }));
  expect(await made.attempt()).toMatchObject({
    testId: TEST_ID,
    attemptNumber: 2,
    attemptsCount: 3,
  });
});
