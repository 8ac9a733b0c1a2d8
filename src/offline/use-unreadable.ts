import { useCallback } from 'react';
import type { Outbox } from '#app/outbox/outbox.ts';
import { useOutboxValue } from './use-outbox-value.ts';

/** How much of what this person left encrypted on this device does not open. */
export function useUnreadable(): number {
  const read = useCallback((outbox: Outbox) => outbox.unreadable(), []);
  return useOutboxValue(read, 0);
}
