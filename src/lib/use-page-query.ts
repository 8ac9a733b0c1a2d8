import { useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query';

export interface PageData<T> {
  data: T | undefined;
  /** Why there is no data yet; shown during retries instead of a blank page. */
  problem: unknown;
  retry: () => void;
  /** The data belongs to the previous query; the current one is loading. */
  isPrevious: boolean;
}

const SILENT_FAILURES = 2;

/** The state of a query for a page: data, else the failure, else loading. */
export function usePageQuery<T, Key extends QueryKey>(
  options: UseQueryOptions<T, Error, T, Key>,
): PageData<T> {
  const query = useQuery(options);
  const isStuck = query.fetchStatus === 'paused' || query.failureCount >= SILENT_FAILURES;
  const reason = query.error ?? (isStuck ? query.failureReason : null);
  return {
    data: query.data,
    problem: query.data === undefined || query.isPlaceholderData ? reason : null,
    retry: () => void query.refetch(),
    isPrevious: query.isPlaceholderData,
  };
}
