import type { Pool } from 'pg';
import { ROLE } from '#contract/auth.ts';
import type { Board, BoardRow } from '#contract/board.ts';
import { GRACE_MS } from '#domain/deadline.ts';
import { one, rows, type Client } from '#server/db/query.ts';
import { CLOSES_AT, presentFirst } from '#server/passing/attempt.ts';
import { closeAttempts } from '#server/passing/close.ts';
import { ASSIGNED, GROUP_NAMES } from '#server/tests/people.ts';
import { unlessTrial } from '#server/passing/trial.ts';
import { answerFilesSql, isAnsweredSql } from '#server/db/answered-sql.ts';

interface TestRow {
  readonly title: string;
  readonly startTime: Date | null;
  readonly endTime: Date | null;
  readonly questionCount: number;
  /** People with a trial attempt, and those who could only start one. */
  readonly trials: number;
  /** Unfinished attempts after the end of their window. */
  readonly due: string[];
}

const TEST = {
  name: 'board-test',
  text: `
select t.name as title, t.start_time as "startTime", t.end_time as "endTime",
  coalesce(c.asked, jsonb_array_length(c.questions), 0) as "questionCount",
  array(
    select id::text from attempts
    where test_id = t.id and ended is null and deleted_at is null
      and ${CLOSES_AT} <= $2
    order by deadline, id
  ) as due,
  (
    select count(*) from (
      select user_id from attempts where test_id = t.id and trial and deleted_at is null
      union
      select u.id from assignments a
        left join group_members m on m.group_id = a.group_id
        join users u on u.id = coalesce(a.user_id, m.user_id)
      where a.test_id = t.id and u.role <> ${ROLE.student}
    ) tried
  ) as trials
from tests t left join test_contents c on c.id = t.content_id
where t.id = $1`,
};

interface Row {
  readonly userId: string;
  readonly userName: string;
  readonly groups: string[];
  readonly attemptId: string | null;
  readonly attemptNumber: number | null;
  readonly trial: boolean;
  readonly startedAt: Date;
  readonly deadline: Date;
  readonly windowSeconds: number;
  readonly ended: 'finished' | 'closed' | null;
  readonly endedAt: Date | null;
  readonly totalQuestions: number | null;
  readonly answered: number;
  readonly lastSeenAt: Date | null;
  readonly unsent: number;
  readonly unsentAt: Date | null;
  readonly unsentSince: Date | null;
  readonly filesUnderway: number;
  readonly held: number;
  readonly devices: number;
}

/** An upper bound, so that a device with a false head cannot inflate the count. */
const MAX_UNSENT = 10_000;

/**
 * Everybody assigned to test $1 and everybody with an attempt, each with the present attempt at $3. If $2, also trials and
 * people who could only start a trial. A device has written all sequences up to its head; those not accounted for are
 * unsent. An upload is in progress when the answer that counts names it, or when it arrived before its answer. A finish
 * has all files of its device or a declaration that they are lost, so one without bytes is not awaited after it.
 */
