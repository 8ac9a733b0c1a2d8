import { createHash, createPublicKey, verify } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eraseUser } from '#contract/admin.ts';
import type { Answer } from '#contract/answers.ts';
import { addTime, deleteAttempt, gradeItem } from '#contract/attempts.ts';
import { ROLE } from '#contract/auth.ts';
import { decideTestHeld } from '#contract/grading.ts';
import { HEADER } from '#contract/headers.ts';
import { uploadChunk } from '#contract/passing.ts';
import type { Question } from '#contract/questions.ts';
import { getAnalysis } from '#contract/statistics.ts';
import { exportOwnData } from '#contract/profile.ts';
import {
  getReceipt,
  getReceiptKeys,
  rotateReceiptKey,
  type AttemptReceipt,
} from '#contract/receipts.ts';
import {
  changesSince,
  digestAnswers,
  formatDocument,
  NO_FACT,
  readDocument,
  type ChangingFacts,
  type ReceiptFacts,
} from '#domain/receipt.ts';
import { one, rows } from '#server/db/query.ts';
import { ensureKey } from '#server/receipts/keys.ts';
import { backUp, restoreOn } from '#tests/backups.ts';
import { holdAnswer, MINUTE_MS, nth, sit, startClass } from '#tests/class-work.ts';
import { createTestDatabase } from '#tests/database.ts';
import { errorOf, Q, RIGHT, smallTest, type PlannedTest, type TestDevice } from '#tests/school.ts';
import { testServer, type TestServer, type TestUser } from '#tests/server.ts';

const DAY_MS = 24 * 60 * MINUTE_MS;

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const askReceipt = (as: TestUser, { attemptId }: TestDevice) =>
  server.send(getReceipt, { params: { attemptId } }, { as });

async function receiptFor(as: TestUser, device: TestDevice): Promise<AttemptReceipt> {
  const { body, text } = await askReceipt(as, device);
  if (!body.receipt) throw new Error(`no receipt: ${text}`);
  return body.receipt;
}

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

/** The facts that may change since. */
function changing(receipt: AttemptReceipt): ChangingFacts {
  const { answersDigest, points } = factsOf(receipt);
  return { answersDigest, points };
}

async function answersMatch(as: TestUser, device: TestDevice): Promise<boolean> {
  const receipt = await receiptFor(as, device);
  return !changesSince(factsOf(receipt), receipt.present).answers;
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
    const receipt = await receiptFor(first.student, first);
    expect(factsOf(receipt)).toMatchObject({
      student: 'Алёшина',
      attemptNumber: '1',
      attemptId: first.attemptId,
      answersCount: '2',
      finishedAt: server.clock.now.toISOString(),
    });
    expect(receipt.code).toMatch(/^[A-Z\d]{8}$/);
    expect(receipt.log).toBeNull();
    expect(await isGenuine(receipt)).toBe(true);
    const changed = receipt.text.replace('Ответов: 2', 'Ответов: 3');
    expect(await isGenuine({ ...receipt, text: changed })).toBe(false);
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
    expect(new Set([...made, again].map(({ text }) => text)).size).toBe(1);
    const logged = await rows(server.pool, 'select 1 from receipt_log where attempt_id = $1', [
      first.attemptId,
    ]);
    expect(logged).toHaveLength(1);
  });

  test('names the student’s questions without a trace of the key', async () => {
    const { first, second } = await finishedClass();
    await sit(second, [RIGHT.single]);
    const ownFacts = factsOf(await receiptFor(first.student, first));
    const other = factsOf(await receiptFor(second.student, second));
    // The order of the shuffled parts is the attempt's own.
    expect(ownFacts.questionsDigest).not.toBe(other.questionsDigest);
    expect(ownFacts.answersDigest).not.toBe(other.answersDigest);
    expect(other.logLength).toBe(`${Number(ownFacts.logLength) + 1}`);
  });

  test('is not given to another student, nor before the finish, nor after a deletion', async () => {
    const { first, second, teacher } = await finishedClass();
    expect((await askReceipt(second.student, first)).status).toBe(404);
    const running = await askReceipt(second.student, second);
    expect(errorOf(running).code).toBe('ATTEMPT_RUNNING');
    const params = { attemptId: first.attemptId };
    await server.send(deleteAttempt, { params }, { as: teacher });
    expect((await askReceipt(first.student, first)).status).toBe(410);
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
      expect(errorOf(await askReceipt(reader, first)).code).toBe('BEGIN_HELD');
    await hold(false);
    expect((await askReceipt(teacher, first)).status).toBe(200);
  });

  test('shows that the answers changed afterwards', async () => {
    const { devices, teacher, testId } = await startClass(server, ['Громов']);
    const device = nth(devices, 0);
    await sit(device, [RIGHT.single]);
    const held = await holdAnswer(device, {
      questionId: Q.single,
      kind: 'variant',
      optionIds: ['a'],
    });
    await receiptFor(device.student, device);
    const before = await receiptFor(teacher, device);
    expect(before).toMatchObject({ log: { isWhole: true }, present: changing(before) });
    const body = { operationIds: [held], decision: 'accepted' as const };
    await server.send(decideTestHeld, { params: { id: testId }, body }, { as: teacher });
    const after = await receiptFor(teacher, device);
    expect(after.text).toBe(before.text);
    expect(after.present.answersDigest).not.toBe(factsOf(after).answersDigest);
    const own = await receiptFor(device.student, device);
    expect(own).toMatchObject({ text: before.text, present: after.present, log: null });
  });
});

