import type { QueryClient } from '@tanstack/react-query';
import type { ReplyOf } from '#contract/route.ts';
import type { getPassing } from '#contract/tests.ts';
import { PASSING, queryKeys } from '#app/lib/query-keys.ts';
import type { Outbox } from '#app/outbox/outbox.ts';

/** The attempt that was opened last and is not finished (specification, section 3). */
export const CURRENT_ATTEMPT_KEY = 'currentAttemptId';

interface Parts {
  readonly queryClient: QueryClient;
  readonly local: Pick<Storage, 'getItem' | 'removeItem'>;
  readonly outbox: Pick<Outbox, 'attempt'>;
}

type Passing = ReplyOf<typeof getPassing> | null;

/** Removes what the page stores about an attempt in progress. */
export function forgetAttempt({ queryClient, local }: Parts, attemptId: string): void {
  queryClient.removeQueries({ queryKey: queryKeys.passing(attemptId) });
  queryClient.removeQueries({ queryKey: queryKeys.savedAnswers(attemptId) });
  if (local.getItem(CURRENT_ATTEMPT_KEY) === attemptId) local.removeItem(CURRENT_ATTEMPT_KEY);
}

/**
 * At a start: attempts that ended while no page was open, by a finish that the worker sent, on another device or at
 * the server's deadline.
 */
export async function forgetEndedAttempts(parts: Parts, now: number): Promise<void> {
  const { queryClient, local, outbox } = parts;
  const cached = queryClient
    .getQueriesData<Passing>({ queryKey: [PASSING] })
    .flatMap(([, passing]) => passing ?? []);
  const ended = new Set(
    cached
      .filter(({ state, countsUntil }) => state === 2 || Date.parse(countsUntil) <= now)
      .map(({ userTestId }) => userTestId),
  );
  const current = local.getItem(CURRENT_ATTEMPT_KEY);
  for (const attemptId of new Set([...cached.map(({ userTestId }) => userTestId), current ?? ''])) {
    if (attemptId === '') continue;
    const attempt = await outbox.attempt(attemptId);
    // One that waits to be sent is still in progress here.
    const isOver = attempt ? attempt.state === 'finished' : ended.has(attemptId);
    if (isOver) forgetAttempt(parts, attemptId);
  }
}
