import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { addTime, decideHeld, listHeld } from '#contract/attempts.ts';
import { setLifecycle, updateTest } from '#contract/authoring.ts';
import { HEADER } from '#contract/headers.ts';
import { getSavedAnswers } from '#contract/passing.ts';
import { getResult } from '#contract/results.ts';
import type { Visibility } from '#contract/tests.ts';
import { one } from '#server/db/query.ts';
import { makeSchool, Q, RIGHT, TestDevice, type PlannedTest, type School } from '#tests/school.ts';
import { testServer, type TestServer } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const MINUTE = 60_000;
const HIDDEN: Visibility = { ownAnswers: 'never', points: 'never', correctAnswers: 'never' };
const AT_ONCE: Visibility = { ...HIDDEN, points: 'atOnce' };
const text = (value: string): Answer => ({ questionId: Q.open, kind: 'open', text: value });
const age = (ms: number) => ({ [HEADER.age]: String(ms) });

interface TwoDevices extends School {
  readonly phone: TestDevice;
  readonly tablet: TestDevice;
}

/** An attempt that began on a phone, moved to a tablet after 5 minutes and was finished after 10. */
async function finishedElsewhere(plan: PlannedTest = {}): Promise<TwoDevices> {
  const school = await makeSchool(server, plan);
  const phone = new TestDevice(server, school.student);
  await phone.start(school.testId);
  server.clock.advance(5 * MINUTE);
  const tablet = new TestDevice(server, school.student);
  await tablet.start(school.testId, { [HEADER.takeOver]: phone.attemptId });
  server.clock.advance(5 * MINUTE);
  await tablet.finish();
  server.clock.advance(2 * MINUTE);
  return { ...school, phone, tablet };
}

const resultOf = async ({ attemptId, student }: TestDevice) =>
  (await server.send(getResult, { params: { attemptId } }, { as: student })).body;

const savedOf = async ({ attemptId, student }: TestDevice) =>
  (await server.send(getSavedAnswers, { params: { id: attemptId } }, { as: student })).body;

const pointsOf = async ({ attemptId }: TestDevice) =>
  one<{ ended: string | null; points: number | null }>(
    server.pool,
    'select ended, points from attempts where id = $1',
    [attemptId],
  );

const heldOf = async ({ teacher }: School, { attemptId }: TestDevice) =>
  (await server.send(listHeld, { params: { attemptId } }, { as: teacher })).body.items;

async function show({ testId, teacher }: School, visibility: Visibility): Promise<void> {
  const test = await one<{ version: number }>(
    server.pool,
    'select version from tests where id = $1',
    [testId],
  );
  const body = { id: testId, version: test?.version ?? 0, visibility };
  const reply = await server.send(updateTest, { body }, { as: teacher });
  if (reply.status !== 200) throw new Error(reply.text);
}

