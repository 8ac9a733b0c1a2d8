import { queryOptions } from '@tanstack/react-query';
import { getReceipt } from '#contract/receipts.ts';
import { call } from '#app/api/call.ts';
import { queryKeys } from '#app/lib/query-keys.ts';

/** What a grader reads meanwhile. */
export const NOT_OPENED = 'После завершения попытки ученик квитанцию ещё не открывал.';

/** The receipt of an attempt; null for a grader whose student has not taken one. */
export const receiptQuery = (attemptId: string) =>
  queryOptions({
    queryKey: [...queryKeys.results, 'receipt', attemptId],
    queryFn: async ({ signal }) =>
      (await call(getReceipt, { params: { attemptId } }, { signal })).receipt,
  });