describe('the points of a receipt', () => {
  const questions = smallTest.filter(({ questionId }) => questionId === Q.single);

  /** One question, answered right, with its readers and its grader. */
  async function finishedOne(plan: PlannedTest) {
    const { devices, teacher } = await startClass(server, ['Ершов'], { questions, ...plan });
    const device = nth(devices, 0);
    await sit(device, [RIGHT.single]);
    const grade = async (points: number) => {
      const body = { questionId: Q.single, points, reason: 'Проверено' };
      const params = { attemptId: device.attemptId };
      expect((await server.send(gradeItem, { params, body }, { as: teacher })).status).toBe(200);
    };
    return {
      grade,
      own: () => receiptFor(device.student, device),
      taught: () => receiptFor(teacher, device),
    };
  }
  const changes = (receipt: AttemptReceipt) => changesSince(factsOf(receipt), receipt.present);

  test('that its student sees show a later change to student and grader', async () => {
    const { grade, own, taught } = await finishedOne({});
    const made = await own();
    expect(factsOf(made).points).toBe('1 из 1');
    expect(changes(made)).toEqual({ comparesPoints: true, answers: false, points: false });
    await grade(0.5);
    for (const later of [await own(), await taught()]) {
      expect(later.text).toBe(made.text);
      expect(later.present.points).toBe('0,5 из 1');
      expect(changes(later)).toEqual({ comparesPoints: true, answers: false, points: true });
    }
  });

  test('that its student does not see yet are said to nobody, and later by a new receipt', async () => {
    const visibility = { ownAnswers: 'atOnce', points: 'afterClose', correctAnswers: 'afterClose' };
    const { grade, own, taught } = await finishedOne({ visibility });
    const former = await own();
    expect(factsOf(former).points).toBe(NO_FACT);
    expect(former.present.points).toBeNull();
    await grade(0);
    expect((await own()).text).toBe(former.text);
    server.clock.advance(2 * DAY_MS);
    expect(changes(await taught()).points).toBe(false);
    expect((await taught()).text).toBe(former.text);
    const texts = await Promise.all(Array.from({ length: 3 }, async () => (await own()).text));
    expect(new Set(texts).size).toBe(1);
    const newest = await taught();
    expect(newest.text).toBe(texts[0]);
    expect(factsOf(newest).points).toBe('0 из 1');
    expect(newest.log?.isWhole).toBe(true);
    expect(await isGenuine(former)).toBe(true);
  });

  test('that are withdrawn show as changed', async () => {
    const essay = smallTest.filter(({ questionId }) => questionId === Q.essay);
    const { devices, teacher } = await startClass(server, ['Зорин'], { questions: essay });
    const device = nth(devices, 0);
    await sit(device, [{ questionId: Q.essay, kind: 'open', text: 'Опыт' }]);
    const params = { attemptId: device.attemptId };
    const grade = (points: number | null) =>
      server.send(
        gradeItem,
        { params, body: { questionId: Q.essay, points, reason: 'Проверено' } },
        { as: teacher },
      );
    expect((await grade(3)).status).toBe(200);
    const made = await receiptFor(device.student, device);
    expect(factsOf(made).points).toBe('3 из 5');
    expect((await grade(null)).status).toBe(200);
    for (const reader of [device.student, teacher]) {
      const later = await receiptFor(reader, device);
      expect(later.text).toBe(made.text);
      expect(later.present.points).toBe(NO_FACT);
      expect(changes(later).points).toBe(true);
    }
  });

  test('of a thousand and more are the same in text and comparison', async () => {
    const { own } = await finishedOne({
      questions: questions.map((question) => ({ ...question, points: 1_500 })),
    });
    expect(changes(await own())).toEqual({ comparesPoints: true, answers: false, points: false });
    expect(factsOf(await own()).points).toBe('1 500 из 1 500');
  });

  test('that wait for a grader are not said', async () => {
    const essay = { questionId: Q.essay, kind: 'open', text: 'Опыт' } as const;
    const { devices } = await startClass(server, ['Жукова']);
    await sit(nth(devices, 0), [essay]);
    const made = await receiptFor(nth(devices, 0).student, nth(devices, 0));
    expect(factsOf(made).points).toBe(NO_FACT);
  });
});