describe('after a finish with a visible result', () => {
  test('no guess from an earlier stream counts, whatever age it claims and however often', async () => {
    const { phone } = await finishedElsewhere();
    expect((await resultOf(phone)).score).toBe(0);
    const guesses: Answer[] = [
      ...['a', 'b'].map((id) => ({ ...RIGHT.single, optionIds: [id] })),
      ...['4', '4,9', '5'].map(text),
      RIGHT.several,
      RIGHT.matching,
    ];
    // Before the finish; before the attempt; none; unknown; with a server time seen long ago.
    const claims: Record<string, string>[] = [
      age(8 * MINUTE),
      age(60 * MINUTE),
      age(0),
      { [HEADER.age]: 'unknown' },
      { ...age(8 * MINUTE), [HEADER.seenServerTime]: '2020-01-01T00:00:00.000Z' },
    ];
    for (const guess of guesses)
      for (const claim of claims) {
        const headers = phone.operation(claim);
        expect((await phone.answer(guess, headers)).body.outcome).toBe('held');
        const earlier = await phone.answer(guess, { ...headers, ...age(9 * MINUTE) });
        expect(earlier.body.outcome).toBe('held');
        expect((await resultOf(phone)).score).toBe(0);
      }
    expect(Object.values(await savedOf(phone)).flat()).toEqual([]);
    expect(await resultOf(phone)).toMatchObject({ receivedLate: 0, held: 35 });
  });

  test('an honest answer from a dead phone is held, shown with its times, and counts when the teacher accepts it', async () => {
    const work = await finishedElsewhere();
    const { phone, teacher } = work;
    const written = server.clock.now.getTime() - 9 * MINUTE;
    const seen = new Date(written - MINUTE).toISOString();
    const reply = await phone.answer(
      RIGHT.single,
      phone.operation({ ...age(9 * MINUTE), [HEADER.seenServerTime]: seen }),
    );
    expect(reply.body.outcome).toBe('held');
    expect(await heldOf(work, phone)).toMatchObject([
      {
        writtenAt: new Date(written).toISOString(),
        seenServerAt: seen,
        receivedAt: server.clock.now.toISOString(),
        afterResult: true,
        decision: null,
      },
    ]);
    const decided = await server.send(
      decideHeld,
      {
        params: { attemptId: phone.attemptId },
        body: { operationIds: [reply.body.operationId], decision: 'accepted' },
      },
      { as: teacher },
    );
    expect(decided.body.score).toBe(1);
  });

  test.each<[string, Partial<Visibility>]>([
    ['own answers alone', { ownAnswers: 'atOnce' }],
    ['points alone', { points: 'atOnce' }],
    ['correct answers alone', { correctAnswers: 'atOnce' }],
  ])('seeing %s is enough', async (_, part) => {
    const { phone } = await finishedElsewhere({ visibility: { ...HIDDEN, ...part } });
    const reply = await phone.answer(RIGHT.single, phone.operation(age(8 * MINUTE)));
    expect(reply.body.outcome).toBe('held');
  });

  test('hiding the result again changes nothing, and showing it later holds what arrives from then on', async () => {
    const hidden = await finishedElsewhere({ visibility: AT_ONCE });
    await show(hidden, HIDDEN);
    server.clock.advance(2 * MINUTE);
    const first = await hidden.phone.answer(RIGHT.single, hidden.phone.operation(age(8 * MINUTE)));
    expect(first.body.outcome).toBe('held');

    const shown = await finishedElsewhere({ visibility: HIDDEN });
    const before = await shown.phone.answer(RIGHT.single, shown.phone.operation(age(8 * MINUTE)));
    expect(before.body.outcome).toBe('stored');
    await show(shown, AT_ONCE);
    server.clock.advance(MINUTE);
    await show(shown, HIDDEN);
    server.clock.advance(2 * MINUTE);
    const after = await shown.phone.answer(text('4,9'), shown.phone.operation(age(12 * MINUTE)));
    expect(after.body.outcome).toBe('held');
  });

  test('hiding it changes nothing, though the server’s clock was set back meanwhile', async () => {
    const hidden = await finishedElsewhere({ visibility: AT_ONCE });
    server.clock.advance(-5 * MINUTE);
    await show(hidden, HIDDEN);
    const reply = await hidden.phone.answer(RIGHT.single, hidden.phone.operation(age(0)));
    server.clock.advance(5 * MINUTE);
    expect(reply.body.outcome).toBe('held');
  });

  test('an answer concurrent with the finish is held as well', async () => {
    const { phone, tablet } = await finishedElsewhere();
    const at = server.clock.now;
    await server.pool.query('update operations set received_at = $2 where attempt_id = $1', [
      tablet.attemptId,
      new Date(at.getTime() + 1),
    ]);
    await server.pool.query('update attempts set ended_at = $2 where id = $1', [
      tablet.attemptId,
      new Date(at.getTime() + 1),
    ]);
    const reply = await phone.answer(RIGHT.single, phone.operation(age(0)));
    expect(reply.body.outcome).toBe('held');
  });
});

