import { IDBFactory } from 'fake-indexeddb';
import { expect, test } from 'vitest';
import { HEADER } from '#contract/headers.ts';
import { openStorage } from '#app/storage/open.ts';
import type { Storage } from '#app/storage/storage.ts';
import { id, open, QUESTIONS, type FakeCall } from './fake-server.ts';
import { device, drain, running } from './test-device.ts';

const only = (name: FakeCall['name']) => (call: FakeCall) => call.name === name;

test('an answer is stored first, sent once, and leaves «waiting» only on its receipt', async () => {
  const made = await running();
  const stored = await made.outbox.answer(made.attemptId, open('один'));
  expect(stored).toMatchObject({ sequence: 1, saved: true });
  expect((await made.outbox.snapshot(made.attemptId))?.answers[0]).toMatchObject({
    stage: 'device',
  });
  const report = await made.outbox.flush();
  expect(report).toMatchObject({ acknowledged: 1, waiting: 0, nextInMs: null });
  const view = await made.outbox.snapshot(made.attemptId);
  expect(view?.answers[0]).toMatchObject({ stage: 'server', at: made.world.now, answered: true });
  expect(view?.sync).toEqual({ kind: 'delivered', count: 0 });
});

test('row 1: a lost reply is replayed with the same id and has one effect', async () => {
  const made = await running();
  await made.outbox.answer(made.attemptId, open('один'));
  let lost = 0;
  made.server.fault = (call) => (call.name === 'answer' && (lost += 1) === 1 ? 'loseReply' : null);
  await drain(made);
  const sent = made.server.calls.filter(only('answer'));
  expect(sent).toHaveLength(2);
  expect(new Set(sent.map((call) => call.headers[HEADER.idempotencyKey])).size).toBe(1);
  expect(made.server.journal.size).toBe(1);
  expect(
    await made.outbox.unsentCount((await made.outbox.attempt(made.attemptId))?.owner ?? ''),
  ).toBe(0);
});

test('row 2: a lost request stays waiting and is resent after a back-off', async () => {
  const made = await running();
  made.server.fault = (call) => (call.name === 'answer' ? 'loseRequest' : null);
  await made.outbox.answer(made.attemptId, open('один'));
  const report = await made.outbox.flush();
  expect(report.waiting).toBe(1);
  expect(report.nextInMs).toBeGreaterThan(0);
  const quiet = await made.outbox.flush();
  expect(quiet.failed).toBe(0);
  made.server.fault = () => null;
  await drain(made);
  expect(made.server.text()).toBe('один');
});

test('row 4: answers of one question stay in order even if the reply to the first was lost', async () => {
  const made = await running();
  made.server.fault = (call) => (call.name === 'answer' ? 'loseReply' : null);
  await made.outbox.answer(made.attemptId, open('старый'));
  await made.outbox.flush();
  await made.outbox.answer(made.attemptId, open('новый'));
  made.server.fault = () => null;
  await drain(made);
  expect(made.server.answersSent).toEqual(['старый', 'старый', 'новый']);
  expect(made.server.text()).toBe('новый');
});

test('a waiting answer that was never sent is folded into a newer one, which names it', async () => {
  const made = await running();
  for (const text of ['а', 'аб', 'абв']) await made.outbox.answer(made.attemptId, open(text));
  await made.outbox.flush();
  const sent = made.server.calls.find(only('answer'));
  expect(made.server.answersSent).toEqual(['абв']);
  expect(sent?.headers[HEADER.sequence]).toBe('3');
  expect(sent?.headers[HEADER.folded]).toBe('1-2');
  expect(sent?.headers[HEADER.head]).toBe('3');
});

test('row 16: at the deadline inputs close and the finish waits for the answers; a moved deadline reopens them', async () => {
  const made = await running();
  await made.outbox.answer(made.attemptId, open('один'));
  made.world.now = made.server.deadline;
  await made.outbox.finish(made.attemptId, 'deadline');
  await expect(made.outbox.answer(made.attemptId, open('поздно'))).rejects.toMatchObject({
    reason: 'finished',
  });
  made.server.deadline += 600_000;
  await drain(made);
  expect(made.events).toContainEqual({
    kind: 'deadlineMoved',
    attemptId: made.attemptId,
    deadline: made.server.deadline,
  });
  expect(await made.outbox.snapshot(made.attemptId)).toMatchObject({
    state: 'running',
    readOnly: null,
    deadline: made.server.deadline,
  });
  await made.outbox.answer(made.attemptId, open('успел'));
  await made.outbox.finish(made.attemptId, 'student');
  await drain(made);
  expect(made.server.finished?.sequence).toBe(4);
  expect(made.server.text()).toBe('успел');
});

