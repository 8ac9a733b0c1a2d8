import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { getAnalysis, getStatistics, type StatisticsRow } from '#contract/statistics.ts';
import { EMPTY_STATISTICS_TITLE } from '#domain/labels-statistics.ts';
import { call } from '#app/api/call.ts';
import { queryKeys } from '#app/lib/query-keys.ts';
import { chosenOf, type StatisticsSearch } from './statistics-search.ts';

export const PAGE_SIZE = 20;

/** An attempt with its student, or a student without one, in the specification's names, and its source row. */
export interface StatisticsUser {
  /** Null: no attempt yet. */
  attemptId: string | null;
  id: string;
  name: string;
  /** Null: not finished yet. */
  score: number | null;
  row: StatisticsRow;
}

/** One page of the specification's «Test statistics». */
export interface TestStatistics {
  testId: string;
  title: string;
  maxScore: number;
  users: StatisticsUser[];
  /** Rows on all pages. */
  total: number;
  /** Those of them that are assigned students without an attempt. */
  unstarted: number;
  /** Number of trials of the class, shown or not. */
  trials: number;
  /** The request failed; placeholder data. */
  failed: boolean;
}

/** Fallback for any failure (specification, sections 7 and 8). */
const emptyStatistics = (testId: string): TestStatistics => ({
  testId,
  title: EMPTY_STATISTICS_TITLE,
  maxScore: 0,
  users: [],
  total: 0,
  unstarted: 0,
  trials: 0,
  failed: true,
});

async function fetchStatistics(
  testId: string,
  search: StatisticsSearch,
  signal: AbortSignal,
): Promise<TestStatistics> {
  const query = { ...search, unstarted: '1' as const, pageSize: PAGE_SIZE };
  const { items, total, trials, unstarted } = await call(
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
    unstarted,
    trials,
    failed: false,
  };
}

/** A page of attempts; any failure yields empty statistics, so that it is not retried automatically. */
export const statisticsQuery = (testId: string, search: StatisticsSearch) =>
  queryOptions({
    queryKey: [...queryKeys.tests, 'statistics', testId, search],
    queryFn: ({ signal }) =>
      fetchStatistics(testId, search, signal).catch((error: unknown) => {
        // An aborted request is not a failure.
        if (signal.aborted) throw error;
        return emptyStatistics(testId);
      }),
    placeholderData: keepPreviousData,
  });

/** Figures over the selected attempts; previous ones stay visible while loading. */
export const analysisQuery = (testId: string, search: StatisticsSearch) => {
  const chosen = chosenOf(search);
  return queryOptions({
    queryKey: [...queryKeys.tests, 'analysis', testId, chosen],
    queryFn: ({ signal }) =>
      call(getAnalysis, { params: { id: testId }, query: chosen }, { signal }),
    placeholderData: keepPreviousData,
  });
};
