import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { importUsers } from '#contract/admin.ts';
import { ROLE } from '#contract/auth.ts';
import { getFile } from '#contract/files.ts';
import { uploadPicture } from '#contract/pictures.ts';
import { HEADER } from '#contract/headers.ts';
import { STRAY_OPERATIONS_PER_PERSON } from '#contract/limits.ts';
import { getSavedAnswers, getUpload, saveAnswer, uploadChunk } from '#contract/passing.ts';
import { createProject } from '#contract/projects.ts';
import type { Question } from '#contract/questions.ts';
import { getResult } from '#contract/results.ts';
import { execute, one } from '#server/db/query.ts';
import { PASSING_LIMITS, type PassingLimits } from '#server/deps.ts';
import { projectForm } from '#tests/project-files.ts';
import { SAMPLES } from '#tests/sample-pictures.ts';
import { nth } from '#tests/class-work.ts';
import { errorOf, makeSchool, Q, RIGHT, smallTest, TestDevice } from '#tests/school.ts';
import { testServer, type TestServer } from '#tests/server.ts';

const MINUTE_MS = 60_000;
const LIMITS: PassingLimits = {
  ...PASSING_LIMITS,
  answersPerAttempt: 6,
  answerBytesPerAttempt: 60_000,
  answerBytesPerMinute: 4_000_000,
};

let server: TestServer;
let free = Number.MAX_SAFE_INTEGER;
beforeAll(async () => {
  server = await testServer({
    settings: { limits: LIMITS, diskReserveBytes: 1_000_000 },
    freeBytes: () => Promise.resolve(free),
  });
});
afterEach(() => {
  free = Number.MAX_SAFE_INTEGER;
});
afterAll(() => server.close());

async function running(on: TestServer = server, questions?: Question[]) {
  const school = await makeSchool(on, questions ? { questions } : {});
  const device = new TestDevice(on, school.student);
  await device.start(school.testId);
  return { ...school, device };
}

const essay = (text: string) => ({ questionId: Q.essay, kind: 'open' as const, text });
/** Incompressible text. */
const incompressible = (characters: number) => randomBytes(characters).toString('hex');

const journalled = async (device: TestDevice) =>
  (
    await one<{ count: number }>(
      device.server.pool,
      'select count(*) as count from operations where attempt_id = $1',
      [device.attemptId],
    )
  )?.count;

const saved = async (device: TestDevice) =>
  (
    await device.server.send(
      getSavedAnswers,
      { params: { id: device.attemptId } },
      { as: device.student },
    )
  ).body;

