import { useCallback } from 'react';
import type { Outbox } from '#app/outbox/outbox.ts';
import type { LocalAttempt } from '#app/outbox/types.ts';
import { useOutboxValue } from '#app/lib/use-outbox-value.ts';
import { useSession } from '#app/lib/session/session-context.ts';

/** The signed-in person's newest attempt of a test stored on this device. */
export function useLocalAttempt(testId: string): LocalAttempt | null {
  const owner = useSession()?.user.userId;
  const read = useCallback(
    (outbox: Outbox) =>
      owner === undefined ? Promise.resolve(null) : outbox.attemptByTest(owner, testId),
    [owner, testId],
  );
  return useOutboxValue<LocalAttempt | null>(read, null);
}
