import { hash } from 'node:crypto';
import type { PoolClient } from 'pg';
import type { Answer } from '#contract/answers.ts';
import type { AttemptReceipt } from '#contract/receipts.ts';
import { answerFiles, fileAnswer } from '#domain/answer-files.ts';
import { toBase64Url } from '#domain/base64url.ts';
import { formatNumber } from '#domain/format.ts';
import {
  appendDigest,
  controlCode,
  digestAnswers,
  digestOf,
  EMPTY_LOG,
  formatReceipt,
  NO_FACT,
  oneLine,
  saysFacts,
  type PresentFacts,
  type ReceiptFacts,
} from '#domain/receipt.ts';
import { studentQuestion } from '#domain/student-question.ts';
import { answerFilesSql, isWholeSql } from '#server/db/answered-sql.ts';
import { execute, one, rows, transaction, type Client } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { Refusal } from '#server/http/refusal.ts';
import { lockAttempt, type Attempt } from '#server/passing/attempt.ts';
import { loadContent } from '#server/passing/content.ts';
import { computeMarks } from '#server/passing/counting.ts';
import { attemptRank } from '#server/passing/part-rank.ts';
import type { ResultReading } from '#server/results/reading.ts';
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

/** A receipt speaks of an attempt that is over. */
function requireOver(attempt: Attempt): void {
  // Its answers are held, and a receipt would say for ever that there are none.
  if (attempt.isHeld) throw new Refusal('BEGIN_HELD');
  if (attempt.ended === null)
    throw new Refusal('ATTEMPT_RUNNING', {
      message: 'Попытка ещё идёт. Квитанция будет после завершения',
    });
}

/** How the attempt ended. The time of one that its student did not finish ended with the deadline. */
async function endOf(
  db: Client,
  attempt: Attempt,
): Promise<Pick<ReceiptFacts, 'deadline' | 'finishedAt'>> {
  const finish = await one<{ writtenAt: Date | null }>(
    db,
    'select written_at as "writtenAt" from operations where attempt_id = $1 and id = $2',
    [attempt.id, attempt.finishOperation],
  );
  const receivedAt = attempt.ended === 'finished' ? attempt.endedAt : null;
  return {
    deadline: attempt.deadline.toISOString(),
    finishedAt: (finish?.writtenAt ?? receivedAt ?? attempt.deadline).toISOString(),
  };
}

/** The newest receipt, unless the attempt has run again since. */
async function findReceipt(db: Client, attempt: Attempt): Promise<StoredReceipt | null> {
  const stored = await one<StoredReceipt>(
    db,
    'select text, signature, key_id as "keyId" from receipts where attempt_id = $1',
    [attempt.id],
  );
  return stored && saysFacts(stored.text, await endOf(db, attempt)) ? stored : null;
}

/** The answers that count now. A file that never came whole is no part of them. */
async function presentAnswers(db: Client, attemptId: string): Promise<Answer[]> {
  const found = await rows<{ body: Answer; absent: string[] }>(
    db,
    `select body, array(
       select file ->> 'fileId' from ${answerFilesSql('a.body')} as named
       left join uploads u on u.id::text = file ->> 'fileId' and u.attempt_id = a.attempt_id
       where not ${isWholeSql('a.question_id')}) as absent
     from answers a where attempt_id = $1`,
    [attemptId],
  );
  return found.map(({ body, absent }) => {
    if (absent.length === 0) return body;
    const came = answerFiles(body).filter(({ fileId }) => !absent.includes(fileId));
    return fileAnswer(body.questionId, came);
  });
}

/** «7 из 10»; «—»: not all graded. */
async function presentPoints(db: Client, attempt: Attempt): Promise<string> {
  const { points, pendingQuestionIds } = (await computeMarks(db, attempt)).withLate;
  if (pendingQuestionIds.length > 0) return NO_FACT;
  const { maxPoints } = await loadContent(db, attempt.contentId);
  return oneLine(`${formatNumber(points)} из ${formatNumber(maxPoints)}`);
}

async function presentFacts(
  db: Client,
  attempt: Attempt,
  showsPoints: boolean,
): Promise<CountedFacts> {
  const { count, digest } = digestAnswers(await presentAnswers(db, attempt.id), sha256);
  const points = showsPoints ? await presentPoints(db, attempt) : null;
  return { answersCount: `${count}`, answersDigest: digest, points };
}

