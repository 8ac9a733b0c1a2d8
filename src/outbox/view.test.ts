import { expect, test } from 'vitest';
import { NO_SAVED_ANSWERS } from '#contract/answers.ts';
import { createMemoryStorage } from '#app/storage/memory.ts';
import type { AttemptRow, EncryptedRow, OperationRow, SessionRow } from '#app/storage/rows.ts';
import { StorageFailure, type Storage } from '#app/storage/storage.ts';
import { ANNA, BORIS, FakeServer, id, QUESTIONS, START } from './fake-server.ts';
import {
  ATTEMPT,
  attempt,
  createTestCore,
  file,
  holding,
  OLDER,
  operation,
  STREAM,
} from './test-rows.ts';
import { othersWaiting, ownersSync, snapshot, unsentCount, visibleAttempt } from './view.ts';

const { questions } = new FakeServer({ now: START }).start(STREAM);
const content = { attemptId: ATTEMPT, questions, saved: null };
const answer = (changes: Partial<OperationRow> = {}) => operation({ owner: ANNA, ...changes });
const finish = (changes: Partial<OperationRow> = {}) =>
  answer({ kind: 'finish', answer: null, questionId: null, sequence: 9, ...changes });
const row = (changes: Partial<AttemptRow> = {}): AttemptRow =>
  attempt({
    owner: ANNA,
    state: 'running',
    finishedAt: null,
    deadline: START + 60_000,
    streams: [holding({ stream: OLDER, epoch: 1 }), holding()],
    ...changes,
  });
const session: SessionRow = {
  key: 'current',
  token: 'token-1',
  owner: ANNA,
  user: { userId: ANNA, userName: '', email: 'a@b.ru', role: 0, isAdmin: false },
  expiresAt: '',
};
const desk = (
  rows: Parameters<typeof createTestCore>[0] = {},
  env: Parameters<typeof createTestCore>[1] = {},
) => createTestCore({ attempts: [row()], contents: [content], session: [session], ...rows }, env);

/** A storage that can be switched to not answering. */
function shy(options: { durable: boolean } = { durable: true }) {
  const inner = createMemoryStorage(options);
  const state = { isSilent: false };
  const storage: Storage = {
    ...inner,
    read: (stores, run) =>
      state.isSilent ? Promise.reject(new StorageFailure('silent')) : inner.read(stores, run),
  };
  return Object.assign(state, { storage });
}

test('a snapshot has the attempt, its times and its answers', async () => {
  const made = await desk({
    operations: [answer()],
    broken: [
      { id: 'a', store: 'operations', original: {}, issue: 'x' },
      { id: 'b', store: 'files', original: {}, issue: 'x' },
      { id: 'c', store: 'operations', original: {}, issue: 'x' },
    ],
  });
  const { streams: _s, takenOver: _t, gone: _g, marks: _m, totalQuestions: _q, ...rest } = row();
  const view = await snapshot(made.core, ATTEMPT);
  expect(view).toMatchObject({
    ...rest,
    epoch: 2,
    head: 9,
    readOnly: null,
    remainingMs: 60_000,
    now: START,
    questions,
    finishWaits: false,
    finishRefusal: null,
    sync: { kind: 'sending', count: 1 },
    counts: { waiting: 1, broken: 2, total: 4 },
  });
});

test('a snapshot names the last operation of its stream that it contains', async () => {
  const made = await desk({
    attempts: [
      row({
        streams: [
          holding({ stream: OLDER, epoch: 1, nextSequence: 9 }),
          holding({ nextSequence: 5 }),
        ],
      }),
    ],
  });
  expect(await snapshot(made.core, ATTEMPT)).toMatchObject({ stream: STREAM, head: 4 });
});

test('remaining time is measured by the server’s clock and never negative', async () => {
  const made = await desk();
  made.core.clock.observe({ serverTime: START + 50_000, receivedWall: START, rttMs: 0 });
  const view = await snapshot(made.core, ATTEMPT);
  expect(view).toMatchObject({ now: START + 50_000, remainingMs: 10_000, readOnly: null });
  made.server.world.now += 10_000;
  expect(await snapshot(made.core, ATTEMPT)).toMatchObject({
    remainingMs: 0,
    readOnly: 'timeOver',
  });
  made.server.world.now += 10_000;
  expect((await snapshot(made.core, ATTEMPT))?.remainingMs).toBe(0);
});

