import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { HEADER } from '#contract/headers.ts';
import { getSavedAnswers, saveAnswer } from '#contract/passing.ts';
import { getPassing } from '#contract/tests.ts';
import { one } from '#server/db/query.ts';
import { errorOf, makeSchool, Q, RIGHT, TestDevice, type PlannedTest } from '#tests/school.ts';
import { testServer, type TestServer } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const MINUTE = 60_000;
const text = (value: string): Answer => ({ questionId: Q.open, kind: 'open', text: value });

async function running(plan: PlannedTest = {}) {
  const school = await makeSchool(server, plan);
  const device = new TestDevice(server, school.student);
  await device.start(school.testId);
  return { ...school, device };
}

async function saved(device: TestDevice) {
  const reply = await server.send(
    getSavedAnswers,
    { params: { id: device.attemptId } },
    { as: device.student },
  );
  return reply.body;
}

async function takenOver(device: TestDevice, testId: string) {
  const tablet = new TestDevice(server, device.student);
  await tablet.start(testId, { [HEADER.takeOver]: device.attemptId });
  return tablet;
}

const count = async (attemptId: string) =>
  one<{ operations: number; effects: number }>(
    server.pool,
    `select (select count(*) from operations where attempt_id = $1) as operations,
       (select count(*) from answers where attempt_id = $1) as effects`,
    [attemptId],
  );

describe('an answer', () => {
  test('of each kind is stored with a receipt that names it', async () => {
    const { device } = await running();
    for (const answer of Object.values(RIGHT)) {
      const headers = device.operation();
      const reply = await device.answer(answer, headers);
      expect(reply.status).toBe(200);
      expect(reply.body).toMatchObject({
        operationId: headers[HEADER.idempotencyKey],
        stream: device.stream,
        epoch: 1,
        sequence: device.sequence,
        outcome: 'stored',
        receivedLate: false,
        writtenAt: server.clock.now.toISOString(),
        receivedAt: server.clock.now.toISOString(),
      });
      expect(reply.body.seal.length).toBeGreaterThan(20);
      expect(reply.headers[HEADER.activeStream]).toBe(device.stream);
      expect(reply.headers[HEADER.serverEpoch]).toBe('1');
    }
    const groups = await saved(device);
    expect(groups.openAnswers).toMatchObject([{ text: '4.9', epoch: 1, sequence: 1 }]);
    expect(groups.variantAnswers).toHaveLength(2);
    expect(groups.complianceAnswers).toHaveLength(1);
    expect(groups.fileAnswers).toEqual([]);
  });

  test('that is a file is listed among the saved ones, before its bytes arrive', async () => {
    const { device } = await running();
    const file = {
      questionId: Q.file,
      kind: 'file',
      fileId: server.deps.newId(),
      name: 'решение.jpg',
      size: 3,
      mimeType: 'image/jpeg',
      sha256: 'a'.repeat(64),
    } as const;
    expect((await device.answer(file)).body.outcome).toBe('stored');
    expect((await saved(device)).fileAnswers).toMatchObject([{ ...file, epoch: 1, sequence: 1 }]);
  });

  test('is journalled with its age', async () => {
    const { device } = await running();
    server.clock.advance(MINUTE);
    await device.answer(RIGHT.open, device.operation({ [HEADER.age]: '1500' }));
    await device.answer(RIGHT.single, device.operation({ [HEADER.age]: 'unknown' }));
    const ages = await one<{ list: (number | null)[] }>(
      server.pool,
      'select array_agg(age_ms::integer order by sequence) as list from operations where attempt_id = $1',
      [device.attemptId],
    );
    expect(ages?.list).toEqual([1500, null]);
  });

  test('that collides with one entered at the same moment is judged by the full rules', async () => {
    const { device } = await running();
    await server.pool.query('create sequence collisions');
    await server.pool.query(
      `create function collide_once() returns trigger language plpgsql as
       $$ begin
         if nextval('collisions') = 1 then raise unique_violation; end if;
         return new;
       end $$`,
    );
    await server.pool.query(
      `create trigger collide_once before insert on operations for each row
       when (new.attempt_id = '${device.attemptId}') execute function collide_once()`,
    );
    try {
      expect((await device.answer(RIGHT.single)).body.outcome).toBe('stored');
    } finally {
      await server.pool.query('drop trigger collide_once on operations');
      await server.pool.query('drop function collide_once; drop sequence collisions');
    }
    expect(await count(device.attemptId)).toEqual({ operations: 1, effects: 1 });
  });

  test('works without any header: fresh id, default stream, order of receipt', async () => {
    const { device } = await running();
    await device.answer(text('1'), {});
    const second = await device.answer(text('2'), {});
    expect(second.body).toMatchObject({ outcome: 'stored', sequence: null, stream: device.stream });
    expect((await saved(device)).openAnswers).toMatchObject([{ text: '2' }]);
    expect((await device.finish({})).status).toBe(200);
  });
});

