import { expect, test } from 'vitest';
import { HEADER } from '#contract/headers.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { clearMirror } from '#app/storage/session-mirror.ts';
import { createMemoryStorage } from '#app/storage/memory.ts';
import { type Storage, StorageFailure } from '#app/storage/storage.ts';
import type { OutboxEnvironment } from './environment.ts';
import { BROKEN_INVARIANT } from './invariants.ts';
import { begin, callsOf, endsOf, heldBegin, offline, opened } from './test-begin.ts';
import { ANNA, BORIS, type FakeServer, id, MINUTE, open, START } from './fake-server.ts';
import {
  device,
  drain,
  observeReply,
  signIn,
  smallStorage,
  turns,
  type DeviceOptions,
  type TestDevice,
} from './test-device.ts';

test('an attempt begins without the server, and its answers are on the device', async () => {
  const made = await offline();
  made.world.now += 10 * MINUTE;
  const offer = opened();
  const attempt = await begin(made, offer);
  expect(attempt).toMatchObject({
    attemptId: offer.attemptId,
    state: 'running',
    startedAt: START + 10 * MINUTE,
    deadline: START + 50 * MINUTE,
    countsUntil: START + 65 * MINUTE,
  });
  await made.outbox.answer(attempt.attemptId, open('да'));
  await made.outbox.flush({ force: true });
  const view = await made.outbox.snapshot(attempt.attemptId);
  expect(view?.answers[0]).toMatchObject({ stage: 'device' });
  expect(view).toMatchObject({ begin: { state: 'waiting' }, remainingMs: 40 * MINUTE });
  expect(made.server.count('answer')).toBe(0);
});

test('the begin goes before any answer, with its age, and the answers follow', async () => {
  const made = await offline();
  const offer = opened();
  await begin(made, offer);
  await made.outbox.answer(offer.attemptId, open('да'));
  await made.outbox.finish(offer.attemptId, 'student');
  made.world.now += 5 * MINUTE;
  made.line.isUp = true;
  await drain(made);
  expect(callsOf(made).filter((name) => name !== 'probe')).toEqual(['start', 'answer', 'finish']);
  const sent = made.server.calls.find(({ name }) => name === 'start');
  expect(sent?.headers).toMatchObject({
    [HEADER.offer]: offer.attemptId,
    [HEADER.offerProof]: 'proof',
    [HEADER.stream]: offer.stream,
    [HEADER.age]: String(5 * MINUTE),
    [HEADER.seenServerTime]: new Date(START).toISOString(),
  });
  expect(await made.outbox.snapshot(offer.attemptId)).toMatchObject({
    state: 'finished',
    begin: { state: 'accepted' },
  });
});

test.each([
  'loseRequest',
  'loseReply',
  'timeOut',
  'html',
  'INTERNAL',
  'TOO_MANY_REQUESTS',
] as const)(
  'a begin that meets %s goes again with the same key until a definite reply',
  async (fault) => {
    const made = await offline();
    const offer = opened();
    await begin(made, offer);
    await made.outbox.answer(offer.attemptId, open('да'));
    let left = 3;
    made.server.fault = ({ name }) => {
      if (name !== 'start' || left === 0) return null;
      left -= 1;
      return fault;
    };
    await drain(made);
    const starts = made.server.calls.filter(({ name }) => name === 'start');
    expect(starts).toHaveLength(4);
    expect(new Set(starts.map(({ headers }) => headers[HEADER.idempotencyKey])).size).toBe(1);
    expect(made.server.begins.size).toBe(1);
    expect(made.server.text()).toBe('да');
  },
);

