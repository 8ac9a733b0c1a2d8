import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HEADER } from '#contract/headers.ts';
import { decideHolds, makeClassCode, removeClassCode } from '#contract/offers.ts';
import type { Receipt } from '#contract/passing.ts';
import { execute, one, rows } from '#server/db/query.ts';
import { loadState } from '#server/state.ts';
import { backUp, restoreOn } from '#tests/backups.ts';
import { makeOfflineSchool, OfflineDevice, showCode } from '#tests/offline-device.ts';
import { errorOf, makeGroup, RIGHT, type School } from '#tests/school.ts';
import { testServer, type TestServer } from '#tests/server.ts';

const MINUTE = 60_000;

let server: TestServer;
let folder: string;
beforeEach(async () => {
  server = await testServer();
  folder = await mkdtemp(join(tmpdir(), 'exam-room-offline-'));
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Takes a backup, lets something happen, and restores the backup over everything. */
async function restoreAfter(act: () => Promise<unknown>): Promise<void> {
  const place = { pool: server.pool, dataDir: server.deps.dataDir };
  const path = join(folder, 'copy.tar');
  await backUp(place, path);
  await act();
  await restoreOn(place, path);
  Object.assign(server.deps.state, await loadState(server.pool));
}

test('an offer and a code of the backup begin after a restore', async () => {
  const school = await makeOfflineSchool(server);
  const device = new OfflineDevice(server, school.student);
  await device.fetch(school.testId);
  const code = await showCode(server, school);
  await restoreAfter(async () => {
    await device.open(code);
    await device.begin(0);
    await device.answer(RIGHT.single);
  });
  server.clock.advance(5 * MINUTE);
  const again = { [HEADER.idempotencyKey]: server.deps.newId() };
  const reply = await device.begin(5 * MINUTE, again);
  expect(reply.status, reply.text).toBe(200);
  expect(reply.body).toMatchObject({ userTestId: device.ownOffer.offerId, epoch: 1 });
  expect(reply.body.beginHold).toBeUndefined();
  expect((await device.answer(RIGHT.several)).body.outcome).toBe('stored');
});

test('the code of a class in the backup opens its offers after a restore', async () => {
  const school = await makeOfflineSchool(server);
  const { teacher, student, testId } = school;
  const groupId = await makeGroup(server, teacher, [student]);
  await execute(
    server.pool,
    'insert into assignments (id, test_id, group_id, created_at) values ($1, $2, $3, now())',
    [server.deps.newId(), testId, groupId],
  );
  const of = { params: { id: testId, groupId } };
  await server.send(makeClassCode, of, { as: teacher });
  const device = new OfflineDevice(server, student);
  await device.fetch(testId);
  await device.open(await showCode(server, school, groupId));
  await restoreAfter(() => showCode(server, school));
  expect((await device.begin(0)).body.beginHold).toBeUndefined();
  expect(errorOf(await server.send(removeClassCode, of, { as: teacher })).code).toBe('CODE_IN_USE');
});

test('an offer that was made after the backup is unknown, and its answers are stored', async () => {
  const school = await makeOfflineSchool(server);
  const device = new OfflineDevice(server, school.student);
  await restoreAfter(async () => {
    await device.fetch(school.testId);
    await device.open(await showCode(server, school));
  });
  expect(errorOf(await device.begin(0)).code).toBe('UNKNOWN_OFFER');
  expect((await device.answer(RIGHT.single)).body.outcome).toBe('held');
});

/**
 * Two devices with one offer. The server accepts the begin of `owner` after the backup; once restored, it hears first
 * of the begin of `other`, which is `ageMs` old.
 */
async function otherBeginsFirst(ageMs: number, isProofWrong = false) {
  const school = await makeOfflineSchool(server);
  const owner = new OfflineDevice(server, school.student);
  await owner.fetch(school.testId);
  const code = await showCode(server, school);
  const other = new OfflineDevice(server, school.student);
  other.offer = owner.ownOffer;
  await owner.open(code);
  await other.open(code);
  if (isProofWrong) other.proof = Buffer.alloc(32, 7).toString('base64url');
  const headers = owner.operation();
  let receipt: Receipt | undefined;
  await restoreAfter(async () => {
    await owner.begin(0);
    receipt = (await owner.answer(RIGHT.single, headers)).body;
  });
  expect(receipt).toMatchObject({ outcome: 'stored', epoch: 1 });
  server.clock.advance(5 * MINUTE);
  const begun = await other.begin(ageMs);
  const proven = { ...headers, [HEADER.receipt]: JSON.stringify(receipt) };
  return { ...school, owner, other, begun, comeBack: () => owner.answer(RIGHT.single, proven) };
}

const decide = (
  { teacher, testId }: Pick<School, 'teacher' | 'testId'>,
  attemptId: string,
  decision: 'accept' | 'refuse' = 'accept',
) =>
  server.send(
    decideHolds,
    { params: { id: testId }, body: { attemptIds: [attemptId], decision } },
    { as: teacher },
  );

const streamsOf = (attemptId: string) =>
  rows<{ id: string; epoch: number }>(
    server.pool,
    'select id, epoch from streams where attempt_id = $1',
    [attemptId],
  );

const activeStreamOf = async (attemptId: string) =>
  (
    await one<{ stream: string }>(
      server.pool,
      'select active_stream as stream from attempts where id = $1',
      [attemptId],
    )
  )?.stream;

test('a device that begins first after a restore yields to the proven owner', async () => {
  const { owner, other, begun, comeBack } = await otherBeginsFirst(5 * MINUTE);
  expect(begun.body.beginHold).toBeUndefined();
  expect((await other.answer(RIGHT.several)).body.outcome).toBe('stored');
  const again = await comeBack();
  expect(again.body).toMatchObject({ outcome: 'stored', stream: owner.stream, epoch: 1 });
  expect(again.headers[HEADER.activeStream]).toBe(owner.stream);
  expect(await streamsOf(owner.attemptId)).toEqual([{ id: owner.stream, epoch: 1 }]);
  expect((await other.begin(5 * MINUTE)).body.beginHold).toBe('secondDevice');
  expect((await other.answer(RIGHT.open)).body.outcome).toBe('held');
  // What was shown as saved counts, of both devices; the finish is the owner's.
  const counting = await rows<{ id: string }>(
    server.pool,
    'select question_id as id from answers where attempt_id = $1',
    [owner.attemptId],
  );
  expect(counting).toHaveLength(2);
  expect((await owner.finish()).body.outcome).toBe('stored');
});

test('the proven owner is no second device, though its begin came again after the other', async () => {
  const { owner, comeBack } = await otherBeginsFirst(5 * MINUTE);
  const again = { [HEADER.idempotencyKey]: server.deps.newId() };
  expect((await owner.begin(5 * MINUTE, again)).body.beginHold).toBe('secondDevice');
  await comeBack();
  expect((await owner.begin(5 * MINUTE, again)).body.beginHold).toBeUndefined();
  expect((await owner.answer(RIGHT.open)).body.outcome).toBe('stored');
});

test('a begin that is held after a restore closes nothing for the proven owner', async () => {
  const { owner, other, begun, comeBack, ...school } = await otherBeginsFirst(60 * MINUTE);
  expect(begun.body.beginHold).toBe('beforeOffer');
  await comeBack();
  expect((await owner.begin(5 * MINUTE)).body.questions).not.toEqual([]);
  expect((await other.begin(60 * MINUTE)).body.beginHold).toBe('secondDevice');
  await decide(school, owner.attemptId);
  expect(await activeStreamOf(owner.attemptId)).toBe(owner.stream);
  expect((await owner.finish()).body.outcome).toBe('stored');
});

test('a wrong proof that comes first after a restore stays one, and is refused without the proven owner', async () => {
  const { owner, other, begun, comeBack, ...school } = await otherBeginsFirst(5 * MINUTE, true);
  expect(begun.body.beginHold).toBe('proof');
  await comeBack();
  expect((await owner.begin(5 * MINUTE)).body.beginHold).toBeUndefined();
  expect((await other.begin(5 * MINUTE)).body.beginHold).toBe('proof');
  expect((await decide(school, owner.attemptId, 'refuse')).body).toEqual({ decided: 1 });
  expect((await other.answer(RIGHT.several)).body.outcome).toBe('held');
  expect((await owner.answer(RIGHT.open)).body.outcome).toBe('stored');
});

test('a begin that the teacher accepted after a restore counts beside the proven owner', async () => {
  const { owner, other, comeBack, ...school } = await otherBeginsFirst(60 * MINUTE);
  await decide(school, owner.attemptId);
  expect(await activeStreamOf(owner.attemptId)).toBe(other.stream);
  await comeBack();
  expect(await activeStreamOf(owner.attemptId)).toBe(owner.stream);
  expect((await other.answer(RIGHT.open)).body.outcome).toBe('stored');
});

test('an attempt that another device finished after a restore keeps what its owner had stored', async () => {
  const { owner, other, comeBack } = await otherBeginsFirst(5 * MINUTE);
  expect((await other.finish()).body.outcome).toBe('stored');
  expect((await comeBack()).body.outcome).toBe('stored');
  expect(await streamsOf(owner.attemptId)).toEqual([{ id: owner.stream, epoch: 1 }]);
  const attempt = await one(
    server.pool,
    'select ended, points > 0 as "isCounted" from attempts where id = $1',
    [owner.attemptId],
  );
  expect(attempt).toEqual({ ended: 'finished', isCounted: true });
});

test('the owner yields to no other device whose answers were held', async () => {
  const school = await makeOfflineSchool(server);
  const owner = new OfflineDevice(server, school.student);
  await owner.fetch(school.testId);
  const code = await showCode(server, school);
  const other = new OfflineDevice(server, school.student);
  other.offer = owner.ownOffer;
  await owner.open(code);
  await other.open(code);
  const headers = other.operation();
  let held: Receipt | undefined;
  await restoreAfter(async () => {
    await owner.begin(0);
    await other.begin(0);
    held = (await other.answer(RIGHT.single, headers)).body;
  });
  server.clock.advance(5 * MINUTE);
  await owner.begin(5 * MINUTE);
  const again = { ...headers, [HEADER.receipt]: JSON.stringify(held) };
  expect((await other.answer(RIGHT.single, again)).body.outcome).toBe('held');
  expect(await activeStreamOf(owner.attemptId)).toBe(owner.stream);
  expect((await owner.answer(RIGHT.open)).body.outcome).toBe('stored');
});

test.each([
  ['the owner', ['owner', 'other']],
  ['the other device', ['other', 'owner']],
] as const)(
  'after a second restore the attempt belongs to its first owner, though %s proves its answers first',
  async (_, order) => {
    const school = await makeOfflineSchool(server);
    const owner = new OfflineDevice(server, school.student);
    await owner.fetch(school.testId);
    const code = await showCode(server, school);
    const other = new OfflineDevice(server, school.student);
    other.offer = owner.ownOffer;
    const proofs = new Map<string, () => ReturnType<OfflineDevice['answer']>>();
    for (const [name, device, answer] of [
      ['owner', owner, RIGHT.single],
      ['other', other, RIGHT.several],
    ] as const) {
      await device.open(code);
      // Each restore forgets what one device stored, so each is accepted with epoch 1.
      await restoreAfter(async () => {
        await device.begin(0);
        const headers = device.operation();
        const { body: receipt } = await device.answer(answer, headers);
        expect(receipt).toMatchObject({ outcome: 'stored', epoch: 1 });
        const proven = { ...headers, [HEADER.receipt]: JSON.stringify(receipt) };
        proofs.set(name, () => device.answer(answer, proven));
      });
      server.clock.advance(MINUTE);
    }
    for (const name of order) expect((await proofs.get(name)?.())?.body.outcome).toBe('stored');
    expect(await streamsOf(owner.attemptId)).toEqual([{ id: owner.stream, epoch: 1 }]);
    expect(await activeStreamOf(owner.attemptId)).toBe(owner.stream);
    const counting = await rows(server.pool, 'select 1 from answers where attempt_id = $1', [
      owner.attemptId,
    ]);
    expect(counting).toHaveLength(2);
    expect((await other.answer(RIGHT.open)).body.outcome).toBe('held');
    expect((await owner.answer(RIGHT.open)).body.outcome).toBe('stored');
    expect((await owner.finish()).body.outcome).toBe('stored');
  },
);
