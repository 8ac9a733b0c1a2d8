import { expect, test } from 'vitest';
import { HEADER } from '#contract/headers.ts';
import { clearMirror } from '#app/storage/session-mirror.ts';
import { ANNA, BORIS, FakeServer, open } from './fake-server.ts';
import { fakeTransport } from './fake-transport.ts';
import { begin, callsOf, endsOf, heldBegin, offline, opened } from './test-begin.ts';
import { device, drain, newWorld, observeReply, signIn } from './test-device.ts';

/** Begins without a network, after a restore of the server that may have lost them. */

/** The device learns of a restore just before the reply to its first start, which was made before it. */
async function restoredBeforeReply() {
  const server = new FakeServer(newWorld());
  const transport = fakeTransport(server, () => server.world.now);
  const made = await offline({
    server,
    transport: {
      ...transport,
      start: async (...call) => {
        const reply = await transport.start(...call);
        if (server.epoch > 1) return reply;
        server.epoch = 2;
        await observeReply(made);
        server.fault = () => null;
        return reply;
      },
    },
  });
  return made;
}

test('a reply from before a restore, which may have lost the begin, settles nothing: it goes again', async () => {
  const made = await restoredBeforeReply();
  const offer = opened();
  await begin(made, offer);
  made.line.isUp = true;
  await drain(made);
  expect(callsOf(made).filter((name) => name === 'start')).toHaveLength(2);
  expect(await made.outbox.snapshot(offer.attemptId)).toMatchObject({
    begin: { state: 'accepted' },
  });
});

/** A begin that the server refused with `UNKNOWN_OFFER`, since a wrong backup was restored. */
async function refusedBegin() {
  const made = await offline();
  const offer = opened();
  await begin(made, offer);
  await made.outbox.answer(offer.attemptId, open('да'));
  made.server.epoch = 2;
  made.server.holdsAnswers = true;
  made.server.fault = ({ name }) => (name === 'start' ? 'UNKNOWN_OFFER' : null);
  await drain(made);
  made.server.fault = () => null;
  const { attemptId } = offer;
  const state = async () => (await made.outbox.snapshot(attemptId))?.begin?.state;
  expect(await state()).toBe('refused');
  return { ...made, attemptId, state };
}

test('a refused begin is sent again once another database is restored, before its answers', async () => {
  const made = await refusedBegin();
  const { server } = made;
  await observeReply(made);
  await drain(made);
  expect(server.count('start')).toBe(1);
  server.epoch = 3;
  await observeReply(made);
  const before = server.calls.length;
  await drain(made);
  expect(await made.state()).toBe('accepted');
  expect(server.calls.slice(before).map(({ name }) => name)).toEqual(['start', 'answer']);
  expect((await endsOf(made, made.attemptId)).countsUntil).toBe(55);
});

test('a begin that is refused again waits for the next restore', async () => {
  const made = await refusedBegin();
  const { server } = made;
  server.fault = ({ name }) => (name === 'start' ? 'UNKNOWN_OFFER' : null);
  server.epoch = 3;
  await observeReply(made);
  await drain(made);
  await made.outbox.opened();
  await drain(made);
  expect(server.count('start')).toBe(2);
  expect(await made.state()).toBe('refused');
});

test('a refusal from before a restore settles nothing: the begin goes again', async () => {
  const made = await restoredBeforeReply();
  const { server } = made;
  const offer = opened();
  await begin(made, offer);
  server.fault = ({ name }) => (name === 'start' ? 'UNKNOWN_OFFER' : null);
  await drain(made);
  expect(server.count('start')).toBe(2);
  expect(await made.outbox.snapshot(offer.attemptId)).toMatchObject({
    begin: { state: 'accepted' },
  });
});

test.each([
  ['without a receipt', false, 2],
  ['with one', true, 1],
])(
  'after a restore of the server a begin %s is sent again, if only it can make the attempt anew',
  async (_case, isAnswered, begins) => {
    const made = await offline();
    const offer = opened();
    await begin(made, offer);
    if (isAnswered) await made.outbox.answer(offer.attemptId, open('4,9'));
    made.line.isUp = true;
    await drain(made);
    made.server.epoch = 2;
    await observeReply(made);
    await drain(made);
    const starts = made.server.calls.filter(({ name }) => name === 'start');
    expect(starts).toHaveLength(begins);
    expect(new Set(starts.map(({ headers }) => headers?.[HEADER.idempotencyKey])).size).toBe(1);
  },
);

test.each([
  ['held', 'beforeCode'],
  ['accepted', undefined],
] as const)(
  'a begin that was %s goes again after a restore that a page of 1.0.0 noted first',
  async (_state, hold) => {
    const made = await offline();
    if (hold) made.server.hold = hold;
    await begin(made, opened());
    made.line.isUp = true;
    await drain(made);
    made.server.epoch = 2;
    // It stores the epoch and knows no begins.
    await made.storage.write(['device'], (tx) =>
      tx.put('device', { key: 'server', kind: 'server', epoch: 2 }),
    );
    await observeReply(made);
    await drain(made);
    await drain(made);
    const starts = made.server.calls.filter(({ name }) => name === 'start');
    expect(starts).toHaveLength(2);
    expect(new Set(starts.map(({ headers }) => headers?.[HEADER.idempotencyKey])).size).toBe(1);
  },
);