test.each<[Partial<AttemptRow>, string]>([
  [{ gone: true, state: 'finished', takenOver: true }, 'gone'],
  [{ state: 'finished', takenOver: true }, 'finished'],
  [{ state: 'finishing', takenOver: true }, 'takenOver'],
  [{ state: 'finishing' }, 'finishing'],
  [{ deadline: START }, 'timeOver'],
])('an attempt with %j is read-only because: %s', async (changes, why) => {
  const made = await desk({ attempts: [row(changes)] });
  const view = await snapshot(made.core, ATTEMPT);
  expect(view?.readOnly).toBe(why);
  expect(view?.remainingMs).toBe(changes.state === 'finished' || why === 'timeOver' ? 0 : 60_000);
});

test('an attempt that another tab writes is read-only in this one', async () => {
  const made = await desk();
  made.core.runtime.secondTab.add(ATTEMPT);
  const view = await snapshot(made.core, ATTEMPT);
  expect(view).toMatchObject({ readOnly: 'secondTab', sync: { kind: 'secondTab' } });
});

test('the header shows a take-over of the attempt', async () => {
  const made = await desk({ attempts: [row({ takenOver: true })] });
  expect((await snapshot(made.core, ATTEMPT))?.sync.kind).toBe('takenOver');
});

const refusal = { status: 403, code: 'FORBIDDEN', message: 'нет' };
test.each<[string, OperationRow[], boolean, object | null]>([
  ['no finish', [answer({ state: 'setAside', refusal }), answer({ sequence: 2 })], false, null],
  ['a waiting one', [finish()], true, null],
  ['a refused one', [finish({ state: 'setAside', refusal })], false, refusal],
  [
    'one refused and another that waits',
    [finish({ state: 'setAside', refusal }), finish({ sequence: 10 })],
    true,
    null,
  ],
  ['an acknowledged one', [finish({ state: 'acknowledged', refusal })], false, null],
  [
    'one refused in an earlier holding',
    [finish({ state: 'setAside', refusal, stream: OLDER })],
    false,
    null,
  ],
])(
  'with %s the snapshot shows whether a finish waits, and its refusal',
  async (_, operations, finishWaits, finishRefusal) => {
    const made = await desk({ operations });
    expect(await snapshot(made.core, ATTEMPT)).toMatchObject({ finishWaits, finishRefusal });
  },
);

test('row 9: rows in memory are shown together with rows on the device', async () => {
  const made = await desk({ contents: [], operations: [answer()] });
  const sheet = file({ owner: ANNA, size: 8, received: 2 });
  const named = answer({ questionId: QUESTIONS[3], fileId: sheet.fileId, sequence: 2 });
  await made.putInMemory({
    attempts: [row()],
    contents: [content],
    operations: [named],
    files: [sheet],
  });
  made.core.storage.unsaved.clear();
  const view = await snapshot(made.core, ATTEMPT);
  expect(view?.questions).toEqual(questions);
  expect(view?.answers.map(({ stage }) => stage)).toEqual(['device', 'none', 'none', 'device']);
  expect(view?.answers[3]?.upload).toEqual({ received: 2, size: 8 });
});

test('row 9: while an answer is only in this page’s memory the header warns', async () => {
  const made = await desk();
  await made.putInMemory({ attempts: [row()], operations: [answer()] });
  expect((await snapshot(made.core, ATTEMPT))?.sync).toEqual({ kind: 'unstorable', count: 1 });
});

test('answers that the server has from another device are shown', async () => {
  const { owner: _owner, ...plain } = answer();
  const openAnswers = [
    {
      questionId: QUESTIONS[1],
      kind: 'open' as const,
      text: 'с планшета',
      operationId: plain.operationId,
      epoch: 1,
      sequence: 1,
      receivedAt: '2026-05-21T07:00:00.000Z',
      receivedLate: false,
    },
  ];
  const saved = {
    ...NO_SAVED_ANSWERS,
    openAnswers,
  };
  const made = await desk({ contents: [{ ...content, saved }] });
  const view = await snapshot(made.core, ATTEMPT);
  expect(view?.answers[1]).toMatchObject({ answer: { text: 'с планшета' }, stage: 'server' });
});

test('an attempt without its questions shows none', async () => {
  const made = await desk({ contents: [] });
  expect(await snapshot(made.core, ATTEMPT)).toMatchObject({ questions: [], answers: [] });
});

test('row 13: without a database every answer is unsaved', async () => {
  const made = await desk({ operations: [answer()] }, { storage: createMemoryStorage() });
  const view = await snapshot(made.core, ATTEMPT);
  expect(view?.answers[0]?.stage).toBe('unsaved');
  expect(view?.sync.kind).toBe('unstorable');
});

test('an attempt first shown while the device does not answer is shown without its rows', async () => {
  const device = shy();
  const made = await desk({ operations: [answer()] }, { storage: device.storage });
  await visibleAttempt(made.core, ATTEMPT);
  device.isSilent = true;
  const view = await snapshot(made.core, ATTEMPT);
  expect(view).toMatchObject({ questions: [], sync: { kind: 'unstorable' } });
  expect(view?.counts).toMatchObject({ waiting: 0, total: 0 });
});