describe('a receipt beside a file', () => {
  const bytes = Buffer.from('%PDF-1.4 решение');
  const file = {
    name: 'решение.pdf',
    mimeType: 'application/pdf',
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };

  /** An attempt that was finished with one of the two files of its answer. */
  async function finishedWithoutFile() {
    const questions = smallTest.map((question): Question =>
      question.kind === 'file' ? { ...question, maxFiles: 2 } : question,
    );
    const { devices, teacher } = await startClass(server, ['Белова'], { questions });
    const device = nth(devices, 0);
    const [came, lost] = [server.deps.newId(), server.deps.newId()];
    const send = (fileId: string) =>
      server.send(
        uploadChunk,
        {
          params: { id: device.attemptId, fileId },
          query: { ...file, offset: 0, questionId: Q.file },
          bytes,
        },
        { as: device.student },
      );
    expect((await send(came)).status).toBe(200);
    const more = [{ ...file, fileId: lost }];
    const answer: Answer = { ...file, questionId: Q.file, kind: 'file', fileId: came, more };
    await device.answer(answer);
    const finish = device.operation({ [HEADER.filesSetAside]: lost });
    expect((await device.finish(finish)).status).toBe(200);
    return { device, teacher, answer, came, send: () => send(lost) };
  }

  const digestOf = (answer: Answer) =>
    digestAnswers([answer], (text) => createHash('sha256').update(text).digest()).digest;

  test('that never came says nothing of it, and differs once it has come', async () => {
    const { device, teacher, answer, came, send } = await finishedWithoutFile();
    const facts = factsOf(await receiptFor(device.student, device));
    const ofSchool: Answer = { ...file, questionId: Q.file, kind: 'file', fileId: came };
    expect(facts).toMatchObject({ answersCount: '1', answersDigest: digestOf(ofSchool) });
    expect(facts.answersDigest).not.toBe(digestOf(answer));
    expect(await answersMatch(teacher, device)).toBe(true);
    expect((await send()).status).toBe(200);
    expect(await answersMatch(teacher, device)).toBe(false);
  });

  test('counts no answer of which no file came', async () => {
    const { device, came } = await finishedWithoutFile();
    await server.pool.query('update uploads set completed_at = null where id = $1', [came]);
    const facts = factsOf(await receiptFor(device.student, device));
    expect(facts.answersCount).toBe('0');
  });
});