test('a begin that is accepted while the pass reads what waits goes only once', async () => {
  const inner = createMemoryStorage({ durable: true });
  /** From the call until everything has followed its reply. */
  let beginning: Promise<void> | null = null;
  let hasEnded = () => {};
  let former = '';
  const storage: Storage = {
    ...inner,
    read: async (stores, run) => {
      const value = await inner.read(stores, run);
      const isWork = former === 'files' && stores.join() === 'attempts';
      former = stores.join();
      if (isWork) await beginning;
      return value;
    },
  };
  const made = await offline({ storage, concurrency: 2 });
  const offer = opened();
  await begin(made, offer);
  await made.outbox.answer(offer.attemptId, open('да'));
  made.server.fault = async ({ name }) => {
    if (name !== 'start') return null;
    beginning ??= new Promise((resolve) => (hasEnded = resolve));
    // The pass reads again.
    void made.outbox.flush();
    await turns();
    void turns().then(hasEnded);
    return null;
  };
  await made.outbox.flush();
  expect(made.server.count('start')).toBe(1);
  expect(made.server.text()).toBe('да');
});

test('a begin is sent without any answer, also by a page that was opened later', async () => {
  const made = await offline();
  const offer = opened();
  await begin(made, offer);
  expect(await made.outbox.unsentCount(ANNA)).toBe(1);
  const again = await device({ server: made.server, factory: made.factory });
  made.line.isUp = true;
  await drain(again);
  expect(made.server.begins.size).toBe(1);
  expect(await again.outbox.unsentCount(ANNA)).toBe(0);
});

test('a start of the attempt under another stream settles no begin: it goes all the same', async () => {
  const made = await offline();
  const offer = opened();
  await begin(made, offer);
  made.server.attemptId = offer.attemptId;
  made.line.isUp = true;
  await made.outbox.adoptStarted(ANNA, made.server.start(id()));
  expect(await made.outbox.snapshot(offer.attemptId)).toMatchObject({
    begin: { state: 'waiting' },
  });
  await drain(made);
  expect(made.server.begins.size).toBe(1);
  expect(await made.outbox.snapshot(offer.attemptId)).toMatchObject({
    begin: { state: 'accepted' },
  });
});

test('the begin and its attempt are one strict transaction: whatever the device refuses, nothing has begun', async () => {
  const made = await device();
  const refusing = await device({
    server: made.server,
    factory: made.factory,
    storage: {
      ...made.storage,
      write: (stores, run) =>
        made.storage.write(stores, async (tx) => {
          const value = await run({
            ...tx,
            put: async (store, row) => {
              // The last row of the begin does not fit.
              if (store === 'contents') throw new StorageFailure('quota');
              await tx.put(store, row);
            },
          });
          return value;
        }),
    },
  });
  const offer = opened();
  await expect(begin(refusing, offer)).rejects.toThrow(StorageFailure);
  expect(await made.outbox.attempt(offer.attemptId)).toBeNull();
  expect(await made.outbox.unsentCount(ANNA)).toBe(0);
  // The same offer begins once there is space.
  await begin(made, offer);
  expect(await made.outbox.attempt(offer.attemptId)).not.toBeNull();
});

test('in memory alone nothing begins', async () => {
  const made = await device();
  const storage = { ...made.storage, durable: false };
  const inMemory = await device({ server: made.server, storage });
  await expect(begin(inMemory, opened())).rejects.toThrow(StorageFailure);
});

test('a second begin of the offer on this device is the same attempt', async () => {
  const made = await offline();
  const offer = opened();
  const first = await begin(made, offer);
  made.world.now += MINUTE;
  const second = await begin(made, { ...offer, stream: id(), proof: 'other' });
  expect(second).toEqual(first);
});

test('a hold is shown, and loses no answer', async () => {
  const made = await offline();
  const offer = opened();
  await begin(made, offer);
  await made.outbox.answer(offer.attemptId, open('да'));
  made.server.hold = 'beforeCode';
  made.line.isUp = true;
  await drain(made);
  await made.outbox.answer(offer.attemptId, open('нет'));
  await drain(made);
  const view = await made.outbox.snapshot(offer.attemptId);
  expect(view).toMatchObject({
    begin: { state: 'held', reason: 'beforeCode' },
    readOnly: null,
    counts: { waiting: 0 },
  });
  expect(made.server.answersSent).toEqual(['да', 'нет']);
});

