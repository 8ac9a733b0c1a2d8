import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { getAnalysis, getStatistics, type StatisticsRow } from '#contract/statistics.ts';
import { EMPTY_STATISTICS_TITLE } from '#domain/labels-statistics.ts';
import { call } from '#app/api/call.ts';
import { chosenOf, type StatisticsSearch } from './statistics-search.ts';

export const PAGE_SIZE = 20;

/** An attempt with its pupil, as the specification names them, and the row it came from. */
export interface StatisticsUser {
  attemptId: string;
  id: string;
  name: string;
  /** Null: not over yet. */
  score: number | null;
  row: StatisticsRow;
}

/** «Test statistics» of the specification: a page of it. */
export interface TestStatistics {
  testId: string;
  title: string;
  maxScore: number;
  users: StatisticsUser[];
  /** Attempts on all pages. */
  total: number;
  /** Trials of the class, shown or not. */
  trials: number;
  /** It did not come, and stands for what did not. */
  failed: boolean;
}

/** What any failure gives instead (specification, sections 7 and 8). */
const emptyStatistics = (testId: string): TestStatistics => ({
  testId,
  title: EMPTY_STATISTICS_TITLE,
  maxScore: 0,
  users: [],
  total: 0,
  trials: 0,
  failed: true,
});

async function fetchStatistics(
  testId: string,
  search: StatisticsSearch,
  signal: AbortSignal,
): Promise<TestStatistics> {
  const query = { ...search, pageSize: PAGE_SIZE };
  const { items, total, trials } = await call(
    getStatistics,
    { params: { id: testId }, query },
    { signal },
  );
  return {
    testId,
    title: items[0]?.testName ?? '',
    maxScore: items[0]?.testPoints ?? 0,
    users: items.map((row) => ({
      attemptId: row.userTestId,
      id: row.userId,
      name: row.userName,
      score: row.points,
      row,
    })),
    total,
    trials,
    failed: false,
  };
}

/** A page of attempts; on any failure the empty statistics, so that it is never tried behind the back. */
export const statisticsQuery = (testId: string, search: StatisticsSearch) =>
  queryOptions({
    queryKey: ['tests/statistics', testId, search],
    queryFn: ({ signal }) =>
      fetchStatistics(testId, search, signal).catch((error: unknown) => {
        // Nobody waits for it any more: that is no failure of the statistics.
        if (signal.aborted) throw error;
        return emptyStatistics(testId);
      }),
    placeholderData: keepPreviousData,
  });

/** Figures of the test over the chosen attempts; those before stay in sight while others load. */
export const analysisQuery = (testId: string, search: StatisticsSearch) => {
  const chosen = chosenOf(search);
  return queryOptions({
    queryKey: ['tests/analysis', testId, chosen],
    queryFn: ({ signal }) =>
      call(getAnalysis, { params: { id: testId }, query: chosen }, { signal }),
    placeholderData: keepPreviousData,
  });
};
