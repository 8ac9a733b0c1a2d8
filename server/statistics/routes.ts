import type { FastifyInstance } from 'fastify';
import { exportStatistics, getAnalysis, getStatistics } from '#contract/statistics.ts';
import { actOn, recordAct } from '#server/admin/audit.ts';
import type { AuthenticatedUser } from '#server/auth/caller.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { closeDueAttempts } from '#server/passing/close.ts';
import { presentLog } from '#server/receipts/receipt.ts';
import { analysisOf, classesOf } from './analysis.ts';
import { readAnalysedTest } from './chosen.ts';
import { exportFile } from './export.ts';
import { statisticsPage } from './rows.ts';

/** Each reads all attempts of a test: a person's further calls wait for the earlier ones. */
const AT_ONCE = 2;

export function registerStatistics(app: FastifyInstance, deps: Deps): void {
  const { pool, settings } = deps;

  /** The test as it is now; attempts that ended meanwhile are scored. */
  async function currentTest(caller: AuthenticatedUser, id: string, now: Date) {
    const test = await readAnalysedTest(pool, caller, id);
    await closeDueAttempts(pool, now, test.id);
    return test;
  }

  handle(
    app,
    deps,
    getStatistics,
    async ({ caller, params, query, now }) => {
      const test = await currentTest(caller, params.id, now);
      const { descending, unstarted, ...rest } = query;
      const flags = { descending: descending === '1', unstarted: unstarted === '1' };
      return statisticsPage(pool, test, { ...rest, ...flags }, now);
    },
    { atOnceEach: AT_ONCE },
  );

  handle(
    app,
    deps,
    getAnalysis,
    async ({ caller, params, query, now }) => {
      const test = await currentTest(caller, params.id, now);
      const [analysis, groups, receiptLog] = await Promise.all([
        analysisOf(pool, test, query),
        classesOf(pool, test, query),
        presentLog(pool),
      ]);
      return {
        testId: test.id,
        title: test.name,
        ...analysis,
        groups,
        countedAttempt: test.countedAttempt,
        receiptLog,
      };
    },
    { atOnceEach: AT_ONCE },
  );

  handle(
    app,
    deps,
    exportStatistics,
    async ({ caller, params, query, now }) => {
      const test = await currentTest(caller, params.id, now);
      const { format, ...choice } = query;
      const timeZone = settings.schoolTimezone;
      const file = await exportFile(pool, test, choice, { format, timeZone, now });
      const act = {
        actorId: caller.userId,
        act: 'statisticsExported',
        details: { format },
      } as const;
      await recordAct(pool, deps, actOn('test', test.id, act), now);
      return file;
    },
    { atOnceEach: AT_ONCE },
  );
}
