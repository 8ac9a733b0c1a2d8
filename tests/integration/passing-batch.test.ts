import type { PoolClient } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { HEADER } from '#contract/headers.ts';
import { one, rows } from '#server/db/query.ts';
import { findAttempt } from '#server/passing/attempt.ts';
import { createFastAnswer } from '#server/passing/fast-answer.ts';
import { parseAnswer } from '#server/passing/incoming.ts';
import { awaitBlocked, whileLocked } from '#tests/locks.ts';
import { makeSchool, Q, TestDevice } from '#tests/school.ts';
import { testServer, type TestServer } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const text = (value: string): Answer => ({ questionId: Q.open, kind: 'open', text: value });

async function running(count: number): Promise<TestDevice[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const school = await makeSchool(server);
      const device = new TestDevice(server, school.student);
      await device.start(school.testId);
      return device;
    }),
  );
}

const savedText = async ({ attemptId }: TestDevice) =>
  (
    await one<{ text: string }>(
      server.pool,
      `select body ->> 'text' as text from answers where attempt_id = $1 and question_id = $2`,
      [attemptId, Q.open],
    )
  )?.text;

const lockAnswer = (device: TestDevice) => (client: PoolClient) =>
  client.query('select 1 from answers where attempt_id = $1 for update', [device.attemptId]);

describe('answers that arrive together', () => {
  test('each gets its own receipt and is stored in its own attempt', async () => {
    const devices = await running(12);
    const replies = await Promise.all(
      devices.map((device, index) => device.answer(text(`ответ ${index}`))),
    );
    expect(replies.map(({ status }) => status)).toEqual(devices.map(() => 200));
    expect(replies.map(({ body }) => body.stream)).toEqual(devices.map(({ stream }) => stream));
    expect(await Promise.all(devices.map(savedText))).toEqual(
      devices.map((_, index) => `ответ ${index}`),
    );
  });

  test('several of one attempt are all journalled, and the last one counts', async () => {
    const [device] = await running(1);
    if (!device) throw new Error('there is one');
    const replies = await Promise.all(
      ['1', '2', '3', '4', '5'].map((value) => device.answer(text(value))),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    const entered = await rows<{ sequence: number }>(
      server.pool,
      'select sequence from operations where attempt_id = $1 order by sequence',
      [device.attemptId],
    );
    expect(entered.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
    expect(await savedText(device)).toBe('5');
  });

  test('a repeat beside new answers gets the receipt of the first one', async () => {
    const [device, other] = await running(2);
    if (!device || !other) throw new Error('there are two');
    const operation = device.operation();
    const [first, , repeat] = await Promise.all([
      device.answer(text('раз'), operation),
      other.answer(text('другое')),
      device.answer(text('раз'), operation),
    ]);
    expect(repeat?.body).toEqual(first?.body);
    const entered = await rows(server.pool, 'select 1 from operations where attempt_id = $1', [
      device.attemptId,
    ]);
    expect(entered).toHaveLength(1);
  });

  test('a row that the database refuses spoils none of its neighbours', async () => {
    const devices = await running(4);
    const fastAnswer = createFastAnswer(server.deps);
    const enter = async (device: TestDevice, bodyText?: string) => {
      const facts = await findAttempt(server.pool, device.attemptId);
      if (!facts) throw new Error('the attempt is there');
      const headers = { [HEADER.age]: 0, [HEADER.stream]: device.stream, [HEADER.sequence]: 1 };
      const { deps, clock } = server;
      const request = parseAnswer(headers, text('хорошо'), null, deps.newId, clock.now);
      return { facts, request: bodyText === undefined ? request : { ...request, bodyText } };
    };
    const items = await Promise.all(
      devices.map((device, index) =>
        enter(device, index === 3 ? '{"text": "\\u0000"}' : undefined),
      ),
    );
    // PostgreSQL replies with an error before it releases the locks: an answer that meets one of them is tried again.
    const save = async (item: (typeof items)[number]): Promise<unknown> =>
      (await fastAnswer(item.facts, item.facts.userId, item.request)) ?? save(item);
    // The first one starts at once; the others share a statement.
    const results = await Promise.allSettled(
      [...items.slice(0, 2), ...items.slice(2).toReversed()].map(save),
    );
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(await Promise.all(devices.map(savedText))).toEqual([
      'хорошо',
      'хорошо',
      'хорошо',
      undefined,
    ]);
  });
});

describe('an answer to an attempt locked elsewhere', () => {
  test('is left to the full rules and does not hold up the others', async () => {
    const [locked, free] = await running(2);
    if (!locked || !free) throw new Error('there are two');
    let late: Promise<{ status: number }> | undefined;
    await whileLocked(
      server.pool,
      (client) =>
        client.query('select 1 from attempts where id = $1 for update', [locked.attemptId]),
      async () => {
        late = locked.answer(text('потом'));
        await awaitBlocked(server.pool, 1);
        expect((await free.answer(text('сразу'))).status).toBe(200);
      },
    );
    expect((await late)?.status).toBe(200);
    expect(await savedText(locked)).toBe('потом');
  });

  test('one that waits for its own row stops neither other statements nor the next ones', async () => {
    const [busy, free] = await running(2);
    if (!busy || !free) throw new Error('there are two');
    await busy.answer(text('было'));
    let late: Promise<{ status: number }> | undefined;
    await whileLocked(server.pool, lockAnswer(busy), async () => {
      late = busy.answer(text('стало'));
      await awaitBlocked(server.pool, 1);
      for (const value of ['1', '2', '3'])
        expect((await free.answer(text(value))).status).toBe(200);
    });
    expect((await late)?.status).toBe(200);
    expect(await savedText(busy)).toBe('стало');
  });
});
