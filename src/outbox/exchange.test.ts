import { expect, test } from 'vitest';
import { ERRORS, type ErrorCode } from '#contract/errors.ts';
import type { ReplyFacts } from '#app/api/facts.ts';
import { ApiFailure, type FailureParts } from '#app/api/failure.ts';
import { createMemoryStorage } from '#app/storage/memory.ts';
import type { AttemptRow, DeviceRow } from '#app/storage/rows.ts';
import { StorageFailure, type Storage } from '#app/storage/storage.ts';
import { exchange, noteFacts, setReachability } from './exchange.ts';
import { ANNA, BORIS, id, START } from './fake-server.ts';
import { resendBehind } from './resend.ts';
import {
  ATTEMPT,
  attempt,
  createTestCore,
  file,
  holding,
  OLDER,
  operation,
  RECEIPT,
} from './test-rows.ts';
import type { CallResult } from './transport.ts';

const facts = (changes: Partial<ReplyFacts> = {}): ReplyFacts => ({
  route: 'saveAnswer',
  status: 200,
  serverTime: START + 5_000,
  serverEpoch: null,
  activeStream: null,
  sessionExpiresAt: null,
  receivedWall: START,
  rttMs: 0,
  ...changes,
});
const restored = (serverEpoch: number) => facts({ serverEpoch });
const server = (epoch: number): DeviceRow => ({
  key: 'server',
  kind: 'server',
  epoch,
});
const row = (changes: Partial<AttemptRow> = {}): AttemptRow =>
  attempt({
    owner: ANNA,
    state: 'running',
    finishedAt: null,
    streams: [holding({ stream: OLDER, epoch: 1 }), holding()],
    ...changes,
  });
const elsewhere = (activeStream: string | null = id()) => facts({ activeStream });

/** A storage with injected failures. */
function weak(): { storage: Storage; failure: Error | null } {
  const inner = createMemoryStorage({ durable: true });
  const state: { storage: Storage; failure: Error | null } = {
    failure: null,
    storage: {
      ...inner,
      read: (stores, run) =>
        state.failure ? Promise.reject(state.failure) : inner.read(stores, run),
      write: (stores, run) =>
        state.failure ? Promise.reject(state.failure) : inner.write(stores, run),
    },
  };
  return state;
}

test('row 35: a restored server is resent what it acknowledged before, with whole files of those attempts', async () => {
  const acknowledged = { state: 'acknowledged', receipt: RECEIPT } as const;
  const before = operation({ ...acknowledged, serverEpoch: 1 });
  const unknown = operation({ ...acknowledged, owner: BORIS });
  const others = [
    operation({ ...acknowledged, serverEpoch: 2 }),
    operation({ state: 'setAside', serverEpoch: 1 }),
    operation({ ...acknowledged, serverEpoch: 2, attemptId: 'later' }),
  ];
  const whole = file({ state: 'complete' });
  const files = [
    file({ state: 'uploading' }),
    file({ state: 'setAside' }),
    file({ state: 'complete', attemptId: 'later' }),
  ];
  const made = await createTestCore({
    device: [server(1)],
    operations: [before, unknown, ...others],
    files: [whole, ...files],
  });
  await noteFacts(made.core, restored(2), null);
  for (const one of [before, unknown])
    expect(await made.operation(one)).toEqual({
      ...one,
      state: 'waiting',
      sent: true,
    });
  for (const one of others) expect(await made.operation(one)).toEqual(one);
  expect(await made.file(whole)).toEqual({
    ...whole,
    state: 'unchecked',
    wanted: true,
  });
  for (const one of files) expect(await made.file(one)).toEqual(one);
  expect(await made.all('device')).toContainEqual(server(2));
  expect(made.core.runtime.serverEpoch).toBe(2);
  expect(made.events).toEqual([
    { kind: 'changed', attemptId: null },
    { kind: 'written', attemptId: null },
  ]);
});

test.each([1, 2])('a known or older server epoch (%d) resends nothing', async (epoch) => {
  const one = operation({ state: 'acknowledged', serverEpoch: 1 });
  const made = await createTestCore({
    device: [server(2)],
    operations: [one],
  });
  await noteFacts(made.core, restored(epoch), null);
  expect(await made.operation(one)).toEqual(one);
  expect(made.events).toEqual([]);
  expect(made.core.runtime.serverEpoch).toBe(2);
});

