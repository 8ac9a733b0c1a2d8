import { queryOptions } from '@tanstack/react-query';
import { getReceipt } from '#contract/receipts.ts';
import { call } from '#app/api/call.ts';
import { queryKeys } from '#app/lib/query-keys.ts';

export const receiptQuery = (attemptId: string) =>
  queryOptions({
    queryKey: [...queryKeys.results, 'receipt', attemptId],
    queryFn: ({ signal }) => call(getReceipt, { params: { attemptId } }, { signal }),
  });
