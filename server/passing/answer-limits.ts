import type { Pool } from 'pg';
import { one } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { rateLimit } from '#server/http/rate-limit.ts';
import type { AbandonedSequences } from './finish.ts';
import type { OperationRequest } from './incoming.ts';

/**
 * Use of an attempt's journal: counted in this process as operations arrive, repeats included, and read from the
 * database when the count reaches a limit.
 */
export interface JournalUse {
  /** Sequences, including folded and set-aside ones. */
  answers: number;
  bytes: number;
}

export async function readJournalUse(pool: Pool, attemptId: string): Promise<JournalUse> {
  const use = await one<JournalUse>(
    pool,
    `select count(*) + (select count(*) from spare_sequences where attempt_id = $1) as answers,
       coalesce(sum(pg_column_size(body)), 0) as bytes
     from operations where attempt_id = $1`,
    [attemptId],
  );
  return use ?? { answers: 0, bytes: 0 };
}

/** A folded or set-aside sequence is a separate row. */
const SEQUENCE_BYTES = 100;
/** The rate cost of an answer that a full journal refuses: few of them per minute. */
const REFUSED_BYTES = 256 * 1024;

const journalBytes = ({ bodyText, folded }: OperationRequest): number =>
  Buffer.byteLength(bodyText ?? '') + folded.length * SEQUENCE_BYTES;

export interface AnswerLimits {
  /**
   * Admits an answer after its body was counted; marks it for refusal when the journal of its attempt is full.
   * @throws {Refusal} TOO_MANY_REQUESTS: not a verdict, the device retries later
   */
  admitAnswer(
    userId: string,
    attemptId: string,
    use: JournalUse,
    request: OperationRequest,
  ): Promise<OperationRequest>;
  /** Always admits a finish; a full journal records none of the sequences that it names. */
  admitFinish(
    attemptId: string,
    use: JournalUse,
    request: OperationRequest,
    abandoned: AbandonedSequences,
  ): Promise<{ request: OperationRequest; abandoned: AbandonedSequences }>;
  /**
   * Counts the bytes of a received body: reading a useless one costs as much as reading an answer.
   * @throws {Refusal} TOO_MANY_REQUESTS
   */
  spend(userId: string, bytes: number, now: Date): void;
  /**
   * Counts the bytes of a body with a receipt, genuine or not, by a limit that a device never reaches after a restore.
   * @throws {Refusal} TOO_MANY_REQUESTS
   */
  spendRepeat(userId: string, bytes: number, now: Date): void;
}

/**
 * Limits that no student who writes by hand reaches. A repeat of a journalled operation is only subject to the rate.
 */
export function createAnswerLimits({
  pool,
  settings,
}: Pick<Deps, 'pool' | 'settings'>): AnswerLimits {
  const { limits } = settings;
  const spendBytes = rateLimit(limits.answerBytesPerMinute);
  const spendRepeated = rateLimit(limits.repeatedAnswerBytesPerMinute);

  const reachesLimit = ({ answers, bytes }: JournalUse) =>
    answers >= limits.answersPerAttempt || bytes >= limits.answerBytesPerAttempt;

  async function isFull(attemptId: string, use: JournalUse): Promise<boolean> {
    if (!reachesLimit(use)) return false;
    Object.assign(use, await readJournalUse(pool, attemptId));
    return reachesLimit(use);
  }

  return {
    async admitAnswer(userId, attemptId, use, request) {
      const foldedBytes = request.folded.length * SEQUENCE_BYTES;
      const cost = foldedBytes + (reachesLimit(use) ? REFUSED_BYTES : 0);
      if (cost > 0) spendBytes(userId, request.receivedAt.getTime(), cost);
      if (await isFull(attemptId, use)) {
        const misfit = { code: 'TOO_MANY_ANSWERS' as const };
        return { ...request, body: null, bodyText: null, folded: [], misfit };
      }
      use.answers += 1 + request.folded.length;
      use.bytes += journalBytes(request);
      return request;
    },
    async admitFinish(attemptId, use, request, abandoned) {
      const named = [...request.folded, ...abandoned.sequences];
      if (await isFull(attemptId, use))
        return {
          request: { ...request, folded: [] },
          abandoned: { ...abandoned, sequences: named, isRecorded: false },
        };
      use.answers += 1 + named.length;
      return { request, abandoned };
    },
    spend(userId, bytes, now) {
      spendBytes(userId, now.getTime(), bytes);
    },
    spendRepeat(userId, bytes, now) {
      spendRepeated(userId, now.getTime(), bytes);
    },
  };
}
