import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { listHeld } from '#contract/attempts.ts';
import { HEADER } from '#contract/headers.ts';
import { getSavedAnswers, type Receipt } from '#contract/passing.ts';
import { getResult } from '#contract/results.ts';
import { nextEpoch } from '#server/backup/database-state.ts';
import { rows } from '#server/db/query.ts';
import { makeSchool, Q, RIGHT, TestDevice } from '#tests/school.ts';
import { testServer, type TestServer } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const MINUTE = 60_000;
const text = (value: string): Answer => ({ questionId: Q.open, kind: 'open', text: value });

interface Sent {
  answer: Answer | null;
  headers: Record<string, string>;
  receipt: Receipt;
}

async function started() {
  const school = await makeSchool(server);
  const device = new TestDevice(server, school.student);
  await device.start(school.testId);
  return { ...school, device };
}

/** A finished attempt and everything its device retains of it. */
async function finished() {
  const { device, ...school } = await started();
  const sent: Sent[] = [];
  for (const answer of [text('4,9'), RIGHT.single]) {
    const headers = device.operation();
    sent.push({ answer, headers, receipt: (await device.answer(answer, headers)).body });
  }
  server.clock.advance(5 * MINUTE);
  const headers = device.operation();
  sent.push({ answer: null, headers, receipt: (await device.finish(headers)).body });
  return { ...school, device, sent };
}

function firstOf(sent: readonly Sent[]): Sent {
  const [first] = sent;
  if (!first) throw new Error('nothing was sent');
  return first;
}

/** As if a backup from before the attempt had been restored. */
async function forget(attemptId: string) {
  await server.pool.query('delete from start_keys where reply ->> $1 = $2', [
    'attemptId',
    attemptId,
  ]);
  await server.pool.query('delete from attempts where id = $1', [attemptId]);
  server.deps.state.epoch += 1;
}

const again = (
  device: TestDevice,
  { answer, headers, receipt }: Sent,
  changed: Partial<Receipt> = {},
) => {
  const withReceipt = {
    ...headers,
    [HEADER.age]: String(60 * MINUTE),
    [HEADER.receipt]: JSON.stringify({ ...receipt, ...changed }),
  };
  return answer ? device.answer(answer, withReceipt) : device.finish(withReceipt);
};

