import { expect, test } from 'vitest';
import { HEADER } from '#contract/headers.ts';
import { open, QUESTIONS, type FakeCall } from './fake-server.ts';
import { drain, running } from './test-device.ts';

const only = (name: FakeCall['name']) => (call: FakeCall) => call.name === name;

test('row 24: 429 stops everything until Retry-After', async () => {
  const made = await running();
  made.server.fault = (call) =>
    call.name === 'answer' ? { code: 'TOO_MANY_REQUESTS', retryAfterMs: 7_000 } : null;
  for (const question of [0, 1]) await made.outbox.answer(made.attemptId, open('да', question));
  const report = await made.outbox.flush();
  expect(made.server.count('answer')).toBe(1);
  expect(report.nextInMs).toBe(7_000);
  made.server.fault = () => null;
  made.world.now += 6_000;
  await made.outbox.flush();
  expect(made.server.count('answer')).toBe(1);
  made.world.now += 1_001;
  expect(await made.outbox.flush()).toMatchObject({ acknowledged: 2 });
});

test.each(['TOO_LARGE', 'INVALID_ANSWER', 'UNSUPPORTED_TYPE', 'FORBIDDEN', 'NOT_FOUND'] as const)(
  'row 25: %s sets that answer aside, visibly, and the others and the finish are sent',
  async (code) => {
    const made = await running();
    made.server.fault = (call) => (call.answer?.questionId === QUESTIONS[0] ? code : null);
    await made.outbox.answer(made.attemptId, open('плохой', 0));
    await made.outbox.answer(made.attemptId, open('хороший', 1));
    await made.outbox.finish(made.attemptId, 'student');
    await drain(made);
    const view = await made.outbox.snapshot(made.attemptId);
    expect(view?.answers[0]).toMatchObject({ stage: 'setAside', refusal: { code } });
    expect(view?.sync).toEqual({ kind: 'setAside', count: 1 });
    expect(made.server.calls.find(only('finish'))?.headers[HEADER.setAside]).toBe('1');
    expect(made.server.finished).not.toBeNull();
  },
);

test('row 25: setting an answer aside unfolds its predecessor, which is sent instead', async () => {
  const made = await running();
  made.server.fault = (call) =>
    call.answer?.kind === 'open' && call.answer.text === 'негодный' ? 'INVALID_ANSWER' : null;
  await made.outbox.answer(made.attemptId, open('годный'));
  await made.outbox.answer(made.attemptId, open('негодный'));
  await drain(made);
  expect(made.server.text()).toBe('годный');
  expect((await made.outbox.snapshot(made.attemptId))?.answers[0]?.stage).toBe('setAside');
});

test('a full journal refuses every version: the older ones stay folded, and the finish is sent', async () => {
  const made = await running();
  await made.outbox.answer(made.attemptId, open('сохранённый'));
  await drain(made);
  made.server.fault = (call) => (call.name === 'answer' ? 'TOO_MANY_ANSWERS' : null);
  for (const text of ['раз', 'два', 'три']) await made.outbox.answer(made.attemptId, open(text));
  await made.outbox.answer(made.attemptId, open('другой', 1));
  await drain(made);
  expect(made.server.answersSent).toEqual(['сохранённый', 'три', 'другой']);
  const view = await made.outbox.snapshot(made.attemptId);
  expect(view?.answers[0]).toMatchObject({
    stage: 'setAside',
    refusal: { code: 'TOO_MANY_ANSWERS', message: expect.stringMatching(/[а-я]/) },
  });
  await made.outbox.finish(made.attemptId, 'student');
  await drain(made);
  const { headers } = made.server.calls.find(only('finish')) ?? { headers: {} };
  expect(headers).toMatchObject({ [HEADER.folded]: '2-3', [HEADER.setAside]: '4-5' });
  expect(made.server.finished).not.toBeNull();
  expect(made.server.text()).toBe('сохранённый');
});

test('SEQUENCE_TAKEN gives the operation the next sequence and the same id', async () => {
  const made = await running();
  await made.outbox.answer(made.attemptId, open('один'));
  let taken = 0;
  made.server.fault = (call) =>
    call.name === 'answer' && (taken += 1) === 1 ? 'SEQUENCE_TAKEN' : null;
  await drain(made);
  const sent = made.server.calls.filter(only('answer'));
  expect(sent.map((call) => call.headers[HEADER.sequence])).toEqual(['1', '2']);
  expect(new Set(sent.map((call) => call.headers[HEADER.idempotencyKey])).size).toBe(1);
  await made.outbox.finish(made.attemptId, 'student');
  await drain(made);
  expect(made.server.finished?.sequence).toBe(3);
});