describe('repeats (rows 1, 3, 27)', () => {
  test('fifty parallel repeats of an operation have one effect and one receipt', async () => {
    const { device } = await running();
    const headers = device.operation();
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => device.answer(text('4,9'), headers)),
    );
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200]));
    expect(new Set(replies.map((reply) => reply.text)).size).toBe(1);
    expect(await count(device.attemptId)).toEqual({ operations: 1, effects: 1 });
  });

  test('a later repeat gets the stored receipt, whatever the key order of its body', async () => {
    const { device } = await running();
    const headers = device.operation();
    const first = await device.answer(text('4,9'), headers);
    server.clock.advance(5 * MINUTE);
    const second = await device.answer({ text: '4,9', questionId: Q.open, kind: 'open' }, headers);
    expect(second.text).toBe(first.text);
  });

  test('the same id with another body is 422 and changes nothing', async () => {
    const { device } = await running();
    const headers = device.operation();
    await device.answer(text('4,9'), headers);
    const reply = await device.answer(text('5'), headers);
    expect([reply.status, errorOf(reply).code]).toEqual([422, 'OPERATION_REUSED']);
    expect((await saved(device)).openAnswers).toMatchObject([{ text: '4,9' }]);
  });
});

describe('sequences', () => {
  test('a used sequence is 422 SEQUENCE_TAKEN; the same id under its next one has one effect', async () => {
    const { device } = await running();
    const first = device.operation();
    await device.answer(text('1'), first);
    const clash = device.operation({ [HEADER.sequence]: '1' });
    expect(errorOf(await device.answer(text('2'), clash)).code).toBe('SEQUENCE_TAKEN');
    expect((await device.answer(text('2'), { ...clash, [HEADER.sequence]: '2' })).status).toBe(200);

    // The first one again under sequence 3: one effect that consumes both.
    const again = await device.answer(text('1'), { ...first, [HEADER.sequence]: '3' });
    expect(again.body).toMatchObject({ operationId: first[HEADER.idempotencyKey], sequence: 1 });
    expect((await saved(device)).openAnswers).toMatchObject([{ text: '2' }]);
    device.sequence = 3;
    expect((await device.finish()).status).toBe(200);
  });

  test('reordering: the highest sequence wins, the older is acknowledged as superseded (row 4)', async () => {
    const { device } = await running();
    const older = device.operation();
    const newer = device.operation();
    expect((await device.answer(text('newer'), newer)).body.outcome).toBe('stored');
    expect((await device.answer(text('older'), older)).body.outcome).toBe('superseded');
    expect((await saved(device)).openAnswers).toMatchObject([{ text: 'newer', sequence: 2 }]);
  });
});