test('the first server epoch is stored without a notification', async () => {
  const one = operation({ state: 'acknowledged', serverEpoch: 2 });
  const made = await createTestCore({ operations: [one] });
  await noteFacts(made.core, facts(), null);
  expect(await made.all('device')).not.toContainEqual(expect.objectContaining({ kind: 'server' }));
  await noteFacts(made.core, restored(2), null);
  expect(await made.all('device')).toContainEqual(server(2));
  expect(await made.operation(one)).toEqual(one);
  expect(made.events).toEqual([]);
});

test('two first replies at a time are no restore of the server, and the later epoch stays known', async () => {
  const made = await createTestCore();
  await Promise.all([
    noteFacts(made.core, restored(2), null),
    noteFacts(made.core, restored(2), null),
  ]);
  expect(made.events).toEqual([]);
  await Promise.all([
    noteFacts(made.core, restored(4), null),
    noteFacts(made.core, restored(3), null),
  ]);
  expect(made.core.runtime.serverEpoch).toBe(4);
  expect(await made.all('device')).toContainEqual(server(4));
  expect(made.events.filter((event) => event.kind === 'written')).toHaveLength(1);
});

test('operations that another tab has marked after a restore are not marked twice', async () => {
  const one = operation({ state: 'acknowledged', serverEpoch: 1 });
  const made = await createTestCore({ device: [server(1)], operations: [one] });
  await made.core.ready();
  // The other tab was first; then this answer was acknowledged by a server that stays behind.
  await made.put({ device: [server(2)] });
  await noteFacts(made.core, restored(2), null);
  expect(await made.operation(one)).toEqual(one);
  expect(made.core.runtime.serverEpoch).toBe(2);
});

test('row 35: if the note cannot be stored the page sends again all the same, and the next reply notes it', async () => {
  const device = weak();
  const one = operation({ state: 'acknowledged', serverEpoch: 1 });
  const made = await createTestCore(
    { device: [server(1)], operations: [one] },
    { storage: device.storage },
  );
  await made.core.ready();
  device.failure = new StorageFailure('quota');
  await noteFacts(made.core, restored(2), null);
  expect(made.core.runtime.serverEpoch).toBe(2);
  expect(made.events).toContainEqual({ kind: 'written', attemptId: null });
  device.failure = null;
  expect(await made.operation(one)).toEqual(one);
  await resendBehind(made.core, one.owner);
  expect(await made.operation(one)).toEqual({ ...one, state: 'waiting', sent: true });
  expect(await made.all('device')).toContainEqual(server(1));

  const other = operation({ state: 'acknowledged', serverEpoch: 1, owner: BORIS });
  await made.put({ operations: [other] });
  made.events.length = 0;
  await noteFacts(made.core, restored(2), null);
  expect(await made.all('device')).toContainEqual(server(2));
  expect(await made.operation(other)).toEqual({ ...other, state: 'waiting', sent: true });
  expect(made.events).toContainEqual({ kind: 'written', attemptId: null });
});

test('row 35: a programming error while the restore is noted is thrown, and the next reply notes it', async () => {
  const device = weak();
  const made = await createTestCore({ device: [server(1)] }, { storage: device.storage });
  await made.core.ready();
  device.failure = new Error('a mistake');
  await expect(noteFacts(made.core, restored(2), null)).rejects.toThrow('a mistake');
  device.failure = null;
  await noteFacts(made.core, restored(2), null);
  expect(await made.all('device')).toContainEqual(server(2));
});

test('row 6: a reply that names another device’s stream sets takenOver, announced once', async () => {
  const made = await createTestCore({
    attempts: [row(), row({ attemptId: 'other' })],
  });
  await noteFacts(made.core, elsewhere(), row());
  expect(await made.attempt()).toEqual(row({ takenOver: true }));
  expect(await made.all('attempts')).toContainEqual(row({ attemptId: 'other' }));
  const event = { kind: 'takenOver', attemptId: ATTEMPT };
  expect(made.events.filter(({ kind }) => kind === 'takenOver')).toEqual([event]);
  await noteFacts(made.core, elsewhere(), row());
  expect(made.events.filter(({ kind }) => kind === 'takenOver')).toEqual([event]);
});

