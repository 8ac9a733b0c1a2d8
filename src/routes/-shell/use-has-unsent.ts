import { useCallback } from 'react';
import type { Outbox } from '#app/outbox/outbox.ts';
import { useOutboxValue } from '#app/offline/use-outbox-value.ts';

/** Whether anybody's unsent answers lie on this device; nobody is signed in where this is asked. */
export function useHasUnsent(): boolean {
  const read = useCallback((outbox: Outbox) => outbox.othersWaiting(null), []);
  return useOutboxValue(read, false);
}