describe('a backup restored under running clients (row 35)', () => {
  test('a restore in 2070 gives a new epoch, and everything that counts by it goes on', async () => {
    const { device, testId } = await started();
    await device.answer(text('4,9'));
    const { state } = server.deps;
    const before = state.epoch;
    state.epoch = nextEpoch([before], new Date('2070-01-01T00:00:00Z'));
    const phone = new TestDevice(server, device.student);
    const reply = await phone.start(testId, { [HEADER.takeOver]: device.attemptId });
    expect(reply.status, reply.text).toBe(200);
    expect(phone.epoch).toBeGreaterThan(2 ** 31);
    const headers = phone.operation();
    const { body: receipt } = await phone.answer(text('5,0'), headers);
    expect(receipt).toMatchObject({ outcome: 'stored', epoch: phone.epoch });
    const ofNoStream = phone.operation({ [HEADER.stream]: server.deps.newId() });
    const { body: held } = await phone.answer(text('5,1'), ofNoStream);
    expect(held).toMatchObject({ outcome: 'held', epoch: phone.epoch });
    await forget(device.attemptId);
    await again(phone, { answer: text('5,0'), headers, receipt });
    const heldAgain = { answer: text('5,1'), headers: ofNoStream, receipt: held };
    expect((await again(phone, heldAgain)).body).toMatchObject({ outcome: 'held' });
    const saved = await server.send(
      getSavedAnswers,
      { params: { id: device.attemptId } },
      { as: device.student },
    );
    expect(saved.body.openAnswers).toMatchObject([{ text: '5,0', epoch: phone.epoch }]);
    const tablet = new TestDevice(server, device.student);
    await tablet.start(testId, { [HEADER.takeOver]: device.attemptId });
    expect(tablet.epoch).toBeGreaterThan(phone.epoch);
    state.epoch = before;
  });

  test('an attempt recreated from an answer of an unknown stream belongs to the next start', async () => {
    const { device, testId } = await started();
    const headers = device.operation({
      [HEADER.stream]: server.deps.newId(),
      [HEADER.epoch]: '',
    });
    const { body: receipt } = await device.answer(RIGHT.single, headers);
    expect(receipt).toMatchObject({ outcome: 'held', epoch: 0 });
    await forget(device.attemptId);
    expect((await again(device, { answer: RIGHT.single, headers, receipt })).status).toBe(200);
    const phone = new TestDevice(server, device.student);
    const reply = await phone.start(testId);
    expect(reply.status, reply.text).toBe(200);
    expect(phone.attemptId).toBe(device.attemptId);
    const unnamed = phone.operation({ [HEADER.stream]: '', [HEADER.epoch]: '' });
    expect((await phone.answer(RIGHT.single, unnamed)).body).toMatchObject({
      stream: phone.stream,
      outcome: 'stored',
    });
  });

  test('an attempt unknown to the database is recreated from sealed receipts', async () => {
    const { device, sent } = await finished();
    await forget(device.attemptId);
    server.clock.advance(90 * MINUTE);
    for (const operation of sent) {
      const reply = await again(device, operation);
      expect(reply.status).toBe(200);
      expect(reply.body).toMatchObject({
        operationId: operation.receipt.operationId,
        outcome: operation.receipt.outcome,
        receivedAt: operation.receipt.receivedAt,
      });
      expect(reply.headers[HEADER.serverEpoch]).toBe(String(server.deps.state.epoch));
    }
    const result = await server.send(
      getResult,
      { params: { attemptId: device.attemptId } },
      { as: device.student },
    );
    expect(result.body).toMatchObject({ end: 'finished', score: 3, receivedLate: 0 });
    const listed = await rows(
      server.pool,
      'select id from attempts where id = $1 and recovered_at is not null',
      [device.attemptId],
    );
    expect(listed).toHaveLength(1);
  });

  test('a forged receipt proves nothing', async () => {
    const { device, sent } = await finished();
    await forget(device.attemptId);
    const first = firstOf(sent);
    const reply = await again(device, first, { outcome: 'stored', epoch: 7 });
    expect(reply.body).toMatchObject({ outcome: 'held' });
    expect(
      await rows(server.pool, 'select 1 from attempts where id = $1', [device.attemptId]),
    ).toEqual([]);
  });

  test('operations before any proof are held and join the journal with the first proof', async () => {
    const { device, sent, teacher } = await finished();
    await forget(device.attemptId);
    const unproven = device.operation();
    const retained = await device.answer(RIGHT.several, unproven);
    expect(retained.body.outcome).toBe('held');
    expect((await device.answer(RIGHT.several, unproven)).text).toBe(retained.text);
    const early = await again(device, {
      answer: RIGHT.several,
      headers: unproven,
      receipt: retained.body,
    });
    expect(early.body.outcome).toBe('held');
    await again(device, firstOf(sent));
    const held = await server.send(
      listHeld,
      { params: { attemptId: device.attemptId } },
      { as: teacher },
    );
    expect(held.body.items).toMatchObject([{ questionId: Q.several, decision: null }]);
  });

  test('an answer that joined so, and whose reply was lost, counts when it is sent again', async () => {
    const school = await makeSchool(server, { passMinutes: 10, windowMinutes: 15 });
    const device = new TestDevice(server, school.student);
    await device.start(school.testId);
    const headers = device.operation();
    const { body: receipt } = await device.answer(RIGHT.single, headers);
    await forget(device.attemptId);
    const unproven = device.operation();
    await device.answer(RIGHT.several, { ...unproven, [HEADER.age]: '1000' });
    await again(device, { answer: RIGHT.single, headers, receipt });
    server.clock.advance(5_000);
    const repeated = await device.answer(RIGHT.several, { ...unproven, [HEADER.age]: '6000' });
    expect(repeated.body.outcome).toBe('stored');
  });

  test('a genuine receipt of another body proves nothing', async () => {
    const { device, sent } = await finished();
    await forget(device.attemptId);
    const first = firstOf(sent);
    await again(device, { ...first, answer: text('другой ответ') });
    expect(
      await rows(server.pool, 'select 1 from attempts where id = $1', [device.attemptId]),
    ).toEqual([]);
  });

  test("another student's receipt creates nothing for me", async () => {
    const { device, sent } = await finished();
    await forget(device.attemptId);
    const thief = new TestDevice(server, await server.user());
    thief.attemptId = device.attemptId;
    await again(thief, firstOf(sent));
    expect(
      await rows(server.pool, 'select 1 from attempts where id = $1', [device.attemptId]),
    ).toEqual([]);
  });

  test('an operation unknown in a known attempt is recovered as its receipt says', async () => {
    const { device, sent } = await finished();
    const first = firstOf(sent);
    await server.pool.query('delete from answers where operation_id = $1', [
      first.receipt.operationId,
    ]);
    await server.pool.query('delete from operations where id = $1', [first.receipt.operationId]);
    server.clock.advance(120 * MINUTE);
    expect((await again(device, first)).body).toMatchObject({
      outcome: 'stored',
      receivedLate: false,
    });
    const result = await server.send(
      getResult,
      { params: { attemptId: device.attemptId } },
      { as: device.student },
    );
    expect(result.body.score).toBe(3);
  });
});
