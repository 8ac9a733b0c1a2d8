import { useCallback } from 'react';
import type { Outbox } from '#app/outbox/outbox.ts';
import { useOutboxValue } from '#app/lib/use-outbox-value.ts';

/** The number of this person's encrypted rows that cannot be decrypted. */
export function useUnreadable(): number {
  const read = useCallback((outbox: Outbox) => outbox.unreadable(), []);
  return useOutboxValue(read, 0);
}
