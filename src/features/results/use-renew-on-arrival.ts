import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useDevice } from '#app/lib/device-services.ts';
import { previewQuery, resultQuery } from './queries.ts';

/** Refetches once this device's finish was delivered: then the score exists. */
export function useRenewOnArrival(attemptId: string): void {
  const { outbox } = useDevice();
  const queryClient = useQueryClient();
  useEffect(
    () =>
      outbox.subscribe((event) => {
        if (event.kind !== 'finished' || event.attemptId !== attemptId) return;
        for (const { queryKey } of [resultQuery(attemptId), previewQuery(attemptId)]) {
          void queryClient.invalidateQueries({ queryKey });
        }
      }),
    [outbox, queryClient, attemptId],
  );
}