test('after a restore of the server a held begin is sent again before its answers', async () => {
  const made = await offline();
  const offer = opened();
  made.server.hold = 'beforeCode';
  await begin(made, offer);
  await made.outbox.answer(offer.attemptId, open('4,9'));
  made.line.isUp = true;
  await drain(made);
  made.server.epoch = 2;
  await observeReply(made);
  const before = made.server.calls.length;
  await drain(made);
  const again = made.server.calls.slice(before).map(({ name }) => name);
  expect(again.filter((name) => name === 'start' || name === 'answer')).toEqual([
    'start',
    'answer',
  ]);
});

test('a begin that a restored server may lack counts as unsent as soon as the restore is noted', async () => {
  const made = await offline();
  const offer = opened();
  await begin(made, offer);
  made.line.isUp = true;
  await drain(made);
  expect(await made.outbox.unsentCount(ANNA)).toBe(0);
  made.server.epoch = 2;
  await observeReply(made);
  expect(await made.outbox.unsentCount(ANNA)).toBe(1);
});

test('a page that does not know of a restore, which another page noted, sends the begin first', async () => {
  const { made, offer } = await heldBegin('beforeCode');
  await made.outbox.answer(offer.attemptId, open('4,9'));
  await drain(made);
  const other = await device({ server: made.server, storage: made.storage });
  made.server.epoch = 2;
  await observeReply(other);
  const before = made.server.calls.length;
  await drain(made);
  const again = callsOf(made).slice(before);
  expect(again.filter((name) => name !== 'probe')).toEqual(['start', 'answer']);
});

test('after a restore an accepted begin is sent again if all its answers are held', async () => {
  const made = await offline();
  const offer = opened();
  made.server.holdsAnswers = true;
  await begin(made, offer);
  await made.outbox.answer(offer.attemptId, open('4,9'));
  made.line.isUp = true;
  await drain(made);
  made.server.epoch = 2;
  await observeReply(made);
  await drain(made);
  expect(made.server.calls.filter(({ name }) => name === 'start')).toHaveLength(2);
});

/** Anna signs out, Boris learns at the tablet that the server was restored, and Anna returns. */
async function restoreMeanwhile(made: Awaited<ReturnType<typeof offline>>): Promise<void> {
  const { outbox, storage } = made;
  await clearMirror(storage);
  await outbox.encryptRows();
  await outbox.openRows(BORIS, 'B'.repeat(42) + 'A');
  await signIn(storage, BORIS);
  made.server.epoch = 2;
  await observeReply(made);
  await clearMirror(storage);
  await outbox.encryptRows();
  await outbox.openRows(ANNA, 'A'.repeat(43));
  await signIn(storage, ANNA);
  await drain(made);
}

test.each<[string, Partial<FakeServer>, boolean, number]>([
  ['accepted, without a receipt', {}, false, 2],
  ['accepted, with one', {}, true, 1],
  ['accepted, all its answers held', { holdsAnswers: true }, true, 2],
  ['held', { hold: 'beforeCode' }, true, 2],
])(
  'a begin (%s) that lay encrypted while the server was restored is sent again once, if it may be lost',
  async (_case, changes, isAnswered, begins) => {
    const made = await offline();
    await made.outbox.openRows(ANNA, 'A'.repeat(43));
    const offer = opened();
    Object.assign(made.server, changes);
    await begin(made, offer);
    if (isAnswered) await made.outbox.answer(offer.attemptId, open('4,9'));
    made.line.isUp = true;
    await drain(made);
    await restoreMeanwhile(made);
    expect(made.server.count('start')).toBe(begins);
    await restoreMeanwhile(made);
    expect(made.server.count('start')).toBe(begins);
  },
);

test.each([
  ['when it is decrypted', true],
  ['at a second restore', false],
])(
  'an accepted begin with a receipt is not sent again %s, though its answer waits to be sent again',
  async (_case, isEncrypted) => {
    const made = await offline();
    const { outbox, storage, server, line } = made;
    await outbox.openRows(ANNA, 'A'.repeat(43));
    const offer = opened();
    await begin(made, offer);
    await outbox.answer(offer.attemptId, open('4,9'));
    line.isUp = true;
    await drain(made);
    server.epoch = 2;
    line.isUp = false;
    await observeReply(made);
    if (isEncrypted) {
      await clearMirror(storage);
      await outbox.encryptRows();
      await outbox.openRows(ANNA, 'A'.repeat(43));
      await signIn(storage, ANNA);
    } else {
      server.epoch = 3;
      await observeReply(made);
    }
    line.isUp = true;
    await drain(made);
    expect(server.count('start')).toBe(1);
    expect((await outbox.snapshot(offer.attemptId))?.begin?.state).toBe('accepted');
  },
);

test('an accepted begin is sent again if the only receipt is of an answer that was refused since', async () => {
  const made = await offline();
  const { outbox, server, line } = made;
  const offer = opened();
  await begin(made, offer);
  await outbox.answer(offer.attemptId, open('4,9'));
  line.isUp = true;
  await drain(made);
  server.epoch = 2;
  server.fault = ({ name }) => (name === 'answer' ? 'INVALID_ANSWER' : null);
  await observeReply(made);
  await drain(made);
  expect(server.count('start')).toBe(1);
  server.epoch = 3;
  await observeReply(made);
  await drain(made);
  expect(server.count('start')).toBe(2);
});
