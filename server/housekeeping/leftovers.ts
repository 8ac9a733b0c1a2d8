import type { Pool } from 'pg';
import { IDLE_DAYS } from '#server/auth/caller.ts';
import { MAX_WRONG_CODES } from '#server/auth/second-factor/failures.ts';
import { execute } from '#server/db/query.ts';
import { pauseBetween, type StopSignal } from './batches.ts';

const DAY_MS = 86_400_000;
const ROWS_A_BATCH = 1_000;
const CONTENTS_A_BATCH = 50;

/** Forgotten after a month without a try, unless they stopped the codes. */
const FACTOR_FAILURES_DAYS = 30;
/** A lost reply is requested again within minutes; it may contain first passwords. */
const IMPORT_DAYS = 1;
/** A device repeats a start for as long as it exists, but hardly after a term. */
const START_KEY_DAYS = 90;
/** A device that will be used for the test reports again. */
const READINESS_DAYS = 30;
/** Receipts that devices present after a restore may still name unpinned contents. */
const CONTENT_DAYS = 90;
/** The address of a sign-in is useful while somebody may still ask about it. */
const ADDRESS_DAYS = 90;
/** Outages matter for attempts that run, or that one of the last day closed. */
const UPTIME_DAYS = 30;

interface Leftover {
  readonly days: number;
  /** Deletes at most $2 rows older than $1, or their obsolete columns. */
  readonly text: string;
  /** Rows of a batch. */
  readonly most?: number;
}

const oldRows = (table: string, condition: string) =>
  `delete from ${table} where ctid = any(array(
     select ctid from ${table} where ${condition} limit $2 for update skip locked))`;

const OLD_ADDRESSES = `update audit_log set address = null, gathers = null where ctid = any(array(
  select ctid from audit_log where at < $1 and (address is not null or gathers is not null)
  limit $2 for update skip locked))`;

/** Neither what the next attempt pins nor its prepared draws. */
const UNPINNED = `delete from test_contents where id = any(array(
  select c.id from test_contents c join tests t on t.id = c.test_id
  where c.created_at < $1 and t.updated_at < $1
    and c.id is distinct from t.content_id
    and (c.drawn_from is null or c.drawn_from is distinct from t.content_id)
    and not exists (select 1 from attempts a where a.content_id = c.id)
    and not exists (select 1 from offers f where c.id in (f.content_id, f.source_id))
    and not exists (select 1 from test_contents o where o.corrected_to = c.id)
    and not exists (
      select 1 from test_contents d join attempts a on a.content_id = d.id where d.drawn_from = c.id)
  limit $2 for update of c skip locked))`;

const createLeftovers = (auditDays: number) =>
  ({
    sessions: {
      days: 0,
      text: oldRows(
        'sessions',
        `expires_at <= $1 or last_used_at <= $1 - interval '${IDLE_DAYS} days'`,
      ),
    },
    failures: { days: 0, text: oldRows('login_failures', 'drained_at <= $1') },
    factorSteps: { days: 0, text: oldRows('factor_challenges', 'expires_at <= $1') },
    factorFailures: {
      days: FACTOR_FAILURES_DAYS,
      text: oldRows('factor_failures', `window_start < $1 and total <= ${MAX_WRONG_CODES}`),
    },
    imports: { days: IMPORT_DAYS, text: oldRows('import_batches', 'created_at < $1') },
    uptime: { days: UPTIME_DAYS, text: oldRows('server_uptime', 'last_seen_at < $1') },
    startKeys: { days: START_KEY_DAYS, text: oldRows('start_keys', 'created_at < $1') },
    readiness: {
      days: READINESS_DAYS,
      text: oldRows('readiness_reports', 'reported_at < $1'),
    },
    acts: { days: auditDays, text: oldRows('audit_log', 'at < $1') },
    addresses: { days: ADDRESS_DAYS, text: OLD_ADDRESSES },
    contents: { days: CONTENT_DAYS, text: UNPINNED, most: CONTENTS_A_BATCH },
  }) satisfies Record<string, Leftover>;

export type RemovedCounts = Partial<Record<keyof ReturnType<typeof createLeftovers>, number>>;

/**
 * Deletes what is obsolete: ended sign-ins, counted failures, replies stored for repeats, reports of devices, acts after their time
 * and addresses of sign-ins before it, contents that no attempt pins.
 * @returns the number of rows of each, without zeros
 */
export async function deleteLeftovers(
  pool: Pool,
  now: Date,
  auditDays: number,
  progress: StopSignal,
): Promise<RemovedCounts> {
  const removed: Record<string, number> = {};
  const leftovers: Readonly<Record<string, Leftover>> = createLeftovers(auditDays);
  for (const [name, { days, text, most = ROWS_A_BATCH }] of Object.entries(leftovers)) {
    const before = new Date(now.getTime() - days * DAY_MS);
    for (;;) {
      if (progress.isStopped()) return removed;
      const count = await execute(pool, text, [before, most]);
      if (count > 0) removed[name] = (removed[name] ?? 0) + count;
      if (count < most) break;
      await pauseBetween();
    }
  }
  return removed;
}
