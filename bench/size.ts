import { performance } from 'node:perf_hooks';
import type { Pool } from 'pg';
import { v7 } from 'uuid';
import { execute, one, rows } from '#server/db/query.ts';
import { keyedQuestions, makeMarkedAttempts } from '#tests/marked-attempts.ts';
import { makeTest } from '#tests/school.ts';
import type { Figures } from './report.ts';
import { makeTeacher, middleOf } from './statistics.ts';

/** Stored answers of other people's attempts: few at first, then as many as a region stores in years. */
export const STORED = { few: 10_000, many: 10_000_000 } as const;
const ANSWERS = 20;
const CLASS = 30;
const STUDENTS = 3_000;
/** Attempts per statement, so that none of them holds the log for long. */
const AT_ONCE = 10_000;

/** The duration of calls with this number of stored answers; milliseconds. */
export interface SizeFigures {
  readonly stored: number;
  /** Of the tables of attempts with their indexes. */
  readonly gigabytes: number;
  readonly saves: Figures;
  /** Whole attempts: start, answers, finish, result. */
  readonly whole: Figures;
  readonly resultMs: number;
  readonly pageMs: number;
  /** The statistics of a class after a mark has changed. */
  readonly analysisMs: number;
  /** Big tables that a call read completely meanwhile. */
  readonly scanned: readonly string[];
}

const BIG = ['attempts', 'streams', 'operations', 'answers'] as const;

/** Time-ordered, like the server's; the same for the same numbers. */
const uuidOf = (number: string, salt: string) =>
  `(lpad(to_hex(1760000000000 + ${number}), 12, '0') || '7' || substr(md5(${number} || '${salt}'), 1, 3)
    || '8' || substr(md5(${number} || '${salt}'), 4, 15))::uuid`;

/** Fills the tables with ended attempts of other classes, from one number of attempts up to another. */
async function fill(pool: Pool, testId: string, from: number, to: number): Promise<void> {
  await execute(
    pool,
    `insert into users (id, email, user_name, role, password_hash, created_at)
     select ${uuidOf('n', 'user')}, 'filler-' || n || '@school.test', 'Ученик', 0, 'none', now()
     from generate_series(1, ${STUDENTS}) n on conflict do nothing`,
  );
  for (let first = from; first < to; first += AT_ONCE) {
    const last = Math.min(first + AT_ONCE, to) - 1;
    const numbers = `generate_series(${first}::bigint, ${last}) n`;
    const test = `((n / ${CLASS}) * ${CLASS})`;
    await execute(
      pool,
      `insert into tests select (jsonb_populate_record(t,
         jsonb_build_object('id', ${uuidOf(test, 'test')}))).*
       from ${numbers}, tests t where t.id = $1 and n % ${CLASS} = 0 on conflict do nothing`,
      [testId],
    );
    await execute(
      pool,
      `insert into attempts (id, test_id, user_id, content_id, number, started_at, deadline,
         late_window_seconds, ended, ended_at, default_stream, active_stream, active_epoch, points)
       select ${uuidOf('n', 'attempt')}, ${uuidOf(test, 'test')},
         ${uuidOf(`(n % ${STUDENTS} + 1)`, 'user')}, t.content_id, 1, now() - interval '1 year',
         now() - interval '364 days', 900, 'finished', now() - interval '364 days',
         ${uuidOf('n', 'stream')}, ${uuidOf('n', 'stream')}, 1, 10
       from ${numbers}, tests t where t.id = $1`,
      [testId],
    );
    await execute(
      pool,
      `insert into streams (attempt_id, id, epoch, created_at, last_heard_at, head)
       select ${uuidOf('n', 'attempt')}, ${uuidOf('n', 'stream')}, 1, now(), now(), ${ANSWERS}
       from ${numbers}`,
    );
    const answer = `('00000000-0000-4000-8000-' || lpad(k::text, 12, '0'))::uuid`;
    const body = `jsonb_build_object('kind', 'open', 'questionId', ${answer}, 'text', repeat('тело падает ', 6))`;
    const operation = uuidOf(`(n * ${ANSWERS} + k)`, 'operation');
    await execute(
      pool,
      `with written as (
         insert into operations (attempt_id, id, stream, epoch, sequence, rank, kind, question_id,
           body, body_digest, outcome, received_at)
         select ${uuidOf('n', 'attempt')}, ${operation}, ${uuidOf('n', 'stream')}, 1, k, k, 'answer',
           ${answer}, ${body}, decode(md5(n::text) || md5(k::text), 'hex'), 'stored', now()
         from ${numbers}, generate_series(1, ${ANSWERS}) k
         returning attempt_id, question_id, id, sequence, rank, ordinal, body, received_at
       )
       insert into answers (attempt_id, question_id, operation_id, epoch, sequence, rank, ordinal,
         body, received_late, received_at)
       select attempt_id, question_id, id, 1, sequence, rank, ordinal, body, false, received_at
       from written`,
    );
  }
  // Like autovacuum later.
  for (const table of ['tests', 'users', ...BIG]) await pool.query(`vacuum analyze ${table}`);
  // Otherwise the pages just written go to the disk while calls are measured.
  await pool.query('checkpoint');
}

