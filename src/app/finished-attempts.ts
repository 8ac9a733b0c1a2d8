import type { QueryClient } from '@tanstack/react-query';
import type { ReplyOf } from '#contract/route.ts';
import type { getPassing } from '#contract/tests.ts';
import { PASSING, queryKeys } from '#app/lib/query-keys.ts';
import type { Outbox } from '#app/outbox/outbox.ts';
import type { LocalAttempt } from '#app/outbox/types.ts';

/** The attempt that was opened last and is not finished (specification, section 3). */
export const CURRENT_ATTEMPT_KEY = 'currentAttemptId';

interface Parts {
  readonly queryClient: QueryClient;
  readonly local: Pick<Storage, 'getItem' | 'removeItem'>;
  readonly outbox: Pick<Outbox, 'attempt'>;
}

type Passing = ReplyOf<typeof getPassing> | null;

/** An attempt with an unsent finish is still in progress on the server. */
const isOverHere = (
  { state, gone, takenOver, deadline }: LocalAttempt,
  isEnded: boolean,
  now: number,
): boolean => state === 'finished' || gone || (takenOver && (isEnded || deadline <= now));

/** Removes what the page stores about an attempt in progress. */
export function forgetAttempt({ queryClient, local }: Parts, attemptId: string): void {
  queryClient.removeQueries({ queryKey: queryKeys.passing(attemptId) });
  queryClient.removeQueries({ queryKey: queryKeys.savedAnswers(attemptId) });
  if (local.getItem(CURRENT_ATTEMPT_KEY) === attemptId) local.removeItem(CURRENT_ATTEMPT_KEY);
}

/** At a refusal: an attempt that the teacher deleted is no longer in progress. */
export async function forgetDeletedAttempt(parts: Parts, attemptId: string): Promise<void> {
  if ((await parts.outbox.attempt(attemptId))?.gone) forgetAttempt(parts, attemptId);
}

/**
 * At a start and a sign-in: attempts that ended while no page was open, by a finish that the worker sent, on another
 * device or at the server's deadline, were deleted, or belong to somebody else.
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
  const known = new Set(cached.map(({ userTestId }) => userTestId));
  const current = local.getItem(CURRENT_ATTEMPT_KEY);
  for (const attemptId of new Set([...known, ...(current === null ? [] : [current])])) {
    const attempt = await outbox.attempt(attemptId);
    const isEnded = ended.has(attemptId);
    const isOver = attempt ? isOverHere(attempt, isEnded, now) : isEnded || !known.has(attemptId);
    if (isOver) forgetAttempt(parts, attemptId);
  }
}
