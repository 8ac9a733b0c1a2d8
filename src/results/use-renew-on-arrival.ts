import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useDevice } from '#app/offline/device-context.ts';
import { previewQuery, resultQuery } from './queries.ts';

/** Asks again when this device's own finish has arrived: the score is there then. */
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
