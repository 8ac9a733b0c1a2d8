import { useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query';

export interface PageQuery<T> {
  data: T | undefined;
  /** Why there is no data yet; said while tries go on, so that nobody waits before a blank page. */
  problem: unknown;
  retry: () => void;
  /** The data is what was asked for before; what is asked for now is on its way. */
  isPrevious: boolean;
}

const SILENT_FAILURES = 2;

/** A query as a page shows it: data, else the reason, else nothing yet. */
export function usePageQuery<T, Key extends QueryKey>(
  options: UseQueryOptions<T, Error, T, Key>,
): PageQuery<T> {
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