describe('two devices (row 6)', () => {
  test('the old device fills blanks and overwrites nothing', async () => {
    const { device: phone, testId } = await running();
    const unsentOpen = phone.operation();
    const unsentSingle = phone.operation();
    const tablet = await takenOver(phone, testId);
    await tablet.answer(text('с планшета'));

    const late = await phone.answer(text('с телефона'), unsentOpen);
    expect(late.body.outcome).toBe('superseded');
    expect(late.headers[HEADER.activeStream]).toBe(tablet.stream);
    expect((await phone.answer(RIGHT.single, unsentSingle)).body.outcome).toBe('stored');
    const groups = await saved(tablet);
    expect(groups.openAnswers).toMatchObject([{ text: 'с планшета' }]);
    expect(groups.variantAnswers).toMatchObject([{ optionIds: ['b'], epoch: 1 }]);
  });

  test('an operation of a stream that the server never issued is held', async () => {
    const { device } = await running();
    const reply = await device.answer(
      text('чужой поток'),
      device.operation({ [HEADER.stream]: server.deps.newId(), [HEADER.epoch]: '9' }),
    );
    expect(reply.body.outcome).toBe('held');
    expect((await saved(device)).openAnswers).toEqual([]);
  });
});

describe('refusals', () => {
  test.each<[string, unknown, string]>([
    [
      'an unknown question',
      { questionId: '00000000-0000-4000-8000-00000000ffff', kind: 'open', text: '' },
      'UNKNOWN_QUESTION',
    ],
    ['another kind', { questionId: Q.open, kind: 'variant', optionIds: [] }, 'INVALID_ANSWER'],
    [
      'an unknown option',
      { questionId: Q.single, kind: 'variant', optionIds: ['z'] },
      'INVALID_ANSWER',
    ],
    [
      'two options of a single choice',
      { questionId: Q.single, kind: 'variant', optionIds: ['a', 'b'] },
      'INVALID_ANSWER',
    ],
    [
      'a doubled left item',
      {
        questionId: Q.matching,
        kind: 'compliance',
        pairs: [
          { leftId: '1', rightId: 'a' },
          { leftId: '1', rightId: 'b' },
        ],
      },
      'INVALID_ANSWER',
    ],
    [
      'an unknown field',
      { questionId: Q.open, kind: 'open', text: '1', points: 5 },
      'INVALID_ANSWER',
    ],
    ['a missing field', { questionId: Q.open, kind: 'open' }, 'INVALID_ANSWER'],
    ['a list', [], 'INVALID_ANSWER'],
  ])('%s is 422, journalled, and consumes its sequence', async (_, body, code) => {
    const { device } = await running();
    const headers = device.operation();
    const send = () => device.answer(body as Answer, headers);
    const reply = await send();
    expect([reply.status, errorOf(reply).code]).toEqual([422, code]);
    expect(errorOf(await send()).code).toBe(code);
    expect(await count(device.attemptId)).toEqual({ operations: 1, effects: 0 });
    // No gap: the finish reports nothing missing.
    expect((await device.finish()).status).toBe(200);
  });

  test('a body that is no answer is refused with its fields and journalled without it', async () => {
    const { device } = await running();
    const body = { questionId: Q.open, kind: 'open' };
    const reply = await device.answer(body as unknown as Answer);
    expect(errorOf(reply).details).toEqual({
      fields: [{ field: 'text', message: 'Поле не заполнено' }],
    });
    const row = await one<{ none: boolean }>(
      server.pool,
      'select body is null as none from operations where attempt_id = $1',
      [device.attemptId],
    );
    expect(row).toEqual({ none: true });
  });

  test('another student’s attempt is not found, and nothing is written (row 21)', async () => {
    const { device } = await running();
    const other = await server.user();
    const reply = await server.send(
      saveAnswer,
      { params: { id: device.attemptId }, body: text('чужое') },
      { as: other, headers: device.operation() },
    );
    expect(reply.status).toBe(404);
    expect(await count(device.attemptId)).toEqual({ operations: 0, effects: 0 });
  });

  test('a deleted attempt is 410; restored, it accepts the same operation (row 34)', async () => {
    const { device } = await running();
    await server.pool.query('update attempts set deleted_at = $2 where id = $1', [
      device.attemptId,
      server.clock.now,
    ]);
    const headers = device.operation();
    expect((await device.answer(text('1'), headers)).status).toBe(410);
    await server.pool.query('update attempts set deleted_at = null where id = $1', [
      device.attemptId,
    ]);
    expect((await device.answer(text('1'), headers)).body.outcome).toBe('stored');
  });

  test('a blocked account is 401 ACCOUNT_BLOCKED and nothing is lost (row 34)', async () => {
    const { device } = await running();
    const headers = device.operation();
    await server.pool.query('update users set blocked_at = now() where id = $1', [
      device.student.userId,
    ]);
    expect(errorOf(await device.answer(text('1'), headers)).code).toBe('ACCOUNT_BLOCKED');
    await server.pool.query('update users set blocked_at = null where id = $1', [
      device.student.userId,
    ]);
    expect((await device.answer(text('1'), headers)).body.outcome).toBe('stored');
  });
});