test('the teacher’s decision on a hold is requested with the same begin', async () => {
  const { made, offer } = await heldBegin('unknownTime');
  const begins = await made.outbox.begins();
  await begins.ask(offer.attemptId);
  expect(await made.outbox.snapshot(offer.attemptId)).toMatchObject({ begin: { state: 'held' } });
  made.server.fault = () => 'loseRequest';
  await begins.ask(offer.attemptId);
  made.server.fault = () => null;
  made.server.hold = undefined;
  await begins.ask(offer.attemptId);
  expect(await made.outbox.snapshot(offer.attemptId)).toMatchObject({
    begin: { state: 'accepted', reason: null },
  });
  expect(made.server.begins.size).toBe(1);
  const sent = made.server.count('start');
  await begins.ask(offer.attemptId);
  expect(made.server.count('start')).toBe(sent);
});

test('an attempt that left by the teacher’s refusal is gone after its finish, until he accepts it', async () => {
  const { made, offer } = await heldBegin('beforeCode');
  const begins = await made.outbox.begins();
  const view = () => made.outbox.snapshot(offer.attemptId);
  made.server.fault = () => 'GONE';
  await begins.ask(offer.attemptId);
  expect(await view()).toMatchObject({ begin: { state: 'held' }, readOnly: null });
  made.server.fault = () => null;
  await made.outbox.finish(offer.attemptId, 'student');
  await drain(made);
  made.server.fault = () => 'GONE';
  await begins.ask(offer.attemptId);
  expect(await view()).toMatchObject({ begin: { state: 'held' }, readOnly: 'gone' });
  made.server.fault = () => null;
  made.server.hold = undefined;
  await begins.ask(offer.attemptId);
  expect(await view()).toMatchObject({ begin: { state: 'accepted' }, readOnly: 'finished' });
});

test('a held begin beside another device has its answers open and shown', async () => {
  const { made, offer } = await heldBegin('secondDevice');
  made.server.activeStream = id();
  await made.outbox.answer(offer.attemptId, open('здесь'));
  await drain(made);
  const view = await made.outbox.snapshot(offer.attemptId);
  expect(view).toMatchObject({ readOnly: null });
  expect(view?.answers[0]?.answer).toMatchObject({ text: 'здесь' });
});

test.each(['beforeCode', 'secondDevice'])(
  'an attempt with a begin held for %s is finished by its student, and stays so once it is accepted',
  async (hold) => {
    const made = await offline();
    const offer = opened();
    await begin(made, offer);
    await made.outbox.answer(offer.attemptId, open('да'));
    made.server.hold = hold;
    made.line.isUp = true;
    await drain(made);
    await made.outbox.finish(offer.attemptId, 'student');
    await drain(made);
    const finished = { readOnly: 'finished', finishedAt: made.world.now, finishWaits: false };
    expect(await made.outbox.snapshot(offer.attemptId)).toMatchObject({
      ...finished,
      begin: { state: 'held' },
      sync: { kind: 'delivered' },
    });
    made.server.hold = undefined;
    await (await made.outbox.begins()).ask(offer.attemptId);
    expect(await made.outbox.snapshot(offer.attemptId)).toMatchObject({
      ...finished,
      begin: { state: 'accepted' },
    });
  },
);

test.each<[string, number, 'student' | 'deadline', string | null]>([
  ['at a deadline that moved since goes on', 10, 'deadline', null],
  ['at its deadline stays finished', 0, 'deadline', 'finished'],
  ['by its student stays finished, whatever minutes are added', 10, 'student', 'finished'],
])(
  'an attempt with a held begin that was finished %s',
  async (_case, minutes, reason, readOnly) => {
    const made = await offline();
    const offer = opened();
    await begin(made, offer);
    made.server.hold = 'beforeCode';
    made.line.isUp = true;
    await drain(made);
    made.world.now = made.server.deadline;
    await made.outbox.finish(offer.attemptId, reason);
    await drain(made);
    expect(await made.outbox.snapshot(offer.attemptId)).toMatchObject({ readOnly: 'finished' });
    made.server.deadline += minutes * MINUTE;
    await (await made.outbox.begins()).ask(offer.attemptId);
    expect(await made.outbox.snapshot(offer.attemptId)).toMatchObject({ readOnly });
    if (readOnly !== null) return;
    // It ends by itself again, without a page of its own.
    made.world.now = made.server.deadline + MINUTE;
    await drain(made);
    expect(await made.outbox.snapshot(offer.attemptId)).toMatchObject({ readOnly: 'finished' });
    expect(made.server.count('finish')).toBe(2);
  },
);

