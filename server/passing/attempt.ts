import type { PoolClient } from 'pg';
import { closesAt, GRACE_MS, type AttemptTime } from '#domain/deadline.ts';
import { one, type Client } from '#server/db/query.ts';

/** `closesAt` of the domain over columns of `attempts`. */
export const CLOSES_AT = `deadline + greatest(late_window_seconds, ${GRACE_MS / 1000}) * interval '1 second'`;

/** SQL: whether the time of an attempt is over. */
const isPast = (now: string, of = '') => `(${of}ended is not null or ${of}deadline <= ${now})`;

/**
 * SQL order of a person's attempts at a test, the present one first. Numbers do not tell: a begin without a network may
 * arrive after a later start. A held one hides no other that still runs, and what is over hides none that runs.
 */
export const presentFirst = (now: string): string =>
  `${isPast(now)}, begin_held, started_at desc, number desc`;

/** SQL: the attempts of the same student and test that come before attempt `of` in that order, without held ones. */
export const laterAttempts = (of: string, now: string): string => `
  select from attempts later
  where later.test_id = ${of}.test_id and later.user_id = ${of}.user_id
    and later.deleted_at is null and not later.begin_held
    and (not ${isPast(now, 'later.')}, later.started_at, later.number)
      > (not ${isPast(now, `${of}.`)}, ${of}.started_at, ${of}.number)`;

/** The fields of an attempt's row that the passing rules need. */
export interface Attempt {
  readonly id: string;
  readonly testId: string;
  readonly userId: string;
  readonly contentId: string;
  readonly number: number;
  readonly startedAt: Date;
  readonly deadline: Date;
  readonly windowSeconds: number;
  readonly ended: 'finished' | 'closed' | null;
  readonly endedAt: Date | null;
  readonly finishOperation: string | null;
  readonly defaultStream: string;
  readonly activeStream: string;
  /** 0: no stream has owned it yet. */
  readonly activeEpoch: number;
  readonly deletedAt: Date | null;
  /** Started by a teacher or an administrator: `isTrialOf`. */
  readonly trial: boolean;
  /** Begun without a network and not accepted: its student's app may get nothing of it, and all answers are held. */
  readonly isHeld: boolean;
}

export const ATTEMPT_COLUMNS = `id, test_id as "testId", user_id as "userId", content_id as "contentId",
  number, started_at as "startedAt", deadline, late_window_seconds as "windowSeconds", ended,
  ended_at as "endedAt", finish_operation as "finishOperation", default_stream as "defaultStream",
  active_stream as "activeStream", active_epoch as "activeEpoch",
  deleted_at as "deletedAt", trial, begin_held as "isHeld"`;

const FIND_ATTEMPT = {
  name: 'find-attempt',
  text: `select ${ATTEMPT_COLUMNS} from attempts where id = $1`,
};

export async function findAttempt(db: Client, id: string): Promise<Attempt | null> {
  return one<Attempt>(db, FIND_ATTEMPT, [id]);
}

/** Answers lock the attempt in share mode, finish and close exclusively (server rule 2). */
export async function lockAttempt(
  client: PoolClient,
  id: string,
  strength: 'share' | 'update',
): Promise<Attempt | null> {
  return one<Attempt>(
    client,
    `select ${ATTEMPT_COLUMNS} from attempts where id = $1 for ${strength}`,
    [id],
  );
}

export function attemptTime(attempt: Attempt): AttemptTime {
  return {
    deadline: attempt.deadline.getTime(),
    windowMs: attempt.windowSeconds * 1000,
    endedAt: attempt.endedAt?.getTime() ?? null,
  };
}

export function attemptClosesAt(attempt: Attempt): Date {
  return new Date(closesAt(attemptTime(attempt)));
}

/** Whether it has ended, or closes by `now` even if nobody has stored that yet. */
export function isOver(attempt: Attempt, now: Date): boolean {
  return attempt.ended !== null || now >= attemptClosesAt(attempt);
}

/** Starts of one person on one test are serialized. */
export async function lockStarts(
  client: PoolClient,
  testId: string,
  userId: string,
): Promise<void> {
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `${testId}/${userId}`,
  ]);
}