describe('time (row 16)', () => {
  test('received until deadline + 60 s is stored, whatever the age', async () => {
    const { device } = await running({ passMinutes: 10 });
    server.clock.advance(11 * MINUTE);
    const reply = await device.answer(text('1'), device.operation({ [HEADER.age]: '0' }));
    expect(reply.body).toMatchObject({ outcome: 'stored', receivedLate: false });
  });

  test.each([
    ['written in time', String(5 * MINUTE), 'stored'],
    ['of unknown age', 'unknown', 'stored'],
    ['written after the grace', '0', 'held'],
  ])('inside the window one %s (age %s) is %s', async (_, age, outcome) => {
    const { device } = await running({ passMinutes: 10, windowMinutes: 15 });
    server.clock.advance(15 * MINUTE);
    const reply = await device.answer(text('1'), device.operation({ [HEADER.age]: age }));
    expect(reply.body).toMatchObject({ outcome, receivedLate: true });
  });

  test('the time of writing is never before the server time that the device had seen', async () => {
    const { device } = await running({ passMinutes: 10, windowMinutes: 15 });
    server.clock.advance(15 * MINUTE);
    const seen = new Date(server.clock.now.getTime() - MINUTE).toISOString();
    const reply = await device.answer(
      text('1'),
      device.operation({ [HEADER.age]: String(12 * MINUTE), [HEADER.seenServerTime]: seen }),
    );
    expect(reply.body).toMatchObject({ outcome: 'held', writtenAt: seen });
  });

  test('after the window everything is held and blanks nothing', async () => {
    const { device } = await running({ passMinutes: 10, windowMinutes: 15 });
    await device.answer(text('вовремя'));
    server.clock.advance(40 * MINUTE);
    const reply = await device.answer(
      text('поздно'),
      device.operation({ [HEADER.age]: String(35 * MINUTE) }),
    );
    expect(reply.body.outcome).toBe('held');
    expect((await saved(device)).openAnswers).toMatchObject([{ text: 'вовремя' }]);
  });

  test('a repeat with an earlier time of writing turns held into stored, never the reverse', async () => {
    const { device } = await running({ passMinutes: 10, windowMinutes: 15 });
    server.clock.advance(15 * MINUTE);
    const headers = device.operation({ [HEADER.age]: '0' });
    expect((await device.answer(text('1'), headers)).body.outcome).toBe('held');
    const earlier = { ...headers, [HEADER.age]: String(6 * MINUTE) };
    expect((await device.answer(text('1'), earlier)).body.outcome).toBe('stored');
    expect((await device.answer(text('1'), headers)).body.outcome).toBe('stored');
    expect((await saved(device)).openAnswers).toMatchObject([{ text: '1', receivedLate: true }]);
  });

  test('the state is 2 from the deadline on', async () => {
    const { device } = await running({ passMinutes: 10 });
    const passing = async () =>
      (
        await server.send(
          getPassing,
          { params: { attemptId: device.attemptId } },
          { as: device.student },
        )
      ).body;
    expect(await passing()).toMatchObject({ state: 1, leftTestTime: '00:10:00' });
    server.clock.advance(10 * MINUTE);
    expect(await passing()).toMatchObject({ state: 2, leftTestTime: '00:00:00' });
  });
});