test('row 16: a finish of the old deadline that comes after the moved one is written anew, once', async () => {
  const made = await running();
  await made.outbox.answer(made.attemptId, open('один'));
  made.world.now = made.server.deadline;
  await made.outbox.finish(made.attemptId, 'deadline');
  made.server.deadline += 600_000;
  made.world.now = made.server.deadline + 60_000;
  await drain(made);
  expect(await made.outbox.snapshot(made.attemptId)).toMatchObject({ readOnly: 'timeOver' });
  await drain(made);
  expect(await made.outbox.snapshot(made.attemptId)).toMatchObject({ state: 'finished' });
  await drain(made);
  expect(made.server.calls.filter(only('finish'))).toHaveLength(2);
  expect(made.server.finished?.sequence).toBe(3);
});

test('row 16: a deadline that passes with the app closed queues its finish at the next pass', async () => {
  const made = await running();
  made.world.now = made.server.deadline + 6_000;
  const reopened = await device({ ...made, storage: made.storage, user: null });
  await reopened.outbox.flush();
  expect(made.server.finished).not.toBeNull();
  expect(made.server.calls.find(only('finish'))?.headers[HEADER.finishReason]).toBe('deadline');
});

test('row 17: the finish is a barrier: it is sent after everything written before it', async () => {
  const made = await running();
  for (const question of [0, 1, 2]) await made.outbox.answer(made.attemptId, open('да', question));
  await made.outbox.finish(made.attemptId, 'student');
  const repeated = await made.outbox.finish(made.attemptId, 'student');
  expect(repeated.sequence).toBe(4);
  await drain(made);
  const names = made.server.calls.map((call) => call.name).filter((name) => name !== 'probe');
  expect(names).toEqual(['start', 'answer', 'answer', 'answer', 'finish']);
  expect(await made.outbox.snapshot(made.attemptId)).toMatchObject({
    state: 'finished',
    finishedAt: made.world.now,
  });
});

test('row 18: INCOMPLETE resends acknowledged answers and declares the rest set aside', async () => {
  const made = await running();
  await made.outbox.answer(made.attemptId, open('есть', 0));
  await made.outbox.answer(made.attemptId, open('пропал', 1));
  await drain(made);
  const [delivered, lost] = [...made.server.journal.keys()];
  made.server.journal.delete(delivered ?? '');
  made.server.journal.delete(lost ?? '');
  await made.storage.write(['operations'], (tx) => tx.delete('operations', lost ?? ''));
  await made.outbox.finish(made.attemptId, 'student');
  await drain(made);
  expect(made.server.text(0)).toBe('есть');
  const last = made.server.calls.findLast(only('finish'));
  expect(last?.headers[HEADER.setAside]).toBe('2');
  expect(made.server.finished).not.toBeNull();
  const resent = made.server.calls.findLast(only('answer'));
  expect(JSON.parse(resent?.headers[HEADER.receipt] ?? '{}')).toMatchObject({
    operationId: delivered,
  });
});

test('row 18: resending to a server that never stores it stops after a limit', async () => {
  const made = await running();
  await made.outbox.answer(made.attemptId, open('один'));
  await drain(made);
  made.server.fault = (call) => {
    const isNamed = call.headers[HEADER.setAside] === '1';
    if (call.name !== 'finish' || isNamed) return null;
    return { code: 'INCOMPLETE', details: { missing: [1], files: [] } };
  };
  await made.outbox.finish(made.attemptId, 'student');
  await drain(made);
  expect(made.server.finished).not.toBeNull();
});