describe('answers beyond the limit of one attempt', () => {
  test('are refused in Russian; saved answers stay, repeats get their receipts, the finish works', async () => {
    const { device } = await running();
    await device.answer(RIGHT.single);
    for (let n = 1; n < LIMITS.answersPerAttempt - 1; n += 1) await device.answer(essay(`${n}`));
    const lastHeaders = device.operation();
    const last = await device.answer(essay('последний'), lastHeaders);
    expect(last.body.outcome).toBe('stored');
    const before = await saved(device);

    const headers = device.operation();
    const refused = await device.answer(essay('лишний'), headers);
    expect([refused.status, errorOf(refused).code]).toEqual([422, 'TOO_MANY_ANSWERS']);
    expect(errorOf(refused).message).toMatch(/Сохранённое раньше цело/);
    expect(errorOf(await device.answer(essay('лишний'), headers)).code).toBe('TOO_MANY_ANSWERS');
    expect((await device.answer(essay('последний'), lastHeaders)).body).toEqual(last.body);
    expect(await saved(device)).toEqual(before);
    const stored = await one<{ body: unknown }>(
      server.pool,
      `select body from operations where attempt_id = $1 and outcome = 'refused'`,
      [device.attemptId],
    );
    expect(stored).toEqual({ body: null });

    // Its sequence is consumed: the barrier misses nothing.
    expect((await device.finish()).body.outcome).toBe('stored');
    const result = await server.send(
      getResult,
      { params: { attemptId: device.attemptId } },
      { as: device.student },
    );
    expect(result.body).toMatchObject({ score: 1, answeredQuestions: 2 });
  });

  test("are counted with those from before the server's start", async () => {
    const { device } = await running();
    await execute(
      server.pool,
      `insert into operations (attempt_id, id, kind, stream, epoch, rank, question_id, body,
         body_digest, outcome, received_at)
       select $1, gen_random_uuid(), 'answer', $2, 1, 0, $3, '{}', '', 'superseded', $4
       from generate_series(1, $5::integer)`,
      [device.attemptId, device.stream, Q.essay, server.clock.now, LIMITS.answersPerAttempt],
    );
    expect(errorOf(await device.answer(RIGHT.single)).code).toBe('TOO_MANY_ANSWERS');
  });

  test('are counted in bytes, too', async () => {
    const { device } = await running();
    const sizes = [];
    for (let n = 0; n < 5; n += 1) sizes.push(await device.answer(essay(incompressible(9_000))));
    expect(sizes.map(({ status }) => status)).toEqual([200, 200, 200, 200, 422]);
    expect((await device.finish()).status).toBe(200);
  });

  test('no longer record their folded sequences, which the finish names without storing them', async () => {
    const { device } = await running();
    device.sequence = 3;
    const folded = { [HEADER.folded]: '1-3' };
    await device.answer(RIGHT.single, device.operation(folded));
    for (let n = 0; n < 2; n += 1) await device.answer(essay(`${n}`));
    device.sequence += 3;
    const beyond = { [HEADER.folded]: '7-9' };
    const refused = await device.answer(essay('лишний'), device.operation(beyond));
    expect(errorOf(refused).code).toBe('TOO_MANY_ANSWERS');
    expect(errorOf(await device.finish()).details).toMatchObject({ missing: [7, 8, 9] });
    device.sequence -= 1;
    const named = device.operation({ [HEADER.folded]: '7-8', [HEADER.setAside]: '9' });
    expect((await device.finish(named)).body.outcome).toBe('stored');
    const spare = await one<{ list: number[] }>(
      server.pool,
      `select array_agg(sequence order by sequence) as list from spare_sequences
       where attempt_id = $1`,
      [device.attemptId],
    );
    expect(spare?.list).toEqual([1, 2, 3]);
  });

  test('cost the journal next to nothing, and few of them a minute are processed', async () => {
    const { device } = await running();
    for (let n = 0; n < LIMITS.answersPerAttempt; n += 1) await device.answer(essay(`${n}`));
    const statuses = [];
    for (let n = 0; n < 30; n += 1) statuses.push((await device.answer(essay('ещё'))).status);
    expect(statuses.filter((status) => status === 422).length).toBeLessThan(20);
    expect(statuses.at(-1)).toBe(429);
    server.clock.advance(MINUTE_MS);
    expect((await device.finish(device.operation({ [HEADER.setAside]: '1-40' }))).status).toBe(200);
  });

  test('are accepted all the same when a genuine receipt proves that the server had them', async () => {
    const { device } = await running();
    const headers = device.operation();
    const { body: receipt } = await device.answer(RIGHT.single, headers);
    // The database is that of before this answer, and full.
    await execute(server.pool, 'delete from operations where attempt_id = $1', [device.attemptId]);
    await execute(server.pool, 'delete from answers where attempt_id = $1', [device.attemptId]);
    for (let n = 0; n < LIMITS.answersPerAttempt; n += 1) await device.answer(essay(`${n}`));
    expect(errorOf(await device.answer(essay('лишний'))).code).toBe('TOO_MANY_ANSWERS');
    const proof = { [HEADER.receipt]: JSON.stringify(receipt) };
    const again = await device.answer(RIGHT.single, { ...headers, ...proof });
    expect(again.body).toEqual(receipt);
    expect((await saved(device)).variantAnswers).toHaveLength(1);
    // A receipt of one operation does not authorize another.
    const other = await device.answer(RIGHT.single, device.operation(proof));
    expect(errorOf(other).code).toBe('TOO_MANY_ANSWERS');
  });
});

test.each(['genuine', 'false'])(
  'a flood of repeats with a %s receipt is delayed before their bodies are read; the first ones are not',
  async (kind) => {
    const limited = await testServer({
      settings: { limits: { ...PASSING_LIMITS, repeatedAnswerBytesPerMinute: 50_000 } },
    });
    try {
      const { device } = await running(limited);
      const headers = device.operation();
      const body = essay(incompressible(9_000));
      const { body: receipt } = await device.answer(body, headers);
      const seal = kind === 'genuine' ? receipt.seal : 'v1.e30.AA';
      const repeat = { ...headers, [HEADER.receipt]: JSON.stringify({ ...receipt, seal }) };
      const statuses = [];
      for (let n = 0; n < 4; n += 1) statuses.push((await device.answer(body, repeat)).status);
      expect(statuses).toEqual([200, 200, 429, 429]);
      // Never more than a delay, and other answers are not delayed by it.
      expect((await device.answer(essay('другой'))).status).toBe(200);
      limited.clock.advance(MINUTE_MS);
      expect((await device.answer(body, repeat)).body).toEqual(receipt);
    } finally {
      await limited.close();
    }
  },
);