describe('while no part of the result could have been seen', () => {
  test('what an earlier stream wrote before the finish counts, flagged as late', async () => {
    const { phone } = await finishedElsewhere({ visibility: HIDDEN });
    const reply = await phone.answer(RIGHT.single, phone.operation(age(8 * MINUTE)));
    expect(reply.body).toMatchObject({ outcome: 'stored', receivedLate: true });
    expect(await pointsOf(phone)).toEqual({ ended: 'finished', points: 1 });
  });

  test('a setting hidden before the finish has shown nothing', async () => {
    const school = await makeSchool(server, { visibility: AT_ONCE });
    await show(school, HIDDEN);
    server.clock.advance(2 * MINUTE);
    const phone = new TestDevice(server, school.student);
    await phone.start(school.testId);
    const tablet = new TestDevice(server, school.student);
    await tablet.start(school.testId, { [HEADER.takeOver]: phone.attemptId });
    server.clock.advance(5 * MINUTE);
    await tablet.finish();
    const reply = await phone.answer(RIGHT.single, phone.operation(age(MINUTE)));
    expect(reply.body.outcome).toBe('stored');
  });

  test.each([
    ['the attempt began', 60 * MINUTE],
    ['its own stream began', 14 * MINUTE],
  ])('an age from before %s is not believed', async (_, claimed) => {
    const { phone } = await finishedElsewhere({ visibility: HIDDEN });
    const reply = await phone.answer(RIGHT.single, phone.operation(age(claimed)));
    expect(reply.body).toMatchObject({ outcome: 'held', writtenAt: null });

    // In the window after the deadline of an attempt that nobody finished.
    const late = await makeSchool(server, { passMinutes: 10 });
    const device = new TestDevice(server, late.student);
    await device.start(late.testId);
    server.clock.advance(12 * MINUTE);
    const honest = await device.answer(RIGHT.single, device.operation(age(12 * MINUTE)));
    expect(honest.body.outcome).toBe('stored');
    const forged = await device.answer(text('4,9'), device.operation(age(12 * MINUTE + claimed)));
    expect(forged.body).toMatchObject({ outcome: 'held', writtenAt: null });
  });

  test('transit and rounding do not make an honest age a forged one', async () => {
    const { phone } = await finishedElsewhere({ visibility: HIDDEN });
    const reply = await phone.answer(RIGHT.single, phone.operation(age(12 * MINUTE + 50_000)));
    expect(reply.body.outcome).toBe('stored');
  });

  test('a repeat is judged by the stream that the answer came from, whichever it names', async () => {
    const { phone, tablet } = await finishedElsewhere({ visibility: HIDDEN });
    const headers = tablet.operation(age(0));
    expect((await tablet.answer(RIGHT.single, headers)).body.outcome).toBe('held');
    const renamed = {
      ...headers,
      ...age(8 * MINUTE),
      [HEADER.stream]: phone.stream,
      [HEADER.epoch]: '1',
    };
    expect((await tablet.answer(RIGHT.single, renamed)).body.outcome).toBe('held');
  });
});

