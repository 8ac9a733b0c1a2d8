import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  type InfiniteData,
  type QueryClient,
} from '@tanstack/react-query';
import {
  listGradeLog,
  listGrading,
  listMissing,
  listTestHeld,
  type GradingEntry,
  type HeldOfAttempt,
} from '#contract/grading.ts';
import { listHolds } from '#contract/offers.ts';
import { MAX_PAGE_SIZE } from '#contract/limits.ts';
import type { ReplyOf } from '#contract/route.ts';
import { call } from '#app/api/call.ts';
import { queryKeys } from '#app/lib/query-keys.ts';
import type { GradingSearch } from './grading-search.ts';
import { itemOf } from './queue.ts';

const optional = <K extends string>(name: K, value: string | undefined) =>
  (value === undefined ? {} : { [name]: value }) as Partial<Record<K, string>>;

const filterOf = ({ class: groupId, trials }: GradingSearch) => ({
  ...optional('groupId', groupId),
  ...(trials && { trials }),
});

/** The grading queue, page by page. */
export const queueQuery = (testId: string, search: GradingSearch) => {
  const { questionId, attemptId, show } = search;
  return infiniteQueryOptions({
    queryKey: [
      ...queryKeys.grading(testId),
      'answers',
      questionId,
      attemptId,
      show,
      filterOf(search),
    ],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      call(
        listGrading,
        {
          params: { id: testId },
          query: {
            ...optional('questionId', questionId),
            ...optional('attemptId', attemptId),
            ...filterOf(search),
            // The answers of one student include graded ones.
            show: attemptId === undefined ? (show ?? 'pending') : 'all',
            page: pageParam,
            pageSize: MAX_PAGE_SIZE,
          },
        },
        { signal },
      ),
    getNextPageParam: (last, pages) =>
      pages.length * MAX_PAGE_SIZE < last.total ? pages.length + 1 : undefined,
  });
};

/** Updates a graded answer in every cached queue: a refetched queue of ungraded answers would not contain it. */
export function showGraded(client: QueryClient, testId: string, graded: GradingEntry): void {
  client.setQueriesData<InfiniteData<ReplyOf<typeof listGrading>>>(
    { queryKey: [...queryKeys.grading(testId), 'answers'] },
    (queue) =>
      queue && {
        ...queue,
        pages: queue.pages.map((page) => ({
          ...page,
          items: page.items.map((entry) => (itemOf(entry) === itemOf(graded) ? graded : entry)),
        })),
      },
  );
}

/** Counts of each kind, read from the queue's first page. */
export const countsQuery = (testId: string, search: GradingSearch) =>
  queryOptions({
    queryKey: [...queryKeys.grading(testId), 'counts', filterOf(search)],
    queryFn: ({ signal }) =>
      call(
        listGrading,
        { params: { id: testId }, query: { ...filterOf(search), pageSize: 1 } },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

/** Begins without a network that the teacher decides, of the test or one class. */
export const holdsQuery = (testId: string, { class: groupId }: GradingSearch) => {
  const query = optional('groupId', groupId);
  return queryOptions({
    queryKey: [...queryKeys.grading(testId), 'begins', query],
    queryFn: ({ signal }) => call(listHolds, { params: { id: testId }, query }, { signal }),
  });
};

/** All held answers of the test or one class, unpaged: a decision for all needs every one. */
export const heldQuery = (testId: string, search: GradingSearch) =>
  queryOptions({
    queryKey: [...queryKeys.grading(testId), 'held', filterOf(search)],
    queryFn: async ({ signal }) => {
      const items: HeldOfAttempt[] = [];
      for (let page = 1; ; page += 1) {
        const query = { ...filterOf(search), page, pageSize: MAX_PAGE_SIZE };
        const reply = await call(listTestHeld, { params: { id: testId }, query }, { signal });
        items.push(...reply.items);
        if (reply.items.length === 0 || items.length >= reply.total) return items;
      }
    },
  });

/** Page size of the missing answers. */
export const MISSING_PAGE = 50;

export const missingQuery = (testId: string, search: GradingSearch, page: number) =>
  queryOptions({
    queryKey: [...queryKeys.grading(testId), 'missing', filterOf(search), page],
    queryFn: ({ signal }) =>
      call(
        listMissing,
        {
          params: { id: testId },
          query: { ...filterOf(search), page, pageSize: MISSING_PAGE },
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

export const gradeLogQuery = (attemptId: string) =>
  queryOptions({
    queryKey: [...queryKeys.tests, 'grading-log', attemptId],
    queryFn: ({ signal }) => call(listGradeLog, { params: { attemptId } }, { signal }),
  });

/** Invalidates every query that contains marks, after a change of one. */
export async function renewMarks(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: queryKeys.tests }),
    client.invalidateQueries({ queryKey: queryKeys.results }),
  ]);
}

/** The filters that all views share. */
export const scopeOf = ({ class: groupId, trials }: GradingSearch): GradingSearch => ({
  ...(groupId !== undefined && { class: groupId }),
  ...(trials !== undefined && { trials }),
});