test('a flood of bytes is delayed, and nothing of it is journalled until then', async () => {
  const limited = await testServer({
    settings: { limits: { ...PASSING_LIMITS, answerBytesPerMinute: 50_000 } },
  });
  try {
    const { device } = await running(limited);
    const replies = [];
    for (let n = 0; n < 4; n += 1) replies.push(await device.answer(essay(incompressible(9_000))));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 429, 429]);
    expect(errorOf(nth(replies, 2)).message).toMatch(/[а-я]/);
    expect(Number(nth(replies, 2).headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(await journalled(device)).toBe(2);
    // Its finish waits only for the answers that it holds.
    device.sequence -= 2;
    limited.clock.advance(MINUTE_MS);
    expect((await device.answer(essay('дождался'))).body.outcome).toBe('stored');
    expect((await device.finish()).status).toBe(200);
  } finally {
    await limited.close();
  }
});

test('operations of one person for attempts unknown to a restored database are limited', async () => {
  const restored = await testServer();
  try {
    restored.deps.state.epoch = 2;
    const student = await restored.user();
    const attemptId = restored.deps.newId();
    const send = () =>
      restored.send(
        saveAnswer,
        { params: { id: attemptId }, body: RIGHT.single },
        { as: student, headers: { [HEADER.idempotencyKey]: restored.deps.newId() } },
      );
    expect((await send()).body.outcome).toBe('held');
    await execute(
      restored.pool,
      `insert into stray_operations (user_id, attempt_id, id, headers, body, received_at)
       select $1, $2, gen_random_uuid(), '{}', '{}', $3 from generate_series(2, $4::integer)`,
      [student.userId, attemptId, restored.clock.now, STRAY_OPERATIONS_PER_PERSON],
    );
    expect(errorOf(await send()).code).toBe('TOO_MANY_ANSWERS');
  } finally {
    await restored.close();
  }
});

test('bytes of answers for attempts unknown to a restored database are limited, too', async () => {
  const restored = await testServer({
    settings: { limits: { ...PASSING_LIMITS, answerBytesPerMinute: 50_000 } },
  });
  try {
    restored.deps.state.epoch = 2;
    const student = await restored.user();
    const attemptId = restored.deps.newId();
    const statuses = [];
    for (let n = 0; n < 4; n += 1) {
      const reply = await restored.send(
        saveAnswer,
        { params: { id: attemptId }, body: essay(incompressible(9_000)) },
        { as: student, headers: { [HEADER.idempotencyKey]: restored.deps.newId() } },
      );
      statuses.push(reply.status);
    }
    expect(statuses).toEqual([200, 200, 429, 429]);
  } finally {
    await restored.close();
  }
});

const JPEG_HEAD = Buffer.from('ffd8ffe000104a46494600010100', 'hex');
const photo = () => Buffer.concat([JPEG_HEAD, randomBytes(500)]);

function upload(device: TestDevice, file = photo(), questionId: string = Q.file) {
  const fileId = device.server.deps.newId();
  const sent = device.server.send(
    uploadChunk,
    {
      params: { id: device.attemptId, fileId },
      query: {
        offset: 0,
        size: file.length,
        sha256: createHash('sha256').update(file).digest('hex'),
        name: 'решение.jpg',
        mimeType: 'image/jpeg',
        questionId,
      },
      bytes: file,
    },
    { as: device.student },
  );
  return sent.then((reply) => ({ ...reply, fileId }));
}

const SECOND = '00000000-0000-4000-8000-000000000007';
const twoFiles: Question[] = [
  ...smallTest,
  ...smallTest
    .filter(({ kind }) => kind === 'file')
    .map((question) => ({ ...question, questionId: SECOND })),
];