describe('an attempt that the server closed', () => {
  const PLAN = { passMinutes: 10, windowMinutes: 15 };

  async function timedOut(plan: PlannedTest = {}) {
    const school = await makeSchool(server, { ...PLAN, ...plan });
    const device = new TestDevice(server, school.student);
    await device.start(school.testId);
    return { ...school, device };
  }
  const addMinutes = ({ teacher }: School, { attemptId }: TestDevice) =>
    server.send(addTime, { params: { attemptId }, body: { minutes: 5 } }, { as: teacher });

  test('prepared guesses cannot be chosen among once its result is visible', async () => {
    const { device } = await timedOut();
    server.clock.advance(12 * MINUTE);
    const ready = device.operation(age(0));
    expect((await device.answer(RIGHT.single, ready)).body.outcome).toBe('held');
    server.clock.advance(20 * MINUTE);
    expect((await resultOf(device)).score).toBe(0);
    const repeat = await device.answer(RIGHT.single, { ...ready, ...age(25 * MINUTE) });
    expect(repeat.body.outcome).toBe('held');
    expect((await resultOf(device)).score).toBe(0);
  });

  test('added minutes count answers written before the result was visible and leave the rest to the teacher', async () => {
    const seen = await timedOut();
    server.clock.advance(12 * MINUTE);
    await seen.device.answer(RIGHT.single, seen.device.operation(age(0)));
    server.clock.advance(20 * MINUTE);
    await seen.device.answer(text('4,9'), seen.device.operation(age(25 * MINUTE)));
    expect((await addMinutes(seen, seen.device)).status).toBe(200);
    expect(await savedOf(seen.device)).toMatchObject({
      variantAnswers: [{ questionId: Q.single }],
      openAnswers: [],
    });
    expect(await heldOf(seen, seen.device)).toMatchObject([
      { questionId: Q.open, afterResult: true },
    ]);
    // Adding minutes again does not change that.
    server.clock.advance(30 * MINUTE);
    expect((await addMinutes(seen, seen.device)).status).toBe(200);
    expect((await savedOf(seen.device)).openAnswers).toEqual([]);

    const unseen = await timedOut({ visibility: HIDDEN });
    server.clock.advance(30 * MINUTE);
    await unseen.device.answer(text('4,9'), unseen.device.operation(age(25 * MINUTE)));
    expect((await addMinutes(unseen, unseen.device)).status).toBe(200);
    expect((await savedOf(unseen.device)).openAnswers).toMatchObject([{ text: '4,9' }]);
  });

  test('an archiving that showed «after the test closes» and was undone is remembered', async () => {
    const visibility: Visibility = { ...HIDDEN, points: 'afterClose' };
    const work = await timedOut({ visibility, endTime: null });
    const { device, teacher, testId } = work;
    const become = (lifecycle: 'archived' | 'active') =>
      server.send(setLifecycle, { params: { id: testId }, body: { lifecycle } }, { as: teacher });
    server.clock.advance(30 * MINUTE);
    expect((await resultOf(device)).score).toBeNull();
    await become('archived');
    expect((await resultOf(device)).score).toBe(0);
    expect((await become('active')).status).toBe(200);
    expect((await resultOf(device)).score).toBeNull();
    await device.answer(text('4,9'), device.operation(age(25 * MINUTE)));
    expect((await addMinutes(work, device)).status).toBe(200);
    expect((await savedOf(device)).openAnswers).toEqual([]);
  });

  test('an answer of unknown age counts in the window while no result is visible', async () => {
    const { device } = await timedOut();
    server.clock.advance(15 * MINUTE);
    const reply = await device.answer(RIGHT.single, device.operation({ [HEADER.age]: 'unknown' }));
    expect(reply.body).toMatchObject({ outcome: 'stored', receivedLate: true });
  });
});

