import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { useDevice } from '#app/lib/device-services.ts';
import { useOutboxValue } from '#app/lib/use-outbox-value.ts';
import type { Outbox } from '#app/outbox/outbox.ts';
import { previewQuery, resultQuery } from './queries.ts';

/**
 * Refetches once this device's finish was delivered, since the score exists then, and once the teacher has decided on
 * its begin.
 */
export function useRenewOnArrival(attemptId: string): void {
  const { outbox } = useDevice();
  const queryClient = useQueryClient();
  const renew = useCallback(() => {
    for (const { queryKey } of [resultQuery(attemptId), previewQuery(attemptId)])
      void queryClient.invalidateQueries({ queryKey });
  }, [queryClient, attemptId]);
  const readHeld = useCallback(
    async (of: Outbox) => {
      const view = await of.snapshot(attemptId);
      return view?.begin?.state === 'held' && view.readOnly !== 'gone';
    },
    [attemptId],
  );
  const isHeld = useOutboxValue(readHeld, false);
  useEffect(() => (isHeld ? renew : undefined), [isHeld, renew]);
  useEffect(
    () =>
      outbox.subscribe((event) => {
        if (event.kind === 'finished' && event.attemptId === attemptId) renew();
      }),
    [outbox, renew, attemptId],
  );
}