describe('a receipt of an attempt that its student did not finish', () => {
  const logged = ({ attemptId }: TestDevice) =>
    rows(server.pool, 'select 1 from receipt_log where attempt_id = $1', [attemptId]);

  /** One answer, and a day later nobody has finished. */
  async function closedAttempt() {
    const { devices, ...work } = await startClass(server, ['Дымова']);
    const device = nth(devices, 0);
    await device.answer(RIGHT.single);
    server.clock.advance(DAY_MS);
    return { ...work, device };
  }
  const addMinutes = (as: TestUser, { attemptId }: TestDevice, minutes: number) =>
    server.send(addTime, { params: { attemptId }, body: { minutes } }, { as });

  test('ends with the deadline, not with the window for late answers', async () => {
    const { device } = await closedAttempt();
    const { deadline, finishedAt } = factsOf(await receiptFor(device.student, device));
    expect(finishedAt).toBe(deadline);
  });

  test('is not made by a grader’s look: more minutes and answers are in the student’s', async () => {
    const { device, teacher } = await closedAttempt();
    const look = async () => (await askReceipt(teacher, device)).body;
    expect(await look()).toEqual({ receipt: null });
    await addMinutes(teacher, device, 30);
    expect(errorOf(await askReceipt(teacher, device)).code).toBe('ATTEMPT_RUNNING');
    await sit(device, [RIGHT.open, RIGHT.several]);
    expect(await look()).toEqual({ receipt: null });
    const own = factsOf(await receiptFor(device.student, device));
    expect(own).toMatchObject({
      answersCount: '3',
      finishedAt: server.clock.now.toISOString(),
      deadline: new Date(server.clock.now.getTime() + 30 * MINUTE_MS).toISOString(),
    });
    expect(await answersMatch(teacher, device)).toBe(true);
    expect(await logged(device)).toHaveLength(1);
  });

  test('is another one after it ran again, and the former stays in the log', async () => {
    const { device, teacher } = await closedAttempt();
    const former = await receiptFor(device.student, device);
    await addMinutes(teacher, device, 30);
    for (const reader of [device.student, teacher])
      expect(errorOf(await askReceipt(reader, device)).code).toBe('ATTEMPT_RUNNING');
    await sit(device, [RIGHT.open]);
    expect((await askReceipt(teacher, device)).body.receipt).toBeNull();
    const texts = await Promise.all(
      Array.from({ length: 3 }, async () => (await receiptFor(device.student, device)).text),
    );
    expect(new Set(texts).size).toBe(1);
    const newest = await receiptFor(teacher, device);
    expect(newest.text).toBe(texts[0]);
    expect(newest.text).not.toBe(former.text);
    expect(newest).toMatchObject({ log: { isWhole: true }, present: changing(newest) });
    expect(await logged(device)).toHaveLength(2);
    expect(await isGenuine(former)).toBe(true);
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
    await receiptFor(first.student, first);
    const { log } = await receiptFor(teacher, first);
    const after = await journal();
    expect(log).toEqual({ ...after, isWhole: true });
    expect(after?.length).toBe((before?.length ?? 0) + 1);
    expect(after?.digest).not.toBe(before?.digest);
  });

  test('shows a removed row and a rewritten receipt', async () => {
    const { first, second, teacher } = await finishedClass();
    await sit(second, [RIGHT.single]);
    await receiptFor(first.student, first);
    await receiptFor(second.student, second);
    const isWhole = async () => (await receiptFor(teacher, second)).log?.isWhole;
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
    const old = await receiptFor(first.student, first);
    const admin = await server.user({ role: ROLE.admin });
    const rotated = await server.send(rotateReceiptKey, {}, { as: admin });
    expect(rotated.status).toBe(200);
    await sit(second, [RIGHT.single]);
    const fresh = await receiptFor(second.student, second);
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

  test('begin with one, however many servers start at once', async () => {
    const fresh = await createTestDatabase();
    await Promise.all(
      Array.from({ length: 5 }, () => ensureKey(fresh.pool, new Date(server.clock.now))),
    );
    expect(await rows(fresh.pool, 'select 1 from receipt_keys')).toHaveLength(1);
    await fresh.drop();
  });

  test('and receipts survive a backup and its restore, after which another key signs', async () => {
    const { first, second } = await finishedClass();
    const before = await receiptFor(first.student, first);
    const place = { pool: server.pool, dataDir: server.deps.dataDir };
    const folder = await mkdtemp(join(tmpdir(), 'exam-room-receipts-'));
    const { path } = await backUp(place, join(folder, 'copy'));
    const admin = await server.user({ role: ROLE.admin });
    const { keyId } = (await server.send(rotateReceiptKey, {}, { as: admin })).body;
    const keys = async () => (await server.send(getReceiptKeys, {}, {})).body.keys;
    const published = await keys();
    server.clock.advance(MINUTE_MS);
    await restoreOn(place, path, { now: server.clock.now });
    await rm(folder, { recursive: true, force: true });

    const after = await receiptFor(first.student, first);
    expect(after.text).toBe(before.text);
    expect(await isGenuine(after)).toBe(true);
    // The copy's key was retired after the copy; the one that came then is lost to its signer, not to its receipts.
    const retiredAt = server.clock.now.toISOString();
    const known = published.map((key) => (key.id === keyId ? { ...key, retiredAt } : key));
    expect(await keys()).toEqual([expect.objectContaining({ retiredAt: null }), ...known]);
    await sit(second, [RIGHT.single]);
    const fresh = await receiptFor(second.student, second);
    expect(known.map(({ id }) => id)).not.toContain(fresh.keyId);
    expect(await isGenuine(fresh)).toBe(true);
  });
});

describe('a receipt as data of its student', () => {
  test('is in the export', async () => {
    const { first } = await finishedClass();
    const receipt = await receiptFor(first.student, first);
    const { rawPayload } = await server.app.inject({
      url: exportOwnData.path,
      headers: { authorization: `Bearer ${first.student.token}` },
    });
    const files = Object.values(unzipSync(rawPayload)).map((bytes) =>
      Buffer.from(bytes).toString(),
    );
    const { answersDigest } = factsOf(receipt);
    expect(files.filter((file) => file.includes(`Ответы SHA-256: ${answersDigest}`))).toHaveLength(
      1,
    );
  });

  test('is erased with the student, and the log stays whole', async () => {
    const { first, second, teacher } = await finishedClass();
    await receiptFor(first.student, first);
    await sit(second, [RIGHT.single]);
    await receiptFor(second.student, second);
    const admin = await server.user({ role: ROLE.admin });
    const params = { userId: first.student.userId };
    expect((await server.send(eraseUser, { params }, { as: admin })).status).toBe(200);
    const stored = 'select 1 from receipts where attempt_id = $1';
    expect(await rows(server.pool, stored, [first.attemptId])).toEqual([]);
    const logged = 'select 1 from receipt_log where attempt_id = $1';
    expect(await rows(server.pool, logged, [first.attemptId])).toEqual([]);
    expect((await receiptFor(teacher, second)).log?.isWhole).toBe(true);
  });
});
