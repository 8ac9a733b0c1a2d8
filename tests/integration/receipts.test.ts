import { createPublicKey, verify } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eraseUser } from '#contract/admin.ts';
import { deleteAttempt } from '#contract/attempts.ts';
import { ROLE } from '#contract/auth.ts';
import { decideTestHeld } from '#contract/grading.ts';
import { getAnalysis } from '#contract/statistics.ts';
import { exportOwnData } from '#contract/profile.ts';
import {
  getReceipt,
  getReceiptKeys,
  rotateReceiptKey,
  type AttemptReceipt,
} from '#contract/receipts.ts';
import { formatDocument, readDocument, type ReceiptFacts } from '#domain/receipt.ts';
import { one, rows } from '#server/db/query.ts';
import { backUp, restoreOn } from '#tests/backups.ts';
import { holdAnswer, nth, sit, startClass } from '#tests/class-work.ts';
import { errorOf, Q, RIGHT, type TestDevice } from '#tests/school.ts';
import { testServer, type TestServer, type TestUser } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const receiptFor = (as: TestUser, { attemptId }: TestDevice) =>
  server.send(getReceipt, { params: { attemptId } }, { as });

/** Two students of one test; the first one has finished. */
async function finishedClass() {
  const work = await startClass(server, ['Алёшина', 'Волков']);
  const [first, second] = [nth(work.devices, 0), nth(work.devices, 1)];
  await sit(first, [RIGHT.single, RIGHT.open]);
  return { ...work, first, second };
}

function factsOf(receipt: AttemptReceipt): ReceiptFacts {
  const read = readDocument(formatDocument(receipt));
  if (typeof read === 'string') throw new Error(read);
  return read.facts;
}

async function isGenuine({ text, signature, keyId }: AttemptReceipt): Promise<boolean> {
  const { keys } = (await server.send(getReceiptKeys, {}, {})).body;
  const x = keys.find(({ id }) => id === keyId)?.publicKey;
  if (x === undefined) return false;
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'));
}

describe('the receipt of a finished attempt', () => {
  test('says what the attempt is, signed by the published key', async () => {
    const { first } = await finishedClass();
    const { status, body } = await receiptFor(first.student, first);
    expect(status).toBe(200);
    expect(factsOf(body)).toMatchObject({
      student: 'Алёшина',
      attemptNumber: '1',
      attemptId: first.attemptId,
      answersCount: '2',
    });
    expect(body.code).toMatch(/^[A-Z\d]{8}$/);
    expect(body.comparison).toBeNull();
    expect(await isGenuine(body)).toBe(true);
    expect(await isGenuine({ ...body, text: body.text.replace('Ответов: 2', 'Ответов: 3') })).toBe(
      false,
    );
  });

  test('is the same at every call, and for the teacher, also when names change', async () => {
    const { first, teacher } = await finishedClass();
    const made = await Promise.all(
      Array.from({ length: 5 }, () => receiptFor(first.student, first)),
    );
    await server.pool.query(`update users set user_name = 'Другая' where id = $1`, [
      first.student.userId,
    ]);
    const again = await receiptFor(teacher, first);
    expect(new Set([...made, again].map(({ body }) => body.text)).size).toBe(1);
    const logged = await rows(server.pool, 'select 1 from receipt_log where attempt_id = $1', [
      first.attemptId,
    ]);
    expect(logged).toHaveLength(1);
  });

  test('names the student’s questions without a trace of the key', async () => {
    const { first, second } = await finishedClass();
    await sit(second, [RIGHT.single]);
    const ownFacts = factsOf((await receiptFor(first.student, first)).body);
    const other = factsOf((await receiptFor(second.student, second)).body);
    // The order of the shuffled parts is the attempt's own.
    expect(ownFacts.questionsDigest).not.toBe(other.questionsDigest);
    expect(ownFacts.answersDigest).not.toBe(other.answersDigest);
    expect(other.logLength).toBe(`${Number(ownFacts.logLength) + 1}`);
  });

  test('is not given to another student, nor before the finish, nor after a deletion', async () => {
    const { first, second, teacher } = await finishedClass();
    expect((await receiptFor(second.student, first)).status).toBe(404);
    const running = await receiptFor(second.student, second);
    expect(errorOf(running).code).toBe('ATTEMPT_RUNNING');
    const params = { attemptId: first.attemptId };
    await server.send(deleteAttempt, { params }, { as: teacher });
    expect((await receiptFor(first.student, first)).status).toBe(410);
  });

  test('of a held begin waits for the teacher’s decision', async () => {
    const { first, teacher } = await finishedClass();
    const hold = (isHeld: boolean) =>
      server.pool.query('update attempts set begin_held = $2 where id = $1', [
        first.attemptId,
        isHeld,
      ]);
    await hold(true);
    for (const reader of [first.student, teacher])
      expect(errorOf(await receiptFor(reader, first)).code).toBe('BEGIN_HELD');
    await hold(false);
    expect((await receiptFor(teacher, first)).status).toBe(200);
  });

  test('shows its grader that the answers changed afterwards', async () => {
    const { devices, teacher, testId } = await startClass(server, ['Громов']);
    const device = nth(devices, 0);
    await sit(device, [RIGHT.single]);
    const held = await holdAnswer(device, {
      questionId: Q.single,
      kind: 'variant',
      optionIds: ['a'],
    });
    const before = (await receiptFor(teacher, device)).body;
    expect(before.comparison).toMatchObject({ answersMatch: true, isLogWhole: true });
    const body = { operationIds: [held], decision: 'accepted' as const };
    await server.send(decideTestHeld, { params: { id: testId }, body }, { as: teacher });
    const after = (await receiptFor(teacher, device)).body;
    expect(after.text).toBe(before.text);
    expect(after.comparison?.answersMatch).toBe(false);
  });
});