test('an attempt is visible to its owner and after the session ended', async () => {
  const made = await desk();
  expect(await visibleAttempt(made.core, ATTEMPT)).toEqual(row());
  expect(await visibleAttempt(made.core, 'nowhere')).toBeNull();
  await made.put({ session: [{ ...session, owner: BORIS }] });
  expect(await visibleAttempt(made.core, ATTEMPT)).toBeNull();
  expect(await snapshot(made.core, ATTEMPT)).toBeNull();
  await made.core.storage.write(['session'], (tx) => tx.delete('session', 'current'));
  expect(await visibleAttempt(made.core, ATTEMPT)).toEqual(row());
});

test('without a session the header shows that answers wait for a sign-in', async () => {
  const made = await desk({ operations: [answer()] });
  await made.core.storage.write(['session'], (tx) => tx.delete('session', 'current'));
  expect((await snapshot(made.core, ATTEMPT))?.sync).toEqual({ kind: 'signedOut', count: 1 });
});

test.each([
  ['signIn', 'token-1', 'signedOut'],
  ['signIn', 'an earlier one', 'sending'],
  ['update', 'an earlier one', 'silent'],
] as const)('a pause (%s) of the session %s is shown as %s', async (why, token, kind) => {
  const made = await desk({ operations: [answer()] });
  made.core.runtime.pause = { why, token, at: 0 };
  expect((await snapshot(made.core, ATTEMPT))?.sync.kind).toBe(kind);
  expect((await ownersSync(made.core)).kind).toBe(kind);
});

test('a pause without a session is not shown as a pause when signed out', async () => {
  const made = await createTestCore();
  made.core.runtime.pause = { why: 'blocked', token: 'token-1', at: 0 };
  expect(await ownersSync(made.core)).toEqual({ kind: 'delivered', count: 0 });
});

test('outside a test the header counts all rows of the signed-in user only', async () => {
  const made = await desk({
    operations: [
      answer(),
      answer({ attemptId: id() }),
      answer({ state: 'acknowledged', questionId: QUESTIONS[1] }),
      answer({ owner: BORIS, questionId: QUESTIONS[2] }),
    ],
  });
  expect(await ownersSync(made.core)).toEqual({ kind: 'sending', count: 2 });
  await made.put({ operations: [answer({ state: 'setAside', questionId: QUESTIONS[3] })] });
  made.core.runtime.unreadable = 2;
  expect(await ownersSync(made.core)).toEqual({ kind: 'setAside', count: 3 });
});

test('without a session the header counts nothing', async () => {
  const made = await createTestCore({ operations: [answer()] });
  expect(await ownersSync(made.core)).toEqual({ kind: 'delivered', count: 0 });
});

test('the unsent count includes waiting operations, finishes and poisoned ones, not refused ones', async () => {
  const made = await desk({
    operations: [
      answer(),
      answer({ poisoned: true }),
      finish(),
      answer({ state: 'setAside' }),
      answer({ owner: BORIS }),
    ],
  });
  expect(await unsentCount(made.core, ANNA)).toBe(3);
});

const encrypted = (changes: Partial<EncryptedRow>): EncryptedRow => ({
  id: id(),
  owner: BORIS,
  kind: 'attempt',
  fileIds: [],
  fileId: null,
  part: 0,
  waits: true,
  outlivedAt: null,
  iv: new ArrayBuffer(0),
  cipher: new ArrayBuffer(0),
  ...changes,
});

test.each<[string, Parameters<typeof createTestCore>[0], boolean]>([
  ['nothing', {}, false],
  ['own answers', { operations: [answer()], encrypted: [encrypted({ owner: ANNA })] }, false],
  [
    'answers of another user beside own ones',
    { operations: [answer(), answer({ owner: BORIS })] },
    true,
  ],
  [
    'settled answers of another',
    { operations: [answer({ owner: BORIS, state: 'acknowledged' })] },
    false,
  ],
  [
    'encrypted answers of another',
    { encrypted: [encrypted({ owner: ANNA }), encrypted({})] },
    true,
  ],
  [
    'encrypted, acknowledged answers of another user',
    { encrypted: [encrypted({ waits: false })] },
    false,
  ],
])('with %s here, shows a neutral note or none: %#', async (_, rows, expected) => {
  const made = await desk(rows);
  expect(await othersWaiting(made.core, ANNA)).toBe(expected);
});

test('an unreadable device reports no other users’ answers', async () => {
  const device = shy();
  const made = await desk({ operations: [answer({ owner: BORIS })] }, { storage: device.storage });
  device.isSilent = true;
  expect(await othersWaiting(made.core, ANNA)).toBe(false);
});