test('row 22: a captive portal’s page acknowledges nothing', async () => {
  const made = await running();
  made.server.fault = (call) => (call.name === 'probe' ? null : 'html');
  await made.outbox.answer(made.attemptId, open('один'));
  await made.outbox.flush();
  const view = await made.outbox.snapshot(made.attemptId);
  expect(view?.answers[0]?.stage).toBe('device');
  expect(view?.sync).toEqual({ kind: 'silent', count: 1 });
});

test.each([
  ['operation', { operationId: id() }],
  ['stream', { stream: id() }],
])('a receipt with another %s acknowledges nothing', async (_, other) => {
  const made = await running();
  const receive = made.server.receive.bind(made.server);
  made.server.receive = (headers, answer) => {
    const reply = receive(headers, answer);
    return typeof reply === 'object' && 'seal' in reply ? { ...reply, ...other } : reply;
  };
  await made.outbox.answer(made.attemptId, open('один'));
  expect(await made.outbox.flush()).toMatchObject({ acknowledged: 0, waiting: 1 });
});

test('row 23: a failing answer waits alone while the others are sent', async () => {
  const made = await running();
  const isSlow = (call: FakeCall): boolean => call.answer?.questionId === QUESTIONS[0];
  made.server.fault = (call) => (isSlow(call) ? 'timeOut' : null);
  for (const question of [0, 1, 2]) await made.outbox.answer(made.attemptId, open('да', question));
  const report = await made.outbox.flush();
  expect(report).toMatchObject({ acknowledged: 2, failed: 1, waiting: 1 });
});

test('four questions are sent concurrently, and one slow answer blocks no other', async () => {
  const made = await running({ concurrency: 4 });
  let release: (() => void) | undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  made.server.fault = async (call) => {
    if (call.answer?.questionId === QUESTIONS[0]) await held;
    return null;
  };
  for (const question of [0, 1, 2]) await made.outbox.answer(made.attemptId, open('да', question));
  const flushing = made.outbox.flush();
  await expect.poll(() => made.server.journal.size).toBe(2);
  await made.outbox.answer(made.attemptId, open('ещё', 1));
  void made.outbox.flush();
  await expect.poll(() => made.server.text(1)).toBe('ещё');
  expect((await made.outbox.snapshot(made.attemptId))?.answers[0]?.stage).toBe('sending');
  release?.();
  expect(await flushing).toMatchObject({ waiting: 0 });
});

test('an answer written while the pass is planning is sent at once, beside a slow one', async () => {
  const inner = await openStorage(new IDBFactory());
  let whileReading: (() => Promise<unknown>) | null = null;
  const storage: Storage = {
    ...inner,
    read: async (stores, run) => {
      const found = await inner.read(stores, run);
      // The last read of a planning step: later writes are not included.
      const task = stores.join() === 'files' ? whileReading : null;
      if (task !== null && made.server.journal.size > 0) {
        whileReading = null;
        await task();
      }
      return found;
    },
  };
  const made: Awaited<ReturnType<typeof running>> = await running({ concurrency: 4, storage });
  let release: (() => void) | undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  made.server.fault = async (call) => {
    if (call.answer?.questionId === QUESTIONS[0]) await held;
    return null;
  };
  for (const question of [0, 1]) await made.outbox.answer(made.attemptId, open('да', question));
  whileReading = async () => {
    await made.outbox.answer(made.attemptId, open('ещё', 1));
    void made.outbox.flush();
  };
  const flushing = made.outbox.flush();
  await expect.poll(() => made.server.text(1)).toBe('ещё');
  release?.();
  expect(await flushing).toMatchObject({ waiting: 0 });
});

test('row 14: answers of a device with its clock set forward reach the server and the test continues', async () => {
  const made = await running();
  await made.outbox.answer(made.attemptId, open('один'));
  made.skew.ms = 86_400_000;
  made.world.now += 1_000;
  expect((await made.outbox.snapshot(made.attemptId))?.readOnly).toBe('timeOver');
  await made.outbox.finish(made.attemptId, 'deadline');
  await drain(made);
  const view = await made.outbox.snapshot(made.attemptId);
  expect(view).toMatchObject({ state: 'running', readOnly: null });
  expect(view?.remainingMs).toBeGreaterThan(39 * 60_000);
  expect(made.server.text()).toBe('один');
});