async function scans(pool: Pool): Promise<ReadonlyMap<string, number>> {
  // Statistics of other connections arrive a second after they have ended their work.
  await pool.query('select pg_sleep(1.5)');
  const found = await rows<{ name: string; count: string }>(
    pool,
    `select relname as name, seq_scan as count from pg_stat_user_tables where relname = any($1)`,
    [BIG],
  );
  return new Map(found.map(({ name, count }) => [name, Number(count)]));
}

export interface SizeLoad {
  /** Students' saves for a while. */
  readonly saves: () => Promise<Figures>;
  /** Students who each take the test once. */
  readonly whole: () => Promise<Figures>;
}

/** The same calls with few and with many answers of others stored. */
export async function benchSize(
  base: string,
  pool: Pool,
  load: SizeLoad,
  say: (line: string) => void,
): Promise<SizeFigures[]> {
  const builder = { pool, clock: { now: new Date() }, deps: { newId: () => v7() } };
  const { userId, token } = await makeTeacher(pool);
  const questions = keyedQuestions(ANSWERS);
  const testId = await makeTest(builder, { userId }, { questions });
  const { attemptIds } = await makeMarkedAttempts(builder, testId, questions, CLASS);
  const [attempt = ''] = attemptIds;
  const call = async (path: string) => {
    const reply = await fetch(base + path, { headers: { authorization: `Bearer ${token}` } });
    if (!reply.ok) throw new Error(`${path}: ${reply.status}`);
    await reply.arrayBuffer();
  };
  const analysed = async () => {
    await pool.query('update attempts set points = points where id = $1', [attempt]);
    await call(`/api/Test/statistics/${testId}/analysis`);
  };
  const rounded = (ms: number) => Number(ms.toFixed(1));
  const figures: SizeFigures[] = [];
  let filled = 0;
  for (const stored of Object.values(STORED)) {
    const attempts = Math.ceil(stored / ANSWERS);
    const started = performance.now();
    await fill(pool, testId, filled, attempts);
    filled = attempts;
    const seconds = Math.round((performance.now() - started) / 1_000);
    say(`Ответов в базе: ${stored.toLocaleString('ru')} (заполнено за ${seconds} с).`);
    const size = await one<{ bytes: string }>(
      pool,
      'select sum(pg_total_relation_size(name::regclass)) as bytes from unnest($1::text[]) name',
      [BIG],
    );
    const before = await scans(pool);
    const saves = await load.saves();
    const whole = await load.whole();
    const after = await scans(pool);
    figures.push({
      stored,
      gigabytes: Number((Number(size?.bytes ?? 0) / 1024 ** 3).toFixed(2)),
      saves,
      whole,
      resultMs: rounded(await middleOf(() => call(`/api/Test/results/${attempt}/preview`))),
      pageMs: rounded(await middleOf(() => call(`/api/Test/statistics/${testId}?page=1`))),
      analysisMs: rounded(await middleOf(analysed)),
      scanned: BIG.filter((name) => (after.get(name) ?? 0) > (before.get(name) ?? 0)),
    });
  }
  return figures;
}

/** Formats the figures as a line. */
export function sizeLine(figures: SizeFigures): string {
  const ms = (value: number) => `${value.toLocaleString('ru')} мс`;
  return [
    `ответов в базе ${figures.stored.toLocaleString('ru')} (${figures.gigabytes.toLocaleString('ru')} ГБ)`,
    `ответ p50 ${ms(figures.saves.p50Ms)}, ${figures.saves.perSecond.toLocaleString('ru')} в секунду`,
    `целая попытка p50 ${ms(figures.whole.p50Ms)}`,
    `разбор попытки ${ms(figures.resultMs)}, страница статистики ${ms(figures.pageMs)}, анализ после перемены ${ms(figures.analysisMs)}`,
    figures.scanned.length === 0
      ? 'больших таблиц подряд никто не читал'
      : `подряд читались: ${figures.scanned.join(', ')}`,
  ].join('; ');
}
