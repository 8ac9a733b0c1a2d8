import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { v7 } from 'uuid';
import { ROLE } from '#contract/auth.ts';
import { getBoard, watchBoard } from '#contract/board.ts';
import { openSession } from '#server/auth/sessions.ts';

/** Cost of the live board for a class and for a year of a school, idle and under load. */
export const CLASS_SIZES = [30, 300] as const;
const WATCHED = { students: 2_000, teachers: 5, settleMs: 5_000, measureMs: 10_000 } as const;
const QUESTIONS = 40;
const ANSWERED = 30;
const READS = 30;

export interface BoardFigures {
  readonly students: number;
  /** One full board over HTTP without other load; milliseconds. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly kilobytes: number;
  /** Processor time of server and database for one board, microseconds; null: not available. */
  readonly serverCpuUs: number | null;
  readonly postgresCpuUs: number | null;
  /** Events received by one watcher while answers were saved, and the duration in seconds. */
  readonly events: number;
  readonly seconds: number;
  /** Saves per second during that time. */
  readonly savesPerSecond: number;
}

interface BenchEnvironment {
  readonly base: string;
  readonly pool: Pool;
  /** Processor time used so far by server and database, microseconds. */
  readonly cpu: () => { readonly server: number | null; readonly postgres: number | null };
  /** Saves answers for some seconds; returns saves per second. */
  readonly saves: () => Promise<number>;
}

/** Inserts this many students in the middle of a test of forty questions, by SQL. */
async function makeClass(pool: Pool, students: number): Promise<{ testId: string; token: string }> {
  const [teacherId, testId, contentId] = [v7(), v7(), v7()];
  const email = `${teacherId}@school.test`;
  const now = new Date();
  const teacher = { id: teacherId, email, user_name: 'О. В. Лаптева', role: ROLE.teacher };
  await pool.query(
    `insert into users (id, email, user_name, role, password_hash, created_at)
     values ($1, $2, $3, $4, 'none', $5)`,
    [teacherId, email, teacher.user_name, teacher.role, now],
  );
  await pool.query(
    `with student as (
       insert into users (id, email, user_name, role, password_hash, created_at)
       select gen_random_uuid(), gen_random_uuid() || '@school.test', 'Ученик ' || n, 0, 'none', $4
       from generate_series(1, $5::integer) n returning id
     ), test as (
       insert into tests (id, owner_id, lifecycle, name, pass_seconds, open_to_all, created_at, updated_at)
       values ($1, $2, 'active', 'Годовая работа', 36000, true, $4, $4) returning id
     ), content as (
       insert into test_contents (id, test_id, questions, max_points, created_at)
       select $3, id, jsonb_agg(jsonb_build_object('questionId', gen_random_uuid())), 40, $4
       from test, generate_series(1, $6::integer) group by id returning id
     ), attempt as (
       insert into attempts (id, test_id, user_id, content_id, number, started_at, deadline,
         late_window_seconds, default_stream, active_stream, active_epoch)
       select gen_random_uuid(), test.id, student.id, content.id, 1, $4, $4 + interval '10 hours', 900,
         gen_random_uuid(), gen_random_uuid(), 1 from student, test, content
       returning id, active_stream
     ), stream as (
       insert into streams (attempt_id, id, epoch, created_at, last_heard_at, head, head_at, head_since)
       select id, active_stream, 1, $4, $4, $7::integer, $4, $4 from attempt
     ), operation as (
       insert into operations (attempt_id, id, stream, epoch, sequence, rank, kind, question_id, body,
         body_digest, outcome, received_at)
       select attempt.id, gen_random_uuid(), active_stream, 1, n, n, 'answer', gen_random_uuid(),
         jsonb_build_object('kind', 'open', 'text', repeat('тело падает ', 8)), '', 'stored', $4
       from attempt, generate_series(1, $7::integer) n
       returning attempt_id, id, question_id, sequence, body
     )
     insert into answers (attempt_id, question_id, operation_id, epoch, sequence, rank, ordinal, body,
       received_late, received_at)
     select attempt_id, question_id, id, 1, sequence, sequence, sequence, body, false, $4 from operation`,
    [testId, teacherId, contentId, now, students, QUESTIONS, ANSWERED],
  );
  await pool.query('analyze attempts, streams, operations, answers, users');
  const { token } = await openSession(pool, teacher, now, 1);
  return { testId, token };
}