test.each<ErrorCode>(['FORBIDDEN', 'TEST_CLOSED', 'OPERATION_REUSED'])(
  'a begin refused with %s is marked, and the answers are sent all the same',
  async (code) => {
    const made = await offline();
    const offer = opened();
    await begin(made, offer);
    await made.outbox.answer(offer.attemptId, open('да'));
    made.server.fault = ({ name }) =>
      name === 'start' ? code : name === 'answer' ? 'NOT_FOUND' : null;
    await drain(made);
    const view = await made.outbox.snapshot(offer.attemptId);
    expect(view).toMatchObject({ begin: { state: 'refused' }, counts: { setAside: 1 } });
    expect(view?.begin?.reason).not.toBe('');
    expect(made.server.count('start')).toBe(1);
    expect(JSON.parse(await made.outbox.exportUnsent(ANNA))).toMatchObject({
      attempts: [{ attemptId: offer.attemptId, begin: { state: 'refused', proof: 'proof' } }],
    });
  },
);

test('an ended sign-in stops the begin, and another person never sends it', async () => {
  const made = await offline();
  const offer = opened();
  await begin(made, offer);
  made.server.fault = () => 'UNAUTHORIZED';
  await made.outbox.flush({ force: true });
  expect(await made.outbox.snapshot(offer.attemptId)).toMatchObject({
    begin: { state: 'waiting' },
  });
  made.server.fault = () => null;
  await signIn(made.storage, BORIS);
  await drain(made);
  expect(made.server.begins.size).toBe(0);
  await signIn(made.storage, ANNA, 'fresh');
  await drain(made);
  expect(made.server.begins.size).toBe(1);
});

test('the file of answers contains a begin that waits alone', async () => {
  const made = await offline();
  const offer = opened();
  await begin(made, offer);
  expect(JSON.parse(await made.outbox.exportUnsent(ANNA))).toMatchObject({
    attempts: [
      {
        attemptId: offer.attemptId,
        begin: {
          proof: 'proof',
          stream: offer.stream,
          seenServerTime: new Date(START).toISOString(),
        },
        operations: [],
      },
    ],
  });
});

test('the deadline is that of the begin, but never after the end of the test', async () => {
  const made = await offline();
  const endsAt = START + 15 * MINUTE;
  const attempt = await begin(made, opened({ endsAt }));
  expect(attempt.deadline).toBe(endsAt);
});

test('the deadline runs by the server’s time, whatever the device’s clock shows', async () => {
  const skew = { ms: 90 * MINUTE };
  const made = await offline({ skew });
  const offer = opened();
  const attempt = await begin(made, offer);
  expect(attempt.startedAt).toBe(START);
  made.world.now += 10 * MINUTE;
  expect(await made.outbox.snapshot(offer.attemptId)).toMatchObject({ remainingMs: 30 * MINUTE });
});

test('after the clock was set, the age of the begin is unknown', async () => {
  const made = await offline();
  const offer = opened();
  await begin(made, offer);
  made.skew.ms = -10 * MINUTE;
  made.world.now += MINUTE;
  made.line.isUp = true;
  await drain(made);
  const sent = made.server.calls.find(({ name }) => name === 'start');
  expect(sent?.headers[HEADER.age]).toBe('unknown');
});

/** Begun 20 minutes after the code was shown, from when the server counts. */
async function begunLate(changes: Partial<FakeServer> = {}, options: DeviceOptions = {}) {
  const made = await offline(options);
  Object.assign(made.server, changes);
  made.world.now += 20 * MINUTE;
  const offer = opened({ countsUntil: (deadline) => deadline + 60 * MINUTE });
  await begin(made, offer);
  return { ...made, attemptId: offer.attemptId };
}

