import { useCallback } from 'react';
import type { Outbox } from '#app/outbox/outbox.ts';
import { useOutboxValue } from '#app/lib/use-outbox-value.ts';

/** Whether this device has unsent answers of any person; used while signed out. */
export function useHasUnsent(): boolean {
  const read = useCallback((outbox: Outbox) => outbox.othersWaiting(null), []);
  return useOutboxValue(read, false);
}