test.each<[string, string | null | undefined, Partial<AttemptRow>]>([
  ['has no active stream', null, {}],
  ['has this device’s current stream', holding().stream, {}],
  ['has an earlier stream of this device', OLDER, {}],
  ['belongs to a finished attempt', undefined, { state: 'finished' }],
  ['belongs to an attempt taken over before', undefined, { takenOver: true }],
])('row 6: a reply that %s does not set takenOver', async (_, active, changes) => {
  const made = await createTestCore({ attempts: [row()] });
  await noteFacts(made.core, elsewhere(active), row(changes));
  expect(await made.attempt()).toEqual(row());
  expect(made.events).toEqual([]);
});

test('row 6: an attempt deleted from the device meanwhile announces no take-over', async () => {
  const made = await createTestCore();
  await noteFacts(made.core, elsewhere(), row());
  expect(made.events.map(({ kind }) => kind)).not.toContain('takenOver');
  expect(await made.all('attempts')).toEqual([]);
});

test('row 6: a late reply to a call of an earlier stream does not affect the current one', async () => {
  const present = row({ stream: 'taken back' });
  const made = await createTestCore({ attempts: [present] });
  await noteFacts(made.core, elsewhere(), row());
  expect(await made.attempt()).toEqual(present);
  expect(made.events.map(({ kind }) => kind)).not.toContain('takenOver');
});

test.each([
  ['of this attempt', {}, false],
  ['of another attempt', { attemptId: 'other' }, true],
  ['of another student', { owner: BORIS }, true],
  ['without a receipt', { receipt: null }, true],
])(
  'row 35: while an answer %s is being resent the server may not know the stream',
  async (_, changes, takenOver) => {
    const resent = operation({ owner: ANNA, receipt: RECEIPT, ...changes });
    const fresh = operation({ owner: ANNA });
    const made = await createTestCore({
      attempts: [row()],
      operations: [resent, fresh],
    });
    await noteFacts(made.core, elsewhere(), row());
    expect((await made.attempt())?.takenOver).toBe(takenOver);
  },
);

test('row 9: an unreadable device continues sending whatever the active stream is; a programming error is thrown', async () => {
  const device = weak();
  const made = await createTestCore({ attempts: [row()] }, { storage: device.storage });
  await made.core.ready();
  device.failure = new StorageFailure('silent');
  await noteFacts(made.core, elsewhere(), row());
  device.failure = new Error('a mistake');
  await expect(noteFacts(made.core, elsewhere(), row())).rejects.toThrow('a mistake');
});

test('a reply sets the clock, and the clock is stored', async () => {
  const made = await createTestCore();
  await noteFacts(made.core, facts(), null);
  expect(made.core.clock.serverNow()).toBe(START + 5_000);
  expect(await made.all('device')).toMatchObject([{ kind: 'clock', offset: 5_000 }]);
});

test('reachability is announced only when it changes', async () => {
  const made = await createTestCore();
  setReachability(made.core, 'silent');
  setReachability(made.core, 'silent');
  expect(made.events).toEqual([{ kind: 'changed', attemptId: null }]);
  expect(made.core.runtime.reachability).toBe('silent');
});

const failed = (parts: Partial<FailureParts>): CallResult<string> => ({
  ok: false,
  failure: new ApiFailure({
    kind: 'refused',
    method: 'POST',
    url: '/',
    ...parts,
  }),
});
const refused = (code: ErrorCode, withFacts?: ReplyFacts): CallResult<string> =>
  failed({ code, ...ERRORS[code], ...(withFacts && { facts: withFacts }) });

test.each<[string, CallResult<string>, boolean]>([
  ['a reply', { ok: true, value: 'x', facts: facts() }, true],
  ['a permanent refusal', refused('FORBIDDEN'), true],
  ['a failing server', refused('UNAVAILABLE'), false],
  ['no connection', failed({ kind: 'unreachable' }), false],
])('whether %s shows that the server works', async (_, sent, works) => {
  const made = await createTestCore();
  made.core.runtime.backoffs.delayAll(9_000);
  expect(await exchange(made.core, null, async () => sent)).toBe(sent);
  expect(made.core.runtime.successes).toBe(works ? 1 : 0);
  expect(made.core.runtime.backoffs.allDue()).toBe(works);
  expect(made.core.runtime.reachability).toBe(works ? 'reachable' : 'unknown');
});

test('a refusal carries time and active stream like any reply', async () => {
  const made = await createTestCore({ attempts: [row()] });
  await exchange(made.core, row(), async () => refused('FORBIDDEN', elsewhere()));
  expect(made.core.clock.serverNow()).toBe(START + 5_000);
  expect((await made.attempt())?.takenOver).toBe(true);
});
