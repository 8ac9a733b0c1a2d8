import { QueryClient, onlineManager } from '@tanstack/react-query';
import { ApiFailure } from '#app/api/failure.ts';

const RETRIES = 3;
const MIN_DELAY_MS = 1_000;
const MAX_DELAY_MS = 30_000;
const GC_MS = 5 * 60_000;

/** Delay before the n-th retry (counted from 0): 1 s doubling, at most 30 s. */
export const retryDelay = (attempt: number) => Math.min(MIN_DELAY_MS * 2 ** attempt, MAX_DELAY_MS);

/** Whether a failed query is retried: not after a final status of our server, which would not change. */
export function shouldRetry(failures: number, error: unknown): boolean {
  if (failures >= RETRIES) return false;
  if (!(error instanceof ApiFailure) || error.kind !== 'refused') return true;
  const { status } = error;
  return status === undefined || status >= 500 || status === 408 || status === 429;
}

/** The query client with the defaults of the specification, section 7. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // The service worker can respond offline, so the first request is always sent.
      queries: { retry: shouldRetry, retryDelay, gcTime: GC_MS, networkMode: 'offlineFirst' },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/** TanStack Query assumes it is online; call before the first render. */
export function setOnline(isOnline: boolean): void {
  onlineManager.setOnline(isOnline);
}