type CountedFacts = PresentFacts & Pick<ReceiptFacts, 'answersCount'>;

/** Whether points have been shown since a receipt that says none. */
const lacksPoints = (text: string, { points }: CountedFacts): boolean =>
  points !== null && points !== NO_FACT && saysFacts(text, { points: NO_FACT });

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

async function namesOf(client: PoolClient, attempt: Attempt) {
  const found = await one<{ student: string; test: string }>(
    client,
    `select u.user_name as student, t.name as test from users u, tests t
     where u.id = $1 and t.id = $2`,
    [attempt.userId, attempt.testId],
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
  present: CountedFacts,
  now: Date,
): Promise<StoredReceipt> {
  const names = await namesOf(client, attempt);
  const end = await endOf(client, attempt);
  const questions = await questionsDigest(client, deps, attempt);
  const key = await signingKey(client, now);
  // One receipt after another: each entry covers the one before it.
  await client.query('lock table receipt_log in share row exclusive mode');
  const head = await logHead(client);
  const text = formatReceipt({
    ...names,
    ...end,
    ...present,
    points: present.points ?? NO_FACT,
    attemptNumber: `${attempt.number}`,
    attemptId: attempt.id,
    questionsDigest: questions,
    startedAt: attempt.startedAt.toISOString(),
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
    `insert into receipts (attempt_id, text, signature, key_id) values ($1, $2, $3, $4)
     on conflict (attempt_id) do update set
       text = excluded.text, signature = excluded.signature, key_id = excluded.key_id`,
    [attempt.id, text, signature, key.id],
  );
  return { text, signature, keyId: key.id };
}

/** A receipt, with what counted when it was read or made. */
type CurrentReceipt = StoredReceipt & { readonly present: CountedFacts };

/** The receipt of an attempt, made once for each end, and once more when its points are shown. */
const ensureReceipt = (
  deps: Deps,
  attemptId: string,
  showsPoints: boolean,
  now: Date,
): Promise<CurrentReceipt> =>
  transaction(deps.pool, async (client) => {
    const attempt = await lockAttempt(client, attemptId, 'update');
    if (!attempt) throw new Refusal('NOT_FOUND');
    requireOver(attempt);
    const present = await presentFacts(client, attempt, showsPoints);
    const known = await findReceipt(client, attempt);
    if (known && !lacksPoints(known.text, present)) return { ...known, present };
    return { ...(await makeReceipt(client, deps, attempt, present, now)), present };
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

/** What a grader reads of the log, and whether it agrees with itself and with the receipt. */
async function logWith(db: Client, attemptId: string, text: string) {
  const own = await one<{ receiptDigest: Buffer }>(
    db,
    `select receipt_digest as "receiptDigest" from receipt_log where attempt_id = $1
     order by position desc limit 1`,
    [attemptId],
  );
  const isLogged = own?.receiptDigest.equals(sha256(text)) === true;
  return { ...(await presentLog(db)), isWhole: isLogged && (await isLogWhole(db)) };
}

/**
 * The receipt of a readable attempt, made when its student reads it first, with what counts now. For its graders with the
 * log; null: the student has not read one since the attempt ended.
 */
export async function receiptOf(
  deps: Deps,
  { attempt, shows, now }: ResultReading,
  isGrader: boolean,
): Promise<AttemptReceipt | null> {
  requireOver(attempt);
  const known = await findReceipt(deps.pool, attempt);
  // A grader's look must not settle what the student will take away: minutes and late answers may still come.
  if (!known && isGrader) return null;
  const counted = known && {
    ...known,
    present: await presentFacts(deps.pool, attempt, shows.points),
  };
  const isCurrent = counted && (isGrader || !lacksPoints(counted.text, counted.present));
  const { text, signature, keyId, present } = isCurrent
    ? counted
    : await ensureReceipt(deps, attempt.id, shows.points, now);
  return {
    text,
    signature: signature.toString('base64url'),
    keyId,
    code: controlCode(text, sha256),
    present: { answersDigest: present.answersDigest, points: present.points },
    log: isGrader ? await logWith(deps.pool, attempt.id, text) : null,
  };
}
