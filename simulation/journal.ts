import type { Pool } from 'pg';
import { rows } from '#server/db/query.ts';
import { canonical, type JournalRow } from './evidence.ts';

/** A column of time as true milliseconds. */
export const MS = (column: string): string => `(extract(epoch from ${column}) * 1000)::float8`;

/** The journal of these students' attempts, in the server's insertion order. */
export async function readJournal(pool: Pool, userIds: readonly string[]): Promise<JournalRow[]> {
  const found = await rows<JournalRow & { body: unknown }>(
    pool,
    `select o.id as "operationId", o.attempt_id as "attemptId", a.user_id as "userId", o.kind, o.stream,
       o.epoch, o.sequence, o.rank, o.ordinal, o.question_id as "questionId", o.body, o.outcome, o.refusal,
       coalesce(o.body ->> 'reason' = 'deadline', false) as "byDeadline",
       o.received_late as "receivedLate", o.decision, o.age_ms as "ageMs",
       ${MS('o.received_at')} as "receivedAt"
     from operations o join attempts a on a.id = o.attempt_id
     where a.user_id = any($1) order by o.ordinal`,
    [userIds],
  );
  return found.map((row) => ({ ...row, body: row.kind === 'answer' ? canonical(row.body) : '' }));
}
