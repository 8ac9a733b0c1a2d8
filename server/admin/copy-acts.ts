import type { Deps } from '#server/deps.ts';
import { rows } from '#server/db/query.ts';
import type { ScheduledJob } from '#server/housekeeping/schedule.ts';

const EVERY_MS = 10_000;
/** Acts are recorded in short transactions. An act that commits later than this is not copied. */
const LATE_MS = 120_000;
const PAGE = 1_000;

interface LoggedAct extends Record<string, unknown> {
  id: string;
  at: Date;
}

// Only ids: the process log contains no names and no addresses.
const FIND_ACTS = {
  name: 'find-new-acts',
  text: `select id, at, act, actor_id as actor, subject_kind as "subjectKind", subject_id as subject,
           person_id as person, details
         from audit_log where at > $1 and not id = any($2::uuid[]) order by at, id limit ${PAGE}`,
};

/**
 * Writes each recorded act to the process log, which the operator stores separately from the database (ASVS 16.4.3).
 * Starts with the acts after its own creation. Several servers of one database write an act once each.
 */
export function createActCopier({
  pool,
  clock,
  log,
}: Pick<Deps, 'pool' | 'clock' | 'log'>): ScheduledJob {
  const startedAt = clock().getTime();
  let written: { id: string; at: Date }[] = [];
  return {
    what: 'copying acts to the log',
    everyMs: EVERY_MS,
    async run({ isStopped }) {
      const since = new Date(Math.max(startedAt, clock().getTime() - LATE_MS));
      written = written.filter(({ at }) => at >= since);
      for (;;) {
        const found = await rows<LoggedAct>(pool, FIND_ACTS, [since, written.map(({ id }) => id)]);
        for (const act of found) log.info({ act }, 'act');
        written.push(...found.map(({ id, at }) => ({ id, at })));
        if (found.length < PAGE || isStopped()) return;
      }
    },
  };
}
