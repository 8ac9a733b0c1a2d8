import { hash } from 'node:crypto';
import type { PoolClient } from 'pg';
import type { Answer } from '#contract/answers.ts';
import type { AttemptReceipt } from '#contract/receipts.ts';
import { toBase64Url } from '#domain/base64url.ts';
import {
  appendDigest,
  controlCode,
  digestAnswers,
  digestOf,
  EMPTY_LOG,
  formatReceipt,
} from '#domain/receipt.ts';
import { studentQuestion } from '#domain/student-question.ts';
import { execute, one, rows, transaction, type Client } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { Refusal } from '#server/http/refusal.ts';
import { lockAttempt, type Attempt } from '#server/passing/attempt.ts';
import { loadContent } from '#server/passing/content.ts';
import { attemptRank } from '#server/passing/part-rank.ts';
import { signingKey } from './keys.ts';

const sha256 = (data: string | Uint8Array): Uint8Array => hash('sha256', data, 'buffer');

interface StoredReceipt {
  readonly text: string;
  readonly signature: Buffer;
  readonly keyId: string;
}

interface Head {
  readonly position: number;
  readonly logDigest: Uint8Array;
}

const findReceipt = (db: Client, attemptId: string): Promise<StoredReceipt | null> =>
  one<StoredReceipt>(
    db,
    'select text, signature, key_id as "keyId" from receipts where attempt_id = $1',
    [attemptId],
  );

/** The answers that count now. */
async function presentAnswers(db: Client, attemptId: string) {
  const found = await rows<{ body: Answer }>(db, 'select body from answers where attempt_id = $1', [
    attemptId,
  ]);
  return digestAnswers(
    found.map(({ body }) => body),
    sha256,
  );
}

async function logHead(db: Client): Promise<Head> {
  const last = await one<Head>(
    db,
    `select position, log_digest as "logDigest" from receipt_log order by position desc limit 1`,
  );
  return last ?? { position: 0, logDigest: EMPTY_LOG };
}

/** The present length and digest of the log. The chain is not checked. */
export async function presentLog(db: Client): Promise<{ length: number; digest: string }> {
  const { position, logDigest } = await logHead(db);
  return { length: position, digest: toBase64Url(logDigest) };
}

/** Names and times as the receipt says them. */
async function namesOf(client: PoolClient, attempt: Attempt) {
  const found = await one<{ student: string; test: string; writtenAt: Date | null }>(
    client,
    `select u.user_name as student, t.name as test,
       (select written_at from operations where attempt_id = $3 and id = $4) as "writtenAt"
     from users u, tests t where u.id = $1 and t.id = $2`,
    [attempt.userId, attempt.testId, attempt.id, attempt.finishOperation],
  );
  if (!found) throw new Error('an attempt has a student and a test');
  return found;
}

/** The digest of the questions as the student saw them: keys would be guessed from a digest. */
async function questionsDigest(client: PoolClient, { state }: Deps, attempt: Attempt) {
  const { questions } = await loadContent(client, attempt.contentId);
  const rank = attemptRank(state, attempt.id);
  return digestOf(
    questions.map((question) => studentQuestion(question, rank)),
    sha256,
  );
}

async function makeReceipt(
  client: PoolClient,
  deps: Deps,
  attempt: Attempt,
  now: Date,
): Promise<StoredReceipt> {
  const { student, test, writtenAt } = await namesOf(client, attempt);
  const { count, digest } = await presentAnswers(client, attempt.id);
  const questions = await questionsDigest(client, deps, attempt);
  const key = await signingKey(client, now);
  // One receipt after another: each entry covers the one before it.
  await client.query('lock table receipt_log in share row exclusive mode');
  const head = await logHead(client);
  const text = formatReceipt({
    student,
    test,
    attemptNumber: `${attempt.number}`,
    attemptId: attempt.id,
    questionsDigest: questions,
    answersCount: `${count}`,
    answersDigest: digest,
    startedAt: attempt.startedAt.toISOString(),
    deadline: attempt.deadline.toISOString(),
    finishedAt: (writtenAt ?? attempt.endedAt ?? now).toISOString(),
    logLength: `${head.position}`,
    logDigest: toBase64Url(head.logDigest),
  });
  const receiptDigest = sha256(text);
  await execute(
    client,
    `insert into receipt_log (position, attempt_id, receipt_digest, log_digest)
     values ($1, $2, $3, $4)`,
    [
      head.position + 1,
      attempt.id,
      receiptDigest,
      appendDigest(head.logDigest, receiptDigest, sha256),
    ],
  );
  const signature = key.sign(text);
  await execute(
    client,
    'insert into receipts (attempt_id, text, signature, key_id) values ($1, $2, $3, $4)',
    [attempt.id, text, signature, key.id],
  );
  return { text, signature, keyId: key.id };
}

/** The receipt of an attempt, made once. */
const ensureReceipt = (deps: Deps, attemptId: string, now: Date): Promise<StoredReceipt> =>
  transaction(deps.pool, async (client) => {
    const attempt = await lockAttempt(client, attemptId, 'update');
    if (!attempt) throw new Refusal('NOT_FOUND');
    const known = await findReceipt(client, attemptId);
    if (known) return known;
    // Its answers are held, and a receipt would say for ever that there are none.
    if (attempt.isHeld) throw new Refusal('BEGIN_HELD');
    if (attempt.ended === null)
      throw new Refusal('ATTEMPT_RUNNING', {
        message: 'Попытка ещё идёт. Квитанция будет после завершения',
      });
    return makeReceipt(client, deps, attempt, now);
  });

/** Whether no entry was removed, inserted or changed: each digest follows from the one before. */
async function isLogWhole(db: Client): Promise<boolean> {
  const found = await one<{ isWhole: boolean }>(
    db,
    `select bool_and(position = place and log_digest = sha256(previous || receipt_digest)) as "isWhole"
     from (
       select position, receipt_digest, log_digest, row_number() over before as place,
         coalesce(lag(log_digest) over before, $1) as previous
       from receipt_log window before as (order by position)) l`,
    [EMPTY_LOG],
  );
  return found?.isWhole === true;
}

/** What a grader compares: the answers now with the receipt's, and the log with itself. */
async function compare(db: Client, attemptId: string, text: string) {
  const { digest } = await presentAnswers(db, attemptId);
  const own = await one<{ receiptDigest: Buffer }>(
    db,
    'select receipt_digest as "receiptDigest" from receipt_log where attempt_id = $1',
    [attemptId],
  );
  const log = await presentLog(db);
  const isLogged = own?.receiptDigest.equals(sha256(text)) === true;
  return {
    answersMatch: text.includes(`\nОтветы SHA-256: ${digest}\n`),
    logLength: log.length,
    logDigest: log.digest,
    isLogWhole: isLogged && (await isLogWhole(db)),
  };
}

/** The receipt of a readable attempt; with a comparison for its graders. */
export async function receiptOf(
  deps: Deps,
  attemptId: string,
  isGrader: boolean,
  now: Date,
): Promise<AttemptReceipt> {
  const { text, signature, keyId } =
    (await findReceipt(deps.pool, attemptId)) ?? (await ensureReceipt(deps, attemptId, now));
  return {
    text,
    signature: signature.toString('base64url'),
    keyId,
    code: controlCode(text, sha256),
    comparison: isGrader ? await compare(deps.pool, attemptId, text) : null,
  };
}
