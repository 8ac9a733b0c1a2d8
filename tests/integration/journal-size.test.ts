import type { Socket } from 'node:net';
import fc from 'fast-check';
import { unzipSync } from 'fflate';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addTime, listHeld } from '#contract/attempts.ts';
import { listTestHeld } from '#contract/grading.ts';
import { exportOwnData } from '#contract/profile.ts';
import { getResult } from '#contract/results.ts';
import { countingAnswers } from '#domain/order.ts';
import { execute, rows } from '#server/db/query.ts';
import { loadEvidence, MARKS_BY_DECISION } from '#server/passing/counting.ts';
import { OPERATION_COLUMNS, type Operation } from '#server/passing/journal.ts';
import { nth, sit, startClass } from '#tests/class-work.ts';
import { Q, RIGHT, type TestDevice } from '#tests/school.ts';
import { testServer, type TestServer } from '#tests/server.ts';

/** Connections that served a query. Their sockets count the bytes from the database. */
const connections = new Set<PoolClient>();
let server: TestServer;
beforeAll(async () => {
  server = await testServer();
  server.pool.on('acquire', (client) => connections.add(client));
});
afterAll(() => server.close());

function bytesRead(): number {
  let sum = 0;
  for (const client of connections)
    sum += (client as unknown as { connection: { stream: Socket } }).connection.stream.bytesRead;
  return sum;
}

/** Bytes that the database sent while something ran. */
async function bytesOf(run: () => Promise<unknown>): Promise<number> {
  // One query before: connections not seen yet are counted from here.
  await run();
  const before = bytesRead();
  await run();
  return bytesRead() - before;
}

type Outcome = 'superseded' | 'held';

/** Older versions of one answer, as left by many keystrokes, each of 2,000 characters. */
async function addVersions(device: TestDevice, count: number, outcome: Outcome): Promise<void> {
  const text = 'слово '.repeat(333);
  await execute(
    server.pool,
    `insert into operations (attempt_id, id, kind, stream, epoch, sequence, rank, question_id, body,
       body_digest, outcome, received_late, received_at)
     select $1, gen_random_uuid(), 'answer', $2, 1, null, 0, $3::uuid,
       jsonb_build_object('questionId', $3::uuid, 'kind', 'open', 'text', n || $4), '', $5::text,
       $5::text = 'held', $6
     from generate_series(1, $7::integer) n`,
    [device.attemptId, device.stream, Q.essay, text, outcome, server.clock.now, count],
  );
}

async function seated() {
  const work = await startClass(server, ['Алёшина']);
  return { ...work, device: nth(work.devices, 0) };
}

const ESSAY = { questionId: Q.essay, kind: 'open', text: 'Опыт' } as const;

describe('however long a journal is', () => {
  test('a result reads as much as before', async () => {
    const { device } = await seated();
    await sit(device, [RIGHT.single, ESSAY]);
    const read = () =>
      server.send(getResult, { params: { attemptId: device.attemptId } }, { as: device.student });
    const before = await bytesOf(read);
    const result = (await read()).body;
    await addVersions(device, 1_000, 'superseded');
    expect(await bytesOf(read)).toBeLessThan(before * 1.5);
    expect((await read()).body).toEqual(result);
  });

  test('so do a finish and added time', async () => {
    const finishOf = async (count: number) => {
      const { device } = await seated();
      await device.answer(ESSAY);
      await addVersions(device, count, 'superseded');
      const before = bytesRead();
      expect((await device.finish()).status).toBe(200);
      return bytesRead() - before;
    };
    await finishOf(0);
    const short = await finishOf(0);
    expect(await finishOf(1_000)).toBeLessThan(short * 1.5);

    const work = await seated();
    const extend = () =>
      server.send(
        addTime,
        { params: { attemptId: work.device.attemptId }, body: { minutes: 1 } },
        { as: work.teacher },
      );
    const usual = await bytesOf(extend);
    await addVersions(work.device, 1_000, 'superseded');
    expect(await bytesOf(extend)).toBeLessThan(usual * 1.5);
  });

  test('a list of held answers is bounded, shows the newest, and has the total number', async () => {
    const { teacher, testId, device } = await seated();
    await sit(device, [RIGHT.single]);
    await addVersions(device, 600, 'held');
    const of = { as: teacher };
    const listed = await server.send(listTestHeld, { params: { id: testId }, query: {} }, of);
    expect(listed.body.items[0]?.answers).toHaveLength(500);
    expect(listed.body.items[0]?.answers.at(-1)?.answerText).toMatch(/^600/);
    const own = await server.send(listHeld, { params: { attemptId: device.attemptId } }, of);
    expect([own.body.items.length, own.body.total]).toEqual([500, 600]);
  });

  test('an export contains the whole of it, in files of bounded size', async () => {
    const { device } = await seated();
    await device.answer(RIGHT.single);
    await addVersions(device, 2_500, 'superseded');
    expect((await device.finish()).status).toBe(200);
    const reply = await server.app.inject({
      method: exportOwnData.method,
      url: exportOwnData.path,
      headers: { authorization: `Bearer ${device.student.token}` },
    });
    const files = Object.entries(unzipSync(reply.rawPayload)).filter(
      ([path]) => /попытка|журнал ответов/.test(path) && path.endsWith('.json'),
    );
    const texts = files.map(([, bytes]) => new TextDecoder().decode(bytes));
    expect(files.length).toBe(2);
    const entries = texts.flatMap((text) => {
      const parsed = JSON.parse(text) as unknown[] | { 'журнал ответов': unknown[] };
      return Array.isArray(parsed) ? parsed : parsed['журнал ответов'];
    });
    expect(entries).toHaveLength(2_502);
    const versions = entries
      .map((entry) => (entry as { ответ?: string }).ответ ?? '')
      .filter((text) => text.includes('слово'));
    expect(versions.map((text) => parseInt(text, 10))).toEqual(versions.map((_, n) => n + 1));
    expect(versions).toHaveLength(2_500);
  });
});

