import { useCallback } from 'react';
import type { Outbox } from '#app/outbox/outbox.ts';
import type { LocalAttempt } from '#app/outbox/types.ts';
import { useOutboxValue } from '#app/offline/use-outbox-value.ts';
import { useSession } from '#app/session/session-context.ts';

/** The newest attempt of a test that this device holds for the signed-in person. */
export function useLocalAttempt(testId: string): LocalAttempt | null {
  const owner = useSession()?.user.userId;
  const read = useCallback(
    (outbox: Outbox) =>
      owner === undefined ? Promise.resolve(null) : outbox.attemptByTest(owner, testId),
    [owner, testId],
  );
  return useOutboxValue<LocalAttempt | null>(read, null);
}