describe('the log of receipts', () => {
  test('is on the statistics of a test as on the page of a result', async () => {
    const { first, teacher, testId } = await finishedClass();
    const journal = async () => {
      const params = { id: testId };
      return (await server.send(getAnalysis, { params }, { as: teacher })).body.receiptLog;
    };
    const before = await journal();
    const { comparison } = (await receiptFor(teacher, first)).body;
    const after = await journal();
    expect(after).toEqual({ length: comparison?.logLength, digest: comparison?.logDigest });
    expect(after?.length).toBe((before?.length ?? 0) + 1);
    expect(after?.digest).not.toBe(before?.digest);
  });

  test('shows a removed row and a rewritten receipt', async () => {
    const { first, second, teacher } = await finishedClass();
    await sit(second, [RIGHT.single]);
    await receiptFor(first.student, first);
    await receiptFor(second.student, second);
    const isWhole = async () => (await receiptFor(teacher, second)).body.comparison?.isLogWhole;
    expect(await isWhole()).toBe(true);

    const removed = await one<{ position: number; d: Buffer; l: Buffer }>(
      server.pool,
      `delete from receipt_log where attempt_id = $1
       returning position, receipt_digest as d, log_digest as l`,
      [first.attemptId],
    );
    expect(await isWhole()).toBe(false);
    // Numbered anew, the digests still show it.
    await server.pool.query('update receipt_log set position = position - 1 where position > $1', [
      removed?.position,
    ]);
    expect(await isWhole()).toBe(false);
    await server.pool.query('update receipt_log set position = position + 1 where position >= $1', [
      removed?.position,
    ]);
    await server.pool.query('insert into receipt_log values ($1, $2, $3, $4)', [
      removed?.position,
      first.attemptId,
      removed?.d,
      removed?.l,
    ]);
    expect(await isWhole()).toBe(true);

    await server.pool.query(
      `update receipts set text = replace(text, 'Ответов: 1', 'Ответов: 0') where attempt_id = $1`,
      [second.attemptId],
    );
    expect(await isWhole()).toBe(false);
    await server.pool.query(
      `update receipts set text = replace(text, 'Ответов: 0', 'Ответов: 1') where attempt_id = $1`,
      [second.attemptId],
    );
  });
});