test.each<[string, Partial<FakeServer>, number]>([
  ['accepts', {}, -20],
  ['holds', { hold: 'beforeCode' }, -20],
  ['gives more', { deadline: START + 70 * MINUTE }, 10],
])(
  'the times of a begin are the device’s until the server’s first reply, which %s; after that they never become earlier',
  async (_case, changes, by) => {
    const made = await begunLate(changes);
    const { attemptId, server } = made;
    expect(await endsOf(made, attemptId)).toEqual({ deadline: 60, countsUntil: 120 });
    made.line.isUp = true;
    await drain(made);
    const first = { deadline: 60 + by, countsUntil: 75 + by };
    expect(await endsOf(made, attemptId)).toEqual(first);
    expect((await made.outbox.snapshot(attemptId))?.begin?.estimate).toBe(START + 60 * MINUTE);
    server.deadline -= 10 * MINUTE;
    await made.outbox.report();
    await (await made.outbox.begins()).ask(attemptId);
    server.epoch = 2;
    await observeReply(made);
    await drain(made);
    expect(server.count('start')).toBeGreaterThan(1);
    expect(await endsOf(made, attemptId)).toEqual(first);
  },
);

test.each<[string, (made: TestDevice, attemptId: string) => Promise<unknown>]>([
  ['its next report', ({ outbox }) => outbox.report()],
  ['a start', ({ outbox, server }) => outbox.adoptStarted(ANNA, server.start(id()))],
  [
    'the teacher’s decision',
    async ({ outbox }, attemptId) => (await outbox.begins()).ask(attemptId),
  ],
])(
  'an estimate that a page of 1.0.0 stored from its memory on a full device is replaced by %s',
  async (_case, reply) => {
    const broken: unknown[] = [];
    const log: OutboxEnvironment['log'] = ({ event, detail }) => {
      if (event === BROKEN_INVARIANT) broken.push(detail);
    };
    const made = await begunLate({ hold: 'beforeCode' }, { log });
    const { attemptId, server, storage } = made;
    made.line.isUp = true;
    await drain(made);
    server.attemptId = attemptId;
    await storage.write(['attempts'], async (tx) => {
      const row = await tx.get('attempts', attemptId);
      const again = { deadline: START + 60 * MINUTE, countsUntil: START + 120 * MINUTE };
      if (row) await tx.put('attempts', { ...row, ...again });
    });
    await reply(made, attemptId);
    expect(await endsOf(made, attemptId)).toEqual({ deadline: 40, countsUntil: 55 });
    expect(broken).toEqual([]);
  },
);

test('a start of another stream is no reply to the begin: its times stay estimates', async () => {
  const made = await begunLate();
  const { attemptId, server } = made;
  server.attemptId = attemptId;
  await made.outbox.adoptStarted(ANNA, server.start(id()));
  expect(await endsOf(made, attemptId)).toEqual({ deadline: 60, countsUntil: 120 });
  made.line.isUp = true;
  await drain(made);
  expect(await endsOf(made, attemptId)).toEqual({ deadline: 40, countsUntil: 55 });
});

test('the time left is the server’s, though a clock that was put right queued a finish before', async () => {
  const skew = { ms: -180 * MINUTE };
  const made = await begunLate({}, { skew });
  const { attemptId, outbox, server } = made;
  await outbox.answer(attemptId, open('да'));
  made.world.now += 5 * MINUTE;
  skew.ms = 0;
  made.line.isUp = true;
  await drain(made);
  const ages = server.calls.filter(({ name }) => name === 'start' || name === 'answer');
  expect(ages.map(({ headers }) => headers[HEADER.age])).toEqual(['unknown', 'unknown']);
  expect(await outbox.snapshot(attemptId)).toMatchObject({
    begin: { state: 'accepted' },
    readOnly: null,
    deadline: START + 40 * MINUTE,
  });
});