test('row 31: 426 pauses everything and loses nothing', async () => {
  const made = await running();
  made.server.fault = () => 'OLD_CLIENT';
  await made.outbox.answer(made.attemptId, open('один'));
  expect(await made.outbox.flush()).toMatchObject({ pause: 'update', waiting: 1 });
  const calls = made.server.calls.length;
  expect((await made.outbox.flush()).pause).toBe('update');
  expect(made.server.calls).toHaveLength(calls);
});

test('row 34: a deleted attempt sets its answers aside; after it is restored they are sent when the app opens', async () => {
  const made = await running();
  made.server.fault = (call) => (call.name === 'answer' ? 'GONE' : null);
  await made.outbox.answer(made.attemptId, open('один'));
  await made.outbox.flush();
  expect(await made.outbox.snapshot(made.attemptId)).toMatchObject({ readOnly: 'gone' });
  made.server.fault = () => null;
  await made.outbox.opened();
  await drain(made);
  expect(made.server.text()).toBe('один');
  expect((await made.outbox.snapshot(made.attemptId))?.readOnly).toBeNull();
});

test('row 36: an answer that always fails is poisoned, the rest and the finish are sent', async () => {
  const made = await running();
  made.server.fault = (call) => (call.answer?.questionId === QUESTIONS[0] ? 'INTERNAL' : null);
  await made.outbox.answer(made.attemptId, open('яд', 0));
  await made.outbox.answer(made.attemptId, open('да', 1));
  await made.outbox.finish(made.attemptId, 'student');
  await drain(made);
  expect(made.server.finished).not.toBeNull();
  expect(made.server.calls.findLast(only('finish'))?.headers[HEADER.setAside]).toBe('1');
  const view = await made.outbox.snapshot(made.attemptId);
  expect(view?.answers[0]?.stage).toBe('setAside');
  made.server.fault = () => null;
  made.world.now += 120_001;
  await made.outbox.flush();
  expect(made.server.text(0)).toBe('яд');
});

test('row 36: several poisoned answers with nothing else to send do not block the finish for ever', async () => {
  const made = await running();
  made.server.fault = (call) => (call.name === 'answer' ? 'INTERNAL' : null);
  for (const question of [0, 1, 2]) await made.outbox.answer(made.attemptId, open('яд', question));
  await made.outbox.finish(made.attemptId, 'student');
  await drain(made, 80);
  expect(made.server.finished).not.toBeNull();
  expect(made.server.calls.findLast(only('finish'))?.headers[HEADER.setAside]).toBe('1-3');
});

test('row 36: a single poisoned answer does not block a newer one of its question for ever', async () => {
  const made = await running();
  const isPoison = (call: FakeCall): boolean =>
    call.answer?.kind === 'open' && call.answer.text === 'яд';
  made.server.fault = (call) => (isPoison(call) ? 'INTERNAL' : null);
  await made.outbox.answer(made.attemptId, open('яд'));
  await made.outbox.flush();
  await made.outbox.answer(made.attemptId, open('новый'));
  await drain(made, 40);
  expect(made.server.text()).toBe('новый');
});

test('row 36: in the middle of a test failing answers only wait while no other call succeeds', async () => {
  const made = await running();
  made.server.fault = (call) => (call.name === 'answer' ? 'UNAVAILABLE' : null);
  for (const question of [0, 1]) await made.outbox.answer(made.attemptId, open('да', question));
  await drain(made, 40);
  expect((await made.outbox.snapshot(made.attemptId))?.counts).toMatchObject({
    waiting: 2,
    setAside: 0,
  });
});

test('row 36: an outage of any length poisons nothing', async () => {
  const made = await running();
  made.server.fault = () => 'UNAVAILABLE';
  for (const question of [0, 1, 2]) await made.outbox.answer(made.attemptId, open('да', question));
  await made.outbox.finish(made.attemptId, 'student');
  await drain(made, 40);
  const view = await made.outbox.snapshot(made.attemptId);
  expect(view?.answers.map((answer) => answer.stage)).toEqual([
    'device',
    'device',
    'device',
    'none',
  ]);
  made.server.fault = () => null;
  await drain(made);
  expect(made.server.finished).not.toBeNull();
});

test('a permanently refused finish reopens the inputs and is not written repeatedly', async () => {
  const made = await running();
  made.server.fault = (call) => (call.name === 'finish' ? 'FORBIDDEN' : null);
  await made.outbox.finish(made.attemptId, 'student');
  await drain(made);
  expect(await made.outbox.snapshot(made.attemptId)).toMatchObject({
    state: 'running',
    finishRefusal: { code: 'FORBIDDEN' },
  });
  made.world.now = made.server.deadline + 60_000;
  await made.outbox.flush();
  await made.outbox.flush();
  expect(made.server.count('finish')).toBe(1);
  made.server.fault = () => null;
  await made.outbox.retrySetAside(made.attemptId);
  await drain(made);
  expect((await made.outbox.snapshot(made.attemptId))?.state).toBe('finished');
});
