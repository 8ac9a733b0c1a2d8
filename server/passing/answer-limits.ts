import type { Pool } from 'pg';
import { one } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { rateLimit } from '#server/http/rate-limit.ts';
import type { GivenUp } from './finish.ts';
import type { Arriving } from './incoming.ts';

/**
 * What the journal of an attempt holds at the most: counted in this process as operations come, repeats
 * among them, and read from the database when the count reaches a limit.
 */
export interface JournalUse {
  /** Sequences, those folded or set aside among them. */
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

/** A sequence that is folded or set aside is a row of its own. */
const SEQUENCE_BYTES = 100;
/** What an answer costs that a full journal refuses: few of them a minute. */
const REFUSED_BYTES = 256 * 1024;

const answerBytes = ({ bodyText, folded }: Arriving): number =>
  Buffer.byteLength(bodyText ?? '') + folded.length * SEQUENCE_BYTES;

export interface AnswerLimits {
  /**
   * Lets an answer in, as one that is to be refused when the journal of its attempt is full.
   * @throws {Refusal} TOO_MANY_REQUESTS: no verdict, the device sends it later
   */
  admitAnswer(
    userId: string,
    attemptId: string,
    use: JournalUse,
    arriving: Arriving,
  ): Promise<Arriving>;
  /** Lets a finish in, always; a full journal takes none of the sequences that it names. */
  admitFinish(
    attemptId: string,
    use: JournalUse,
    arriving: Arriving,
    devicesWord: GivenUp,
  ): Promise<{ arriving: Arriving; devicesWord: GivenUp }>;
  /** @throws {Refusal} TOO_MANY_REQUESTS */
  spend(userId: string, arriving: Arriving): void;
}

/** Bounds that no pupil who writes by hand meets. A repeat of what is journalled passes all but the rate. */
export function createAnswerLimits({
  pool,
  settings,
}: Pick<Deps, 'pool' | 'settings'>): AnswerLimits {
  const { limits } = settings;
  const spendBytes = rateLimit(limits.answerBytesPerMinute);

  const reachesLimit = ({ answers, bytes }: JournalUse) =>
    answers >= limits.answersPerAttempt || bytes >= limits.answerBytesPerAttempt;

  async function isFull(attemptId: string, use: JournalUse): Promise<boolean> {
    if (!reachesLimit(use)) return false;
    Object.assign(use, await readJournalUse(pool, attemptId));
    return reachesLimit(use);
  }

  return {
    async admitAnswer(userId, attemptId, use, arriving) {
      const bytes = answerBytes(arriving);
      const now = arriving.receivedAt.getTime();
      spendBytes(userId, now, reachesLimit(use) ? Math.max(bytes, REFUSED_BYTES) : bytes);
      if (await isFull(attemptId, use)) {
        const misfit = { code: 'TOO_MANY_ANSWERS' as const };
        return { ...arriving, body: null, bodyText: null, folded: [], misfit };
      }
      use.answers += 1 + arriving.folded.length;
      use.bytes += bytes;
      return arriving;
    },
    async admitFinish(attemptId, use, arriving, devicesWord) {
      const named = [...arriving.folded, ...devicesWord.sequences];
      if (await isFull(attemptId, use))
        return {
          arriving: { ...arriving, folded: [] },
          devicesWord: { ...devicesWord, sequences: named, isKept: false },
        };
      use.answers += 1 + named.length;
      return { arriving, devicesWord };
    },
    spend(userId, arriving) {
      spendBytes(userId, arriving.receivedAt.getTime(), answerBytes(arriving));
    },
  };
}