test('an attempt is finished at once if its time, as the server counts it, is over, with its answers’ own ages', async () => {
  const made = await begunLate();
  const { attemptId, outbox } = made;
  await outbox.answer(attemptId, open('да'));
  made.world.now += 30 * MINUTE;
  made.line.isUp = true;
  await outbox.flush();
  await outbox.flush();
  expect(await outbox.snapshot(attemptId)).toMatchObject({ readOnly: 'finished' });
  expect(callsOf(made).filter((name) => name !== 'probe')).toEqual(['start', 'answer', 'finish']);
  const answer = made.server.calls.find(({ name }) => name === 'answer');
  expect(answer?.headers[HEADER.age]).toBe(String(30 * MINUTE));
});

test('a finish at the device’s own deadline ends nothing while the server gives more time', async () => {
  const made = await begunLate({ deadline: START + 70 * MINUTE });
  const { attemptId, outbox } = made;
  made.world.now = START + 61 * MINUTE;
  await outbox.finish(attemptId, 'deadline');
  made.line.isUp = true;
  await drain(made);
  expect(await outbox.snapshot(attemptId)).toMatchObject({
    readOnly: null,
    deadline: START + 70 * MINUTE,
  });
});

test('a deadline reached before the begin was sent finishes the attempt behind it', async () => {
  const made = await offline();
  const offer = opened();
  await begin(made, offer);
  await made.outbox.answer(offer.attemptId, open('да'));
  made.world.now += 41 * MINUTE;
  made.server.deadline = START + 40 * MINUTE;
  made.line.isUp = true;
  await drain(made);
  expect(callsOf(made).filter((name) => name !== 'probe')).toEqual(['start', 'answer', 'finish']);
});

test('after a sign-out the begin lies encrypted, and is sent at its owner’s next sign-in', async () => {
  const made = await offline();
  const offer = opened({ proof: 'тайное-подтверждение' });
  await made.outbox.openRows(ANNA, 'A'.repeat(43));
  await begin(made, offer);
  await clearMirror(made.storage);
  await made.outbox.encryptRows();
  const rows = await made.storage.read(['attempts', 'encrypted'], async (tx) => ({
    plain: await tx.all('attempts'),
    encrypted: await tx.all('encrypted'),
  }));
  expect(rows).toMatchObject({ plain: [], encrypted: [{ owner: ANNA, waits: true }] });
  made.line.isUp = true;
  await made.outbox.openRows(BORIS, 'B'.repeat(42) + 'A');
  await signIn(made.storage, BORIS);
  await drain(made);
  expect(made.server.begins.size).toBe(0);
  await made.outbox.openRows(ANNA, 'A'.repeat(43));
  await signIn(made.storage, ANNA);
  await drain(made);
  expect([...made.server.begins.values()]).toEqual(['тайное-подтверждение']);
  expect(await made.outbox.snapshot(offer.attemptId)).toMatchObject({
    begin: { state: 'accepted' },
  });
});

test('where a full device could not decrypt what began here, nothing begins anew', async () => {
  const { storage, space } = smallStorage((stores) => stores.includes('deviceKeys'));
  const made = await offline({ storage });
  await made.outbox.openRows(ANNA, 'A'.repeat(43));
  const offer = opened();
  const first = await begin(made, offer);
  await clearMirror(storage);
  await made.outbox.encryptRows();
  space.isLeft = false;
  await made.outbox.openRows(ANNA, 'A'.repeat(43));
  await signIn(storage, ANNA);
  const again = { ...offer, stream: id() };
  await expect(begin(made, again)).rejects.toMatchObject({ kind: 'quota' });
  const otherPage = await device({ storage });
  await expect(begin(otherPage, again)).rejects.toMatchObject({ kind: 'quota' });
  space.isLeft = true;
  expect((await begin(made, again)).stream).toBe(first.stream);
});

test('without a key, at a sign-out a begin that waits stays', async () => {
  const made = await offline();
  await begin(made, opened());
  await clearMirror(made.storage);
  await made.outbox.encryptRows();
  expect(await made.storage.read(['attempts'], (tx) => tx.all('attempts'))).toHaveLength(1);
});

test('no report names an attempt that the server does not know', async () => {
  const made = await offline();
  await begin(made, opened());
  made.line.isUp = true;
  await made.outbox.report();
  expect(made.server.count('passing')).toBe(0);
});