describe('after a restore', () => {
  /** The attempt as a backup had it: nothing of it, or its start alone. */
  async function restored(device: TestDevice, what: 'nothing' | 'its start'): Promise<void> {
    const { attemptId } = device;
    if (what === 'nothing') {
      await server.pool.query(`delete from start_keys where reply ->> 'attemptId' = $1`, [
        attemptId,
      ]);
      await server.pool.query('delete from attempts where id = $1', [attemptId]);
    } else await server.pool.query('delete from operations where attempt_id = $1', [attemptId]);
    server.deps.state.epoch += 1;
  }
  const proof = (receipt: unknown) => ({ [HEADER.receipt]: JSON.stringify(receipt) });

  test('ages of streams that were recreated from receipts are believed', async () => {
    const school = await makeSchool(server, { passMinutes: 10, visibility: HIDDEN });
    const phone = new TestDevice(server, school.student);
    await phone.start(school.testId);
    const proven = phone.operation();
    const { body: receipt } = await phone.answer(text('4,9'), proven);
    await restored(phone, 'nothing');
    server.clock.advance(20 * MINUTE);
    await phone.answer(text('4,9'), { ...proven, ...proof(receipt) });
    const unsent = await phone.answer(RIGHT.single, phone.operation(age(15 * MINUTE)));
    expect(unsent.body).toMatchObject({ outcome: 'stored', receivedLate: true });
  });

  test.each<[string, Visibility, string | null]>([
    ['that showed its result stays closed', AT_ONCE, 'closed'],
    ['that showed nothing runs again', HIDDEN, null],
  ])('minutes that a receipt proves: an attempt %s', async (_, visibility, ended) => {
    const school = await makeSchool(server, { passMinutes: 10, windowMinutes: 0, visibility });
    const device = new TestDevice(server, school.student);
    await device.start(school.testId);
    const { attemptId } = device;
    const old = await one<{ deadline: Date }>(
      server.pool,
      'select deadline from attempts where id = $1',
      [attemptId],
    );
    await server.send(
      addTime,
      { params: { attemptId }, body: { minutes: 60 } },
      { as: school.teacher },
    );
    const proven = device.operation();
    const { body: receipt } = await device.answer(RIGHT.single, proven);
    await server.pool.query('delete from answers where attempt_id = $1', [attemptId]);
    await server.pool.query('update attempts set deadline = $2 where id = $1', [
      attemptId,
      old?.deadline,
    ]);
    await restored(device, 'its start');
    server.clock.advance(20 * MINUTE);
    await resultOf(device);
    expect(await pointsOf(device)).toEqual({ ended: 'closed', points: 0 });
    const again = await device.answer(RIGHT.single, { ...proven, ...proof(receipt) });
    expect(again.body.outcome).toBe('stored');
    const fresh = await device.answer(text('4,9'), device.operation(age(0)));
    expect(fresh.body.outcome).toBe(ended === null ? 'stored' : 'held');
    expect((await pointsOf(device))?.ended).toBe(ended);
  });
});

describe('a repeat that makes a held answer count', () => {
  /** Held a quarter of an hour after the start of a test of ten minutes; then again as written in time. */
  async function lateAnswer() {
    const plan = { passMinutes: 10, windowMinutes: 15, visibility: HIDDEN };
    const { testId, student } = await makeSchool(server, plan);
    const device = new TestDevice(server, student);
    await device.start(testId);
    server.clock.advance(15 * MINUTE);
    const late = async (answer: Answer) => {
      const headers = device.operation(age(0));
      expect((await device.answer(answer, headers)).body.outcome).toBe('held');
      const receivedAt = server.clock.now.getTime();
      return async () => {
        const ms = server.clock.now.getTime() - receivedAt + 6 * MINUTE;
        return (await device.answer(answer, { ...headers, ...age(ms) })).body.outcome;
      };
    };
    return { device, late };
  }

  test('gives a running attempt no mark', async () => {
    const { device, late } = await lateAnswer();
    const again = await late(RIGHT.single);
    expect(await again()).toBe('stored');
    expect(await pointsOf(device)).toEqual({ ended: null, points: null });
  });

  test('changes the mark of an ended one, and logs it only where it differs', async () => {
    const { device, late } = await lateAnswer();
    const right = await late(RIGHT.single);
    const wrong = await late(text('7'));
    server.clock.advance(10 * MINUTE);
    await resultOf(device);
    expect(await pointsOf(device)).toEqual({ ended: 'closed', points: 0 });
    expect(await right()).toBe('stored');
    expect(await pointsOf(device)).toEqual({ ended: 'closed', points: 1 });
    expect(await wrong()).toBe('stored');
    const logged = await one<{ list: (number | null)[] }>(
      server.pool,
      'select array_agg(new_points order by id) as list from score_changes where attempt_id = $1',
      [device.attemptId],
    );
    expect(logged?.list).toEqual([0, 1]);
  });
});