describe('uploads beyond the limit of one student', () => {
  test('200 for one question stop at the limit before a byte is stored; received ones stay', async () => {
    const { device } = await running(server, twoFiles);
    const replies = [];
    for (let n = 0; n < 200; n += 1) replies.push(await upload(device));
    const taken = replies.filter(({ status }) => status === 200);
    const refused = replies.filter(({ status }) => status === 422);
    expect([taken.length, refused.length]).toEqual([101, 99]);
    expect(replies.findIndex(({ status }) => status === 422)).toBe(101);
    expect(errorOf(nth(replies, 150))).toMatchObject({
      code: 'TOO_MANY_FILES',
      message: expect.stringMatching(/Отправленные раньше целы/),
    });
    const files = await readdir(join(server.deps.dataDir, 'uploads'));
    const ofRefused = new Set(refused.map(({ fileId }) => fileId));
    expect(files.filter((name) => ofRefused.has(name.replace('.part', '')))).toEqual([]);
    for (const { fileId } of [nth(taken, 0), nth(taken, 100)])
      expect(
        (await server.send(getFile, { query: { path: fileId } }, { as: device.student })).status,
      ).toBe(200);
    // The first file of every other question is accepted.
    expect((await upload(device, photo(), SECOND)).body.complete).toBe(true);
    expect((await device.finish()).status).toBe(200);
  });

  test.each([
    [{ replacedFileBytesPerAttempt: 1_200 }, [200, 200, 200, 422], /заменяли/],
    // Limits apply exactly at their bound.
    [{ replacedFileBytesPerAttempt: 1_028 }, [200, 200, 200, 422], /заменяли/],
    [{ fileBytesPerDay: 1_542 }, [200, 200, 200, 422], /сутки/],
    [{ filesPerDay: 2 }, [200, 200, 422, 422], /сутки/],
    [{ fileBytesPerDay: 1_700 }, [200, 200, 200, 422], /сутки/],
  ])('%j', async (limits, statuses, message) => {
    const limited = await testServer({ settings: { limits: { ...PASSING_LIMITS, ...limits } } });
    try {
      const { device, student, testId } = await running(limited);
      const replies = [];
      for (let n = 0; n < statuses.length; n += 1) replies.push(await upload(device));
      expect(replies.map(({ status }) => status)).toEqual(statuses);
      expect(errorOf(nth(replies, replies.length - 1)).message).toMatch(message);
      if (!('filesPerDay' in limits)) return;
      // Another attempt of the same person, and the next day.
      await device.finish();
      await execute(limited.pool, 'update tests set attempts_count = 2 where id = $1', [testId]);
      const next = new TestDevice(limited, student);
      await next.start(testId);
      expect((await upload(next)).status).toBe(422);
      limited.clock.advance(24 * 60 * MINUTE_MS);
      expect((await upload(next)).status).toBe(200);
    } finally {
      await limited.close();
    }
  });
});

test('what a classmate sends is counted separately', async () => {
  const limited = await testServer({
    settings: { limits: { ...PASSING_LIMITS, replacedFilesPerAttempt: 1, filesPerDay: 2 } },
  });
  try {
    for (const device of [(await running(limited)).device, (await running(limited)).device]) {
      const replies = [await upload(device), await upload(device), await upload(device)];
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 422]);
    }
  } finally {
    await limited.close();
  }
});

test('uploads that begin at the same moment are counted one after another', async () => {
  const limited = await testServer({ settings: { limits: { ...PASSING_LIMITS, filesPerDay: 3 } } });
  try {
    const { device } = await running(limited);
    const replies = await Promise.all(Array.from({ length: 9 }, () => upload(device)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(3);
  } finally {
    await limited.close();
  }
});

describe('a disk below its reserve', () => {
  test('accepts no parts of handed-in files while answers are accepted; later the rest follows', async () => {
    const { device } = await running();
    const before = await upload(device);
    const file = photo();
    free = 999_999;
    const refused = await upload(device, file);
    expect([refused.status, errorOf(refused).code]).toEqual([503, 'STORAGE_FULL']);
    expect(errorOf(refused).message).toMatch(/Ответы сохраняются. Сообщите преподавателю/);
    expect(refused.headers['retry-after']).toBe('60');
    expect((await device.answer(RIGHT.single)).body.outcome).toBe('stored');
    const state = await server.send(
      getUpload,
      { params: { id: device.attemptId, fileId: before.fileId } },
      { as: device.student },
    );
    expect(state.body.complete).toBe(true);
    free = 1_000_000;
    expect((await upload(device, file)).body.complete).toBe(true);
    free = 0;
    expect((await device.finish()).status).toBe(200);
  });

  test('accepts no pictures, no files of projects and no imports either, each in Russian', async () => {
    const teacher = await server.user({ role: ROLE.teacher });
    const admin = await server.user({ role: ROLE.admin });
    const bytes = SAMPLES['image/jpeg'];
    const row = { line: 2, userName: 'Анна', email: 'anna@school.test', role: '', password: '' };
    const calls = () => [
      server.send(uploadPicture, { bytes }, { as: teacher }),
      server.send(createProject, projectForm(), { as: teacher }),
      server.send(importUsers, { body: { key: server.deps.newId(), rows: [row] } }, { as: admin }),
    ];
    free = 0;
    for (const reply of await Promise.all(calls())) {
      expect([reply.status, errorOf(reply).code]).toEqual([503, 'STORAGE_FULL']);
      expect(errorOf(reply).message).toMatch(/место/);
    }
    free = 1_000_000;
    expect((await Promise.all(calls())).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test('is measured for the operator', async () => {
    const { text } = await server.raw({ url: '/metrics' });
    expect(text).toMatch(/^data_dir_reserve_bytes 1000000$/m);
  });
});