/** Counts events until aborted. */
function listen(url: string, token: string) {
  const abort = new AbortController();
  const from = performance.now();
  let firstMs: number | null = null;
  let events = 0;
  const done = (async () => {
    const reply = await fetch(url, {
      headers: { authorization: `Bearer ${token}` },
      signal: abort.signal,
    });
    for await (const part of reply.body ?? []) {
      events +=
        Buffer.from(part as Uint8Array)
          .toString()
          .split('data: ').length - 1;
      if (events > 0) firstMs ??= performance.now() - from;
    }
  })().catch(() => undefined);
  return {
    firstMs: () => firstMs,
    stop: async () => {
      abort.abort();
      await done;
      return events;
    },
  };
}

const minus = (after: number | null, before: number | null) =>
  after === null || before === null ? null : Math.round((after - before) / READS);

/** Ten students report twice a second, so that every second has changes. */
const reportPresence = (pool: Pool, testId: string) =>
  setInterval(
    () =>
      void pool.query(
        `update streams set last_heard_at = now(), head = head + 1, head_at = now()
         where attempt_id in (select id from attempts where test_id = $1 order by random() limit 10)`,
        [testId],
      ),
    500,
  );

export interface WatcherFigures {
  /** The time until the last watcher had its first board; milliseconds. */
  readonly firstMs: number;
  /** Processor time of server and database in a second, 1: a whole core. */
  readonly cores: number;
}

/** Several teachers watch a test of thousands of students. */
export async function benchWatchers(
  environment: Pick<BenchEnvironment, 'base' | 'pool' | 'cpu'>,
): Promise<WatcherFigures> {
  const { base, pool, cpu } = environment;
  const { testId, token } = await makeClass(pool, WATCHED.students);
  const reporting = reportPresence(pool, testId);
  const url = `${base}${watchBoard.path.replace('{id}', testId)}`;
  const listeners = Array.from({ length: WATCHED.teachers }, () => listen(url, token));
  const used = () => {
    const { server, postgres } = cpu();
    return (server ?? 0) + (postgres ?? 0);
  };
  // All have had their first board by then, and saved plans are made.
  await pause(WATCHED.settleMs);
  const before = used();
  await pause(WATCHED.measureMs);
  const cores = (used() - before) / (WATCHED.measureMs * 1000);
  clearInterval(reporting);
  await Promise.all(listeners.map((listener) => listener.stop()));
  const first = listeners.map((listener) => listener.firstMs());
  if (first.includes(null)) throw new Error('a watcher was sent no board');
  return { firstMs: Math.round(Math.max(...first.map(Number))), cores: Number(cores.toFixed(3)) };
}

async function measure(environment: BenchEnvironment, students: number): Promise<BoardFigures> {
  const { testId, token } = await makeClass(environment.pool, students);
  const at = (path: string) => `${environment.base}${path.replace('{id}', testId)}`;
  const read = async () => {
    const from = performance.now();
    const reply = await fetch(at(getBoard.path), { headers: { authorization: `Bearer ${token}` } });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`board: ${reply.status} ${text.slice(0, 200)}`);
    return { ms: performance.now() - from, bytes: Buffer.byteLength(text) };
  };
  for (let n = 0; n < 5; n += 1) await read();
  const before = environment.cpu();
  const reads = [];
  for (let n = 0; n < READS; n += 1) reads.push(await read());
  const after = environment.cpu();
  const times = reads.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const time = (part: number) =>
    Number((times[Math.min(READS - 1, Math.floor(READS * part))] ?? 0).toFixed(1));

  const reporting = reportPresence(environment.pool, testId);
  const listener = listen(at(watchBoard.path), token);
  const from = performance.now();
  const savesPerSecond = await environment.saves();
  const seconds = (performance.now() - from) / 1000;
  const events = await listener.stop();
  clearInterval(reporting);
  return {
    students,
    p50Ms: time(0.5),
    p99Ms: time(0.99),
    kilobytes: Math.round((reads[0]?.bytes ?? 0) / 1024),
    serverCpuUs: minus(after.server, before.server),
    postgresCpuUs: minus(after.postgres, before.postgres),
    events,
    seconds: Number(seconds.toFixed(1)),
    savesPerSecond,
  };
}

export async function benchBoard(environment: BenchEnvironment): Promise<BoardFigures[]> {
  const figures: BoardFigures[] = [];
  for (const students of CLASS_SIZES) figures.push(await measure(environment, students));
  return figures;
}

/** «Ход теста, учеников: 30 …» */
export const boardLine = (figures: BoardFigures): string =>
  `Ход теста, учеников: ${figures.students}: ${figures.p50Ms} мс (p99 ${figures.p99Ms}), ` +
  `${figures.kilobytes} КБ, CPU сервера ${figures.serverCpuUs ?? '—'} мкс, ` +
  `PostgreSQL ${figures.postgresCpuUs ?? '—'} мкс; событий ${figures.events} за ${figures.seconds} с ` +
  `при ${figures.savesPerSecond} ответах в секунду.`;
