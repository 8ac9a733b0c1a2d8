import { expect, test } from 'vitest';
import { HEADER } from '#contract/headers.ts';
import { clearMirror } from '#app/storage/session-mirror.ts';
import { ANNA, BORIS, open, TEST_ID } from './fake-server.ts';
import { drain, running, signIn } from './test-device.ts';

test('row 19: 401 pauses everything without loss, and the same user’s sign-in resumes', async () => {
  const made = await running();
  for (const question of [0, 1, 2]) await made.outbox.answer(made.attemptId, open('да', question));
  made.server.fault = (call) => (call.token === `token-${ANNA}` ? 'UNAUTHORIZED' : null);
  expect(await made.outbox.flush()).toMatchObject({ pause: 'signIn', nextInMs: null });
  expect(made.server.count('answer')).toBe(1);
  await made.outbox.flush({ force: true });
  expect(made.server.count('answer')).toBe(1);
  expect((await made.outbox.snapshot(made.attemptId))?.sync).toEqual({
    kind: 'signedOut',
    count: 3,
  });
  await clearMirror(made.storage);
  await made.outbox.answer(made.attemptId, open('и без входа', 0));
  await signIn(made.storage, ANNA, 'fresh');
  await drain(made);
  expect(made.server.text(0)).toBe('и без входа');
  expect(made.events).toContainEqual({ kind: 'paused', pause: 'signIn' });
});

test('row 20: after a sign-out the answers stay, are counted, and are sent when their owner signs in', async () => {
  const made = await running();
  await made.outbox.answer(made.attemptId, open('один'));
  expect(await made.outbox.unsentCount(ANNA)).toBe(1);
  await clearMirror(made.storage);
  expect(await made.outbox.flush()).toMatchObject({ ran: false });
  expect(await made.outbox.othersWaiting(null)).toBe(true);
  await signIn(made.storage, ANNA);
  await drain(made);
  expect(made.server.text()).toBe('один');
});

test('row 21: another student on the device sees and sends nothing of the first', async () => {
  const made = await running();
  await made.outbox.answer(made.attemptId, open('Анна'));
  await signIn(made.storage, BORIS);
  await drain(made);
  expect(made.server.count('answer')).toBe(0);
  expect(await made.outbox.snapshot(made.attemptId)).toBeNull();
  expect(await made.outbox.attempt(made.attemptId)).toBeNull();
  expect(await made.outbox.attemptByTest(BORIS, TEST_ID)).toBeNull();
  expect(await made.outbox.unsentCount(BORIS)).toBe(0);
  expect(await made.outbox.othersWaiting(BORIS)).toBe(true);
});

test('row 21: a change of user in the middle of a pass stops it before the next call', async () => {
  const made = await running();
  for (const question of [0, 1, 2]) await made.outbox.answer(made.attemptId, open('да', question));
  made.server.fault = async (call) => {
    if (call.name === 'answer') await signIn(made.storage, BORIS);
    return null;
  };
  await made.outbox.flush();
  expect(
    made.server.calls.filter((call) => call.name === 'answer').map((call) => call.token),
  ).toEqual([`token-${ANNA}`]);
});

test('row 34: a blocked account pauses all sending', async () => {
  const made = await running();
  made.server.fault = (call) => (call.name === 'answer' ? 'ACCOUNT_BLOCKED' : null);
  for (const question of [0, 1]) await made.outbox.answer(made.attemptId, open('да', question));
  expect(await made.outbox.flush()).toMatchObject({ pause: 'blocked', setAside: 0 });
  expect(made.server.count('answer')).toBe(1);
});

test('row 35: a restored server is resent everything acknowledged, with receipts', async () => {
  const made = await running();
  for (const question of [0, 1]) await made.outbox.answer(made.attemptId, open('да', question));
  await made.outbox.finish(made.attemptId, 'student');
  await drain(made);
  const before = [...made.server.journal.keys()];
  made.server.journal.clear();
  made.server.finished = null;
  made.server.epoch = 2;
  const calls = made.server.calls.length;
  await made.outbox.observe({
    route: 'getPassing',
    status: 200,
    serverTime: made.world.now,
    serverEpoch: 2,
    activeStream: null,
    sessionExpiresAt: null,
    receivedWall: made.world.now,
    rttMs: 10,
  });
  await drain(made);
  expect([...made.server.journal.keys()]).toEqual(before);
  const resent = made.server.calls.slice(calls).filter((call) => call.name !== 'probe');
  expect(resent.map((call) => call.name)).toEqual(['answer', 'answer', 'finish']);
  for (const call of resent) {
    const receipt = JSON.parse(call.headers[HEADER.receipt] ?? '{}') as { operationId?: string };
    expect(receipt.operationId).toBe(call.headers[HEADER.idempotencyKey]);
  }
  expect(await made.outbox.snapshot(made.attemptId)).toMatchObject({ state: 'finished' });
});

test('row 35: a receipt from before the restore does not acknowledge what the restored server may lack', async () => {
  const made = await running();
  await made.outbox.answer(made.attemptId, open('один'));
  made.server.epoch = 2;
  await made.outbox.observe({
    route: 'getPassing',
    status: 200,
    serverTime: made.world.now,
    serverEpoch: 2,
    activeStream: null,
    sessionExpiresAt: null,
    receivedWall: made.world.now,
    rttMs: 10,
  });
  made.server.fault = (call) => {
    made.server.epoch = call.headers[HEADER.receipt] ? 2 : 1;
    return null;
  };
  await drain(made);
  const answers = made.server.calls.filter((call) => call.name === 'answer');
  expect(answers).toHaveLength(2);
  expect(answers[1]?.headers[HEADER.receipt]).toContain('seal-');
});

test('acknowledged answers are retained until 7 days after the finish receipt, waiting ones for ever', async () => {
  const made = await running();
  await made.outbox.answer(made.attemptId, open('да'));
  await made.outbox.finish(made.attemptId, 'student');
  await drain(made);
  const count = async (): Promise<number> =>
    (await made.storage.read(['operations'], (tx) => tx.all('operations'))).length;
  made.world.now += 7 * 86_400_000 - 60_000;
  await made.outbox.opened();
  expect(await count()).toBe(2);
  made.world.now += 120_000;
  await made.outbox.opened();
  expect(await count()).toBe(0);
  expect(await made.outbox.attempt(made.attemptId)).toBeNull();
});

test('an answer that was set aside outlives its attempt on the device', async () => {
  const made = await running();
  made.server.fault = (call) => (call.name === 'answer' ? 'INVALID_ANSWER' : null);
  await made.outbox.answer(made.attemptId, open('да'));
  await made.outbox.finish(made.attemptId, 'student');
  await drain(made);
  expect(made.server.finished).not.toBeNull();
  made.world.now += 400 * 86_400_000;
  await made.outbox.opened();
  const rows = await made.storage.read(['operations'], (tx) => tx.all('operations'));
  expect(rows.find(({ state }) => state === 'setAside')?.answer).toMatchObject({ text: 'да' });
  expect(await made.outbox.attempt(made.attemptId)).not.toBeNull();
});