const ROWS = {
  name: 'board-rows',
  text: `
with newest as materialized (
  select distinct on (user_id) id, user_id, number, content_id, started_at, deadline,
    late_window_seconds, ended, ended_at, trial, active_stream
  from attempts x where test_id = $1 and deleted_at is null and ${unlessTrial('$2')}
  order by user_id, ${presentFirst('$3')}
), contents as materialized (
  select id, jsonb_array_length(questions) as questions from test_contents
  where id in (select content_id from newest)
), people as (${ASSIGNED}
  union select user_id from newest
), taught as (${GROUP_NAMES}
)
select u.id as "userId", u.user_name as "userName", coalesce(taught.names, '{}') as groups,
  n.id as "attemptId", n.number as "attemptNumber",
  coalesce(n.trial, u.role <> ${ROLE.student}) as trial,
  n.started_at as "startedAt", n.deadline,
  n.late_window_seconds as "windowSeconds", n.ended, n.ended_at as "endedAt",
  contents.questions as "totalQuestions", answered.count as answered,
  device.last_seen as "lastSeenAt", device.unsent, device.said_at as "unsentAt",
  least(device.since, file.since) as "unsentSince", file.count as "filesUnderway",
  held.count as held, device.count as devices
from people
  join users u on u.id = people.user_id
  left join taught on taught.user_id = u.id
  left join newest n on n.user_id = u.id
  left join contents on contents.id = n.content_id
  cross join lateral (
    select count(*) filter (where ${isAnsweredSql('body')}),
      bool_or(body ->> 'kind' = 'file') as has_files
    from answers where attempt_id = n.id
  ) answered
  cross join lateral (
    select count(*) from operations
    where attempt_id = n.id and outcome = 'held' and kind = 'answer' and decision is null
  ) held
  cross join lateral (
    select count(*), max(s.last_heard_at) as last_seen, coalesce(sum(gap.missing), 0) as unsent,
      coalesce(min(s.head_at) filter (where gap.missing > 0), max(s.head_at)) as said_at,
      min(gap.since) filter (where gap.missing > 0) as since
    from streams s
      cross join lateral (
        select least(s.head - own.count - spare.count, ${MAX_UNSENT}) as missing
        from (
          select count(*) from operations
          where attempt_id = s.attempt_id and stream = s.id and sequence <= s.head
        ) own, (
          select count(*) from spare_sequences p
          where attempt_id = s.attempt_id and stream = s.id and sequence between 1 and s.head
            and not exists (select from operations o
              where o.attempt_id = p.attempt_id and o.stream = p.stream and o.sequence = p.sequence)
        ) spare
      ) accounted
      cross join lateral (
        select accounted.missing,
          -- the first missing one; looked for only where one is missing
          case when accounted.missing > 0 then (
            select coalesce(min(place) filter (where place <> sequence), count(*) + 1)
            from (
              select sequence, row_number() over (order by sequence) as place
              from (
                select sequence from operations
                  where attempt_id = s.attempt_id and stream = s.id and sequence <= s.head
                union select sequence from spare_sequences
                  where attempt_id = s.attempt_id and stream = s.id and sequence between 1 and s.head
              ) filled
            ) placed
          ) end as first
      ) short
      cross join lateral (
        select short.missing,
          -- sequences after the first missing one were sent when that one was written already
          case when short.missing > 0 then coalesce(
            (select min(received_at) from operations
              where attempt_id = s.attempt_id and stream = s.id and sequence > short.first),
            s.head_since, s.head_at) end as since
      ) gap
    where s.attempt_id = n.id
  ) device
  cross join lateral (
    select count(*), min(file.since) as since from (
      select a.received_at as since from answers a
        cross join lateral ${answerFilesSql('a.body')} as named
        left join uploads f on f.id::text = named.file ->> 'fileId' and f.attempt_id = a.attempt_id
      where answered.has_files and a.attempt_id = n.id
        and f.completed_at is null and f.set_aside is not true
        and not (f.id is null and n.ended is not distinct from 'finished' and exists (
          select from operations o
          where o.attempt_id = n.id and o.id = a.operation_id and o.stream = n.active_stream))
      union all
      select f.created_at from uploads f
        left join answers a on a.attempt_id = f.attempt_id and a.question_id = f.question_id
      where f.attempt_id = n.id and f.completed_at is null and not f.set_aside
        and (a.received_at is null
          or (a.received_at < f.created_at and not exists (
            select from ${answerFilesSql('a.body')} as named
            where named.file ->> 'fileId' = f.id::text)))
    ) file
  ) file
where $2 or not coalesce(n.trial, u.role <> ${ROLE.student})
order by u.id`,
};

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

function boardRow(row: Row, questionCount: number, now: Date): BoardRow {
  const { userId, userName, groups, attemptId, attemptNumber, trial, answered } = row;
  const { unsent, filesUnderway, held, devices } = row;
  const person = { userId, userName, groups, trial };
  const counts = { answered, unsent, filesUnderway, held, devices };
  if (attemptId === null) {
    return {
      ...person,
      ...counts,
      attemptId: null,
      attemptNumber: null,
      state: 'notStarted',
      startedAt: null,
      deadline: null,
      countsUntil: null,
      finishedAt: null,
      totalQuestions: questionCount,
      lastSeenAt: null,
      unsentAt: null,
      unsentSince: null,
    };
  }
  const closes = row.deadline.getTime() + Math.max(row.windowSeconds * 1000, GRACE_MS);
  return {
    ...person,
    ...counts,
    attemptId,
    attemptNumber,
    state: row.ended ?? (now < row.deadline ? 'running' : 'timeOver'),
    startedAt: iso(row.startedAt),
    deadline: iso(row.deadline),
    countsUntil: new Date(closes).toISOString(),
    finishedAt: iso(row.endedAt),
    totalQuestions: row.totalQuestions ?? questionCount,
    lastSeenAt: iso(row.lastSeenAt),
    unsentAt: iso(row.unsentAt),
    unsentSince: iso(row.unsentSince),
  };
}

const readTest = (db: Client, testId: string, now: Date) => one<TestRow>(db, TEST, [testId, now]);

/** The state of a running test, with or without trials; due attempts are closed first. Null: there is no such test. */
export async function readBoard(
  pool: Pool,
  { testId, trials }: { testId: string; trials: boolean },
  now: Date,
): Promise<Board | null> {
  const test = await readTest(pool, testId, now);
  if (!test) return null;
  await closeAttempts(pool, test.due, now);
  const found = await rows<Row>(pool, ROWS, [testId, trials, now]);
  return {
    testId,
    title: test.title,
    serverTime: now.toISOString(),
    startTime: iso(test.startTime),
    endTime: iso(test.endTime),
    rows: found.map((row) => boardRow(row, test.questionCount, now)),
    trials: test.trials,
  };
}