test('the limits of a journal cost a save no statement: its sign-in is one, itself the other', async () => {
  const { device } = await seated();
  await device.answer(RIGHT.single);
  let statements = 0;
  const count = () => {
    statements += 1;
  };
  server.pool.on('acquire', count);
  expect((await device.answer(ESSAY)).body.outcome).toBe('stored');
  server.pool.off('acquire', count);
  expect(statements).toBe(2);
});

const QUESTIONS = [Q.open, Q.single, Q.essay];
const journal = fc.array(
  fc.record({
    questionId: fc.constantFrom(...QUESTIONS),
    epoch: fc.integer({ min: 1, max: 3 }),
    rank: fc.integer({ min: 0, max: 4 }),
    outcome: fc.constantFrom('stored', 'superseded', 'held', 'refused'),
    decision: fc.constantFrom('accepted', 'refused', null),
    receivedLate: fc.boolean(),
  }),
  { maxLength: 30 },
);

test('the answers that the database counts are those that the pure rules count of the whole journal', async () => {
  const { device } = await seated();
  const id = device.attemptId;
  type Counted = Operation & { questionId: string };
  const ids = (counting: ReadonlyMap<string, Counted>) =>
    QUESTIONS.map((questionId) => counting.get(questionId)?.id);
  const decide = (all: readonly Counted[], decision: 'accepted' | 'refused') =>
    all.map((each) => (each.outcome === 'held' ? { ...each, decision } : each));
  await fc.assert(
    fc.asyncProperty(journal, async (entries) => {
      await execute(server.pool, 'delete from operations where attempt_id = $1', [id]);
      await execute(
        server.pool,
        `insert into operations (attempt_id, id, kind, stream, epoch, rank, question_id, body,
           body_digest, outcome, decision, received_late, received_at)
         select $1, gen_random_uuid(), 'answer', $2, epoch, rank, "questionId", '{}', '', outcome,
           decision, "receivedLate", $3
         from jsonb_to_recordset($4) as entry (epoch integer, rank integer, "questionId" uuid,
           outcome text, decision text, "receivedLate" boolean)`,
        [id, device.stream, server.clock.now, JSON.stringify(entries)],
      );
      const whole = await rows<Counted>(
        server.pool,
        `select ${OPERATION_COLUMNS} from operations where attempt_id = $1`,
        [id],
      );
      const selected = (await loadEvidence(server.pool, [id])).get(id)?.journal ?? [];
      expect(selected.length).toBeLessThanOrEqual(2 * QUESTIONS.length);
      for (const late of ['withLate', 'withoutLate'] as const)
        expect(ids(countingAnswers(selected, late))).toEqual(ids(countingAnswers(whole, late)));

      const byDecision = (await loadEvidence(server.pool, [id], null, MARKS_BY_DECISION)).get(id);
      for (const decision of ['accepted', 'refused'] as const)
        expect(
          ids(countingAnswers(decide(byDecision?.journal ?? [], decision), 'withLate')),
        ).toEqual(ids(countingAnswers(decide(whole, decision), 'withLate')));

      const [first] = QUESTIONS;
      const ofOne = (await loadEvidence(server.pool, [id], first)).get(id)?.journal ?? [];
      expect(countingAnswers(ofOne, 'withLate').get(Q.open)?.id).toBe(
        countingAnswers(whole, 'withLate').get(Q.open)?.id,
      );
    }),
    { numRuns: 60 },
  );
});