describe('the keys of receipts', () => {
  test('are published to everybody, without a private part', async () => {
    const { status, body, text } = await server.send(getReceiptKeys, {}, {});
    expect(status).toBe(200);
    expect(Object.keys(nth(body.keys, 0)).toSorted()).toEqual([
      'id',
      'madeAt',
      'publicKey',
      'retiredAt',
    ]);
    const stored = await rows<{ der: Buffer }>(
      server.pool,
      'select private_key as der from receipt_keys',
    );
    for (const { der } of stored) {
      expect(text).not.toContain(der.toString('base64url'));
      expect(text).not.toContain(der.subarray(-32).toString('base64url'));
    }
  });

  test('stay published after a rotation, and a new one signs', async () => {
    const { first, second } = await finishedClass();
    const old = (await receiptFor(first.student, first)).body;
    const admin = await server.user({ role: ROLE.admin });
    const rotated = await server.send(rotateReceiptKey, {}, { as: admin });
    expect(rotated.status).toBe(200);
    await sit(second, [RIGHT.single]);
    const fresh = (await receiptFor(second.student, second)).body;
    expect(fresh.keyId).toBe(rotated.body.keyId);
    expect(fresh.keyId).not.toBe(old.keyId);
    expect([await isGenuine(old), await isGenuine(fresh)]).toEqual([true, true]);
    const { keys } = (await server.send(getReceiptKeys, {}, {})).body;
    expect(keys.filter(({ retiredAt }) => retiredAt === null).map(({ id }) => id)).toEqual([
      fresh.keyId,
    ]);
    const acts = await rows(
      server.pool,
      `select 1 from audit_log where act = 'receiptKeyRotated' and actor_id = $1`,
      [admin.userId],
    );
    expect(acts).toHaveLength(1);
  });

  test('and receipts survive a backup and its restore', async () => {
    const { first } = await finishedClass();
    const before = (await receiptFor(first.student, first)).body;
    const place = { pool: server.pool, dataDir: server.deps.dataDir };
    const folder = await mkdtemp(join(tmpdir(), 'exam-room-receipts-'));
    const { path } = await backUp(place, join(folder, 'copy'));
    await restoreOn(place, path);
    await rm(folder, { recursive: true, force: true });
    const after = (await receiptFor(first.student, first)).body;
    expect(after.text).toBe(before.text);
    expect(await isGenuine(after)).toBe(true);
  });
});

describe('a receipt as data of its student', () => {
  test('is in the export', async () => {
    const { first } = await finishedClass();
    const { body } = await receiptFor(first.student, first);
    const { rawPayload } = await server.app.inject({
      url: exportOwnData.path,
      headers: { authorization: `Bearer ${first.student.token}` },
    });
    const files = Object.values(unzipSync(rawPayload)).map((bytes) =>
      Buffer.from(bytes).toString(),
    );
    const { answersDigest } = factsOf(body);
    expect(files.filter((file) => file.includes(`Ответы SHA-256: ${answersDigest}`))).toHaveLength(
      1,
    );
  });

  test('is erased with the student, and the log stays whole', async () => {
    const { first, second, teacher } = await finishedClass();
    await receiptFor(first.student, first);
    await sit(second, [RIGHT.single]);
    const admin = await server.user({ role: ROLE.admin });
    const params = { userId: first.student.userId };
    expect((await server.send(eraseUser, { params }, { as: admin })).status).toBe(200);
    const stored = 'select 1 from receipts where attempt_id = $1';
    expect(await rows(server.pool, stored, [first.attemptId])).toEqual([]);
    const logged = 'select 1 from receipt_log where attempt_id = $1';
    expect(await rows(server.pool, logged, [first.attemptId])).toEqual([]);
    expect((await receiptFor(teacher, second)).body.comparison?.isLogWhole).toBe(true);
  });
});
