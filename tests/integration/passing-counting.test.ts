import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { decideHeld } from '#contract/attempts.ts';
import { HEADER } from '#contract/headers.ts';
import { one, rows } from '#server/db/query.ts';
import { holdAnswer, MINUTE_MS, nth, startClass } from '#tests/class-work.ts';
import { Q, TestDevice } from '#tests/school.ts';
import { testServer, type TestServer, type TestUser } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const HIDDEN = { ownAnswers: 'never', points: 'never', correctAnswers: 'never' };
const text = (value: string): Answer => ({ questionId: Q.open, kind: 'open', text: value });

/** A folded sequence excludes an answer from the fast path. */
const applyWithFullRules = (device: TestDevice, headers: Record<string, string> = {}) =>
  device.operation({ [HEADER.folded]: '900', ...headers });

const COLUMNS =
  'epoch, sequence, rank, ordinal, body, received_late as late, received_at as "receivedAt"';

const counting = ({ attemptId }: TestDevice) =>
  rows(server.pool, `select operation_id as id, ${COLUMNS} from answers where attempt_id = $1`, [
    attemptId,
  ]);

const journalled = ({ attemptId }: TestDevice, id: string) =>
  rows(server.pool, `select id, ${COLUMNS} from operations where attempt_id = $1 and id = $2`, [
    attemptId,
    id,
  ]);

async function alone() {
  const { teacher, testId, devices } = await startClass(server, ['Пётр'], {
    passMinutes: 10,
    windowMinutes: 15,
    visibility: HIDDEN,
  });
  return { teacher, testId, device: nth(devices, 0) };
}

const decide = (
  teacher: TestUser,
  { attemptId }: TestDevice,
  id: string,
  decision: 'accepted' | 'refused',
) =>
  server.send(
    decideHeld,
    { params: { attemptId }, body: { operationIds: [id], decision } },
    { as: teacher },
  );

test('the answer that counts is the newer one with all fields of its journal row', async () => {
  const { device } = await alone();
  await device.answer(text('4'), applyWithFullRules(device));
  server.clock.advance(12 * MINUTE_MS);
  const late = await device.answer(
    text('5'),
    applyWithFullRules(device, { [HEADER.age]: 'unknown', [HEADER.sequence]: '7' }),
  );
  expect(late.body).toMatchObject({ outcome: 'stored', receivedLate: true });
  expect(await counting(device)).toEqual(await journalled(device, late.body.operationId));
});

test('an answer written before the one that counts does not count, though it arrived later', async () => {
  const { device } = await alone();
  const newer = applyWithFullRules(device, { [HEADER.sequence]: '5' });
  const { body } = await device.answer(text('5'), newer);
  const older = applyWithFullRules(device, { [HEADER.sequence]: '3' });
  expect((await device.answer(text('4'), older)).body.outcome).toBe('superseded');
  expect(await counting(device)).toMatchObject([{ id: body.operationId, sequence: 5 }]);
});

test('an answer of the device that took over counts, however far the other one has written', async () => {
  const { device, testId } = await alone();
  await device.answer(text('4'), applyWithFullRules(device, { [HEADER.sequence]: '5' }));
  const tablet = new TestDevice(server, device.student);
  await tablet.start(testId, { [HEADER.takeOver]: device.attemptId });
  const { body } = await tablet.answer(text('5'), applyWithFullRules(tablet));
  expect(await counting(device)).toMatchObject([{ id: body.operationId, epoch: 2, sequence: 1 }]);
  const behind = await device.answer(
    text('6'),
    applyWithFullRules(device, { [HEADER.sequence]: '6' }),
  );
  expect(behind.body.outcome).toBe('superseded');
  expect(await counting(device)).toMatchObject([{ id: body.operationId }]);
});

test('an answer refused by the teacher, at once or later, leaves the one before it counting', async () => {
  const { device, teacher } = await alone();
  const { body } = await device.answer(text('4'));
  const held = await holdAnswer(device, text('5'));
  for (const [decision, counts] of [
    ['refused', body.operationId],
    ['accepted', held],
    ['refused', body.operationId],
  ] as const) {
    expect((await decide(teacher, device, held, decision)).status).toBe(200);
    expect(await counting(device)).toMatchObject([{ id: counts }]);
  }
});

test('an accepted answer refused later no longer counts where there was no other', async () => {
  const { device, teacher } = await alone();
  const held = await holdAnswer(device, text('4,9'));
  await decide(teacher, device, held, 'accepted');
  expect(await counting(device)).toMatchObject([{ id: held, late: true }]);
  await decide(teacher, device, held, 'refused');
  expect(await counting(device)).toEqual([]);
});

test('the mark without late answers is that of the last one in time', async () => {
  const { device } = await alone();
  await device.answer(text('4,9'));
  server.clock.advance(12 * MINUTE_MS);
  await device.answer(text('0'), device.operation({ [HEADER.age]: 'unknown' }));
  expect((await device.finish()).status).toBe(200);
  const mark = await one(
    server.pool,
    'select points, points_without_late as "withoutLate" from attempts where id = $1',
    [device.attemptId],
  );
  expect(mark).toEqual({ points: 0, withoutLate: 2 });
});
