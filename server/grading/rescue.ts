import type { PoolClient } from 'pg';
import type { bringAnswers, bringFile, RescuedAnswer } from '#contract/rescue.ts';
import { plausibleAge } from '#contract/primitives.ts';
import type { BodyOf, QueryOf, ReplyOf } from '#contract/route.ts';
import { answerMisfit } from '#domain/answer-fit.ts';
import { one, transaction, type Client } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { Refusal } from '#server/http/refusal.ts';
import { findAttempt, lockAttempt, type Attempt } from '#server/passing/attempt.ts';
import { closeIfDue } from '#server/passing/close.ts';
import { loadContent, type TestContent } from '#server/passing/content.ts';
import {
  insertOperation,
  findOperation,
  isSequenceUsed,
  type JournalEntry,
  type JournalOutcome,
} from '#server/passing/journal.ts';
import { bodyDigest } from '#server/passing/seal.ts';
import { readStreamPosition } from '#server/passing/streams.ts';
import { isResultSeen } from '#server/tests/visible.ts';
import type { UploadStore } from '#server/passing/upload-store.ts';
import { receiveWholeFile } from '#server/passing/uploads.ts';
import { lockRescoring } from './lock.ts';

/** The attempt that a file names, if it belongs to this test and the file's owner. */
function belongs(attempt: Attempt | null, testId: string, owner: string): Attempt {
  const isTheirs = attempt?.testId === testId && attempt.userId === owner && !attempt.deletedAt;
  if (!attempt || !isTheirs) throw new Refusal('NOT_FOUND');
  return attempt;
}

/** When the file says that an answer was written. */
function writing(
  { writtenAt }: RescuedAnswer,
  now: Date,
): Pick<JournalEntry, 'ageMs'> & Pick<JournalOutcome, 'writtenAt'> {
  if (writtenAt === null) return { ageMs: 'unknown', writtenAt: null };
  const written = new Date(writtenAt);
  const ageMs = plausibleAge(Math.max(0, now.getTime() - written.getTime()));
  return { ageMs, writtenAt: ageMs === 'unknown' ? null : written };
}

type Outcome = ReplyOf<typeof bringAnswers>['results'][number]['outcome'];

async function journalOne(
  client: PoolClient,
  attempt: Attempt,
  content: TestContent,
  given: RescuedAnswer,
  { now, afterResult }: { now: Date; afterResult: boolean },
): Promise<Outcome> {
  const { operationId: id, answer } = given;
  if (await findOperation(client, attempt.id, id)) return 'known';
  if (answerMisfit(answer, content.byId.get(answer.questionId))) return 'wrong';
  // The epoch that the server assigned to this stream: a file cannot claim a higher one.
  const place = await readStreamPosition(client, attempt, given.stream, 0);
  const isUsed =
    given.sequence !== null &&
    (await isSequenceUsed(client, attempt.id, place.id, given.sequence, id));
  const { ageMs, writtenAt } = writing(given, now);
  const entered = await insertOperation(
    client,
    attempt.id,
    {
      id,
      kind: 'answer',
      stream: place.id,
      epoch: place.epoch,
      sequence: isUsed ? null : given.sequence,
      ageMs,
      seenServerTime: given.seenServerTime === null ? null : new Date(given.seenServerTime),
      questionId: answer.questionId,
      body: answer,
      digest: bodyDigest(answer),
      receivedAt: now,
      byHandover: false,
    },
    { outcome: 'held', refusal: null, afterResult, receivedLate: true, writtenAt, byFile: true },
  );
  return entered ? 'held' : 'known';
}

/** Journals answers of a device's file as held, in the order of the file. */
export async function journalRescued(
  deps: Deps,
  at: { testId: string; attemptId: string },
  { owner, answers }: BodyOf<typeof bringAnswers>,
  now: Date,
): Promise<ReplyOf<typeof bringAnswers>> {
  return transaction(deps.pool, async (client) => {
    await lockRescoring(client, at.testId);
    const locked = belongs(await lockAttempt(client, at.attemptId, 'update'), at.testId, owner);
    const attempt = await closeIfDue(client, locked, now);
    const content = await loadContent(client, attempt.contentId);
    const afterResult = await isResultSeen(client, attempt, now);
    const results = [];
    for (const given of answers) {
      const outcome = await journalOne(client, attempt, content, given, { now, afterResult });
      results.push({ operationId: given.operationId, outcome });
    }
    return { userName: await nameOf(client, owner), results };
  });
}

async function nameOf(db: Client, userId: string): Promise<string> {
  const user = await one<{ name: string }>(
    db,
    'select user_name as name from users where id = $1',
    [userId],
  );
  return user?.name ?? '';
}

/** Stores the bytes of a handed-in file as if its device had sent them, part by part. */
export async function storeRescuedFile(
  deps: Deps,
  store: UploadStore,
  at: { testId: string; attemptId: string; fileId: string },
  { owner, ...file }: QueryOf<typeof bringFile>,
  bytes: Buffer,
  now: Date,
): Promise<{ complete: boolean }> {
  const attempt = belongs(await findAttempt(deps.pool, at.attemptId), at.testId, owner);
  const whole = { ...file, fileId: at.fileId, size: bytes.length, bytes };
  await receiveWholeFile(deps, store, attempt, whole, now);
  return { complete: true };
}
