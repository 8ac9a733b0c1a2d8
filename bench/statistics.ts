import { performance } from 'node:perf_hooks';
import type { Pool } from 'pg';
import { v7 } from 'uuid';
import { ROLE } from '#contract/auth.ts';
import { openSession } from '#server/auth/sessions.ts';
import { execute } from '#server/db/query.ts';
import { keyedQuestions, makeMarkedAttempts } from '#tests/marked-attempts.ts';
import { makeTest } from '#tests/school.ts';
import { figuresOf, median, type Figures, type Measurement } from './report.ts';

export const ATTEMPTS = 2_000;
export const ITEMS = 40;
const WARM_CALLS = 5;

/** Duration of the statistics of a large test, milliseconds. */
export interface StatisticsFigures {
  /** First page of attempts and analysis together, as a screen requests them, with cold caches. */
  readonly coldMs: number;
  /** After a mark changed, which recomputes everything: median of five. */
  readonly changedMs: number;
  /** Without changes: median of five. */
  readonly warmMs: number;
  readonly pageMs: number;
  readonly csvMs: number;
  readonly xlsxMs: number;
  /** `select count(*)` over the same answers: median of five. */
  readonly countMs: number;
  /** Ratio of the time after a change to the count. */
  readonly ratio: number;
  /** Longest event loop delay of the server while the screen was opened and the files were written. */
  readonly loopDelayMs: number;
  /** Students' saves while the screen was repeatedly opened after changes. */
  readonly savesMeanwhile: Figures;
}

const timed = async (run: () => Promise<unknown>): Promise<number> => {
  const from = performance.now();
  await run();
  return performance.now() - from;
};

/** Median of five, milliseconds. */
export async function middleOf(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < WARM_CALLS; i += 1) times.push(await timed(run));
  return median(times);
}

/** Longest delay of the server's event loop since the last call, milliseconds. */
async function loopDelay(base: string): Promise<number> {
  const text = await (await fetch(`${base}/metrics`)).text();
  const found = /^nodejs_eventloop_lag_max_seconds ([\d.e+-]+)/m.exec(text)?.[1];
  if (found === undefined) throw new Error('the server does not tell the delay of its event loop');
  return Number(found) * 1000;
}

export async function makeTeacher(pool: Pool): Promise<{ userId: string; token: string }> {
  const id = v7();
  const now = new Date();
  const email = `${id}@school.test`;
  await execute(
    pool,
    `insert into users (id, email, user_name, role, password_hash, created_at)
     values ($1, $2, 'О. В. Лаптева', $3, 'none', $4)`,
    [id, email, ROLE.teacher, now],
  );
  const row = { id, email, user_name: 'О. В. Лаптева', role: ROLE.teacher };
  return { userId: id, token: (await openSession(pool, row, now, 7)).token };
}

/**
 * Statistics of 2,000 attempts on 40 items over HTTP, beside a plain count of the same rows.
 * @param saves runs students' saves for a while
 */
export async function benchStatistics(
  base: string,
  pool: Pool,
  saves: () => Promise<Measurement>,
): Promise<StatisticsFigures> {
  const builder = { pool, clock: { now: new Date() }, deps: { newId: () => v7() } };
  const { userId, token } = await makeTeacher(pool);
  const questions = keyedQuestions(ITEMS);
  const testId = await makeTest(builder, { userId }, { questions });
  const { attemptIds } = await makeMarkedAttempts(builder, testId, questions, ATTEMPTS);
  const call = async (path: string) => {
    const url = `${base}/api/Test/statistics/${testId}${path}`;
    const reply = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    if (!reply.ok) throw new Error(`${path}: ${reply.status}`);
    await reply.arrayBuffer();
  };
  const openScreen = () => Promise.all([call('?page=1'), call('/analysis')]);
  const count = () =>
    pool.query(
      `select count(*) from answers a join attempts x on x.id = a.attempt_id where x.test_id = $1`,
      [testId],
    );
  await loopDelay(base);
  const coldMs = await timed(openScreen);
  const openChanged = async () => {
    const [attempt] = attemptIds;
    await pool.query('update attempts set points = points where id = $1', [attempt]);
    await openScreen();
  };
  const changedMs = await middleOf(openChanged);
  const warmMs = await middleOf(openScreen);
  const pageMs = await middleOf(() => call('?page=7&sortOrder=points'));
  const csvMs = await timed(() => call('/export?format=csv'));
  const xlsxMs = await timed(() => call('/export?format=xlsx'));
  const loopDelayMs = await loopDelay(base);
  const countMs = await middleOf(count);
  let isAnswering = true;
  const answering = saves().finally(() => {
    isAnswering = false;
  });
  while (isAnswering) await openChanged();
  const savesMeanwhile = figuresOf([await answering]);
  const rounded = (value: number) => Number(value.toFixed(1));
  return {
    coldMs: rounded(coldMs),
    changedMs: rounded(changedMs),
    warmMs: rounded(warmMs),
    pageMs: rounded(pageMs),
    csvMs: rounded(csvMs),
    xlsxMs: rounded(xlsxMs),
    countMs: rounded(countMs),
    ratio: rounded(changedMs / countMs),
    loopDelayMs: rounded(loopDelayMs),
    savesMeanwhile,
  };
}

/** Formats the figures as a line. */
export function statisticsLine(figures: StatisticsFigures): string {
  const ms = (value: number) => `${value.toLocaleString('ru')} мс`;
  return [
    `statistics ${ATTEMPTS}×${ITEMS}: впервые ${ms(figures.coldMs)}, без перемен ${ms(figures.warmMs)}`,
    `после перемены ${ms(figures.changedMs)}: ×${figures.ratio.toLocaleString('ru')} к подсчёту тех же строк (${ms(figures.countMs)})`,
    `страница попыток ${ms(figures.pageMs)}, CSV ${ms(figures.csvMs)}, XLSX ${ms(figures.xlsxMs)}`,
    `наибольшая задержка цикла событий ${ms(figures.loopDelayMs)}`,
    `ответы учеников тем временем: p50 ${ms(figures.savesMeanwhile.p50Ms)}, p99 ${ms(figures.savesMeanwhile.p99Ms)}`,
  ].join('; ');
}
